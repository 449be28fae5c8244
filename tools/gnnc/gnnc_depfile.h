/* --depfile: writes the files that a run has read, for build systems. */
#ifndef GNNC_TOOLS_GNNC_GNNC_DEPFILE_H
#define GNNC_TOOLS_GNNC_GNNC_DEPFILE_H

#include "tools/gnnc/gnnc_driver.h"

/* Returns an error text, in the arena, where the rule would replace a file of the run; else NULL. */
const char *gnnc_depfile_check(const gnnc_options *o, arena *a);

/* Writes a rule of make: the output depends on the model, its imports, and the files of options.
 * False after an error. */
bool gnnc_depfile_write(gnnc_driver *r);

#endif
