/* The useful multiply-adds of a model on its graph: the same number for every machine, device and
 * choice of switches, by which comparisons divide what a program executes. */
#ifndef GNNC_TOOLS_GNNC_GNNC_USEFUL_H
#define GNNC_TOOLS_GNNC_GNNC_USEFUL_H

#include "tools/gnnc/gnnc_driver.h"

/* Returns the number of multiply-adds of the model in the order that costs least; -1 where the
 * graph does not give the number of rows of an operation. Counts once per run of gnnc. */
int64_t gnnc_useful_multiply_adds(gnnc_driver *r);

#endif
