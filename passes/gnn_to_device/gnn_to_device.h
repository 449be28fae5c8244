/* Shared by the files of gnn-to-device: what stands for each value of the model on the device, and
 * how Layer Blocks are built.
 *
 * A value that depends on graph and weights alone is a constant: it stays in the gnn level, and
 * becomes rows only where a Layer Block reads it. All others are rows of their domain's set;
 * scalars and heads of edges may be values of an edge list instead (gnn_to_device_values.c). */
#ifndef GNNC_PASSES_GNN_TO_DEVICE_GNN_TO_DEVICE_H
#define GNNC_PASSES_GNN_TO_DEVICE_GNN_TO_DEVICE_H

#include "passes/manager/pass.h"
#include "support/map.h"
#include "support/vec.h"

typedef struct to_device_edge_list {
  const char *key; /* what makes two edge lists equal, as text */
  MlirValue value;
} to_device_edge_list;

/* The function being lowered. */
typedef struct to_device {
  pass_context *p;
  MlirOperation func;
  MlirBlock body;
  ir_builder b; /* before the operation being lowered */
  VEC(MlirValue) graphs;
  VEC(to_device_edge_list) edge_lists;
  MlirOperation current;
  map runtime;   /* gnn value -> 1 where it depends on inputs; all others are constants */
  map rows;      /* gnn value -> its rows */
  map values;    /* gnn value -> its values of edges */
  map pending;   /* rows or values -> uses of the gnn values they stand for that are still to come */
  map forms;     /* gnn value per edge -> direction of its edge list ("in" or "out") where it has the form of values */
  map merges;    /* operation -> to_device_merge */
  map delayed;   /* gnn quotient -> 1 where the division follows the sums that it weighs */
  int64_t width; /* of the device: whole fibers move for free */
  bool is_dividing_later, is_fusing;
  bool ok;
} to_device;

/* Products with one operand, their matrices side by side. */
typedef struct to_device_merge {
  MlirValue x, rows; /* rows: made with the first of them */
  VEC(MlirOperation) members;
  VEC(int64_t) begins; /* first column of each */
  int64_t width;
} to_device_merge;

/* A one-dimensional rearrangement of columns: gnn.selection. */
typedef struct to_device_selection {
  int64_t rows, begin;
  unsigned rank;
  int64_t shape[IR_MAX_RANK], strides[IR_MAX_RANK];
} to_device_selection;

/* ---- values (gnn_to_device_rows.c) ---- */

bool to_device_is_constant(const to_device *l, MlirValue v);
/* The same for all rows as well. */
bool to_device_is_plain_constant(const to_device *l, MlirValue v);
/* The rows of a value in its own set ("one" for plain ones); null after an error was reported. */
MlirValue to_device_rows(to_device *l, MlirValue v);
/* Rows of the set that values of `domain` have: plain values are repeated for each row. */
MlirValue to_device_rows_in(to_device *l, MlirValue v, ir_type domain);
/* `rows` stand for the gnn value from here on. */
void to_device_bind(to_device *l, MlirValue v, MlirValue rows);
/* The operands of `op` are being used: one use fewer is to come of each. */
void to_device_consume(to_device *l, MlirOperation op);
/* True where nothing but the operation being lowered needs this: it may be made another. */
bool to_device_is_exclusive(const to_device *l, MlirValue rows);
const char *to_device_set_of(const to_device *l, ir_type type);
int64_t to_device_width(MlirValue rows);
/* The graph of the function with an edge set; null (and an error at the operation) where there is
 * none. */
MlirValue to_device_graph(to_device *l, const char *set);
/* A graph that has these nodes. */
MlirValue to_device_node_graph(to_device *l, const char *set);

/* ---- Layer Blocks (gnn_to_device_build.c) ---- */

typedef struct to_device_edge_list_spec {
  const char *kind;
  MlirValue of, pairs, weight;
  int64_t type;
  const char *per, *to;
  bool mean;
} to_device_edge_list_spec;
MlirValue to_device_list_edges(to_device *l, to_device_edge_list_spec spec); /* made once for equal specifications */
/* Each row of the edge list's destinations is the sum of what its edges bring. */
MlirValue to_device_move(to_device *l, to_device_edge_list_spec spec, MlirValue rows);
MlirValue to_device_spdmm(to_device *l, MlirValue edge_list, MlirValue rows, MlirValue values, const char *reduce);
MlirValue to_device_gemm(to_device *l, MlirValue rows, MlirValue w, MlirValue bias, MlirValue addend, bool transposed);
/* b: rows or a plain constant; one column of b meets all of a where it has one. */
MlirValue to_device_vadd(to_device *l, const char *function, MlirValue a, MlirValue b, MlirValue condition);
MlirValue to_device_map(to_device *l, MlirValue x,
                        const char *function); /* into the operation that makes x where it is exclusive */
