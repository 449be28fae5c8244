/* From a module of the device level to a program: partitioning, kernel mapping to Layer Blocks and
 * tiling blocks, buffers and mutexes, addresses (GraphAGILE section VI-E, VI-F). */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COMPILE_H
#define GNNC_CODEGEN_GRAPHAGILE_COMPILE_H

#include "codegen/device/host/host.h"
#include "codegen/device/program_manifest.h"
#include "codegen/graphagile/plan/plan_options.h"
#include "isa/image/image.h"
#include "support/diag.h"

/* The tiles of every layer as attributes of the module, for --emit=device; compile does it
 * itself. */
status graphagile_compile_plan(MlirModule module, program_host *host, const graphagile_options *options, diag *d);

/* The whole program as an image in the arena: instructions, descriptors, constants, edges, weights
 * unless no_data or no_weights. The caller completes and writes the manifest, section
 * .gnnc.program. What does not fit the device is a diagnostic at the line of the model and a false
 * return with *error ok; the world failing is *error. `seconds` (may be NULL): what is part of
 * T_LoC, so without packing weights. */
bool graphagile_compile(MlirModule module, program_host *host, const graphagile_options *options,
                        const char *source_text, diag *d, arena *a, image *out, program_manifest *manifest,
                        double *seconds, status *error);

#endif
