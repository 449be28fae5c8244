/* Arrays of the bound block that describe edge sets, and those that all sets share. */
#ifndef GNNC_CODEGEN_C_MODEL_ARRAY_H
#define GNNC_CODEGEN_C_MODEL_ARRAY_H

#include "codegen/c/model/model.h"

/* Chooses the arrays of each set; to be called after all calls are read. */
void c_array_decide(c_model *m);

const char *c_array_name(c_array array);
const char *c_array_type(c_array array);
/* Whether the bound block keeps an array of the set; whether the array is made at all. */
bool c_array_is_kept(const c_set *set, c_array array);
bool c_array_is_made(const c_set *set, c_array array);
/* The number of its elements as text, in terms of v nodes and e edges: an upper bound. */
const char *c_array_rows(const c_model *m, const c_set *set, c_array array);

/* An array that all sets share: it describes nodes, graphs or pairs of types. */
typedef struct c_shared_array {
  const char *name, *type;
  const char *rows; /* number of elements as text; NULL: the model does not keep it */
} c_shared_array;

/* An end of edges, for unique sets and pairs of types. */
typedef struct c_end {
  const char *name;   /* "src" */
  c_array node, kind; /* arrays with the node at that end, and with the pair of edge type and node type there */
  c_rows kinds;       /* rows of values that have one per such pair */
} c_end;

enum { C_END_COUNT = 2 };
extern const c_end c_array_ends[C_END_COUNT];
/* The end of a unique set's nodes; NULL for other sets. */
const c_end *c_array_end(const c_set *set);

/* The segments of a set's rows: what they are grouped by, and the arrays that say where each
 * segment begins, which rows it has, and the type of each row. */
typedef struct c_segments {
  c_rows types;
  c_array ptr, order, key;
} c_segments;

enum { C_SEGMENTS_COUNT = 3 };
extern const c_segments c_array_segments[C_SEGMENTS_COUNT];

enum { C_SHARED_COUNT = 13 };
/* Writes C_SHARED_COUNT arrays to `out`, in the order of edge_set. */
void c_array_list_shared(const c_model *m, c_shared_array *out);

#endif
