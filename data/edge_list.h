/* A growing list of edges, from which importers and generators make the tensors of a graph. */
#ifndef GNNC_DATA_EDGE_LIST_H
#define GNNC_DATA_EDGE_LIST_H

#include "data/import/import.h"

typedef struct edge_record {
  int64_t src, dst; /* ids as in the file */
  int32_t type;
  union {
    float weight;
    int32_t row; /* for importers that have more values per edge: their row in the file */
  };
} edge_record;

/* The list is on the heap, because its size is known only at the end. Start with zeros and set the
 * flags. */
typedef struct edge_list {
  edge_record *edges;
  int64_t count, capacity;
  bool has_types, has_weights;
  int64_t num_types; /* if has_types; is_undirected gives the reverses types num_types .. 2 * num_types - 1 */
} edge_list;

/* Frees the edges and makes the list empty. */
void edge_list_free(edge_list *list);

/* Appends an edge. Fails only when memory is out. */
status edge_list_add(edge_list *list, edge_record edge);

/* Numbers the nodes 0 .. n - 1 in ascending order of their ids. With keeps_ids it keeps the ids,
 * and fails if one is negative or above 2^31 - 2; *num_nodes is then the largest id + 1. */
status edge_list_number_nodes(edge_list *list, bool keeps_ids, int64_t *num_nodes);

/* Sorts by the first key, then by the second and so on. Keys are in 0 .. 2^31 - 1; the sort is
 * stable. Threads of the pool (NULL: only the calling one) take part. Fails only when memory is
 * out. */
typedef enum edge_list_key { EDGE_LIST_src, EDGE_LIST_dst, EDGE_LIST_type, EDGE_LIST_KEYS } edge_list_key;
status edge_list_sort(edge_list *list, const edge_list_key *keys, int num_keys, thread_pool *pool);

/* Adds the entries of a matrix in the order of the list: entry_row (the targets), entry_column (the
 * sources) and entry_value, with metadata rows and cols. */
status edge_list_finish_matrix(const edge_list *list, int64_t rows, int64_t columns, tensor_set *set);

/* Applies the options and adds edge_index, edge_type, edge_weight and their metadata to the set.
 * The edges are sorted by source, target and type; equal edges keep their order. All ends must be
 * in 0 .. num_nodes - 1. With is_matrix it adds the entries of a square matrix instead. The caller
 * frees the list. */
status edge_list_finish(edge_list *list, int64_t num_nodes, const import_options *options, tensor_set *set);

#endif
