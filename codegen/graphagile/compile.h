/* Compiles a module of the device level for the GraphAGILE overlay: data partitioning, kernel
 * mapping to Layer Blocks and Tiling Blocks, buffers and mutexes, addresses (GraphAGILE, Section
 * VI-E and VI-F). */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COMPILE_H
#define GNNC_CODEGEN_GRAPHAGILE_COMPILE_H

#include "codegen/device/host/host.h"
#include "codegen/device/program_manifest.h"
#include "codegen/graphagile/plan/plan_options.h"
#include "isa/image/image.h"
#include "support/diag.h"

/* Writes the tiles of every layer into the module as attributes, for --emit=device.
 * graphagile_compile does not need it: it plans the module itself. Returns an error where the
 * module does not fit the device or memory runs out; messages go to `d`. */
status graphagile_compile_plan(MlirModule module, program_host *host, const graphagile_options *options, diag *d);

/* Compiles the module to an image: instructions, descriptors, constants, edges and weights; with
 * no_data the image has no edges and no weights, with no_weights it has no weights. `out` and
 * `manifest` are allocated in `a`. The caller completes the manifest and writes it as section
 * .gnnc.program.
 *
 * Returns false with a message at a line of the model, and *error ok, where the module does not
 * fit the device; returns false with *error set where memory runs out. `seconds` may be NULL;
 * otherwise it receives the seconds of T_LoC, the latency of compilation (GraphAGILE, Table
 * VII): all steps but the packing of weights. */
bool graphagile_compile(MlirModule module, program_host *host, const graphagile_options *options,
                        const char *source_text, diag *d, arena *a, image *out, program_manifest *manifest,
                        double *seconds, status *error);

#endif
