/* Phases of a generated program: what the table of interface/phases.c says about each.
 *
 * A phase is a function of the IR (gnn.phase = "run") and a public function of the model (M_run).
 * In text of the table, M_ stands for the prefix of the model's names. */
#ifndef GNNC_CODEGEN_C_MODEL_PHASE_H
#define GNNC_CODEGEN_C_MODEL_PHASE_H

#include "codegen/c/model/buffer.h"
#include "codegen/c/text/writer.h"
#include "support/map.h"

struct c_model;

enum { C_PHASE_PARAMETERS = 8, C_PHASE_LOCALS = 12 };

/* Blocks of memory that the caller provides. */
typedef enum c_memory { C_MEMORY_bound, C_MEMORY_work, C_MEMORY_COUNT } c_memory;

typedef struct c_phase_parameter {
  const char *type; /* what stands before the name: "const gnnc_graph *" */
  const char *name;
  const char *untyped; /* its type for callers of M_info: a struct as an array of pointers; NULL = the same */
  c_space space;       /* of the struct's fields, where it is a struct of the interface */
} c_phase_parameter;

/* A public function: its declaration and the comment above it. Parameters end where a name is
 * NULL. */
typedef struct c_phase_function {
  const char *comment;
  const char *result, *name;
  c_phase_parameter parameters[C_PHASE_PARAMETERS];
} c_phase_function;

/* Which programs have a phase: those whose module has a function of it, all, or all because the
 * module must have one. */
typedef enum c_presence { C_PRESENCE_optional, C_PRESENCE_always, C_PRESENCE_required } c_presence;

typedef struct c_phase_row {
  c_phase_function call;  /* the phase, which has the name of its function */
  c_phase_function bytes; /* how much memory it needs */
  c_presence presence;
  c_memory memory;                    /* where its own buffers lie */
  const char *slot;                   /* what its slots are called in the layout of that memory */
  bool has_interface;                 /* its inputs and outputs are the model's */
  bool fills_bound;                   /* it writes the bound block, which other phases read */
  bool is_threaded;                   /* threads run its kernels on parts of their rows */
  bool takes_version;                 /* callers of M_info say which version of the ABI they speak */
  const char *locals[C_PHASE_LOCALS]; /* names in its text besides parameters and buffers; NULL ends them */
  /* Write what stands before the two functions (or NULL), the body of `bytes`, and what `call` does
   * before and after its kernels (or NULL). */
  void (*emit_helpers)(struct c_model *m, c_writer *w);
  void (*emit_bytes)(struct c_model *m, c_writer *w);
  void (*emit_begin)(struct c_model *m, c_writer *w);
  void (*emit_end)(struct c_model *m, c_writer *w);
} c_phase_row;

/* A phase of one model. */
typedef struct c_phase {
  const c_phase_row *row;
  MlirOperation function; /* null when the module has none */
  c_buffers buffers;
  map places;    /* SSA value -> index into buffers */
  c_slots slots; /* of its own buffers */
} c_phase;

#endif
