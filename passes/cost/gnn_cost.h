/* The cost model of the graph level: multiply-adds counted twice, as GraphAGILE section VI-C counts
 * them, extended by the density of sparse input features. Costs guide choices, never results. */
#ifndef GNNC_PASSES_COST_GNN_COST_H
#define GNNC_PASSES_COST_GNN_COST_H

#include "passes/manager/pass.h"

/* Below this share of stored entries the input features are worth keeping sparse. */
#define GNN_COST_SPARSE_BELOW 0.25

/* What costs depend on. Where the graph is unknown one node and one edge stand for it and
 * everything is dense: then (12) and (13) compare as Theorem 2 does, by widths alone. */
typedef struct gnn_cost {
  double nodes;
  double edges;   /* of the graph as given, without self loops that the model adds */
  double density; /* of the input features: 1 when they are dense or unknown */
} gnn_cost;

/* From the statistics of the graph. Option features of the pass is auto, dense or sparse: dense
 * sets the density to 1, auto too when it is not below GNN_COST_SPARSE_BELOW. */
gnn_cost gnn_cost_create(const pass_context *p);

/* |E| of an edge set: each kind of self loops (".replace", ".add_remaining", ".keep_one") adds up to one per node. */
double gnn_cost_edges(const gnn_cost *c, const char *set);

/* Equation (10): 2 * f * |E|. */
double gnn_cost_aggregate(double width, double edges);
/* Equation (11): 2 * f1 * f2 * |V|, times the share of x that is stored. */
double gnn_cost_linear(const gnn_cost *c, double f1, double f2, double density);
/* One operation per element: f * |V|. */
double gnn_cost_elementwise(const gnn_cost *c, double width);

/* The input that statistics.feature_density speaks of: read from field "x" of the graph, or the
 * only node input. */
bool gnn_cost_is_feature_input(MlirOperation func, MlirValue value);
/* The density of a value: that of the features if it is them or rows of them normalised, else 1. */
double gnn_cost_density_of(const gnn_cost *c, MlirOperation func, MlirValue value);

#endif
