/* Computations of the host when a program is compiled: values of the gnn level that depend on graph
 * and weights alone, and edge lists. */
#ifndef GNNC_CODEGEN_DEVICE_HOST_HOST_H
#define GNNC_CODEGEN_DEVICE_HOST_HOST_H

#include "data/graph.h"
#include "dialects/ir.h"
#include "support/thread_pool.h"

typedef struct program_host program_host;

/* Creates a host. The caller keeps the arguments alive as long as the host: the module, the graph,
 * the weights (may be NULL where no evaluated value needs them), the pool (NULL: one thread). */
status program_host_create(MlirModule module, const graph *g, const tensor_set *weights, thread_pool *pool,
                           program_host **out);
void program_host_destroy(program_host *h);

/* Where no weights were given, every number of a weight is evaluated as 1 from now on: the zeros of a
 * constant are then those of its form. For programs without data. */
void program_host_assume_weights(program_host *h);

/* The pool of the host; NULL: one thread. */
thread_pool *program_host_pool(const program_host *h);

/* Takes ownership of memory of malloc or host_memory_alloc, such as memory to which an image
 * points; it is freed with the host. */
void program_host_keep(program_host *h, void *memory);

/* Sets *rows to the number of rows of a set, which has its name in !device.rows. */
status program_host_set_rows(program_host *h, const char *set, int64_t *rows);

/* Sets *order to the user's index (in the graph's order of nodes, edges, ...) of each row of a set,
 * or to NULL where the rows are in the user's order. Nodes are in the user's order unless the model
 * has weights per node type: then "g" is ordered by type, stable. Edge sets ("g.edges") are ordered
 * by edge type, stable, where the graph has types. */
status program_host_set_order(program_host *h, const char *set, const int32_t **order);

/* Sets *offsets to the first row of each type, count + 1 offsets, for a set whose rows are ordered
 * by 'per' ("etype", "ntype", "etype_src", "etype_dst"). GEMM with weights per type needs them. */
status program_host_set_segments(program_host *h, const char *set, const char *per, int64_t *count,
                                 const int64_t **offsets);

/* A value of the gnn level: rows x width floats; rows of node, edge and per-type values are in the
 * order of the *graph* (the user's), 1 row for plain ones. Values are computed in fp32 as the C
 * target at -O0 does, once, in chunks; edge values as trees without storing values between. The
 * result lives as long as the host. */
typedef struct program_array {
  const float *data;
  int64_t rows, width;
} program_array;
status program_host_evaluate(program_host *h, MlirValue value, program_array *out);

/* Returns the names of the graph's fields, apart from its edges, types and edge weights, that the
 * results of the host contain: sparse features, inputs that weight edges. A program with these
 * results runs only on a graph with the same fields. The list lives until the next evaluation. */
const char *const *program_host_fields(const program_host *h, size_t *count);

/* A function that computes the weights of entries begin .. begin + count - 1 of an edge list; count
 * <= PROGRAM_WEIGH_MOST. Several threads may call it at once. */
enum { PROGRAM_WEIGH_MOST = 256 };
typedef struct program_weights {
  void (*weigh)(const void *user, int64_t begin, int64_t count, float *out);
  const void *user;
} program_weights;

/* The edge list of a device.edges operation, in rows of its sets (device order). `edge` maps to the
 * index of each entry among the edges of the graph it was made from (NULL: the same order). The
 * last 'loops' entries lead from row loop[i] (NULL: i) to itself and are not in src and dst. Memory
 * is the host's. */
typedef struct program_edge_list {
  int64_t from_rows, to_rows, edges;
  const int32_t *src, *dst; /* [edges - loops] */
  int64_t loops;
  const int32_t *loop;
  const int32_t *src_place, *dst_place; /* where a machine stores each source and destination row; NULL: in order */
  bool has_weight;                      /* else all are 1 */
  const float *weight;                  /* [edges]; NULL where all are 1, or are not computed yet */
  program_weights weights; /* computed while records are written; program_host_weights makes them an array */
  const int32_t *edge;
  bool every_destination; /* every destination has an edge; false also where the list has only sums as users */
  thread_pool *pool;      /* threads of the host that partition_build may use; NULL: it starts its own */
} program_edge_list;
status program_host_edge_list(program_host *h, MlirOperation edge_list, const program_edge_list **out);

/* Returns the weights of an edge list with weights as an array. */
status program_host_weights(program_host *h, const program_edge_list *r, const float **out);

#endif
