/* --tune: finds the switches that run fastest on the given graph. */
#ifndef GNNC_TOOLS_GNNC_GNNC_TUNE_H
#define GNNC_TOOLS_GNNC_GNNC_TUNE_H

#include "tools/gnnc/gnnc_driver.h"

/* Compiles the analysed model with several choices of switches, runs them in turn on the graph,
 * writes the tuning file that the options name, and leaves the winner's switches in
 * r->options.code.features. False after reporting an error. */
bool gnnc_tune(gnnc_driver *r);

#endif
