/* A compiled model as the C back end sees it: see model.h. */
#include "codegen/c/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void c_model_fail(c_model *m, MlirOperation where, diag_id id, const char *format, ...) {
  const char *file = NULL;
  unsigned line = 0, column = 0;
  ir_location_position(mlirOperationGetLocation(where), &file, &line, &column);
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(m->arena, format, args);
  va_end(args);
  diag_report_at(m->diag, file, line, column, id, "%s", message);
  m->failed = true;
}

int c_model_set(c_model *m, const char *name) {
  for (size_t i = 0; i < m->sets.count; i++)
    if (!strcmp(m->sets.items[i].name, name)) return (int)i;
  MlirContext context = mlirOperationGetContext(m->module);
  const char *end = ir_unique_end(name), *whole = end ? ir_base_set(context, name) : ir_whole_set(context, name);
  int base = whole ? c_model_set(m, whole) : -1;
  c_set set = {.name = name, .id = c_names_mangle(m->arena, name), .base = base, .end = end};
  set.part = end ? -1 : ir_part_type(name);
  VEC_PUSH(m->arena, &m->sets, set);
  return (int)m->sets.count - 1;
}

int64_t c_buffer_part(const c_model *m, const c_buffer *b) {
  return b->rows == C_ROWS_node && b->set >= 0 ? m->sets.items[b->set].part : -1;
}

bool c_rows_is_typed(c_rows rows) {
  return rows == C_ROWS_etype || rows == C_ROWS_ntype || rows == C_ROWS_etype_src || rows == C_ROWS_etype_dst;
}

int64_t c_model_types(const c_model *m, c_rows rows) {
  int64_t limit = INT32_MAX;
  const c_phase *phases[] = {&m->bind, &m->run};
  for (int p = 0; p < 2; p++)
    for (size_t i = 0; i < phases[p]->buffers.count; i++) {
      const c_buffer *b = &phases[p]->buffers.items[i];
      if (b->rows == rows && b->count > 0 && b->count < limit) limit = b->count;
    }
  return limit;
}

bool c_buffer_is_user(const c_buffer *b) {
  return b->space == C_SPACE_input || b->space == C_SPACE_weight || b->space == C_SPACE_output;
}

const char *c_buffer_type(const c_buffer *b) {
  return c_buffer_is_user(b) ? "float" : "real";
}

bool c_buffer_shares(const c_buffer *a, const c_buffer *b) {
  return a != b && !c_buffer_is_user(a) && a->space == b->space && a->slot == b->slot;
}

const c_buffer *c_model_buffer(const c_phase *phase, MlirValue value) {
  int64_t place = map_get(&phase->places, value.ptr, -1);
  return place < 0 ? NULL : &phase->buffers.items[place];
}

const c_packed *c_model_pack(c_model *m, const c_buffer *b, bool transposed, bool of_bind) {
  unsigned last = b->type.rank - 1;
  int64_t depth = b->type.dims[transposed ? last : last - 1], width = b->type.dims[transposed ? last - 1 : last];
  int64_t matrices = b->elements / (depth * width) * (b->rows == C_ROWS_one ? 1 : b->count);
  bool is_shared = b->space == C_SPACE_bound; /* by bind and run */
  const char *form = arena_printf(m->arena, "%d %d %d %d %lld %lld %lld", b->space, b->slot, transposed,
                                  !is_shared && of_bind, (long long)depth, (long long)width, (long long)matrices);
  c_packed *packed = map_get_pointer(&m->packed_forms, form);
  if (packed) return packed;
  packed = arena_alloc(m->arena, sizeof *packed);
  *packed = (c_packed){.space = b->space,
                       .slot = b->slot,
                       .transposed = transposed,
                       .of_bind = of_bind,
                       .depth = depth,
                       .width = width,
                       .padded = c_gemm_padded(width),
                       .matrices = matrices,
                       .number = m->packed.count};
  VEC_PUSH(m->arena, &m->packed, packed);
  map_set_pointer(&m->packed_forms, form, packed);
  return packed;
}

/* Splits "edge:g.replace" into rows and the name of the set. */
static bool read_rows(c_model *m, const char *said, c_rows *rows, int *set) {
  static const char *const plain[] = {
      [C_ROWS_one] = "one",     [C_ROWS_etype] = "etype",         [C_ROWS_ntype] = "ntype",
      [C_ROWS_graph] = "graph", [C_ROWS_etype_src] = "etype_src", [C_ROWS_etype_dst] = "etype_dst"};
  *set = -1;
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
    if (!plain[i] || strcmp(plain[i], said) != 0) continue;
    *rows = (c_rows)i;
    return true;
  }
  const char *colon = strchr(said, ':');
  if (!colon) return false;
  size_t length = (size_t)(colon - said);
  if (length == 4 && !strncmp(said, "node", 4))
    *rows = C_ROWS_node;
  else if (length == 4 && !strncmp(said, "edge", 4))
    *rows = C_ROWS_edge;
  else if (length == 7 && !strncmp(said, "nonzero", 7))
    *rows = C_ROWS_nonzero;
  else
    return false;
  *set = c_model_set(m, arena_strdup(m->arena, colon + 1));
  return true;
}

