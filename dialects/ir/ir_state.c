/* Creates contexts with our dialects, and keeps the state of each: interned strings, names of
 * operations, type ids.
 *
 * MLIR's context cannot hold user data, so the states are in a list of the thread that made
 * them. */
#include "dialects/ir/ir_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local ir_state *states;
_Thread_local ir_recent ir_recent_ops, ir_recent_types;

static void *allocate_zeroed(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) abort();
  return memory;
}

/* ---- maps ---- */

static size_t hash_pointer(const void *p) {
  uint64_t h = (uint64_t)(uintptr_t)p * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(h ^ (h >> 32));
}

const void *ir_map_get(const ir_map *map, const void *key) {
  if (!map->capacity) return NULL;
  size_t mask = map->capacity - 1;
  for (size_t i = hash_pointer(key) & mask; map->keys[i]; i = (i + 1) & mask)
    if (map->keys[i] == key) return map->values[i];
  return NULL;
}

static void grow_map(ir_map *map) {
  ir_map bigger = {.capacity = map->capacity ? map->capacity * 2 : 64};
  bigger.keys = allocate_zeroed(bigger.capacity, sizeof *bigger.keys);
  bigger.values = allocate_zeroed(bigger.capacity, sizeof *bigger.values);
  for (size_t i = 0; i < map->capacity; i++)
    if (map->keys[i]) ir_map_put(&bigger, map->keys[i], map->values[i]);
  ir_map_free(map);
  *map = bigger;
}

void ir_map_put(ir_map *map, const void *key, const void *value) {
  if (2 * (map->count + 1) > map->capacity) grow_map(map);
  size_t mask = map->capacity - 1, i = hash_pointer(key) & mask;
  while (map->keys[i] && map->keys[i] != key) i = (i + 1) & mask;
  map->count += !map->keys[i];
  map->keys[i] = key;
  map->values[i] = value;
}

void ir_map_free(ir_map *map) {
  free(map->keys);
  free(map->values);
  *map = (ir_map){0};
}

/* ---- strings ---- */

static size_t hash_bytes(const char *bytes, size_t size) {
  uint64_t h = UINT64_C(0xCBF29CE484222325);
  for (size_t i = 0; i < size; i++) h = (h ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001B3);
  return (size_t)(h ^ (h >> 29));
}

static void free_strings(ir_strings *s) {
  free(s->items);
  free(s->sizes);
  free(s->names);
}

static void grow_strings(ir_strings *s) {
  ir_strings bigger = {.capacity = s->capacity ? s->capacity * 2 : 256, .count = s->count};
  bigger.items = allocate_zeroed(bigger.capacity, sizeof *bigger.items);
  bigger.sizes = allocate_zeroed(bigger.capacity, sizeof *bigger.sizes);
  bigger.names = allocate_zeroed(bigger.capacity, sizeof *bigger.names);
  for (size_t i = 0; i < s->capacity; i++) {
    if (!s->items[i]) continue;
    size_t at = hash_bytes(s->items[i], s->sizes[i]) & (bigger.capacity - 1);
    while (bigger.items[at]) at = (at + 1) & (bigger.capacity - 1);
    bigger.items[at] = s->items[i];
    bigger.sizes[at] = s->sizes[i];
    bigger.names[at] = s->names[i];
  }
  free_strings(s);
  *s = bigger;
}

/* The index of a string in the table. */
static size_t find_string(ir_state *state, const char *bytes, size_t size) {
  ir_strings *s = &state->strings;
  if (2 * (s->count + 1) > s->capacity) grow_strings(s);
  size_t at = hash_bytes(bytes, size) & (s->capacity - 1);
  for (; s->items[at]; at = (at + 1) & (s->capacity - 1))
    if (s->sizes[at] == size && (!size || !memcmp(s->items[at], bytes, size))) return at;
  char *copy = arena_alloc(state->arena, size + 1);
  if (size) memcpy(copy, bytes, size);
  s->items[at] = copy;
  s->sizes[at] = size;
  s->count++;
  return at;
}

const char *ir_intern_bytes(ir_state *state, const char *bytes, size_t size) {
  size_t at = find_string(state, bytes, size);
  return state->strings.items[at];
}

