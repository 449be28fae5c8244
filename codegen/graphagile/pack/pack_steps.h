/* The steps of a program that the host executes in part: runs of whole layers on the device, moves
 * of rows, and operations of the host. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_STEPS_H
#define GNNC_CODEGEN_GRAPHAGILE_PACK_PACK_STEPS_H

#include "codegen/device/program_manifest.h"
#include "codegen/device/program_rows.h"
#include "codegen/device/steps/step_writer.h"
#include "codegen/graphagile/plan/plan.h"

/* The place of a tensor in device memory, for the manifest. Values of edges get the order of their
 * records: for each record the index of its edge, in the list or, where `edge` is not NULL, as
 * `edge` maps it to the user's index. Rows are in the order of their set. */
program_manifest_place graphagile_pack_place(const graphagile_plan *p, program_rows *rows,
                                             const graphagile_plan_tensor *t, const int32_t *edge);

/* Writes the steps of all layers, in their order; instructions and addresses must be final.
 * Failures stay in w->error. */
void graphagile_pack_steps(graphagile_plan *p, program_rows *rows, step_writer *w);

#endif