static void read_slots(c_model *m, MlirOperation op, const char *attribute, c_slot **items, size_t *count,
                       size_t *capacity) {
  VEC(c_slot) slots = {*items, *count, *capacity};
  for (size_t i = 0; i < ir_get_array_size(op, attribute); i++) {
    const char *said = ir_get_string_at(op, attribute, i);
    const char *cross = strstr(said, " x ");
    c_slot slot = {0};
    char *end = NULL;
    if (cross) slot.elements = strtoll(cross + 3, &end, 10);
    if (!cross || *end || !read_rows(m, arena_strndup(m->arena, said, (size_t)(cross - said)), &slot.rows, &slot.set))
      c_model_fail(m, op, DIAG_internal, "%s[%zu]: '%s' is no slot", attribute, i, said);
    VEC_PUSH(m->arena, &slots, slot);
  }
  *items = slots.items;
  *count = slots.count;
  *capacity = slots.capacity;
}

/* Slots are described by run's view of them, scratch by bind's; a long list is cut. */
static void note_user(c_model *m, const c_phase *phase, const c_buffer *b, c_slot *slot) {
  enum { LISTED = 8 };
  if (b->space == C_SPACE_bound && phase != &m->run) return;
  unsigned number = slot->user_count++;
  if (number > LISTED) return;
  slot->users = arena_printf(m->arena, "%s%s%s", number ? slot->users : "", number ? ", " : "",
                             number < LISTED ? b->name : "...");
}

/* A buffer's rows count where types are the rows; a slot holds the largest of its buffers. */
static void note_slot(c_model *m, c_phase *phase, const c_buffer *b, MlirOperation op) {
  if (c_buffer_is_user(b)) return;
  size_t count = b->space == C_SPACE_bound ? m->bound.count : phase->slots.count;
  if (b->slot < 0 || (size_t)b->slot >= count) {
    c_model_fail(m, op, DIAG_internal, "buffer '%s' has slot %d, the plan has %zu", b->name, b->slot, count);
    return;
  }
  c_slot *slot = b->space == C_SPACE_bound ? &m->bound.items[b->slot] : &phase->slots.items[b->slot];
  if (b->count > slot->count) slot->count = b->count;
  note_user(m, phase, b, slot);
}

static void read_buffer(c_model *m, c_phase *phase, MlirOperation op) {
  static const char *const spaces[] = {"input", "weight", "output", "bound", "workspace"};
  c_buffer b = {.value = ir_result(op), .name = ir_get_string(op, "name", "value"), .set = -1};
  const char *space = ir_get_string(op, "space", "");
  for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
    if (!strcmp(space, spaces[i])) b.space = (c_space)i;
  ir_type type = ir_type_of(b.value);
  if (!read_rows(m, type.set, &b.rows, &b.set))
    c_model_fail(m, op, DIAG_internal, "buffer '%s' has rows '%s'", b.name, type.set);
  b.type = ir_type_payload(type);
  b.elements = ir_type_elements(b.type);
  b.slot = (int)ir_get_integer(op, "slot", -1);
  b.from = ir_get_string(op, "from", b.name);
  b.in_weights = !strcmp(ir_get_string(op, "file", "graph"), "weights");
  b.count = ir_get_integer(op, "count", 0);
  int64_t place = b.space == C_SPACE_weight ? map_get(&m->weight_places, b.name, -1) : -1;
  const c_buffer *weight = place < 0 ? NULL : &m->weights.items[place];
  if (b.space == C_SPACE_weight && !weight)
    c_model_fail(m, op, DIAG_internal, "buffer '%s' names no weight of the module", b.name);
  b.id = weight ? weight->id : c_names_mangle(m->arena, b.name);
  if (weight && !b.count) b.count = weight->count;
  note_slot(m, phase, &b, op);
  map_set(&phase->places, b.value.ptr, (int64_t)phase->buffers.count);
  VEC_PUSH(m->arena, &phase->buffers, b);
}

/* extend_edges between stored values goes through the numbers of the base set; GEMM over edges through numbers as well. */
static void note_edges(c_model *m, const c_phase *phase, MlirOperation op) {
  if (ir_op_kind(op) != IR_OP(intra, extend_edges)) return;
  const c_buffer *from = c_model_buffer(phase, ir_operand(op, IR_IN(intra, extend_edges, from)));
  const c_buffer *to = c_model_buffer(phase, ir_operand(op, IR_IN(intra, extend_edges, to)));
  if (!from || !to || from->set < 0 || to->set < 0) return;
  m->sets.items[to->set].has_base = true;
  if (!c_buffer_is_user(from)) m->sets.items[from->set].has_position = true;
}