MlirIdentifier ir_identifier(ir_state *state, const char *name) {
  size_t at = find_string(state, name, strlen(name));
  MlirIdentifier *known = &state->strings.names[at];
  if (!known->ptr) *known = mlirIdentifierGet(state->context, ir_ref(state->strings.items[at]));
  return *known;
}

const char *ir_intern(MlirContext context, const char *s) {
  return ir_intern_bytes(ir_state_get(context), s, strlen(s));
}

void ir_text_callback(MlirStringRef piece, void *text_pointer) {
  if (piece.length) text_append_bytes(text_pointer, piece.data, piece.length);
}

/* ---- contexts ---- */

ir_state *ir_state_get(MlirContext context) {
  for (ir_state *s = states; s; s = s->next)
    if (s->context.ptr == context.ptr) return s;
  assert(0 && "a context that ir_context_create of this thread did not make");
  abort();
}

static void load_irdl(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, ir_ref(ir_irdl_brief_text()));
  if (mlirModuleIsNull(module) || mlirLogicalResultIsFailure(mlirLoadIRDLDialects(module))) {
    assert(0 && "the IRDL text made from the op tables does not load");
    abort();
  }
  mlirModuleDestroy(module);
}

static MlirTypeID type_id_of(MlirContext context, const char *sample) {
  MlirType type = mlirTypeParseGet(context, ir_ref(sample));
  assert(!mlirTypeIsNull(type));
  return mlirTypeGetTypeID(type);
}

static void learn_names(ir_state *s) {
  for (size_t i = 0; i < IR_OP_COUNT; i++) {
    const ir_op_info *info = ir_op_info_get((ir_op)i);
    s->op_names[i] = mlirIdentifierGet(s->context, ir_ref(info->name));
    ir_map_put(&s->ops, s->op_names[i].ptr, info);
  }
  s->segments = mlirIdentifierGet(s->context, ir_ref("operandSegmentSizes"));
  s->external = mlirAttributeParseGet(s->context, ir_ref("#ml_program.extern"));
  static const struct {
    ir_kind kind;
    const char *sample;
  } samples[] = {
      {IR_KIND_node, "!gnn.node<\"g\", f32>"},
      {IR_KIND_edge, "!gnn.edge<\"g\", f32>"},
      {IR_KIND_per, "!gnn.per<\"etype\", f32>"},
      {IR_KIND_sparse, "!gnn.sparse<\"g\", f32>"},
      {IR_KIND_graph, "!gnn.graph<\"g\">"},
      {IR_KIND_cursor, "!inter.cursor<\"node\", \"g\">"},
      {IR_KIND_results, "!inter.results"},
      {IR_KIND_buffer, "!intra.memory<\"one\", f32>"},
      {IR_KIND_rows, "!device.rows<\"g\", 1>"},
      {IR_KIND_edge_list, "!device.edge_list<\"g\", \"g\">"},
      {IR_KIND_values, "!device.values<\"g\", \"g\", 1>"},
  };
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    s->type_ids[samples[i].kind] = type_id_of(s->context, samples[i].sample);
}

static void forget_recent(void) {
  ir_recent_ops = (ir_recent){{NULL}, {NULL}};
  ir_recent_types = (ir_recent){{NULL}, {NULL}};
}

MlirContext ir_context_create(void) {
  MlirContext context = mlirContextCreateWithThreading(false);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__ml_program__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__smt__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__irdl__(), context);
  ir_state *s = allocate_zeroed(1, sizeof *s);
  s->context = context;
  s->arena = arena_create();
  s->next = states;
  states = s;
  forget_recent();
  load_irdl(context);
  learn_names(s);
  return context;
}

void ir_context_destroy(MlirContext context) {
  for (ir_state **link = &states; *link; link = &(*link)->next) {
    ir_state *s = *link;
    if (s->context.ptr != context.ptr) continue;
    *link = s->next;
    ir_map_free(&s->ops);
    ir_map_free(&s->decoded);
    free(s->made);
    free_strings(&s->strings);
    arena_destroy(s->arena);
    free(s);
    break;
  }
  mlirContextDestroy(context);
  forget_recent();
}
