/* Makes edge_index of a list of edges: numbers the nodes, drops unwanted edges, adds reverses,
 * sorts, drops duplicates.
 *
 * The sort streams through memory, so that lists of a hundred million edges need no special case. A
 * huge node id needs no table of its size. */
#include "data/edge_list.h"

#include "data/record_sort.h"
#include "support/huge_pages.h"
#include "support/number.h"
#include "support/progress.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

static status no_memory(void) {
  return status_error(STATUS_CODE_memory, "the edges do not fit into memory");
}

void edge_list_free(edge_list *list) {
  free(list->edges);
  *list = (edge_list){0};
}

status edge_list_add(edge_list *list, edge_record edge) {
  if (list->count == list->capacity) {
    int64_t capacity = list->capacity ? list->capacity * 2 : 1024;
    edge_record *edges = realloc(list->edges, (size_t)capacity * sizeof *edges);
    if (!edges) return no_memory();
    list->edges = edges;
    list->capacity = capacity;
  }
  list->edges[list->count++] = edge;
  return STATUS_OK;
}

static int compare_ids(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Stores the ids that occur, in ascending order and without duplicates; returns their number. */
static int64_t collect_ids(const edge_list *list, int64_t *ids) {
  for (int64_t e = 0; e < list->count; e++) {
    ids[2 * e] = list->edges[e].src;
    ids[2 * e + 1] = list->edges[e].dst;
  }
  qsort(ids, 2 * (size_t)list->count, sizeof *ids, compare_ids);
  int64_t count = 0;
  for (int64_t i = 0; i < 2 * list->count; i++)
    if (!count || ids[count - 1] != ids[i]) ids[count++] = ids[i];
  return count;
}

/* Returns the position of an id among the sorted ids. */
static int64_t find_id(const int64_t *ids, int64_t count, int64_t id) {
  int64_t low = 0, high = count - 1;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (ids[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Numbers ids that are small compared with the number of edges by a table, which avoids the
 * sort. */
static status number_dense(edge_list *list, int64_t most, int64_t *num_nodes) {
  int32_t *number = calloc((size_t)most + 1, sizeof *number);
  if (!number) return no_memory();
  for (int64_t e = 0; e < list->count; e++) number[list->edges[e].src] = number[list->edges[e].dst] = 1;
  int32_t count = 0;
  for (int64_t i = 0; i <= most; i++)
    if (number[i]) number[i] = count++;
  for (int64_t e = 0; e < list->count; e++) {
    list->edges[e].src = number[list->edges[e].src];
    list->edges[e].dst = number[list->edges[e].dst];
  }
  free(number);
  *num_nodes = count;
  return STATUS_OK;
}

static status number_sparse(edge_list *list, int64_t *num_nodes) {
  int64_t *ids = malloc(2 * (size_t)list->count * sizeof *ids);
  if (!ids) return no_memory();
  int64_t count = collect_ids(list, ids);
  for (int64_t e = 0; e < list->count; e++) {
    list->edges[e].src = find_id(ids, count, list->edges[e].src);
    list->edges[e].dst = find_id(ids, count, list->edges[e].dst);
  }
  free(ids);
  *num_nodes = count;
  return STATUS_OK;
}

status edge_list_number_nodes(edge_list *list, bool keeps_ids, int64_t *num_nodes) {
  int64_t least = 0, most = -1;
  *num_nodes = 0;
  if (!list->count) return STATUS_OK;
  for (int64_t e = 0; e < list->count; e++) {
    edge_record *r = &list->edges[e];
    least = number_min(least, number_min(r->src, r->dst));
    most = number_max(most, number_max(r->src, r->dst));
  }
  if (keeps_ids) {
    if (least < 0)
      return status_error(STATUS_CODE_mismatch, "node id %" PRId64 " is negative, so it cannot be kept", least);
    if (most >= INT32_MAX)
      return status_error(STATUS_CODE_mismatch,
                          "node id %" PRId64 " is too large to be kept, at most %d nodes are supported", most,
                          INT32_MAX);
    *num_nodes = most + 1;
    return STATUS_OK;
  }
  bool is_dense = least >= 0 && most < INT32_MAX && most / 8 <= list->count;
  return is_dense ? number_dense(list, most, num_nodes) : number_sparse(list, num_nodes);
}

/* Drops self loops if the options ask for it, and adds the reverse of every edge. A self loop is
 * its own reverse unless edges have types, where the reverse has another type. */
static status transform(edge_list *list, const import_options *options) {
  int64_t kept = 0;
  for (int64_t e = 0; e < list->count; e++)
    if (!options->drops_loops || list->edges[e].src != list->edges[e].dst) list->edges[kept++] = list->edges[e];
  list->count = kept;
  if (!options->is_undirected) return STATUS_OK;
  if (list->has_types && list->num_types > INT32_MAX / 2)
    return status_error(STATUS_CODE_unsupported, "%" PRId64 " relations, too many to add their inverses",
                        list->num_types);
  for (int64_t e = 0; e < kept; e++) {
    edge_record r = list->edges[e];
    if (r.src == r.dst && !list->has_types) continue;
    edge_record reverse = r; /* with its weight or its row */
    reverse.src = r.dst;
    reverse.dst = r.src;
    if (list->has_types) reverse.type = (int32_t)(r.type + list->num_types);
    RETURN_IF_ERROR(edge_list_add(list, reverse));
  }
  if (list->has_types) list->num_types *= 2;
  return STATUS_OK;
}

static int64_t key_of(const edge_record *r, edge_list_key key) {
  return key == EDGE_LIST_type ? r->type : key == EDGE_LIST_dst ? r->dst : r->src;
}

/* Returns whether the edges are sorted by the keys; most[k] becomes the largest value of key k. */
static bool look_at_keys(const edge_list *list, const edge_list_key *keys, int num_keys, int64_t *most) {
  bool is_sorted = true;
  for (int k = 0; k < num_keys; k++) most[k] = 0;
  for (int64_t e = 0; e < list->count; e++) {
    bool is_decided = e == 0;
    for (int k = 0; k < num_keys; k++) {
      const int64_t here = key_of(&list->edges[e], keys[k]);
      most[k] = number_max(most[k], here);
      if (is_decided) continue;
      const int64_t before = key_of(&list->edges[e - 1], keys[k]);
      is_sorted &= before <= here;
      is_decided = before != here;
    }
  }
  return is_sorted;
}

status edge_list_sort(edge_list *list, const edge_list_key *keys, int num_keys, thread_pool *pool) {
  static const size_t offsets[] = {[EDGE_LIST_src] = offsetof(edge_record, src),
                                   [EDGE_LIST_dst] = offsetof(edge_record, dst),
                                   [EDGE_LIST_type] = offsetof(edge_record, type)};
  int64_t most[EDGE_LIST_KEYS];
  progress_step("sort edges", NULL, 0);
  if (list->count < 2 || look_at_keys(list, keys, num_keys, most)) return STATUS_OK;
  edge_record *spare = malloc((size_t)list->count * sizeof *spare);
  if (!spare) return no_memory();
  huge_pages_advise(spare, (size_t)list->count * sizeof *spare);
  status s = STATUS_OK;
  for (int k = num_keys - 1; !s && k >= 0; k--) {
    if (!most[k]) continue;
    const record_sort by = {.pool = pool,
                            .count = list->count,
                            .record_bytes = sizeof *spare,
                            .key_offset = offsets[keys[k]],
                            .num_keys = most[k] + 1};
    s = record_sort_run(&by, list->edges, spare, NULL);
  }
  free(spare);
  return s;
}

static void drop_duplicates(edge_list *list) {
  int64_t kept = 0;
  for (int64_t e = 0; e < list->count; e++) {
    const edge_record *r = &list->edges[e], *last = kept ? &list->edges[kept - 1] : NULL;
    if (last && last->src == r->src && last->dst == r->dst && last->type == r->type) continue;
    list->edges[kept++] = *r;
  }
  list->count = kept;
}

static status add_tensors(const edge_list *list, int64_t num_nodes, tensor_set *set) {
  void *ends, *types = NULL, *weights = NULL;
  RETURN_IF_ERROR(tensor_set_add(set, "edge_index", DTYPE_I32, 2, (int64_t[]){2, list->count}, &ends));
  if (list->has_types) RETURN_IF_ERROR(tensor_set_add(set, "edge_type", DTYPE_I32, 1, &list->count, &types));
  if (list->has_weights) RETURN_IF_ERROR(tensor_set_add(set, "edge_weight", DTYPE_F32, 1, &list->count, &weights));
  int32_t *src = ends, *dst = src + list->count;
  for (int64_t e = 0; e < list->count; e++) {
    src[e] = (int32_t)list->edges[e].src;
    dst[e] = (int32_t)list->edges[e].dst;
    if (types) ((int32_t *)types)[e] = list->edges[e].type;
    if (weights) ((float *)weights)[e] = list->edges[e].weight;
  }
  tensor_set_put_metadata_int(set, "num_nodes", num_nodes);
  tensor_set_put_metadata_int(set, "num_edges", list->count);
  if (list->has_types) tensor_set_put_metadata_int(set, "num_relations", list->num_types);
  return STATUS_OK;
}

status edge_list_finish_matrix(const edge_list *list, int64_t rows, int64_t columns, tensor_set *set) {
  void *row, *column, *value;
  RETURN_IF_ERROR(tensor_set_add(set, "entry_row", DTYPE_I32, 1, &list->count, &row));
  RETURN_IF_ERROR(tensor_set_add(set, "entry_column", DTYPE_I32, 1, &list->count, &column));
  RETURN_IF_ERROR(tensor_set_add(set, "entry_value", DTYPE_F32, 1, &list->count, &value));
  for (int64_t e = 0; e < list->count; e++) {
    ((int32_t *)row)[e] = (int32_t)list->edges[e].dst;
    ((int32_t *)column)[e] = (int32_t)list->edges[e].src;
    ((float *)value)[e] = list->has_weights ? list->edges[e].weight : 1;
  }
  tensor_set_put_metadata_int(set, "rows", rows);
  tensor_set_put_metadata_int(set, "cols", columns);
  return STATUS_OK;
}

status edge_list_finish(edge_list *list, int64_t num_nodes, const import_options *options, tensor_set *set) {
  if (options->is_matrix) return edge_list_finish_matrix(list, num_nodes, num_nodes, set);
  RETURN_IF_ERROR(transform(list, options));
  static const edge_list_key order[3] = {EDGE_LIST_src, EDGE_LIST_dst, EDGE_LIST_type};
  RETURN_IF_ERROR(edge_list_sort(list, order, list->has_types ? 3 : 2, options->pool));
  if (options->drops_duplicates) drop_duplicates(list);
  return add_tensors(list, num_nodes, set);
}