static void read_phase(c_model *m, c_phase *phase, MlirOperation function) {
  phase->function = function;
  read_slots(m, function, "gnn.workspace_slots", &phase->slots.items, &phase->slots.count, &phase->slots.capacity);
  for (MlirOperation op = mlirBlockGetFirstOperation(ir_func_body(function)); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    ir_op kind = ir_op_kind(op);
    if (kind == IR_OP(intra, graph)) c_model_set(m, ir_get_string(op, "set", "g"));
    if (kind == IR_OP(intra, buffer)) read_buffer(m, phase, op);
    if (kind == IR_OP(intra, call)) c_calls_read(m, op);
    note_edges(m, phase, op);
  }
}

static void read_weight(c_model *m, MlirOperation op, c_names *fields) {
  MlirAttribute type_attribute = mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("type"));
  ir_type type = ir_type_get(mlirTypeAttrGetValue(type_attribute));
  c_buffer b = {.space = C_SPACE_weight, .set = -1, .slot = -1, .rows = C_ROWS_one, .type = ir_type_payload(type)};
  const char *symbol = ir_get_string(op, "sym_name", "weight"); /* differs from the name where that is the model's */
  b.name = ir_get_string(op, "gnn.name", symbol);
  b.from = ir_get_string(op, "gnn.from", b.name);
  b.id = c_names_add(fields, b.name);
  b.elements = ir_type_elements(b.type);
  if (type.kind == IR_KIND_per) {
    b.rows = !strcmp(type.set, "etype") ? C_ROWS_etype : C_ROWS_ntype;
    b.count = ir_get_integer(op, "gnn.count", 0);
    if (b.count < 1) c_model_fail(m, op, DIAG_internal, "weight '%s' has no number of types", b.name);
  }
  map_set(&m->weight_places, symbol, (int64_t)m->weights.count);
  VEC_PUSH(m->arena, &m->weights, b);
}

/* The interface: inputs and outputs in the order of run's buffers, each with a field name of its own. */
static void read_interface(c_model *m) {
  c_names inputs = {.arena = m->arena}, outputs = {.arena = m->arena};
  for (size_t i = 0; i < m->run.buffers.count; i++) {
    c_buffer *b = &m->run.buffers.items[i];
    if (b->space == C_SPACE_input) {
      b->id = c_names_add(&inputs, b->name);
      VEC_PUSH(m->arena, &m->inputs, *b);
    } else if (b->space == C_SPACE_output) {
      b->id = c_names_add(&outputs, b->name);
      VEC_PUSH(m->arena, &m->outputs, *b);
    }
  }
  for (size_t i = 0; i < m->run.buffers.count + m->bind.buffers.count; i++) {
    bool in_run = i < m->run.buffers.count;
    const c_buffer *b = in_run ? &m->run.buffers.items[i] : &m->bind.buffers.items[i - m->run.buffers.count];
    if (b->rows == C_ROWS_graph) m->has_batch = true;
    if (b->rows == C_ROWS_edge && c_buffer_is_user(b)) m->sets.items[b->set].has_number = true;
  }
  c_arrays_decide(m);
}

bool c_model_read(c_model *m) {
  m->bind.places.arena = m->run.places.arena = m->arena;
  m->weight_places = m->packed_forms = (map){.arena = m->arena, .of_strings = true};
  m->name = ir_get_string(m->module, "gnn.model", "model");
  m->id = c_names_mangle(m->arena, m->name);
  m->source = ir_get_string(m->module, "gnn.source", "");
  c_model_set(m, "g");
  read_slots(m, m->module, "gnn.bound_slots", &m->bound.items, &m->bound.count, &m->bound.capacity);
  c_names fields = {.arena = m->arena};
  MlirOperation functions[2] = {{NULL}, {NULL}};
  for (MlirOperation op = mlirBlockGetFirstOperation(ir_region_block(m->module)); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    if (!strcmp(ir_op_name(op), "ml_program.global")) read_weight(m, op, &fields);
    const char *phase = ir_get_string(op, "gnn.phase", "");
    if (!strcmp(phase, "bind")) functions[0] = op;
    if (!strcmp(phase, "run")) functions[1] = op;
  }
  if (mlirOperationIsNull(functions[1])) {
    c_model_fail(m, m->module, DIAG_internal, "the module has no function of phase run");
    return false;
  }
  if (!mlirOperationIsNull(functions[0])) read_phase(m, &m->bind, functions[0]);
  read_phase(m, &m->run, functions[1]);
  read_interface(m);
  return !m->failed;
}
