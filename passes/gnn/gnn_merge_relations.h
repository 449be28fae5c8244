/* The parts of gnn-merge-relations: matching, the choice and the rewrite (gnn_merge_relations.c), the product with a
 * weight per edge type (gnn_merge_relations_build.c). */
#ifndef GNNC_PASSES_GNN_GNN_MERGE_RELATIONS_H
#define GNNC_PASSES_GNN_GNN_MERGE_RELATIONS_H

#include "passes/manager/pass.h"
#include "support/vec.h"

/* A sum or mean over the edges of one type of the product of x with a weight of its own; sum and product in either
 * order. */
typedef struct relation_product {
  MlirOperation sum, linear;
  MlirValue value; /* the result of the later one of both */
  MlirValue graph; /* of all edges */
  MlirValue x;     /* per node */
  int64_t type;
} relation_product;

/* The products that become one: item t is that of edge type t. */
typedef VEC(relation_product) relation_products;

/* Whether the weights of these products can be tensors of one weight per type: their names in the file can be
 * listed, and a weight with the name of the list is the same. */
bool gnn_merge_can_stack(pass_context *p, const relation_products *products);

/* Builds before `at` the sum over all edges of the product with a weight per edge type, and that weight in the
 * module. */
MlirValue gnn_merge_build(pass_context *p, MlirOperation at, const relation_products *products);

#endif
