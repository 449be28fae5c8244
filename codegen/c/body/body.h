/* Bodies of kernels: operations on payloads become C statements. Traversals and the epilogues of
 * GEMMs share this code.
 *
 *   %v = gnn.vector_add(%y, %b)            for (int64_t j = 0; j < 16; j++)
 *   %h = gnn.activation(%v) relu      =>     h1_row[j] = real_relu(y[j] + b[j]);
 *   intra.store(%h, %h1, %n)
 *
 * This header has the state with which a kernel's text is written: the C text that stands for each
 * SSA value, and the names that are in scope. */
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
  C_FORM_cursor,  /* a node, an edge or an entry: text is its number */
  C_FORM_loop     /* a loop, whose results have targets */
} c_form;

/* The C text that stands for an SSA value. */
typedef struct c_value {
  MlirValue value;
  c_form form;
  const char
      *text; /* of a cursor: node number, edge position or entry; of a pending one: an array of factors, or NULL */
  const char *src, *dst; /* ends of an edge cursor; NULL where not known yet */
  /* edge set of a cursor */
  int set;
  unsigned depth; /* of the block in which it is defined */
  ir_type type;
  bool is_float;                  /* memory of the caller: elements are float whatever `real` is */
  bool is_bf16;                   /* memory of a buffer of bf16 */
  const c_buffer *home;           /* of memory that is the row of a buffer to which the value is stored: that buffer */
  const struct c_target *targets; /* of a loop: where its results go */
} c_value;

/* An operand of lower rank whose value is in a scalar variable inside the loops entered so far. */
typedef struct c_hoisted {
  MlirValue value;
  const char *text;
  bool is_declared; /* the text names a variable made for it */
  unsigned depth;   /* of the block that it stands in */
} c_hoisted;

/* A parameter of a kernel: a buffer, the packed form of one, or an edge set. */
typedef struct c_parameter {
  const c_buffer *buffer;
  const c_packed *packed; /* set for a packed form; buffer is then NULL */
  int set;                /* an edge set, where buffer and packed are NULL */
  bool is_step;           /* the step of training, instead of all these */
  const char *name;
  bool is_written; /* some operation of the kernel writes it */
  bool is_used;    /* the text written so far uses it */
} c_parameter;

/* One C function, and what its call needs. */
typedef struct c_kernel {
  MlirOperation op;
  const char *name;
  c_rows rows; /* what its range of rows counts; C_ROWS_one: it takes no range */
  int set;
  int64_t count;                 /* number of rows, where rows are types */
  const c_parameter *parameters; /* those that the function takes */
  size_t parameter_count;
  const c_packed *packs;      /* the packed matrix that it multiplies by; NULL: none */
  const c_buffer *packs_from; /* the buffer from which that matrix is packed */
  const char *code;           /* text of the function */
  /* For kernels that several threads execute in parts: the struct of their arguments, and the
   * function that computes one part; NULL for others. */
  const char *call_type, *call_part;
  bool is_routine;  /* a function of the prelude makes edges or chooses nodes; its parameters are the routine's */
  bool is_left_out; /* nothing reads what it writes, so it is not emitted */
} c_kernel;

/* The state with which one kernel is written. */
typedef struct c_body {
  c_model *model;
  const c_phase *phase;
  c_kernel *kernel;
  c_writer *w;
  c_names names;
  VEC(c_value *) values;
  VEC(c_hoisted) hoisted;
  VEC(c_parameter) parameters;
  /* Writes an operation whose result is used. It is a member because operations with regions write blocks in turn. */
  void (*emit)(struct c_body *b, MlirOperation op);
  bool failed;
} c_body;

/* Writes the operations of a block except for its terminator. Values stay defined afterwards,
 * because the caller reads what the block yields. */
void c_body_emit_block(c_body *b, MlirBlock block);
/* Writes one operation, unless its results are not used. */
void c_body_emit_operation(c_body *b, MlirOperation op);
/* Returns the text of a value that was defined; defines a value. */
c_value *c_body_find(c_body *b, MlirValue value);
c_value *c_body_define(c_body *b, MlirValue value, c_form form, const char *text);
/* Defines the scalar result of `op`. The expression is written into its only user, or assigned to a
 * variable if there are several users or the memory that it reads may be overwritten before. */
void c_body_define_scalar(c_body *b, MlirOperation op, const char *expression, bool keep_place);
/* A new name in scope: that of the SSA value in the model, or `fallback`. */
const char *c_body_name(c_body *b, MlirValue value, const char *fallback);
/* Whether the value is element-wise and waits to be written into its user's loop. */
bool c_body_is_pending(c_body *b, MlirValue value);
/* "int32_t" for integers, else "real": the type of a variable for elements of a value. */
const char *c_body_element(ir_type type);
/* "(real)" before an element of float memory where `real` is double: the product of two floats
 * would be rounded to float. Else "". */
const char *c_body_widen(const c_body *b, bool is_float);
/* An element of memory as a number: "x[j]", "(real)x[j]" where it is float and `real` is not, "bf16_widen(x[j])". */
const char *c_body_element_at(const c_body *b, const c_value *memory, const char *at);
/* "(float)" before a number that is stored to float memory where `real` is double. Else "". */
const char *c_body_narrow(const c_body *b, bool is_float);
/* "for (int64_t j = 0; j < 16; j++)": the head of a loop whose only statement follows on the same
 * line. */
const char *c_body_each(const c_body *b, const char *variable, int64_t count);
/* The same for a loop from begin to end - 1. */
const char *c_body_each_of(const c_body *b, const char *variable, const char *begin, const char *end);
/* Writes "for (...) array[j] <assignment>;" with a new loop variable. */
void c_body_emit_each(c_body *b, const char *variable, int64_t count, const char *array, const char *assignment);
/* Reports at an operation's place in the model, and marks the kernel as failed. */
void c_body_fail(c_body *b, MlirOperation op, diag_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether the only user of a value is in the block of `op`, which defines the value. */
bool c_body_has_near_user(MlirValue value, MlirOperation op);

#endif
