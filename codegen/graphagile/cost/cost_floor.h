/* A lower bound of the cycles of a module on a device, to compare programs with. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_FLOOR_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_FLOOR_H

#include "codegen/graphagile/plan/plan.h"

/* Returns the least cycles in which a program of the device can execute the module's layers: the sum
 * over layers of max(compute, compulsory traffic). Sets member `floor` of each layer too.
 *
 *   compute   GEMM: ceil(V / p) K ceil(N / p); SpDMM and SDDMM: E ceil(w / p) / (p / 2);
 *             Vector-Add: V ceil(w / p) / (p / 2); all divided by the number of PEs (level L0)
 *   traffic   operands and result once each, edges of 12 (or 4) bytes once, weights once; a hidden
 *             tensor that fits all Feature Buffers together costs nothing. Without broadcast each
 *             PE loads its own sources: SpDMM on w columns reads the source rows
 *             min(ceil(to / feature_rows), in-degree) times
 *   time      traffic / ddr_gb_s, of all PEs together; in the paper's accounting (memory = paper)
 *             the traffic is the reload of large hidden tensors alone
 *
 * V: rows, K and N: inner and outer columns, E: edges, w: columns, p: device.width. */
double graphagile_cost_floor(const graphagile_plan *p);

#endif
