/* x to the y by additions, multiplications and divisions only, so that it has the same bits on
 * every machine (the pow of a C library differs from one to the next in the last place). */
#ifndef GNNC_DATA_GENERATE_POWER_H
#define GNNC_DATA_GENERATE_POWER_H

/* Accurate to about 1e-14 of the result; x is positive and normal, the result within the range of
 * double. */
double power_of(double x, double y);

#endif
