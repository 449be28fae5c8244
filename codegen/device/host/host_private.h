/* The state of the host while a program is compiled, shared by host*.c and evaluate*.c. */
#ifndef GNNC_CODEGEN_DEVICE_HOST_HOST_PRIVATE_H
#define GNNC_CODEGEN_DEVICE_HOST_HOST_PRIVATE_H

#include "codegen/device/host/host.h"
#include "support/map.h"
#include "support/thread_pool.h"
#include "support/vec.h"

/* One edge set, in the graph's order: the user's edges, one with other self loops ("g.replace"),
 * those of one type ("g.relation2"), or pairs of edge type and end node ("g.unique_src"). */
typedef struct host_edges {
  const char *set;
  struct host_edges *base; /* the set from which it was made; NULL for the user's edges */
  int64_t count;
  const int32_t *src,
      *dst;            /* [count]; pairs have one end, the other is NULL; sets with self loops: NULL until needed */
  const int32_t *type; /* [count] edge type, or NULL */
  bool has_loops;      /* each node has an edge to itself */
  int64_t kept;        /* self loops: the first 'kept' edges are edges of the base, the rest are new */
  const int32_t *from; /* [kept] their edges of the base; NULL: 0, 1, 2, ... */
  const int32_t *kept_src, *kept_dst; /* [kept] */
  const int32_t *loop;                /* [count - kept] node of each new loop; NULL: 0, 1, 2, ... */
  const int32_t *row;                 /* pairs: [base->count] pair of each edge of the base */
  const int32_t *kind; /* [count] pair of edge type and node type of the end, see host_kinds; NULL until needed */
} host_edges;

/* Pairs of edge type and type of an end node that occur, in the order of both: rows of "etype_src"
 * or "etype_dst". */
typedef struct host_kinds {
  bool is_found;
  int64_t count;
  const int32_t *etype, *ntype; /* [count] */
  const int32_t *edge;          /* [edges of the graph] kind of each */
  host_edges pairs;             /* the unique set of that end */
} host_kinds;

/* An order of rows and its inverse; NULL where rows are in the graph's order. */
typedef struct host_order {
  bool is_found;
  const int32_t *user; /* row -> index in the graph's order */
  const int32_t *row;  /* the reverse */
} host_order;

struct program_host {
  arena *memory;
  void **blocks; /* large arrays, freed with the host */
  int64_t block_count, block_capacity;
  MlirModule module;
  const graph *graph;
  const tensor_set *weights;
  thread_pool *pool;
  map edge_sets;                    /* name -> host_edges */
  map arrays;                       /* value -> program_array */
  map sparse;                       /* value -> graph_csr */
  map edge_lists;                   /* operation -> program_edge_list */
  map orders;                       /* set -> host_order */
  map counts;                       /* list of rows -> occurrences of each row, see host_count */
  host_kinds kinds[2];              /* at sources, at destinations */
  VEC(const char *) fields;         /* fields of the graph that were read, each once, so that results contain them */
  bool assumes_weights;             /* weights that were not given are 1 */
  bool has_node_order;              /* weights per node type: nodes are ordered by type */
  int64_t most_etypes, most_ntypes; /* rows of per-type weights, 0 without */
};

/* Allocates an array that lives as long as the host; not zeroed. Fails where there is no memory. */
status host_array(program_host *h, int64_t count, size_t size, void *out_pointer);
#define HOST_ARRAY(h, count, out) host_array(h, count, sizeof **(out), (void *)(out))

/* ---- sets ---- */

/* The edges of a set by its name: "g", "g.replace", "g.unique_src". New self loops are kept
 * separately: kept_src, kept_dst and loop have all edges, and src and dst may be NULL. */
status host_edge_parts(program_host *h, const char *set, const host_edges **out);
/* The same with src and dst. */
status host_edge_set(program_host *h, const char *set, const host_edges **out);
/* The edge in the opposite direction of each edge, -1 where there is none: see graph_opposite.h. `edges` has src and
 * dst. */
status host_opposite_edges(program_host *h, const host_edges *edges, const int32_t **out);
/* The edges of a set of rows, "g.edges"; NULL for rows that are no edges. */
status host_edges_of_rows(program_host *h, const char *rows, const host_edges **out);
/* The order of a set of rows. */
status host_order_of(program_host *h, const char *rows, const host_order **out);
/* The kinds and unique pairs at an end, 0 source, 1 destination. */
status host_kinds_of(program_host *h, int end, const host_kinds **out);

/* Sets *rows to the number of rows of a value per `per`, a word of IR_PER_KINDS. */
status host_per_rows(program_host *h, const char *per, int64_t *rows);
/* Sets *out to the row of 'per' for each edge of a set, in the graph's order. Fails where a row
 * does not exist. */
status host_type_of_edges(program_host *h, const host_edges *edges, const char *per, const int32_t **out);
/* The same for nodes: per "ntype" or "graph". NULL: all belong to row 0. */
status host_type_of_nodes(program_host *h, const char *per, const int32_t **out);
/* The nodes of a type in the graph's order. */
status host_part(program_host *h, int64_t type, const int32_t **nodes, int64_t *count);

/* Sorts 0 .. count - 1, or `from`, stably by key[i] in 0 .. keys - 1 into `to`. */
status host_sort(int64_t count, const int32_t *key, int64_t keys, const int32_t *from, int32_t *to);

/* Counts the occurrences of each of `rows` rows in `key`. A list must live as long as the host,
 * because its counts are cached. */
status host_count(program_host *h, const int32_t *key, int64_t count, int64_t rows, const int32_t **out);
/* Whether each row occurs in `key`. */
status host_covers(program_host *h, const int32_t *key, int64_t count, int64_t rows, bool *out);

/* ---- values from files ---- */

/* A weight that ml_program.global_load_const reads, or an argument of the model's function, in the
 * graph's order. */
status host_read_value(program_host *h, MlirValue value, program_array *out);
/* Sparse features: an argument, or the result of gnn.row_normalize of one. */
status host_read_sparse(program_host *h, MlirValue value, const graph_csr **out);

/* Sets *rows to the number of rows of a type: 1 for plain values, or the number of nodes, edges or
 * types. */
status host_rows_of_type(program_host *h, ir_type type, int64_t *rows);

#endif
