/* The names that -Rpass takes. */
#ifndef GNNC_TOOLS_GNNC_GNNC_REMARKS_H
#define GNNC_TOOLS_GNNC_GNNC_REMARKS_H

#include "support/arena.h"

/* The passes that a list names: names of passes with or without their level ("gnn-compact",
 * "compact"), of switches, or "all". The list that pass_run takes, in the arena; NULL for an
 * unknown name, `*unknown` and `*nearest` then say which. */
const char *gnnc_remarks_passes(arena *a, const char *names, const char **unknown, const char **nearest);

#endif
