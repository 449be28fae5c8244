/* Buffers: values of the model in memory of the user, the bound block or the workspace. */
#ifndef GNNC_CODEGEN_C_MODEL_BUFFER_H
#define GNNC_CODEGEN_C_MODEL_BUFFER_H

#include "codegen/c/model/rows.h"
#include "dialects/ir.h"
#include "support/vec.h"

/* Where a buffer is. The first C_SPACE_FIELDS are members of structs of the interface, M_inputs and
 * so on. In the IR an adjoint is an input of its phase; an update and a gradient are outputs. */
typedef enum c_space {
  C_SPACE_input,
  C_SPACE_weight,
  C_SPACE_output, /* those up to here are tables of M_info */
  C_SPACE_adjoint,
  C_SPACE_update,
  C_SPACE_gradient,
  C_SPACE_bound,
  C_SPACE_workspace
} c_space;

enum { C_SPACE_TABLES = C_SPACE_adjoint, C_SPACE_FIELDS = C_SPACE_bound, C_SPACE_COUNT = C_SPACE_workspace + 1 };

/* What an output of training is, or an input. */
typedef enum c_role {
  C_ROLE_none,
  C_ROLE_loss,
  C_ROLE_gradient,       /* of the weight with its name */
  C_ROLE_update,         /* the next value of the weight with its name */
  C_ROLE_input_gradient, /* of the input with its name */
  C_ROLE_adjoint,        /* an input: the derivative of a number by an output */
  C_ROLE_COUNT
} c_role;

/* A buffer of a phase. */
typedef struct c_buffer {
  MlirValue value;
  c_space space;
  const char *name; /* as in the model */
  const char *id;   /* name of the member or variable */
  /* name in the graph or the weights file */
  const char *from;
  bool in_weights; /* an input that the weights file holds */
  c_role role;
  /* of a weight of training: how it is filled, NULL: by its shape; that its rows are the columns of the matrix */
  const char *init;
  bool is_transposed;
  c_rows rows;
  int set; /* edge set of the rows; -1 where rows belong to none */
  /* number of rows, where rows are types */
  int64_t count;
  ir_type type;   /* of one row */
  bool is_bf16;   /* numbers take 2 bytes; only where `real` is float */
  bool is_given;  /* numbers are `float`, because they come from the user's memory */
  int64_t strips; /* it has one of so many strips of columns, or `group` side by side; 0: all columns */
  int64_t group;
  MlirAttribute range; /* of an integer input, the smallest and the largest value of each element; may be null */
  /* of one row */
  int64_t elements;
  /* of the bound block or the workspace */
  int slot;
} c_buffer;

typedef VEC(c_buffer) c_buffers;

/* A part of the bound block or the workspace that buffers share one after the other: rows *
 * elements numbers. */
typedef struct c_slot {
  c_rows rows;
  int set;
  int64_t count; /* number of rows, where these are types */
  int64_t elements;
  bool is_left_out;  /* nothing is stored there */
  const char *users; /* the first buffers that use it, for a comment */
  unsigned user_count;
} c_slot;

typedef VEC(c_slot) c_slots;

/* "weight" and "weights": the name of a space in the IR, and the struct of the interface that has
 * its buffers. */
const char *c_space_name(c_space space);
const char *c_space_struct(c_space space);
/* The name of the type of that struct, without the model's. */
const char *c_space_type(c_space space);

/* Whether the buffer is the user's. */
bool c_buffer_is_user(const c_buffer *b);
/* Whether its numbers are `float` whatever `real` is: those of the user, except integers. */
bool c_buffer_is_float(const c_buffer *b);
/* "float", "real", "bf16" or "int32_t". */
const char *c_buffer_type(const c_buffer *b);
/* Whether two buffers share a slot: a kernel that writes one and reads the other must not say
 * `restrict`. */
bool c_buffer_shares(const c_buffer *a, const c_buffer *b);

#endif
