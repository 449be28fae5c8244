/* Kinds of rows: a value has one payload for each node, edge, type, ... */
#ifndef GNNC_CODEGEN_C_MODEL_ROWS_H
#define GNNC_CODEGEN_C_MODEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum c_rows {
  C_ROWS_one,
  C_ROWS_node,
  C_ROWS_edge,
  C_ROWS_etype,
  C_ROWS_ntype,
  C_ROWS_etype_src, /* pairs of types that occur, see c_pairs */
  C_ROWS_etype_dst,
  C_ROWS_graph,
  C_ROWS_piece,   /* 64 pieces of consecutive nodes */
  C_ROWS_strip,   /* of slots alone: nodes, for each of the rank's strips of columns */
  C_ROWS_nonzero, /* stored entries of a sparse value, whose rows are nodes */
  C_ROWS_COUNT
} c_rows;

typedef struct c_rows_facts {
  const char *name;     /* in the IR, in types of buffers, cursors and domains of traversals: "node" */
  bool has_set;         /* the rows belong to a set: "node:g.replace" */
  bool is_typed;        /* one row per type, or per pair of types */
  const char *constant; /* constant of gnnc_rows; NULL where callers have no such rows */
  const char *caller;   /* the caller's word for what there is one row for: "node" */
  const char *length;   /* text of their number, "num_nodes"; NULL: a number in the model */
  /* For kernels that traverse such rows: prefix of the name, comment, loop variable. */
  const char *prefix, *comment, *cursor;
} c_rows_facts;

/* The row of a kind in the table. */
const c_rows_facts *c_rows_describe(c_rows rows);
/* The kind of a name of `length` characters; false if there is none. */
bool c_rows_find(const char *name, size_t length, c_rows *rows);

#endif
