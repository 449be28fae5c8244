/* The target graphagile: from the analysed model to an image, its listing or its Layer Blocks. */
#ifndef GNNC_TOOLS_GNNC_OVERLAY_H
#define GNNC_TOOLS_GNNC_OVERLAY_H

#include "codegen/device/host.h"
#include "codegen/device/program_manifest.h"
#include "isa/image.h"
#include "tools/gnnc/gnnc_driver.h"

/* Writes what --emit asks for from a module after the passes; with --stats and --repeat prints sizes and times on standard output. `passes_ms`: what
 * emission and passes of this module took. False after reporting what went wrong. */
bool gnnc_image_emit(gnnc_driver *r, MlirModule module, double passes_ms);

/* Adds to the manifest which fields of the graph the program holds and how it was compiled; new data is in the arena.
 * Fails where a field cannot be read. */
status gnnc_image_describe(const gnnc_driver *r, const program_host *host, arena *a, program_manifest *m);

/* Writes section .gnnc.program, in the arena. */
void gnnc_image_add_manifest(const program_manifest *m, arena *a, image *im);

#endif
