/* The parts of gnn-merge-relations: trees, groups, the choice and the rewrite (gnn_merge_relations.c), the match
 * (gnn_merge_relations_match.c), costs (gnn_merge_relations_cost.c), the product with a weight per edge type (gnn_merge_relations_build.c). */
#ifndef GNNC_PASSES_GNN_GNN_MERGE_RELATIONS_H
#define GNNC_PASSES_GNN_GNN_MERGE_RELATIONS_H

#include "passes/cost/gnn_cost_work.h"
#include "passes/manager/pass.h"
#include "support/vec.h"

/* A sum or mean over the edges of one type of the product of x with a weight of its own; sum and product in either
 * order. */
typedef struct relation_product {
  MlirOperation sum, linear;
  MlirValue value; /* the result of the last of these operations, and of the choice of nodes */
  MlirValue graph; /* of all edges */
  MlirValue x;     /* per node */
  int64_t type;
  int64_t part;  /* the type of nodes that have the value; -1: all nodes have it */
  int64_t from;  /* the type of nodes at the other end of the edges; -1: any */
  size_t tree;   /* the tree of additions that it is a leaf of */
  bool is_taken; /* it is in a group */
} relation_product;

/* The products that become one: item t is that of edge type t. */
typedef VEC(relation_product) relation_products;

/* Whether `value` is such a product; fills in *r, but for the tree. Only `value` may have several uses. */
bool gnn_merge_match(MlirOperation func, MlirValue value, relation_product *r);

/* The rows of x at the nodes of type r->from, where that is known: per node of this type, or of all types. Null: they are
 * 0. */
MlirValue gnn_merge_source(const relation_product *r);

/* Whether two products only differ by their type, the values of their weights, and the types of nodes at the ends. */
bool gnn_merge_is_alike(const relation_product *a, const relation_product *b);

/* Whether all products read the same value. */
bool gnn_merge_has_one_x(const relation_products *products);

/* Whether what the products read exists before `at`. */
bool gnn_merge_has_rows(const relation_products *products, MlirOperation at);

/* Whether the weights of these products can be tensors of one weight per type: their names in the file can be
 * listed, and a weight with the name of the list is the same. */
bool gnn_merge_can_stack(pass_context *p, const relation_products *products);

/* What the products cost as they are, and as one product. Returns false where the graph is not known. */
bool gnn_merge_cost(pass_context *p, MlirOperation func, const relation_products *products, gnn_work *before,
                    gnn_work *after);

/* Builds before `at` the sum over all edges of the product with a weight per edge type, and that weight in the
 * module. */
MlirValue gnn_merge_build(pass_context *p, MlirOperation at, const relation_products *products);

/* The rows of the merged sum at the nodes that have the value of `r`, built before `at`. */
MlirValue gnn_merge_rows_at(MlirOperation at, const relation_product *r, MlirValue merged);

#endif
