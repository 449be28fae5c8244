/* x to the power of y by additions, multiplications and divisions only. The result has the same
 * bits on every machine, whereas the pow functions of C libraries differ in the last bit. */
#ifndef GNNC_DATA_GENERATE_POWER_H
#define GNNC_DATA_GENERATE_POWER_H

/* Returns x^y with a relative error of about 1e-14. x is positive and normal, and the result is
 * within the range of double. */
double power_of(double x, double y);

#endif
