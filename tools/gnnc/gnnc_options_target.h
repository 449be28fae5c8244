/* The options of the overlay: which of them fit together, and the device that they describe. */
#ifndef GNNC_TOOLS_GNNC_OPTIONS_OVERLAY_H
#define GNNC_TOOLS_GNNC_OPTIONS_OVERLAY_H

#include "support/status.h"
#include "tools/gnnc/gnnc_options.h"

/* Whether an overlay program is made: its image, its listing or its Layer Blocks. */
bool gnnc_options_make_program(const gnnc_options *o);

/* What is wrong with the command line as a whole, in the arena; NULL if nothing is. `has_target` says that --target was given. */
const char *gnnc_options_check_target(const gnnc_options *o, bool has_target, arena *a);

/* --preset=paper: features are dense and layers stay in the model's order, unless switches say otherwise. */
void gnnc_options_take_paper(gnnc_options *o);

/* The device: the default or --device, then --preset, then --device-set and --memory in their order. Fails naming the key or the file. */
status gnnc_options_make_device(gnnc_options *o);

#endif
