/* The steps of a program whose operations are not all the device's: runs of whole layers, rows that
 * move, and the host's. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_STEPS_H
#define GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_STEPS_H

#include "codegen/device/program_manifest.h"
#include "codegen/device/program_rows.h"
#include "codegen/device/steps/step_writer.h"
#include "codegen/graphagile/plan/plan.h"

/* Where a tensor lies. Values of edges get the order of their records: the user's index of each,
 * which is that of `edge` (NULL: that of the list); rows are in the order of their set. */
program_manifest_place graphagile_pack_place(const graphagile_plan *p, program_rows *rows,
                                             const graphagile_plan_tensor *t, const int32_t *edge);

/* Layers in their order; text and addresses are final. Failures stay in w->error. */
void graphagile_pack_steps(graphagile_plan *p, program_rows *rows, step_writer *w);

#endif
