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
  C_ROWS_etype_src, /* pairs of types that occur: see c_pairs */
  C_ROWS_etype_dst,
  C_ROWS_graph,
  C_ROWS_nonzero
} c_rows;

typedef enum c_space { C_SPACE_input, C_SPACE_weight, C_SPACE_output, C_SPACE_bound, C_SPACE_workspace } c_space;

/* The arrays that the bound block may hold for an edge set; array.c has a row for each. */
typedef enum c_array {
  C_ARRAY_in_ptr,
  C_ARRAY_src,
  C_ARRAY_dst,
  C_ARRAY_number,
  C_ARRAY_position,
  C_ARRAY_base,
  C_ARRAY_type,
  C_ARRAY_out_ptr,
  C_ARRAY_out_dst,
  C_ARRAY_out_position,
  C_ARRAY_in_position,
  C_ARRAY_row,
  C_ARRAY_member_ptr,
  C_ARRAY_member,
  C_ARRAY_kind_src,
  C_ARRAY_kind_dst,
  C_ARRAY_etype_ptr,
  C_ARRAY_etype_order,
  C_ARRAY_kind_src_ptr,
  C_ARRAY_kind_src_order,
  C_ARRAY_kind_dst_ptr,
  C_ARRAY_kind_dst_order,
  C_ARRAY_count
} c_array;

/* An edge set. Its edges are stored by destination where incoming edges are looped over (position != the edge's number then), else
 * in the caller's order; those of a unique set (one edge per pair of edge type and end node) by type. A set "g:2", the nodes of
 * one type, has no edges. */
typedef struct c_set {
  const char *name; /* "g.add_remaining" */
  const char *id;   /* g_add_remaining */
  int base;         /* the set it was made from, -1 for the caller's graph */
  const char *mode; /* of sets with self loops: add_remaining, replace; else NULL */
  const char *end;  /* of unique sets: src, dst; else NULL */
  int64_t part;     /* of nodes of one type: the type; else -1 */
  uint32_t wants;   /* arrays that the calls of bind ask for, as bits */
  uint32_t kept;    /* arrays in the bound block */
  uint32_t made;    /* these, and arrays in bind's scratch */
  bool has_csc, has_csr, has_coo, has_types;
  bool has_number;   /* position -> number: the caller's edge values, types, extend_edges */
  bool has_base;     /* position -> number in the base set, -1 for new loops: extend_edges */
  bool is_opened;    /* some kernel takes it */
  bool has_position; /* number -> position: extend_edges of a stored value, outgoing edges in order of numbers */
} c_set;

/* Pairs of edge type and end node, and of edge type and type of that node ("kinds"): what bind finds for one end of edges. */
typedef struct c_pairs {
  bool is_found;      /* some set or value asks for them */
  bool has_kinds;     /* some value has a row per kind */
  int64_t most_kinds; /* rows that such values have */
} c_pairs;

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
  bool is_left_out;  /* nothing is stored there */
  const char *users; /* the first buffers that live there, for a comment */
  unsigned user_count;
} c_slot;

/* B of a GEMM as its kernel reads it: matrices of [K, N rounded up to 8], one per type and leading position. */
typedef struct c_packed {
  c_space space; /* where B lies: bound or workspace */
  int slot;
  bool transposed;
  bool of_bind; /* used by a kernel of bind */
  int64_t depth, width, padded;
  int64_t matrices; /* in all */
  size_t number;
  const c_buffer *weight; /* B, where no slot holds it; else NULL */
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
  bool has_graph_members; /* the nodes of each graph of a batch */
  bool has_node_order;    /* nodes by type: segments and parts */
  bool has_place;         /* each node's place among those of its type */
  int64_t node_buckets;   /* types that nodes are sorted by; nodes of other types are left out */
  int64_t part_limit;     /* the largest type of a part + 1 */
  c_pairs pairs[2];       /* at sources, at destinations */
} c_model;

/* Reads the module; false after reporting what it cannot be. */
bool c_model_read(c_model *m);
/* Notes what a call of bind asks for (calls.c). */
void c_calls_read(c_model *m, MlirOperation op);
/* Chooses the arrays of each set, once all calls are read (arrays.c). */
void c_arrays_decide(c_model *m);

/* The buffer an SSA value names in one phase, NULL if none. */
const c_buffer *c_model_buffer(const c_phase *phase, MlirValue value);
/* The index of an edge set by name; reports an internal error and returns 0 for an unknown one. */
int c_model_set(c_model *m, const char *name);
/* The type whose nodes are a buffer's rows, -1 for other rows. */
int64_t c_buffer_part(const c_model *m, const c_buffer *b);
/* Rows of one type each: etype, ntype, etype_src, etype_dst. */
bool c_rows_is_typed(c_rows rows);
/* The smallest number of types that any value per `rows` has; INT32_MAX where there is none. */
int64_t c_model_types(const c_model *m, c_rows rows);
/* Slots shared by a written and a read buffer make restrict untrue. */
bool c_buffer_shares(const c_buffer *a, const c_buffer *b);
/* True where the buffer's numbers are `float` whatever `real` is. */
bool c_buffer_is_user(const c_buffer *b);
/* The packed form of a GEMM's B in `phase`, made on first use. */
const c_packed *c_model_pack(c_model *m, const c_buffer *b, bool transposed, bool of_bind);
/* Columns that a matrix of so many is padded to when it is packed: panel_columns in prelude/gemm.h, summed up. */
int64_t c_gemm_padded(int64_t width);

/* "float" or "real". */
const char *c_buffer_type(const c_buffer *b);

/* Reports at an operation's place and marks the model as failed. */
void c_model_fail(c_model *m, MlirOperation where, diag_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
