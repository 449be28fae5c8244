/* Section .gnnc.program of an image. */
#ifndef GNNC_RUNTIME_OVERLAY_MANIFEST_H
#define GNNC_RUNTIME_OVERLAY_MANIFEST_H

#include "runtime/overlay.h"

/* Reads the manifest of p->image into the program's arena. Everything it says of memory lies within loaded sections afterwards, and orders of rows are
 * permutations. */
status overlay_manifest_read(overlay_program *p);

#endif
