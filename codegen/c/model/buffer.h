/* Buffers: places in memory that values of the model have, the user's or ours. */
#ifndef GNNC_CODEGEN_C_MODEL_BUFFER_H
#define GNNC_CODEGEN_C_MODEL_BUFFER_H

#include "codegen/c/model/rows.h"
#include "dialects/ir.h"
#include "support/vec.h"

/* The first C_SPACE_FIELDS are fields of structs of the interface, M_inputs and the like. */
typedef enum c_space { C_SPACE_input, C_SPACE_weight, C_SPACE_output, C_SPACE_bound, C_SPACE_workspace } c_space;

enum { C_SPACE_FIELDS = C_SPACE_bound, C_SPACE_COUNT = C_SPACE_workspace + 1 };

typedef struct c_buffer {
  MlirValue value;
  c_space space;
  const char *name; /* as in the model */
  const char *id;   /* field or variable */
  const char *from;
  bool in_weights; /* an input kept in the weights file */
  c_rows rows;
  int set; /* -1 where rows belong to no set */
  int64_t count;
  ir_type type; /* of one row */
  int64_t elements;
  int slot;
} c_buffer;

typedef VEC(c_buffer) c_buffers;

/* A stretch of the bound block or the workspace: rows x elements numbers. */
typedef struct c_slot {
  c_rows rows;
  int set;
  int64_t count; /* rows "etype", "ntype" */
  int64_t elements;
  bool is_left_out;  /* nothing is stored there */
  const char *users; /* the first buffers that live there, for a comment */
  unsigned user_count;
} c_slot;

typedef VEC(c_slot) c_slots;

/* "weight" and "weights": a space in the IR, and the struct of the interface that holds its
 * buffers. */
const char *c_space_name(c_space space);
const char *c_space_struct(c_space space);

/* True where the buffer's numbers are `float` whatever `real` is. */
bool c_buffer_is_user(const c_buffer *b);
/* "float" or "real". */
const char *c_buffer_type(const c_buffer *b);
/* Slots shared by a written and a read buffer make restrict untrue. */
bool c_buffer_shares(const c_buffer *a, const c_buffer *b);

#endif
