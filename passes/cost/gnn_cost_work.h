/* The work of operations: FLOPs by the table gnn_cost.def, rows by the statistics of the graph,
 * bytes by what is read and written. The passes with a cost model, --emit=counts and --tune count
 * with the same numbers. */
#ifndef GNNC_PASSES_COST_GNN_COST_WORK_H
#define GNNC_PASSES_COST_GNN_COST_WORK_H

#include "passes/manager/pass.h"

/* How many FLOPs are worth one byte of memory traffic: a core executes about so many FLOPs on data
 * in the cache in the time in which it reads a byte from memory. Only choices depend on it. */
#define GNN_COST_FLOPS_PER_BYTE 4.0

/* An amount of work; amounts are added. */
typedef struct gnn_work {
  double flops;
  double bytes;
} gnn_work;

/* One number to compare amounts by: flops + GNN_COST_FLOPS_PER_BYTE * bytes. */
double gnn_work_weight(gnn_work work);
gnn_work gnn_work_add(gnn_work a, gnn_work b);

/* ---- the table ---- */

/* FLOPs for one row of the result (one node, edge, pair or type; for plain values the whole), on
 * domain types or payloads. For reductions over edges: only the work that is done once per row
 * (mean, activation); gnn_cost_per_member counts the rest. */
double gnn_cost_per_row(MlirOperation op);
/* FLOPs for each edge (or node of a graph) that aggregate, collapse and pool reduce; 0 for other
 * operations. */
double gnn_cost_per_member(MlirOperation op);
/* The same for one step of a reduction (sum, mean, max, min) of `elements` numbers in a loop. */
double gnn_cost_reduction(const char *reduce, double elements, bool is_weighted);

/* The FLOPs by which gnn.near_edges compares two rows of `elements` numbers. */
double gnn_cost_near(double elements);

/* Whether an operation is a - max(a over the edges of a node), gathered back to the edges: it keeps
 * a softmax over edges from overflowing, and counts 0. */
bool gnn_cost_is_guard(MlirOperation subtract);

/* ---- with a graph ---- */

/* The number of rows of a value: nodes; edges of its set (pairs for ".unique_src" and
 * ".unique_dst", with self loops for the other derived sets); types for per-type values; 1 for
 * plain ones. -1 when the statistics do not say. */
double gnn_cost_rows(const pass_statistics *s, ir_type type);
/* The number of edges of a set with that name. */
double gnn_cost_set_rows(const pass_statistics *s, const char *set);

/* FLOPs of an operation of the gnn level, over all its rows and members; -1 when unknown. */
double gnn_cost_flops(const pass_statistics *s, MlirOperation op);

#endif
