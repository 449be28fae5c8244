/* A compiled model as the C back end sees it: sets, buffers, slots and phases read out of the intra
 * level once. */
#ifndef GNNC_CODEGEN_C_MODEL_MODEL_H
#define GNNC_CODEGEN_C_MODEL_MODEL_H

#include "codegen/c/model/buffer.h"
#include "codegen/c/model/phase.h"
#include "codegen/c/model/set.h"
#include "codegen/c/options.h"
#include "support/diag.h"
#include "support/map.h"

/* Pairs of edge type and end node, and of edge type and type of that node ("kinds"), at one end of
 * edges. */
typedef struct c_pairs {
  bool is_found;      /* some set or value asks for them */
  bool has_kinds;     /* some value has a row per kind */
  int64_t most_kinds; /* rows that such values have */
} c_pairs;

/* B of a GEMM as its kernel reads it: matrices of [K, N rounded up to 8], one per type and leading
 * position. */
typedef struct c_packed {
  c_space space; /* where B lies: bound or workspace */
  int slot;
  bool transposed;
  const c_phase *phase; /* the first whose kernel uses it */
  int64_t depth, width, padded;
  int64_t matrices; /* in all */
  size_t number;
  const c_buffer *weight; /* B, where no slot holds it; else NULL */
} c_packed;

typedef struct c_model {
  arena *arena;
  const codegen_c_options *options;
  const c_phase_row *phase_rows; /* what phases programs may have; the last has no name */
  diag *diag;
  bool failed;
  MlirOperation module;
  const char *name, *id, *source;
  VEC(c_set) sets;
  c_buffers fields[C_SPACE_FIELDS]; /* of M_inputs, M_weights, M_outputs, in order */
  map weight_places;                /* name -> index into the weights */
  c_slots bound;                    /* of the bound block */
  VEC(c_packed *) packed;
  map packed_forms;    /* text that tells forms apart -> c_packed */
  VEC(c_phase) phases; /* those of this one, in the order of the rows */
  bool has_node_types, has_batch, has_edge_types;
  bool has_graph_members; /* the nodes of each graph of a batch */
  bool has_node_order;    /* nodes by type: segments and parts */
  bool has_place;         /* each node's place among those of its type */
  int64_t node_buckets;   /* types that nodes are sorted by; nodes of other types are left out */
  int64_t part_limit;     /* the largest type of a part + 1 */
  c_pairs pairs[2];       /* at sources, at destinations */
} c_model;

/* The buffer an SSA value names in a phase, NULL if none. */
const c_buffer *c_model_buffer(const c_phase *phase, MlirValue value);
/* The index of an edge set by name; reports an internal error and returns 0 for an unknown one. */
int c_model_set(c_model *m, const char *name);
/* The type whose nodes are a buffer's rows, -1 for other rows. */
int64_t c_model_part(const c_model *m, const c_buffer *b);
/* The smallest number of types that any value per `rows` has; INT32_MAX where there is none. */
int64_t c_model_types(const c_model *m, c_rows rows);
/* True where some set gets self loops: making it takes scratch for more edges. */
bool c_model_has_derived(const c_model *m);

/* Reports at an operation's place and marks the model as failed. */
void c_model_fail(c_model *m, MlirOperation where, diag_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
