/* Negative edges for link prediction: a graph with more edges than its file, which do not exist in it and are drawn anew for each
 * epoch. Edges of training are those whose field edge_label is 1, in train_mask where it has a row per edge.
 *
 *   edge_index    file: e0 e1 e2      then, with two for each of e0 and e2:   n0 n0' n2 n2'
 *   edge_label          1  0  1                                               0  0   0  0
 *
 * A negative edge has the source, the type and the fields of its edge, the label 0, and another target: a node of the same type to
 * which the source has no edge of this type in the file, if 16 draws find one. Which node is a function of the seed, the epoch, the
 * edge and the number of the negative. Numbers of nodes and edges never change, so that memory stays as it is. */
#ifndef GNNC_RUNTIME_TRAIN_NEGATIVES_H
#define GNNC_RUNTIME_TRAIN_NEGATIVES_H

#include "data/graph.h"
#include "runtime/gnnc/abi.h"

typedef struct train_negatives {
  const graph *from; /* the file */
  graph *
      graph; /* with the negative edges behind those of the file; their targets before the first draw are those of their edges */
  int64_t per_edge, num_positives;
  struct train_negatives_memory *memory;
} train_negatives;

/* Makes the graph, with `per_edge` negatives for each edge of training; `from` lives as long. Fields that the program reads per edge
 * get rows. Fails where no edge is one of training, or where negatives would carry messages: the graph has edges of one type. */
status train_negatives_create(const graph *from, const gnnc_train_info *program, int64_t per_edge, uint64_t seed,
                              train_negatives **out);
/* NULL is allowed. */
void train_negatives_destroy(train_negatives *n);

/* Draws the targets of an epoch, from 1, into the graph. */
void train_negatives_draw(train_negatives *n, int64_t epoch);

#endif
