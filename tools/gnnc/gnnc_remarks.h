/* Resolves the names that -Rpass takes. */
#ifndef GNNC_TOOLS_GNNC_GNNC_REMARKS_H
#define GNNC_TOOLS_GNNC_GNNC_REMARKS_H

#include "support/arena.h"

/* Returns the passes of a list of names, in the form that pass_run takes, in the arena. A name is
 * that of a pass with or without its level ("gnn-compact", "compact"), that of a switch, or "all".
 * Returns NULL for an unknown name, and sets *unknown to it and *nearest to the nearest known name. */
const char *gnnc_remarks_passes(arena *a, const char *names, const char **unknown, const char **nearest);

#endif
