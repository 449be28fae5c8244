/* The work of operations: FLOPs by the table gnn_cost.def, rows by the statistics of the graph,
 * bytes by what is read and written. The typed passes, --emit=counts and --tune count with the same
 * numbers. */
#ifndef GNNC_PASSES_COST_GNN_COST_WORK_H
#define GNNC_PASSES_COST_GNN_COST_WORK_H

#include "passes/manager/pass.h"

/* How many FLOPs one byte of memory traffic is worth on the machines we compile for: a core that
 * multiplies and adds from cache does about this much in the time a byte takes from memory. Only
 * choices depend on it. */
#define GNN_COST_FLOPS_PER_BYTE 4.0

/* Work done: additive. */
typedef struct gnn_work {
  double flops;
  double bytes;
} gnn_work;

/* One number to compare by: flops + GNN_COST_FLOPS_PER_BYTE * bytes. */
double gnn_work_weight(gnn_work work);
gnn_work gnn_work_add(gnn_work a, gnn_work b);

/* ---- the table ---- */

/* FLOPs for one row of the result (one node, edge, pair, type; the whole for plain values), on
 * domain types or payloads. Reductions over edges: only what is done once per row (mean,
 * activation); the rest is gnn_cost_per_member. */
double gnn_cost_per_row(MlirOperation op);
/* FLOPs for each edge (node of a graph) that aggregate, collapse and pool reduce; 0 for other
 * operations. */
double gnn_cost_per_member(MlirOperation op);
/* The same by its parts, for loops: one step of a reduction (sum mean max min) of `elements`
 * numbers. */
double gnn_cost_reduction(const char *reduce, double elements, bool is_weighted);

/* True for a - max(a over the edges of a node), gathered back: the guard of a softmax over edges,
 * which counts 0. */
bool gnn_cost_is_guard(MlirOperation subtract);

/* ---- with a graph ---- */

/* Rows of a value: nodes, edges of its set (with pairs for ".unique_src" and ".unique_dst", self
 * loops for the others), types for per-type values, 1 for plain ones; -1 when the statistics do not
 * say. */
double gnn_cost_rows(const pass_statistics *s, ir_type type);
/* Edges of a set of that name: gnn_cost_rows of a value per edge of it. */
double gnn_cost_set_rows(const pass_statistics *s, const char *set);

/* FLOPs of an operation of the graph level: rows, and members where it reduces; -1 when unknown. */
double gnn_cost_flops(const pass_statistics *s, MlirOperation op);

#endif
