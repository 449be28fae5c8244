/* What the files that implement ir.h share: the state of each context, and functions to read the
 * tables. */
#ifndef GNNC_DIALECTS_IR_IR_PRIVATE_H
#define GNNC_DIALECTS_IR_IR_PRIVATE_H

#include "dialects/ir.h"
#include "support/arena.h"

/* A hash table from pointers to pointers; keys are never NULL. */
typedef struct ir_map {
  const void **keys;
  const void **values;
  size_t count;
  size_t capacity; /* a power of two, or 0 */
} ir_map;

/* The value of `key`; NULL if there is none. */
const void *ir_map_get(const ir_map *map, const void *key);
void ir_map_put(ir_map *map, const void *key, const void *value);
void ir_map_free(ir_map *map);

/* A hash table of strings, each kept once. It owns nothing; the strings are in the arena. */
typedef struct ir_strings {
  const char **items;
  size_t *sizes;
  MlirIdentifier *names; /* the same strings as MLIR identifiers; null until one is needed */
  size_t count;
  size_t capacity;
} ir_strings;

/* A type that was made, for reuse; its strings are interned. */
typedef struct ir_made {
  ir_type type;
  const void *made; /* NULL: the entry is free */
} ir_made;

/* The state of a context. The states are in a list of the thread that made them, because contexts
 * are single-threaded. */
typedef struct ir_state {
  MlirContext context;
  arena *arena;
  ir_strings strings;
  ir_map ops;     /* from an identifier to the row of the operation */
  ir_map decoded; /* from a type to its ir_type */
  ir_made *made;  /* hash table from an ir_type to the type in MLIR */
  size_t made_count, made_capacity;
  MlirIdentifier op_names[IR_OP_COUNT];
  MlirTypeID type_ids[IR_KIND_other];
  MlirIdentifier segments; /* "operandSegmentSizes" */
  MlirAttribute external;  /* #ml_program.extern */
  struct ir_state *next;
} ir_state;

/* The state of a context that ir_context_create has made in this thread. */
ir_state *ir_state_get(MlirContext context);

/* The IRDL text of all dialects with the names of operations, operands and attributes, but without the kinds of values,
 * which our verifier checks. */
const char *ir_irdl_brief_text(void);

/* A cache of this thread's last look-ups, by address: names of operations and types are unique in a
 * context and live as long as it. It is cleared when a context is created or destroyed, because
 * addresses may be used again. */
enum { IR_RECENT = 1024 };
typedef struct ir_recent {
  const void *keys[IR_RECENT];
  const void *values[IR_RECENT];
} ir_recent;
extern _Thread_local ir_recent ir_recent_ops, ir_recent_types;

static inline size_t ir_recent_place(const void *key) {
  uint64_t h = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(h >> 54);
}

/* Interns `size` bytes; the copy is NUL-terminated. */
const char *ir_intern_bytes(ir_state *state, const char *bytes, size_t size);
static inline const char *ir_intern_ref(ir_state *state, MlirStringRef s) {
  return ir_intern_bytes(state, s.data, s.length);
}

/* The identifier, and so the string attribute, of a name; cached by the text, because asking the
 * context is slower. */
MlirIdentifier ir_identifier(ir_state *state, const char *name);

static inline MlirStringRef ir_ref(const char *s) {
  return mlirStringRefCreateFromCString(s);
}

/* Appends what MLIR prints to a text; the callback of MLIR's print functions. */
void ir_text_callback(MlirStringRef piece, void *text_pointer);

/* Whether an operation of ours has two or more optional operands; attribute operandSegmentSizes
 * then says which are present. */
bool ir_op_has_segments(const ir_op_info *info);

/* The position among the operation's operands of a declared operand; -1 when absent. */
intptr_t ir_operand_position(MlirOperation op, int declared_position);

#endif
