/* Describes the compiler and the options that made an output. The output contains the description,
 * without paths and times, so that equal runs make equal bytes. */
#ifndef GNNC_TOOLS_GNNC_GNNC_MADE_BY_H
#define GNNC_TOOLS_GNNC_GNNC_MADE_BY_H

#include "tools/gnnc/gnnc_options.h"

/* "gnnc 0.1.0" */
const char *gnnc_compiler_name(void);

/* "--target=c -O2 -fno-compact --dim=H=16 --graph --weights": without the names of files. In the
 * arena. */
const char *gnnc_describe_options(arena *a, const gnnc_options *o);

/* Returns both on one line, "gnnc 0.1.0 with --target=c -O2", in the arena. */
const char *gnnc_describe_compiler(arena *a, const gnnc_options *o);

#endif
