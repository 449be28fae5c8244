/* Bodies of kernels: payload operations become C statements. Shared by traversals and GEMM
 * epilogues.
 *
 *   %v = gnn.vector_add(%y, %b)            for (int64_t j = 0; j < 16; j++)
 *   %h = gnn.activation(%v) relu      =>     h1_row[j] = real_relu(y[j] + b[j]);
 *   intra.store(%h, %h1, %n)
 *
 * This is the state that a kernel is written with: what stands for each SSA value, and the names in
 * force. */
#ifndef GNNC_CODEGEN_C_BODY_BODY_H
#define GNNC_CODEGEN_C_BODY_BODY_H

#include "codegen/c/model/model.h"
#include "codegen/c/text/names.h"
#include "codegen/c/text/writer.h"

typedef enum c_form {
  C_FORM_none,
  C_FORM_scalar,  /* text is an expression */
  C_FORM_memory,  /* text is a pointer to its elements */
  C_FORM_pending, /* element-wise, to be inlined into its user */
  C_FORM_cursor,
  C_FORM_loop
} c_form;

/* What stands for an SSA value. */
typedef struct c_value {
  MlirValue value;
  c_form form;
  const char *text;      /* cursor: node number, edge position or entry */
  const char *src, *dst; /* of an edge cursor, NULL where not known yet */
  int set;
  unsigned depth; /* of the block it was defined in */
  ir_type type;
  bool is_float;                  /* memory of the caller: float whatever real is */
  const c_buffer *home;           /* memory that is the row of this buffer it is stored to */
  const struct c_target *targets; /* of a loop's results */
} c_value;

/* An operand of lower rank that a scalar holds inside the loops entered so far. */
typedef struct c_hoisted {
  MlirValue value;
  const char *text;
} c_hoisted;

/* What a kernel takes as a parameter: a buffer, the packed form of one, or an edge set. */
typedef struct c_parameter {
  const c_buffer *buffer;
  const c_packed *packed; /* the packed form is meant, buffer is NULL */
  int set;                /* an edge set, where both are NULL */
  const char *name;
  bool is_written; /* by some operation of the kernel */
  bool is_used;    /* the text written so far names it */
} c_parameter;

/* One C function and what its call needs. */
typedef struct c_kernel {
  MlirOperation op;
  const char *name;
  c_rows rows; /* of one: it takes no range of rows */
  int set;
  int64_t count;                 /* rows that are types: how many */
  const c_parameter *parameters; /* those it takes */
  size_t parameter_count;
  const c_packed *packs; /* the packed B this kernel multiplies by, NULL for the others */
  const c_buffer *packs_from;
  const char *code; /* the function */
  /* Of kernels that threads take parts of: the struct of their arguments and the function that
   * computes one part; NULL for others. */
  const char *call_type, *call_part;
  bool is_left_out; /* nothing reads what it writes */
} c_kernel;

/* What one kernel is written with. */
typedef struct c_body {
  c_model *model;
  const c_phase *phase;
  c_kernel *kernel;
  c_writer *w;
  c_names names;
  VEC(c_value *) values;
  VEC(c_hoisted) hoisted;
  VEC(c_parameter) parameters;
  /* Writes an operation that is used. A member, because operations with regions write blocks. */
  void (*emit)(struct c_body *b, MlirOperation op);
  bool failed;
} c_body;

/* Writes the operations of a block but its terminator. What it defines stays known: its yields are
 * read afterwards. */
void c_body_emit_block(c_body *b, MlirBlock block);
/* One of them; what is not used is left out. */
void c_body_emit_operation(c_body *b, MlirOperation op);
c_value *c_body_find(c_body *b, MlirValue value);
c_value *c_body_define(c_body *b, MlirValue value, c_form form, const char *text);
/* Defines the scalar result of `op`: inlined into its only user unless its place may be overwritten
 * before. */
void c_body_define_scalar(c_body *b, MlirOperation op, const char *expression, bool keep_place);
/* A new name in force: the one an SSA value has in the model, or `fallback`. */
const char *c_body_name(c_body *b, MlirValue value, const char *fallback);
bool c_body_is_pending(c_body *b, MlirValue value);
/* "(real)" before an element of float memory where real is double: products of two such would be
 * rounded to float. */
const char *c_body_widen(const c_body *b, bool is_float);
/* "(float)" before a number that is stored to float memory where real is double. */
const char *c_body_narrow(const c_body *b, bool is_float);
/* "for (int64_t j = 0; j < 16; j++)": the head of a loop whose one statement follows on its
 * line. */
const char *c_body_each(const c_body *b, const char *variable, int64_t count);
/* The same for a loop from begin to end - 1. */
const char *c_body_each_of(const c_body *b, const char *variable, const char *begin, const char *end);
/* Writes "for (...) array[j] <assignment>;" with a variable of its own. */
void c_body_emit_each(c_body *b, const char *variable, int64_t count, const char *array, const char *assignment);
void c_body_fail(c_body *b, MlirOperation op, diag_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* True where the only user of a value stands in the block of `op`, which defines it. */
bool c_body_has_near_user(MlirValue value, MlirOperation op);

#endif
