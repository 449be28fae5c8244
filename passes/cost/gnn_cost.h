/* The cost model of layers (GraphAGILE, Section VI-C): FLOPs, with two for each multiply-add,
 * extended by the density of sparse input features. Costs influence choices, never results. */
#ifndef GNNC_PASSES_COST_GNN_COST_H
#define GNNC_PASSES_COST_GNN_COST_H

#include "passes/manager/pass.h"

/* Input features are kept sparse where the share of stored entries is below this. */
#define GNN_COST_SPARSE_BELOW 0.25

/* The quantities on which costs depend. For an unknown graph, nodes and edges are 1 and everything
 * is dense; then equations (12) and (13) compare by widths alone, as Theorem 2 does. */
typedef struct gnn_cost {
  double nodes;
  double edges;   /* of the graph as given, without self loops that the model adds */
  double density; /* of the input features; 1 when they are dense or unknown */
} gnn_cost;

/* Made from the statistics of the graph. The pass's option `features` is auto, dense or sparse:
 * dense sets the density to 1, and so does auto when the density is not below
 * GNN_COST_SPARSE_BELOW. */
gnn_cost gnn_cost_create(const pass_context *p);

/* |E| of an edge set: each kind of self loops (".replace", ".add_remaining", ".keep_one") adds up to one per node. */
double gnn_cost_edges(const gnn_cost *c, const char *set);

/* Equation (10): 2 * f * |E|. */
double gnn_cost_aggregate(double width, double edges);
/* Equation (11): 2 * f1 * f2 * |V|, times the share of x that is stored. */
double gnn_cost_linear(const gnn_cost *c, double f1, double f2, double density);
/* One operation per element: f * |V|. */
double gnn_cost_elementwise(const gnn_cost *c, double width);

/* Whether statistics.feature_density describes an input: it is read from field "x" of the graph, or
 * is the only input per node. */
bool gnn_cost_is_feature_input(MlirOperation func, MlirValue value);
/* The density of a value: that of the features if it is them or their normalised rows, else 1. */
double gnn_cost_density_of(const gnn_cost *c, MlirOperation func, MlirValue value);

#endif
