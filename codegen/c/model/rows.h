/* Rows: what a value has one payload for. A node, an edge, a type, ... */
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
  C_ROWS_etype_src, /* pairs of types that occur: see c_pairs */
  C_ROWS_etype_dst,
  C_ROWS_graph,
  C_ROWS_nonzero, /* of a sparse value, whose rows are nodes */
  C_ROWS_COUNT
} c_rows;

typedef struct c_rows_facts {
  const char *name;     /* in the IR: "node", of types of buffers, cursors and domains of traversals */
  bool has_set;         /* "node:g.replace": the rows belong to a set */
  bool is_typed;        /* one per type, or per pair of types */
  const char *constant; /* of gnnc_rows, NULL where no caller has such rows */
  const char *caller;   /* what callers have one for: "node" */
  const char *length;   /* "num_nodes", NULL where the model says how many */
  /* Of kernels that traverse such rows: prefix of the name, comment, loop variable. */
  const char *prefix, *comment, *cursor;
} c_rows_facts;

const c_rows_facts *c_rows_describe(c_rows rows);
/* The rows of that name, `length` characters of it; false if there are none. */
bool c_rows_find(const char *name, size_t length, c_rows *rows);

#endif
