/* The least cycles of a module. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_FLOOR_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_FLOOR_H

#include "codegen/graphagile/plan/plan.h"

/* A bound below which no program of the device gets the module's layers, in cycles: per layer
 * max(compute, compulsory traffic), summed.
 *
 *   compute   GEMM ceil(V / p) K ceil(N / p); SpDMM and SDDMM E ceil(w / p) / (p / 2);
 *             element-wise V ceil(w / p) / (p / 2); all over the number of PEs (level L0)
 *   traffic   operands and result once each, edges 12 (or 4) bytes once, weights once; a hidden
 *             tensor that fits all Feature Buffers together costs nothing. Without broadcast each
 *             PE loads its own sources: SpDMM on w columns reads the source rows
 *             min(ceil(to / feature_rows), in-degree) times (docs/simulator.md)
 *   time      traffic over ddr_gb_s, of all PEs together; in the paper's accounting (memory = paper)
 *             traffic is the reload of large hidden tensors alone
 *
 * Sets the layers' bounds, too. */
double graphagile_cost_floor(const graphagile_plan *p);

#endif
