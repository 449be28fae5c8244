/* Bodies of kernels: payload operations become C statements. Shared by traversals and GEMM epilogues.
 *
 *   %v = gnn.vector_add(%y, %b)            for (int64_t j = 0; j < 16; j++)
 *   %h = gnn.activation(%v) relu      =>     h1_row[j] = real_relu(y[j] + b[j]);
 *   intra.store(%h, %h1, %n)
 *
 * Element-wise operations used once wait until their user is written and are inlined into its loop over features; what is used
 * more often, or not element by element, is computed into a scalar or a local array, or straight into the row it is stored to. */
#ifndef GNNC_CODEGEN_C_BODY_H
#define GNNC_CODEGEN_C_BODY_H

#include "codegen/c/model.h"
#include "codegen/c/writer.h"

/* Elements that a local array has on the stack: 64 KiB of float, so that a thread's stack holds a dozen. Longer ones are the thread's. */
enum { C_STACK_ELEMENTS = 16384 };

typedef enum c_form {
  C_FORM_none,
  C_FORM_scalar,  /* text is an expression */
  C_FORM_memory,  /* text is a pointer to its elements */
  C_FORM_pending, /* element-wise, to be inlined into its user */
  C_FORM_cursor,
  C_FORM_loop
} c_form;

/* Where a tensor goes: base[i], or base[row * stride + offset + column] for a part of wider rows (stride > 0). For a scalar
 * base is the variable or element itself. */
typedef struct c_target {
  const char *base;     /* NULL = there is no place, an error was reported */
  const c_buffer *home; /* the buffer that base is a row of, for the value stored there */
  int64_t stride, offset;
  bool is_float; /* float memory: cast where real is double */
  enum { C_ASSIGN_set, C_ASSIGN_add, C_ASSIGN_max, C_ASSIGN_min } mode;
} c_target;

/* What stands for an SSA value. */
typedef struct c_value {
  MlirValue value;
  c_form form;
  const char *text;      /* cursor: node number, edge position or entry */
  const char *src, *dst; /* of an edge cursor, NULL where not known yet */
  int set;
  unsigned depth; /* of the block it was defined in */
  ir_type type;
  bool is_float;           /* memory of the caller: float whatever real is */
  const c_buffer *home;    /* memory that is the row of this buffer it is stored to */
  const c_target *targets; /* of a loop's results */
} c_value;

/* An operand of lower rank that a scalar holds inside the loops entered so far. */
typedef struct c_hoisted {
  MlirValue value;
  const char *text;
} c_hoisted;

/* A buffer that a kernel takes as a parameter. */
typedef struct c_parameter {
  const c_buffer *buffer;
  const c_packed *packed; /* the packed form is meant, buffer is NULL */
  int set;                /* an edge set, where both are NULL */
  const char *name;
  bool is_written; /* by some operation of the kernel */
  bool is_used;    /* the text written so far names it */
} c_parameter;

/* What one kernel is written with. */
typedef struct c_body {
  c_model *model;
  const c_phase *phase;
  c_writer *w;
  c_names names;
  VEC(c_value *) values;
  VEC(c_hoisted) hoisted;
  VEC(c_parameter) parameters;
  MlirOperation kernel;
  bool failed;
} c_body;

/* One loop of a nest: `rank` dimensions of the payload are covered once it is entered. */
typedef struct c_loop {
  const char *variable;
  int64_t extent;
  unsigned rank;
} c_loop;

/* The loops an element is addressed by, outermost first. */
typedef struct c_index {
  c_loop loops[IR_MAX_RANK + 1];
  unsigned count;
} c_index;

/* The state that leaving a nest goes back to. */
typedef struct c_mark {
  size_t names, hoisted;
  unsigned depth;
} c_mark;

/* ---- body.c: values and blocks ---- */

