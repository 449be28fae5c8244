/* The clock that all rooms measure durations with. */
#ifndef GNNC_SUPPORT_CLOCK_H
#define GNNC_SUPPORT_CLOCK_H

/* Returns seconds since some fixed moment; never goes backwards. */
double clock_seconds(void);

#endif
