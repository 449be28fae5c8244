/* The edges an importer or generator has gathered, turned into the tensors of a graph. */
#ifndef GNNC_DATA_EDGE_LIST_H
#define GNNC_DATA_EDGE_LIST_H

#include "data/import/import.h"

typedef struct edge_record {
  int64_t src, dst; /* ids as in the file */
  int32_t type;
  float weight;
} edge_record;

/* Grows on the heap, because its size is only known at the end. Start from zero and set the
 * flags. */
typedef struct edge_list {
  edge_record *edges;
  int64_t count, capacity;
  bool has_types, has_weights;
  int64_t num_types; /* where has_types; with is_undirected the reverses get the types num_types .. 2 * num_types - 1 */
} edge_list;

void edge_list_free(edge_list *list);

/* Appends an edge; fails when memory is out. */
status edge_list_add(edge_list *list, edge_record edge);

/* Numbers the nodes 0 .. n - 1 in the order of their ids, or, where ids are kept, checks that they
 * can be numbers. */
status edge_list_number_nodes(edge_list *list, bool keeps_ids, int64_t *num_nodes);

/* Sorts by the first key, then the second and so on, each in 0 .. 2^31 - 1; equal edges keep their
 * order. Threads of the pool (NULL: the calling one alone) take part. */
typedef enum edge_list_key { EDGE_LIST_src, EDGE_LIST_dst, EDGE_LIST_type, EDGE_LIST_KEYS } edge_list_key;
status edge_list_sort(edge_list *list, const edge_list_key *keys, int num_keys, thread_pool *pool);

/* Applies the options and adds edge_index, edge_type, edge_weight and their metadata; edges are
 * sorted by source, target and type, equal ones in the order they were added. Ends are in 0 ..
 * num_nodes - 1. */
status edge_list_finish(edge_list *list, int64_t num_nodes, const import_options *options, tensor_set *set);

#endif
