/* From a module of the device level to a program: partitioning, kernel mapping to Layer Blocks and tiling blocks, buffers and mutexes, addresses (GraphAGILE section VI-E, VI-F). */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COMPILE_H
#define GNNC_CODEGEN_GRAPHAGILE_COMPILE_H

#include "codegen/device/host.h"
#include "codegen/graphagile/plan/plan_options.h"
#include "isa/image.h"
#include "support/diag.h"

/* The tiles of every layer as attributes of the module, for --emit=device; compile does it itself. */
status graphagile_compile_plan(MlirModule module, program_host *host, const graphagile_options *options, diag *d);

/* The whole program as an image in the arena (with instructions, descriptors, constants, edges, manifest; weights too unless no_data or no_weights). What does not fit the device is a
 * diagnostic at the line of the model and a false return with *error ok; the world failing is *error. `seconds` (may be NULL): T_LoC, up to and without packing weights (decision 26). */
bool graphagile_compile(MlirModule module, program_host *host, const graphagile_options *options,
                        const char *source_text, diag *d, arena *a, image *out, double *seconds, status *error);

#endif
