/* Arrays of the bound block: those that describe edge sets, and those that all sets share. */
#ifndef GNNC_CODEGEN_C_MODEL_ARRAY_H
#define GNNC_CODEGEN_C_MODEL_ARRAY_H

#include "codegen/c/model/model.h"

/* Chooses the arrays of each set, once all calls are read. */
void c_array_decide(c_model *m);

const char *c_array_name(c_array array);
const char *c_array_type(c_array array);
/* Whether the bound block keeps that array of the set; whether it is made at all. */
bool c_array_is_kept(const c_set *set, c_array array);
bool c_array_is_made(const c_set *set, c_array array);
/* How many elements it has in terms of v nodes and e edges, an upper bound. */
const char *c_array_rows(const c_model *m, const c_set *set, c_array array);

/* An array that all sets share: of nodes, of graphs, of pairs of types. */
typedef struct c_shared_array {
  const char *name, *type;
  const char *rows; /* NULL where the model does not keep it */
} c_shared_array;

/* The ends of edges: of unique sets and of pairs of types. */
typedef struct c_end {
  const char *name;   /* "src" */
  c_array node, kind; /* the node there, the pair of edge type and its type */
  c_rows kinds;       /* rows per such pair */
} c_end;

enum { C_END_COUNT = 2 };
extern const c_end c_array_ends[C_END_COUNT];
/* The end that a unique set has its nodes at; NULL for other sets. */
const c_end *c_array_end(const c_set *set);

/* One row per form of segments of a set's rows: what they are grouped by. */
typedef struct c_segments {
  c_rows types;
  c_array ptr, order, key;
} c_segments;

enum { C_SEGMENTS_COUNT = 3 };
extern const c_segments c_array_segments[C_SEGMENTS_COUNT];

enum { C_SHARED_COUNT = 11 };
/* Writes C_SHARED_COUNT of them, in the order of edge_set. */
void c_array_list_shared(const c_model *m, c_shared_array *out);

#endif
