/* --depfile: which files a run has read, for build systems. */
#ifndef GNNC_TOOLS_GNNC_GNNC_DEPFILE_H
#define GNNC_TOOLS_GNNC_GNNC_DEPFILE_H

#include "tools/gnnc/gnnc_driver.h"

/* What is wrong with the name of the rule's file, in the arena: that the rule would replace a file of the run. NULL if nothing
 * is. */
const char *gnnc_depfile_check(const gnnc_options *o, arena *a);

/* Writes a rule of make: the output depends on the model, what it imports, and the files of options. False after an error. */
bool gnnc_depfile_write(gnnc_driver *r);

#endif
