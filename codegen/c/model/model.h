/* A compiled model for the C back end: the sets, buffers, slots and phases that c_read_module finds
 * in the intra level. */
#ifndef GNNC_CODEGEN_C_MODEL_MODEL_H
#define GNNC_CODEGEN_C_MODEL_MODEL_H

#include "codegen/c/model/buffer.h"
#include "codegen/c/model/phase.h"
#include "codegen/c/model/set.h"
#include "codegen/c/options.h"
#include "support/diag.h"
#include "support/map.h"

/* What a model needs at one end of edges: pairs of edge type and end node, and pairs of edge type
 * and type of that node ("kinds"). */
typedef struct c_pairs {
  bool is_found;      /* some set or value asks for them */
  bool has_kinds;     /* some value has a row per kind */
  int64_t most_kinds; /* number of rows of such values */
} c_pairs;

/* The packed form of a GEMM's B that its kernel reads: matrices of [K, N rounded up to 8], one per
 * type and leading position. Two GEMMs that multiply by the same matrix share it. */
typedef struct c_packed {
  c_space space; /* the memory that holds B: bound or workspace */
  int slot;
  bool transposed;
  const c_phase *phase; /* the first phase with a kernel that uses it */
  int64_t depth, width, padded;
  int64_t matrices; /* number of matrices */
  size_t number;
  const c_buffer *weight; /* B, where it is memory of the caller and no slot holds it; else NULL */
} c_packed;

/* A call whose time a profiler may take: of a kernel, or of a function of the prelude that works on
 * many rows. */
typedef struct c_timed {
  const char *phase, *function, *value; /* value: what it makes */
  MlirOperation op;                     /* of a kernel; null for others */
  int64_t cost;                         /* its place in the costs; -1: none */
} c_timed;

typedef struct c_model {
  arena *arena;
  const codegen_c_options *options;
  const c_phase_row *phase_rows; /* all phases that programs may have; the last row has no name */
  diag *diag;
  bool failed;
  MlirOperation module;
  const char *name, *id, *source;
  bool is_training;   /* the program computes gradients and changes weights, which are arguments of its phases */
  bool is_backward;   /* and it is one of derivatives: it takes the adjoints of its outputs, and lowers no loss */
  bool has_ranks;     /* it exchanges rows with other ranks */
  bool has_cells;     /* and it adds up rows of all nodes, by cells */
  bool has_out_edges; /* and it reads edges out of own nodes */
  bool has_edge_rows; /* and it exchanges rows of edges */
  bool has_columns;   /* and it can compute columns of all nodes */
  bool has_exchanges;
  VEC(c_set) sets;
  c_buffers fields[C_SPACE_FIELDS]; /* members of M_inputs, M_weights, M_outputs and so on, in order */
  map weight_places;                /* from a name to its index in the weights */
  c_slots bound;                    /* of the bound block */
  VEC(c_packed *) packed;
  map packed_forms;    /* from a text that identifies the form to its c_packed */
  VEC(c_phase) phases; /* the phases of this model, in the order of phase_rows */
  bool has_node_types, has_batch, has_edge_types;
  int64_t declared_edge_types, declared_node_types; /* a graph with more is refused; 0: the model names no types */
  const char *declared_ends; /* the initializer of their ends, "0, 1, 1, 0"; NULL: the model gives none */
  bool has_pieces;           /* the model needs pieces of the nodes */
  bool has_graph_members;    /* the model needs the nodes of each graph of a batch */
  bool has_node_order;       /* it needs nodes sorted by type: segments and parts */
  bool has_place;            /* it needs each node's place among those of its type */
  int64_t node_buckets;      /* number of types by which nodes are sorted; nodes of other types are left out */
  int64_t part_limit;        /* the largest type of a part, plus 1 */
  c_pairs pairs[2];          /* at sources, at destinations */
  VEC(c_timed) timed;        /* in the order of the text */
} c_model;

/* The buffer of an SSA value in a phase; NULL if there is none. */
const c_buffer *c_model_buffer(const c_phase *phase, MlirValue value);
/* The index of an edge set by its name; for an unknown one it reports an internal error and returns
 * 0. */
int c_model_set(c_model *m, const char *name);
/* The type whose nodes are the rows of a buffer; -1 for other rows. */
int64_t c_model_part(const c_model *m, const c_buffer *b);
/* The smallest number of types that any value per `rows` has; INT32_MAX where there is none. */
int64_t c_model_types(const c_model *m, c_rows rows);
/* Whether bind makes some set with other self loops or of one relation; this takes scratch memory for its edges. */
bool c_model_has_derived(const c_model *m);

/* Returns a call as the text of the file has it: with a number by which a profiler knows it,
 * "GNNC_TIMED(3, call);". */
const char *c_model_time(c_model *m, c_timed timed, const char *call);

/* Reports at an operation's place and marks the model as failed. */
void c_model_fail(c_model *m, MlirOperation where, diag_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
