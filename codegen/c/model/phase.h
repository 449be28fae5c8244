/* Phases of a generated program: the columns of the table in interface/phases.c.
 *
 * A phase is a function of the IR (gnn.phase = "run") and a public function of the model (M_run).
 * In texts of the table, M_ stands for the prefix of the model's names. */
#ifndef GNNC_CODEGEN_C_MODEL_PHASE_H
#define GNNC_CODEGEN_C_MODEL_PHASE_H

#include "codegen/c/model/buffer.h"
#include "codegen/c/text/writer.h"
#include "support/map.h"

struct c_model;

enum { C_PHASE_PARAMETERS = 10, C_PHASE_LOCALS = 12 };

/* Blocks of memory that the caller provides. */
typedef enum c_memory { C_MEMORY_bound, C_MEMORY_work, C_MEMORY_COUNT } c_memory;

typedef struct c_phase_parameter {
  const char *type; /* the text before the name: "const gnnc_graph *" */
  const char *name;
  const char *untyped; /* type for callers of M_info, where a struct is an array of pointers; NULL: `type` */
  c_space space;       /* of a struct of the interface: the space of its members */
} c_phase_parameter;

/* A public function: its declaration and the comment above it. A parameter without a name ends the
 * list. */
typedef struct c_phase_function {
  const char *comment;
  const char *result, *name;
  c_phase_parameter parameters[C_PHASE_PARAMETERS];
  void (*emit)(struct c_model *m, c_writer *w); /* writes the body of a function that belongs to no phase */
} c_phase_function;

/* Which programs have a phase: those whose module has a function for it; all; or all, and the
 * module must have the function. */
typedef enum c_presence { C_PRESENCE_optional, C_PRESENCE_always, C_PRESENCE_required } c_presence;

/* A row of the table. */
typedef struct c_phase_row {
  c_phase_function call;  /* the function of the phase */
  c_phase_function bytes; /* the function that returns how many bytes it needs; without a name: an earlier row's */
  c_presence presence;
  c_memory memory;                    /* memory of its own buffers */
  const char *slot;                   /* prefix of its slots in the layout of that memory */
  bool has_interface;                 /* its inputs and outputs are those of the model */
  c_space results;                    /* the space of its outputs */
  bool fills_bound;                   /* it writes the bound block, which other phases read */
  bool is_threaded;                   /* threads run its kernels on parts of their rows */
  bool takes_version;                 /* callers of M_info pass the version of the ABI that they use */
  const char *locals[C_PHASE_LOCALS]; /* names in its text besides parameters and buffers; NULL ends the list */
  /* Write what comes before the two functions (may be NULL); the body of `bytes`; the part of
   * `call` before its kernels and the part after them (may be NULL). */
  void (*emit_helpers)(struct c_model *m, c_writer *w);
  void (*emit_bytes)(struct c_model *m, c_writer *w);
  void (*emit_begin)(struct c_model *m, c_writer *w, const struct c_phase_row *row);
  void (*emit_end)(struct c_model *m, c_writer *w);
} c_phase_row;

/* A phase of one model. */
typedef struct c_phase {
  const c_phase_row *row;
  MlirOperation function; /* null when the module has none */
  c_buffers buffers;
  map places;    /* from an SSA value to its index in buffers */
  c_slots slots; /* of its own buffers */
} c_phase;

#endif
