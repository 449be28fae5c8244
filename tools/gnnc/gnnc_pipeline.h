/* The passes of each -O level and switches, cut at the levels of IR. */
#ifndef GNNC_TOOLS_GNNC_PIPELINE_H
#define GNNC_TOOLS_GNNC_PIPELINE_H

#include "support/arena.h"
#include "tools/gnnc/gnnc_options.h"

/* The pipeline of the options' -O level and device with these switches, up to and with the level that `emit` prints (the whole of it for code), as text in the arena. */
const char *gnnc_pipeline_text(arena *a, const gnnc_options *o, const gnnc_features *features, gnnc_emit emit);

#endif