MlirValue to_device_map_number(to_device *l, MlirValue x, const char *function, double number);
/* The activation an operation of the gnn level carries (or is), on x. */
MlirValue to_device_activate(to_device *l, MlirOperation op, MlirValue x);
/* x + constant row, x + rows: into the product or sum that makes x where it is exclusive and has
 * room. Null where it has not. */
MlirValue to_device_fuse_bias(to_device *l, MlirValue x, MlirValue bias);
MlirValue to_device_fuse_addend(to_device *l, MlirValue x, MlirValue addend);
/* x @ selection, x @ selection transposed. */
MlirValue to_device_select(to_device *l, MlirValue x, to_device_selection s);
MlirValue to_device_place(to_device *l, MlirValue x, to_device_selection s);

/* ---- constants of the gnn level (gnn_to_device_constants.c) ---- */

MlirValue to_device_build_selection(to_device *l, to_device_selection s);
/* Elements as a plain (or per-type) value of another shape. */
MlirValue to_device_reshape(to_device *l, MlirValue x, unsigned rank, const int64_t *dims);
MlirValue to_device_flat(to_device *l, MlirValue x);
/* c @ selection of the elements of c in one row: a value [N]. */
MlirValue to_device_select_constant(to_device *l, MlirValue c, to_device_selection s);
/* A constant brought to as many elements as `wanted`, leading dimensions aligned: a value [N], or
 * as it is where N agrees. */
MlirValue to_device_expand_constant(to_device *l, MlirValue c, ir_type wanted);
/* The constant that rows of this set meet: a plain one, or the table behind a slice by the type
 * that orders these rows; null for others. */
MlirValue to_device_table(to_device *l, MlirValue v);
/* A constant number per edge of a set. */
MlirValue to_device_edge_constant(to_device *l, MlirValue graph, MlirValue plain);
/* Leading dimensions repeated: rows of payload `from` for payload `to`. */
to_device_selection to_device_expansion(ir_type from, ir_type to);
MlirValue to_device_expand(to_device *l, MlirValue rows, ir_type from, ir_type to);

/* ---- operations; false for other operations; each binds its result or sets l->ok to false after reporting ---- */

bool to_device_elementwise(to_device *l, MlirOperation op);
bool to_device_layer(to_device *l, MlirOperation op); /* linear, vector_inner, batch_norm, densify, row_normalize */
bool to_device_shape(to_device *l,
                     MlirOperation op); /* reduce, softmax, argmax, concat, columns, reshape, outer, transpose */
bool to_device_edges(to_device *l, MlirOperation op); /* aggregate, collapse, extend_edges, part, unite, pool */

/* "add", "sub", ..., "lt": what device.vadd calls an operation of two operands. */
const char *to_device_function_of(MlirOperation op);
/* s, but 1 where it is 0. */
MlirValue to_device_divisor(to_device *l, MlirValue s);
/* Element by element on rows that may differ in width; the result has the payload `wanted`. */
MlirValue to_device_combine(to_device *l, const char *function, MlirValue a, ir_type a_type, MlirValue b,
                            ir_type b_type, ir_type wanted);

/* ---- products that share their operand (gnn_to_device_merge.c) ---- */

/* Finds them. */
void to_device_choose_merges(to_device *l);
/* The columns of a merged product that are those of `op`; null where it stands alone. */
MlirValue to_device_merged(to_device *l, MlirOperation op);
/* What a product does with its operand's columns, as a plain constant [K, N] (or stored [N, K]);
 * null where it is no product with one plain matrix. */
MlirValue to_device_product_matrix(to_device *l, MlirOperation op, bool *is_transposed);

/* ---- values of edges (gnn_to_device_values.c, gnn_to_device_forms.c) ---- */

/* A gather of a value that inputs take part in; null for others. */
MlirOperation to_device_runtime_gather(const to_device *l, MlirValue v);
/* Decides which edge values have that form. */
void to_device_choose_forms(to_device *l);
bool to_device_has_values(const to_device *l, MlirValue v);
/* Lowers an operation whose result has that form, or an aggregate that reads such values as value
 * or weight; false for others. */
bool to_device_edge_values(to_device *l, MlirOperation op);

#endif
