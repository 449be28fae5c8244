/* Shared by the files of gnn-to-device: what represents each value of the model on the device, and
 * how operations of the device level are built.
 *
 * A value that depends on graph and weights alone is a constant: it stays in the gnn level, and
 * becomes rows only where a device operation reads it. All other values are rows of their domain's
 * set; numbers of edges, one per edge and head, may be values of an edge list instead
 * (gnn_to_device_values.c). */
#ifndef GNNC_PASSES_GNN_TO_DEVICE_GNN_TO_DEVICE_H
#define GNNC_PASSES_GNN_TO_DEVICE_GNN_TO_DEVICE_H

#include "passes/manager/pass.h"
#include "support/map.h"
#include "support/vec.h"

typedef struct to_device_edge_list {
  const char *key; /* a text that is equal for equal edge lists */
  MlirValue value;
} to_device_edge_list;

/* The state while a function is lowered. */
typedef struct to_device {
  pass_context *p;
  MlirOperation func;
  MlirBlock body;
  ir_builder b; /* before the operation that is being lowered */
  VEC(MlirValue) graphs;
  VEC(to_device_edge_list) edge_lists;
  MlirOperation current;
  map runtime;   /* from a gnn value to 1 where it depends on inputs; all other values are constants */
  map rows;      /* from a gnn value to its rows */
  map values;    /* from a gnn value to its values of edges */
  map pending;   /* from rows or values to the number of uses ahead of the gnn values that they represent */
  map forms;     /* from a gnn value per edge to the direction of its edge list ("in" or "out"), where it becomes
                  * values of edges */
  map merges;    /* from an operation to its to_device_merge */
  map delayed;   /* from a gnn quotient to 1 where the division comes after the sums that it weights */
  int64_t width; /* columns of the device's rows: parts of rows that begin at multiples of it move for free */
  bool is_dividing_later, is_fusing;
  bool ok;
} to_device;

/* Products with one operand, computed as one product with their matrices side by side. */
typedef struct to_device_merge {
  MlirValue x, rows; /* the operand; the rows of the product, once it is made */
  VEC(MlirOperation) members;
  VEC(int64_t) begins; /* first column of each product */
  int64_t width;
} to_device_merge;

/* A rearrangement of columns with one dimension, as gnn.selection describes it. */
typedef struct to_device_selection {
  int64_t rows, begin;
  unsigned rank;
  int64_t shape[IR_MAX_RANK], strides[IR_MAX_RANK];
} to_device_selection;

/* ---- values (gnn_to_device_rows.c) ---- */

bool to_device_is_constant(const to_device *l, MlirValue v);
/* The same, and the value has one payload for all rows. */
bool to_device_is_plain_constant(const to_device *l, MlirValue v);
/* The rows of a value in its own set ("one" for plain values); null after an error was reported. */
MlirValue to_device_rows(to_device *l, MlirValue v);
/* The rows of a value in the set of values of `domain`; plain values are repeated for each row. */
MlirValue to_device_rows_in(to_device *l, MlirValue v, ir_type domain);
/* From now on `rows` represents the gnn value. */
void to_device_bind(to_device *l, MlirValue v, MlirValue rows);
/* The operands of `op` are used now: each has one use less ahead. */
void to_device_consume(to_device *l, MlirOperation op);
/* Whether only the operation that is being lowered needs the rows, so that the operation that makes
 * them may be changed. */
bool to_device_is_exclusive(const to_device *l, MlirValue rows);
const char *to_device_set_of(const to_device *l, ir_type type);
int64_t to_device_width(MlirValue rows);
/* The graph of the function with an edge set; null, after an error at the operation, where there is
 * none. */
MlirValue to_device_graph(to_device *l, const char *set);
/* A graph with these nodes. */
MlirValue to_device_node_graph(to_device *l, const char *set);

/* ---- operations of the device level (gnn_to_device_build.c) ---- */

typedef struct to_device_edge_list_spec {
  const char *kind;
  MlirValue of, pairs, weight;
  int64_t type;
  const char *per, *to;
  bool mean;
} to_device_edge_list_spec;
MlirValue to_device_list_edges(to_device *l, to_device_edge_list_spec spec); /* made once for equal specifications */
/* Each row of the edge list's destinations becomes the sum of the rows that its edges bring. */
MlirValue to_device_move(to_device *l, to_device_edge_list_spec spec, MlirValue rows);
MlirValue to_device_spdmm(to_device *l, MlirValue edge_list, MlirValue rows, MlirValue values, const char *reduce);
MlirValue to_device_gemm(to_device *l, MlirValue rows, MlirValue w, MlirValue bias, MlirValue addend, bool transposed);
/* rows @ w, where w is one row that holds the matrix. */
MlirValue to_device_product(to_device *l, MlirValue rows, MlirValue w, bool transposed);
/* One row: the sum over all rows of the outer products of a and b. */
MlirValue to_device_outer_sum(to_device *l, MlirValue a, MlirValue b);
/* b: rows or a plain constant. A b with one column is combined with all columns of a. */
MlirValue to_device_vadd(to_device *l, const char *function, MlirValue a, MlirValue b, MlirValue condition);
MlirValue to_device_map(to_device *l, MlirValue x,
                        const char *function); /* part of the operation that makes x where that is exclusive */
