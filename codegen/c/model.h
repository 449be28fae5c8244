/* A compiled model as the C back end sees it: sets, buffers, slots and kernels read out of the intra level once. */
#ifndef GNNC_CODEGEN_C_MODEL_H
#define GNNC_CODEGEN_C_MODEL_H

#include "codegen/c/codegen.h"
#include "codegen/c/names.h"
#include "support/vec.h"

typedef enum c_rows {
  C_ROWS_one,
  C_ROWS_node,
  C_ROWS_edge,
  C_ROWS_etype,
  C_ROWS_ntype,
  C_ROWS_graph,
  C_ROWS_nonzero
} c_rows;

typedef enum c_space { C_SPACE_input, C_SPACE_weight, C_SPACE_output, C_SPACE_bound, C_SPACE_workspace } c_space;

/* An edge set. Its edges are stored by destination where incoming edges are looped over (position != the edge's number then), else
 * in the caller's order. */
typedef struct c_set {
  const char *name; /* "g.add_remaining" */
  const char *id;   /* g_add_remaining */
  int base;         /* the set it was made from, -1 for the caller's graph */
  const char *mode; /* add_remaining, replace, NULL for the caller's graph */
  bool has_csc, has_csr, has_coo, has_types;
  bool has_number;   /* position -> number: the caller's edge values, types, extend_edges */
  bool has_base;     /* position -> number in the base set, -1 for new loops: extend_edges */
  bool is_opened;    /* some kernel takes it */
  bool has_position; /* number -> position: extend_edges of a stored value, outgoing edges in order of numbers */
} c_set;

/* A place in memory: of the user (input, weight, output) or of ours (bound, workspace). */
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

/* A stretch of the bound block or the workspace: rows x elements numbers. */
typedef struct c_slot {
  c_rows rows;
  int set;
  int64_t count; /* rows "etype", "ntype" */
  int64_t elements;
  const char *users; /* the first buffers that live there, for a comment */
  unsigned user_count;
} c_slot;

/* B of a GEMM as its kernel reads it: [K, N rounded up to 8]. */
typedef struct c_packed {
  c_space space; /* where B lies: bound or workspace */
  int slot;
  bool transposed;
  bool of_bind; /* used by a kernel of bind */
  int64_t depth, width, padded;
  size_t number;
} c_packed;

typedef struct c_phase {
  MlirOperation function; /* null when the module has none */
  VEC(c_buffer) buffers;
  map places;        /* SSA value -> index into buffers */
  VEC(c_slot) slots; /* of the workspace */
} c_phase;

typedef struct c_model {
  arena *arena;
  const codegen_c_options *options;
  diag *diag;
  bool failed;
  MlirOperation module;
  const char *name, *id, *source;
  VEC(c_set) sets;
  VEC(c_buffer) weights; /* in the order of M_weights */
  map weight_places;     /* name -> index into weights */
  VEC(c_buffer) inputs;
  VEC(c_buffer) outputs;
  VEC(c_slot) bound;
  VEC(c_packed *) packed;
  map packed_forms; /* text that tells forms apart -> c_packed */
  c_phase bind, run;
  bool has_node_types, has_batch, has_edge_types;
} c_model;

/* Reads the module; false after reporting what it cannot be. */
bool c_model_read(c_model *m);

/* The buffer an SSA value names in one phase, NULL if none. */
const c_buffer *c_model_buffer(const c_phase *phase, MlirValue value);
/* The index of an edge set by name; reports an internal error and returns 0 for an unknown one. */
int c_model_set(c_model *m, const char *name);
/* Slots shared by a written and a read buffer make restrict untrue. */
bool c_buffer_shares(const c_buffer *a, const c_buffer *b);
/* True where the buffer's numbers are `float` whatever `real` is. */
bool c_buffer_is_user(const c_buffer *b);
/* The packed form of a GEMM's B in `phase`, made on first use. */
const c_packed *c_model_pack(c_model *m, const c_buffer *b, bool transposed, bool of_bind);

/* "float" or "real". */
const char *c_buffer_type(const c_buffer *b);

/* Reports at an operation's place and marks the model as failed. */
void c_model_fail(c_model *m, MlirOperation where, diag_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
