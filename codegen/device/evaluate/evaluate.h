/* Computes constant values of the gnn level on the host; shared by evaluate*.c. Values are fp32,
 * and sums follow the order of the graph's edges. */
#ifndef GNNC_CODEGEN_DEVICE_EVALUATE_EVALUATE_H
#define GNNC_CODEGEN_DEVICE_EVALUATE_EVALUATE_H

#include "codegen/device/host/host_private.h"
#include "kernels/spmm.h"
#include "support/elementwise.h"

enum { EVALUATE_MOST_INPUTS = IR_MAX_OPERANDS, EVALUATE_CHUNK = 2048 };

/* The rows of an operand: row r begins at data + r * stride; stride 0: one row for all. */
typedef struct evaluate_rows {
  const float *data;
  int64_t stride, width;
  const ir_type *type;
} evaluate_rows;

/* An operation on payloads, applied to `rows` rows at once. `in` has an entry for each declared
 * operand, data NULL where absent. A row of `out` has ir_type_elements(type) numbers; `room` is
 * scratch of 3 * rows * that many numbers. */
typedef struct evaluate_call {
  MlirOperation op;
  ir_op kind;
  ir_type type; /* of the result */
  int64_t width;
  const evaluate_rows *in;   /* [EVALUATE_MOST_INPUTS] */
  elementwise_unary unary;   /* function or activation; UNARY_none none */
  float p, q;                /* its numbers; p: epsilon of batch_norm */
  elementwise_binary binary; /* of two operands */
  kernel_reduction reduction;
  bool is_flagged; /* transposed, log */
  int64_t begin;   /* of columns */
} evaluate_call;

/* Reads the attributes; false for an operation that does not work on payloads. */
bool evaluate_call_of(MlirOperation op, evaluate_call *out);
void evaluate_payload(const evaluate_call *c, int64_t rows, float *out, float *room);

/* The families of operations: element-wise; along the last dimension; products. */
void evaluate_elementwise(const evaluate_call *c, int64_t rows, float *out, float *room);
void evaluate_last_axis(const evaluate_call *c, int64_t rows, float *out);
void evaluate_product(const evaluate_call *c, int64_t rows, float *out);

/* Evaluates a tree of operations on payloads over nodes, edges or types, a chunk of rows at a time,
 * on all threads. */
status evaluate_tree(program_host *h, MlirValue root, program_array *out);
/* Prepares a value with one number per edge, which the caller then computes for a few rows at a
 * time. out->user is NULL where evaluate_tree is the better way. */
status evaluate_stream(program_host *h, MlirValue root, program_weights *out);

/* Operations from one set to another: degree, aggregate, collapse, group_size, pool, unite,
 * densify, products of sparse rows. evaluate_is_graph is false for other operations. */
bool evaluate_is_graph(MlirOperation op);
status evaluate_graph(program_host *h, MlirOperation op, program_array *out);

/* Operations that copy rows of another set: result row r < kept is row index[r] of `source`; rows
 * from 'kept' on are rows loop[r - kept], or 'fill'. */
typedef struct evaluate_view {
  MlirValue source;
  const int32_t *index; /* NULL: r itself, row 0 where 'is_single' */
  bool is_single;
  int64_t kept;
  bool has_loops;
  const int32_t *loop; /* NULL: r - kept */
  float fill;
} evaluate_view;
bool evaluate_is_view(MlirOperation op);
status evaluate_view_of(program_host *h, MlirOperation op, int64_t rows, evaluate_view *out);

#endif