MlirValue to_device_map_number(to_device *l, MlirValue x, const char *function, double number);
/* Applies the activation of an operation of the gnn level, or the function that it is, to x. */
MlirValue to_device_activate(to_device *l, MlirOperation op, MlirValue x);
/* x + constant row or x + rows, as part of the product or sum that makes x, where that is exclusive
 * and has no such operand yet; else null. */
MlirValue to_device_fuse_bias(to_device *l, MlirValue x, MlirValue bias);
MlirValue to_device_fuse_addend(to_device *l, MlirValue x, MlirValue addend);
/* x @ selection, or x @ transposed selection. */
MlirValue to_device_select(to_device *l, MlirValue x, to_device_selection s);
MlirValue to_device_place(to_device *l, MlirValue x, to_device_selection s);

/* ---- constants of the gnn level (gnn_to_device_constants.c) ---- */

MlirValue to_device_build_selection(to_device *l, to_device_selection s);
/* The elements of x as a plain (or per-type) value of another shape. */
MlirValue to_device_reshape(to_device *l, MlirValue x, unsigned rank, const int64_t *dims);
MlirValue to_device_flat(to_device *l, MlirValue x);
/* c @ selection, with the elements of c in one row: a value [N]. */
MlirValue to_device_select_constant(to_device *l, MlirValue c, to_device_selection s);
/* A constant with as many elements as `wanted`, whose leading dimensions are aligned: a value [N],
 * or the constant itself where N agrees. */
MlirValue to_device_expand_constant(to_device *l, MlirValue c, ir_type wanted);
/* The constant that is combined with the rows of this set: a plain one, or the table behind a slice
 * by the type that orders these rows; null for others. */
MlirValue to_device_table(to_device *l, MlirValue v);
/* A constant number for each edge of a set. */
MlirValue to_device_edge_constant(to_device *l, MlirValue graph, MlirValue plain);
/* The selection that repeats leading dimensions: rows of payload `from` for payload `to`. */
to_device_selection to_device_expansion(ir_type from, ir_type to);
MlirValue to_device_expand(to_device *l, MlirValue rows, ir_type from, ir_type to);

/* ---- operations: false for other operations; each sets the representation of its result, or sets
 * l->ok to false after reporting ---- */

bool to_device_elementwise(to_device *l, MlirOperation op);
bool to_device_layer(to_device *l, MlirOperation op); /* linear, vector_inner, batch_norm, densify, row_normalize */
bool to_device_shape(to_device *l,
                     MlirOperation op); /* reduce, softmax, argmax, concat, columns, reshape, outer, transpose, view */
bool to_device_edges(
    to_device *l, MlirOperation op); /* aggregate, collapse, extend_edges, opposite_edges, part, unite, pool, total */

bool to_device_integers(to_device *l, MlirOperation op); /* lookup, convert */

/* ---- integers (gnn_to_device_integers.c) ---- */

/* Call before anything is lowered: indices are looked up and converted where they are stored. What is
 * moved between rows is the result, because machines may round what they move. */
void to_device_raise_integers(to_device *l);
/* x @ W[i] for a table of matrices; null where the matrix comes from no such table. */
MlirValue to_device_picked_product(to_device *l, MlirOperation op);

/* "add", "sub", ..., "lt": the function of device.vadd for an operation with two operands. */
const char *to_device_function_of(MlirOperation op);
/* s, but 1 where s is 0. */
MlirValue to_device_divisor(to_device *l, MlirValue s);
/* Combines rows of possibly different width element by element; the result has the payload
 * `wanted`. */
MlirValue to_device_combine(to_device *l, const char *function, MlirValue a, ir_type a_type, MlirValue b,
                            ir_type b_type, ir_type wanted);

/* ---- products that share their operand (gnn_to_device_merge.c) ---- */

/* Finds products that share their operand. */
void to_device_choose_merges(to_device *l);
/* The columns of a merged product that are the result of `op`; null where `op` is not merged. */
MlirValue to_device_merged(to_device *l, MlirOperation op);
/* The matrix by which a product multiplies its operand's columns, as a plain constant [K, N] (or
 * stored as [N, K]); null where it is not a product with one plain matrix. */
MlirValue to_device_product_matrix(to_device *l, MlirOperation op, bool *is_transposed);

/* ---- values of edges (gnn_to_device_values.c, gnn_to_device_forms.c) ---- */

/* The gather that makes a value which depends on inputs; null for other values. */
MlirOperation to_device_runtime_gather(const to_device *l, MlirValue v);
/* Decides which edge values become values of edges. */
void to_device_choose_forms(to_device *l);
bool to_device_has_values(const to_device *l, MlirValue v);
/* Lowers an operation whose result is values of edges, or an aggregate that reads such values as
 * value or weight; false for others. */
bool to_device_edge_values(to_device *l, MlirOperation op);

#endif