/* Writes the operations of a block but its terminator. What it defines stays known: its yields are read afterwards. */
void c_body_emit_block(c_body *b, MlirBlock block);
/* One of them; what is not used is left out. */
void c_body_emit_operation(c_body *b, MlirOperation op);
c_value *c_body_find(c_body *b, MlirValue value);
c_value *c_body_define(c_body *b, MlirValue value, c_form form, const char *text);
/* A new name in force: the one an SSA value has in the model, or `fallback`. */
const char *c_body_name(c_body *b, MlirValue value, const char *fallback);
bool c_body_is_pending(c_body *b, MlirValue value);
/* "(real)" before an element of float memory where real is double: products of two such would be rounded to float. */
const char *c_body_widen(const c_body *b, bool is_float);
/* Makes sure that a tensor lies in memory (computes what is pending); returns the pointer's text. */
const char *c_body_memory(c_body *b, MlirValue value);
/* Defines a value as what the target holds: its scalar or its memory. */
c_value *c_body_define_target(c_body *b, MlirValue value, c_target target);
/* How a value comes about: each element written once, or summed (starts at 0) or reduced (the caller gives the start) over a loop;
 * small sums and reductions stay in local arrays. */
typedef enum c_use { C_USE_written, C_USE_summed, C_USE_reduced } c_use;
/* Declares a local array of `real`, on the stack or, where it is too long for that, one per thread. */
void c_body_declare_array(c_body *b, const char *name, int64_t elements, bool is_zeroed);
/* Declares where a value is computed: a scalar variable, a local array, or the row it is stored to where that is safe. */
c_target c_body_place(c_body *b, MlirValue value, const char *fallback, c_use use);
void c_body_fail(c_body *b, MlirOperation op, diag_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- access.c: buffers and cursors ---- */

/* Declares the buffers and sets a kernel may name, before anything is written. */
void c_access_declare_buffer(c_body *b, MlirValue value, bool is_written);
void c_access_declare_set(c_body *b, int set);
void c_access_declare_packed(c_body *b, const c_packed *packed, const char *name);
/* The parameter of a declared one, used from now on. */
c_parameter *c_access_buffer(c_body *b, MlirValue value);
const char *c_access_set(c_body *b, int set);
const char *c_access_packed(c_body *b, const c_packed *packed);
/* A row of a buffer at a cursor (null value = rows one): "z1 + n * 16", or "norm[p]" where the payload is a scalar. */
const char *c_access_row(c_body *b, const c_parameter *buffer, MlirValue cursor);
/* True where a row read now may be overwritten by a store of this kernel. */
bool c_access_is_shared(c_body *b, const c_buffer *buffer);
/* inter.src and inter.dst. */
void c_access_end(c_body *b, MlirOperation op);
void c_access_degree(c_body *b, MlirOperation op);
void c_access_load(c_body *b, MlirOperation op);
void c_access_load_row(c_body *b, MlirOperation op);
void c_access_dense_row(c_body *b, MlirOperation op);
void c_access_store(c_body *b, MlirOperation op);
/* Defines a loaded number: inlined into its only user unless its place may be overwritten before. */
void c_access_define_scalar(c_body *b, MlirOperation op, const char *expression, bool keep_place);

/* ---- typed.c: pairs, kinds and parts ---- */

/* inter.group, inter.group_size, inter.whole_row, intra.unite. */
void c_typed_group(c_body *b, MlirOperation op);
void c_typed_group_size(c_body *b, MlirOperation op);
void c_typed_whole_row(c_body *b, MlirOperation op);
void c_typed_unite(c_body *b, MlirOperation op);
/* The row of a value per type, pair of types or graph, at a cursor. */
const char *c_typed_row(c_body *b, c_rows rows, MlirValue cursor);

/* ---- scalar.c: expressions of element-wise operations ---- */

/* True for operations whose element i depends on element i of the operands alone. */
bool c_scalar_is_elementwise(ir_op op);
/* The expression of an element-wise operation on operand texts. */
const char *c_scalar_expression(c_body *b, MlirOperation op, const char *const *operands);
/* The expression without a pair of parentheses around the whole. */
const char *c_scalar_bare(c_body *b, const char *expression);
/* A number as a literal of `real`. */
const char *c_scalar_literal(c_body *b, double value);

/* ---- nest.c: loops over features ---- */

/* Computes a value into a target. */
void c_nest_store(c_body *b, MlirValue value, c_target target);
/* The expression of one element, at loops that reach the value's rank. */
const char *c_nest_element(c_body *b, MlirValue value, const c_index *index);
/* The ranks at which loops over the value's dimensions must be cut, as bits. */
unsigned c_nest_cuts(c_body *b, MlirValue value);
/* Opens loops over the dimensions that `index` does not cover yet, up to `rank`, and computes operands of lower rank of the
 * trees into scalars on the way. */
void c_nest_open(c_body *b, const MlirValue *trees, unsigned tree_count, const int64_t *dims, unsigned rank,
                 unsigned cuts, c_index *index);
/* The same; the innermost loop's iterations are independent and said to be. */
void c_nest_open_features(c_body *b, const MlirValue *trees, unsigned tree_count, const int64_t *dims, unsigned rank,
                          unsigned cuts, c_index *index);
/* Computes what the tree needs at the loops entered so far (all operands of that rank) into scalars. */
void c_nest_hoist(c_body *b, MlirValue tree, const c_index *index);
c_mark c_nest_mark(const c_body *b);
/* Closes the loops opened since. */
void c_nest_leave(c_body *b, c_mark mark);
/* The flat position of the first `rank` dimensions: "h * 8 + c". */
const char *c_nest_flat(c_body *b, const c_index *index, unsigned rank);
/* The first loops of an index, those over `rank` dimensions. */
c_index c_nest_prefix(const c_index *index, unsigned rank);
/* Writes "target[at] = expression;" as the target's mode says; at NULL for scalars. */
void c_target_assign(c_body *b, c_target target, const char *at, const char *expression);

/* ---- payload.c: operations that are not element-wise ---- */

/* True if it wrote `op`: vector_inner, reduce, softmax, argmax. */
bool c_payload_emit(c_body *b, MlirOperation op);
/* ---- linear.c ---- */
void c_linear_emit(c_body *b, MlirOperation op);
/* x [rows, K] times w [K, N] (or [N, K]) into target [rows, N]. */
void c_linear_product(c_body *b, const char *x, const char *w, c_target target, int64_t rows, int64_t depth,
                      int64_t width, bool transposed);

/* ---- ranges.c ---- */

/* What an inner loop runs over: for (variable = begin; variable < end; variable++). */
typedef struct c_range {
  const char *variable, *begin, *end;
} c_range;

/* The range of an inner loop (operation); its variable's name is in force from now on. */
c_range c_range_describe(c_body *b, MlirOperation op);
/* Defines the cursor of the loop's region. */
void c_range_define_cursor(c_body *b, MlirOperation op, const c_range *range);

/* ---- prefetch.c ---- */

/* Asks for the rows that a later iteration of the loop over edges gathers; at the beginning of the loop's body, before its cursor is
 * defined. */
void c_prefetch_emit(c_body *b, MlirOperation loop, const c_range *range);
/* The same for a kernel over edges, whose cursor is defined. */
void c_prefetch_emit_kernel(c_body *b, MlirBlock block);

/* ---- softmax.c ---- */

/* inter.softmax_incoming. */
void c_softmax_emit(c_body *b, MlirOperation op);

/* ---- loops.c ---- */

/* The inter.result operation of one result of a loop; null if that result is not used. */
MlirOperation c_loops_find_result(MlirOperation loop, size_t index);

/* inter.for_incoming, inter.for_outgoing, inter.for_members, intra.nonzeros. */
void c_loops_emit(c_body *b, MlirOperation op);
/* inter.result. */
void c_loops_result(c_body *b, MlirOperation op);

#endif
