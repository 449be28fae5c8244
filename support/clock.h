/* The clock for all measurements of durations. */
#ifndef GNNC_SUPPORT_CLOCK_H
#define GNNC_SUPPORT_CLOCK_H

/* Returns the seconds since a fixed moment; the result never decreases. */
double clock_seconds(void);

#endif
