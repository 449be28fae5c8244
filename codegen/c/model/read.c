/* Reads a module: its weights; then the slots, buffers and calls of each phase; then the interface.
 *
 *   func.func @m.run() attributes {gnn.phase = "run", gnn.workspace_slots = ["node:g x 16"]}    a phase of one slot */
#include "codegen/c/model/read.h"

#include "codegen/c/model/array.h"
#include "codegen/c/model/calls.h"
#include "codegen/c/model/trained.h"
#include "codegen/c/text/names.h"

#include <stdlib.h>
#include <string.h>

/* Splits "edge:g.replace" into the kind of rows and the name of the set. */
static bool read_rows(c_model *m, const char *said, c_rows *rows, int *set) {
  size_t length = strcspn(said, ":");
  *set = -1;
  if (!c_rows_find(said, length, rows) || c_rows_describe(*rows)->has_set != (said[length] == ':')) return false;
  if (said[length]) *set = c_model_set(m, arena_strdup(m->arena, said + length + 1));
  return true;
}

static void read_slots(c_model *m, MlirOperation op, const char *attribute, c_slots *slots) {
  for (size_t i = 0; i < ir_get_array_size(op, attribute); i++) {
    const char *said = ir_get_string_at(op, attribute, i);
    const char *cross = strstr(said, " x ");
    c_slot slot = {0};
    char *end = NULL;
    if (cross) slot.elements = strtoll(cross + 3, &end, 10);
    if (!cross || *end || !read_rows(m, arena_strndup(m->arena, said, (size_t)(cross - said)), &slot.rows, &slot.set))
      c_model_fail(m, op, DIAG_internal, "%s[%zu]: '%s' is no slot", attribute, i, said);
    VEC_PUSH(m->arena, slots, slot);
  }
}

/* ---- buffers ---- */

/* Adds a buffer to the comment of its slot. A slot of the bound block names the buffers that are
 * read from it, another slot those of its phase; a long list is cut. */
static void note_user(c_model *m, const c_phase *phase, const c_buffer *b, c_slot *slot) {
  enum { LISTED = 8 };
  if (b->space == C_SPACE_bound && phase->row->fills_bound) return;
  unsigned number = slot->user_count++;
  if (number > LISTED) return;
  slot->users = arena_printf(m->arena, "%s%s%s", number ? slot->users : "", number ? ", " : "",
                             number < LISTED ? b->name : "...");
}

/* Enlarges a slot to the largest of its buffers; where rows are types, the number of rows counts
 * too. */
static void note_slot(c_model *m, c_phase *phase, const c_buffer *b, MlirOperation op) {
  if (c_buffer_is_user(b)) return;
  c_slots *slots = b->space == C_SPACE_bound ? &m->bound : &phase->slots;
  if (b->slot < 0 || (size_t)b->slot >= slots->count) {
    c_model_fail(m, op, DIAG_internal, "buffer '%s' has slot %d, the plan has %zu", b->name, b->slot, slots->count);
    return;
  }
  c_slot *slot = &slots->items[b->slot];
  if (b->count > slot->count) slot->count = b->count;
  note_user(m, phase, b, slot);
}

static c_space read_space(MlirOperation op) {
  const char *said = ir_get_string(op, "space", "");
  for (int i = 0; i < C_SPACE_COUNT; i++)
    if (!strcmp(said, c_space_name((c_space)i))) return (c_space)i;
  return C_SPACE_input;
}

static c_role read_role(MlirOperation op) {
  static const char *const roles[C_ROLE_COUNT] = {[C_ROLE_none] = "",
                                                  [C_ROLE_loss] = "loss",
                                                  [C_ROLE_gradient] = "gradient",
                                                  [C_ROLE_update] = "update",
                                                  [C_ROLE_input_gradient] = "input_gradient",
                                                  [C_ROLE_adjoint] = "adjoint"};
  for (int i = 1; i < C_ROLE_COUNT; i++)
    if (ir_string_is(op, "role", roles[i])) return (c_role)i;
  return C_ROLE_none;
}

static void read_buffer(c_model *m, c_phase *phase, MlirOperation op) {
  c_buffer b = {.value = ir_result(op), .space = read_space(op), .name = ir_get_string(op, "name", "value"), .set = -1};
  ir_type type = ir_type_of(b.value);
  if (!read_rows(m, type.set, &b.rows, &b.set))
    c_model_fail(m, op, DIAG_internal, "buffer '%s' has rows '%s'", b.name, type.set);
  b.type = ir_type_payload(type);
  b.elements = ir_type_elements(b.type);
  b.slot = (int)ir_get_integer(op, "slot", -1);
  b.from = ir_get_string(op, "from", b.name);
  b.in_weights = ir_string_is(op, "file", "weights");
  b.count = ir_get_integer(op, "count", 0);
  b.range = ir_get_attr(op, "range");
  b.init = ir_get_string(op, "init", NULL);
  b.is_transposed = ir_get_bool(op, "transposed");
  b.is_bf16 = ir_buffer_is_bf16(b.value);
  b.is_given = ir_string_is(op, "format", "f32");
  b.strips = ir_get_integer(op, "strips", 0);
  b.group = ir_get_integer(op, "group", 1);
  if (b.strips && b.space == C_SPACE_workspace) b.count = b.strips;
  b.role = read_role(op);
  if (b.space == C_SPACE_output) b.space = phase->row->results;
  if (b.space == C_SPACE_output && b.role == C_ROLE_update) b.space = C_SPACE_update;
  if (b.role == C_ROLE_adjoint) b.space = C_SPACE_adjoint;
  int64_t place = b.space == C_SPACE_weight ? map_get(&m->weight_places, b.name, -1) : -1;
  const c_buffer *weight = place < 0 ? NULL : &m->fields[C_SPACE_weight].items[place];
  if (b.space == C_SPACE_weight && !weight && !m->is_training)
    c_model_fail(m, op, DIAG_internal, "buffer '%s' names no weight of the module", b.name);
  b.id = weight ? weight->id : c_names_mangle(m->arena, b.name);
  if (weight && !b.count) b.count = weight->count;
  note_slot(m, phase, &b, op);
  map_set(&phase->places, b.value.ptr, (int64_t)phase->buffers.count);
  VEC_PUSH(m->arena, &phase->buffers, b);
}

static void read_weight(c_model *m, MlirOperation op, c_names *fields) {
  MlirAttribute type_attribute = mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("type"));
  ir_type type = ir_type_get(mlirTypeAttrGetValue(type_attribute));
  c_buffer b = {.space = C_SPACE_weight, .set = -1, .slot = -1, .rows = C_ROWS_one, .type = ir_type_payload(type)};
  /* the symbol differs from the name of a weight that is called like the model */
  const char *symbol = ir_get_string(op, "sym_name", "weight");
  b.name = ir_get_string(op, "gnn.name", symbol);
  b.from = ir_get_string(op, "gnn.from", b.name);
  b.id = c_names_add(fields, b.name);
  b.elements = ir_type_elements(b.type);
  if (type.kind == IR_KIND_per) {
    b.rows = !strcmp(type.set, "etype") ? C_ROWS_etype : C_ROWS_ntype;
    b.count = ir_get_integer(op, "gnn.count", 0);
    if (b.count < 1) c_model_fail(m, op, DIAG_internal, "weight '%s' has no number of types", b.name);
  }
  map_set(&m->weight_places, symbol, (int64_t)m->fields[C_SPACE_weight].count);
  VEC_PUSH(m->arena, &m->fields[C_SPACE_weight], b);
}

/* ---- phases ---- */

/* Notes the maps between edges of a set and those of a larger set that was made from it: from edges of the larger set to
 * numbers in the base set, and from these to the positions of a value that is not the caller's. */
static void note_base(c_model *m, const c_buffer *base, const c_buffer *larger) {
  if (!base || !larger || base->set < 0 || larger->set < 0) return;
  m->sets.items[larger->set].has_base = true;
  if (!c_buffer_is_user(base)) m->sets.items[base->set].has_position = true;
}

/* Notes the maps that extend_edges, restrict_edges and exchange_edges need. */
static void note_edges(c_model *m, const c_phase *phase, MlirOperation op) {
  if (ir_op_kind(op) == IR_OP(intra, exchange_edges)) {
    const c_buffer *b = c_model_buffer(phase, ir_operand(op, IR_IN(intra, exchange_edges, buffer)));
    if (b && b->set >= 0) m->sets.items[b->set].has_position = true;
    m->has_edge_rows = true;
    return;
  }
  if (ir_op_kind(op) == IR_OP(intra, restrict_edges)) {
    note_base(m, c_model_buffer(phase, ir_operand(op, IR_IN(intra, restrict_edges, to))),
              c_model_buffer(phase, ir_operand(op, IR_IN(intra, restrict_edges, from))));
    return;
  }
  if (ir_op_kind(op) != IR_OP(intra, extend_edges)) return;
  const c_buffer *from = c_model_buffer(phase, ir_operand(op, IR_IN(intra, extend_edges, from)));
  const c_buffer *to = c_model_buffer(phase, ir_operand(op, IR_IN(intra, extend_edges, to)));
  note_base(m, from, to);
}

/* The types of nodes at the ends of each type of edges; NULL where any nodes may be at all of them. */
static const char *read_ends(c_model *m, MlirOperation op) {
  text list = {0};
  bool has_ends = false;
  for (size_t i = 0; i < ir_get_array_size(op, "edge_ends"); i++) {
    int64_t type = ir_get_integer_at(op, "edge_ends", i);
    text_printf(&list, "%s%lld", i ? ", " : "", (long long)type);
    has_ends |= type >= 0;
  }
  const char *ends = text_keep(&list, m->arena);
  return has_ends ? ends : NULL;
}

/* Notes the maps by which dropout numbers edges as the caller does: through each set from which theirs was made. */
static void note_dropout(c_model *m, MlirOperation op) {
  MlirValue cursor = ir_operand(op, IR_IN(inter, dropout, cursor));
  if (mlirValueIsNull(cursor) || strcmp(ir_type_of(cursor).detail, "edge") != 0) return;
  int set = c_model_set(m, ir_type_of(cursor).set);
  m->sets.items[set].has_number |= m->sets.items[set].base < 0;
  for (int at = set; m->sets.items[at].base >= 0; at = m->sets.items[at].base) {
    m->sets.items[at].has_base = true;
    m->sets.items[at].has_position |= at != set;
  }
}

static void note_body(c_model *m, MlirOperation op) {
  if (ir_op_kind(op) == IR_OP(inter, dropout)) note_dropout(m, op);
  MlirBlock block = ir_region_block(op);
  if (mlirBlockIsNull(block)) return;
  IR_FOR_EACH_OP(inner, block) note_body(m, inner);
}

static void read_graph(c_model *m, MlirOperation op) {
  c_model_set(m, ir_get_string(op, "set", "g"));
  int64_t edge_types = ir_get_integer(op, "edge_types", 0), node_types = ir_get_integer(op, "node_types", 0);
  if (edge_types) m->declared_edge_types = edge_types;
  if (node_types) m->declared_node_types = node_types;
  if (node_types > 1 && !m->declared_ends) m->declared_ends = read_ends(m, op);
}

/* Notes how run makes a set. */
static void read_run_set(c_model *m, MlirOperation op) {
  int at = c_model_set(m, ir_get_string(op, "set", "g"));
  m->sets.items[at].run = (c_run_set){.mode = ir_get_string(op, "mode", NULL),
                                      .most = ir_get_integer(op, "most", 0),
                                      .is_near = ir_string_is(op, "by", "near"),
                                      .is_power = ir_string_is(op, "by", "power"),
                                      .has_radius = !mlirAttributeIsNull(ir_get_attr(op, "radius")),
                                      .has_loops = ir_get_bool(op, "loop"),
                                      .radius = ir_get_float(op, "radius", 0)};
}

static void read_phase(c_model *m, c_phase *phase) {
  read_slots(m, phase->function, "gnn.workspace_slots", &phase->slots);
  IR_FOR_EACH_OP(op, ir_func_body(phase->function)) {
    ir_op kind = ir_op_kind(op);
    if (kind == IR_OP(intra, graph)) read_graph(m, op);
    if (kind == IR_OP(intra, buffer)) read_buffer(m, phase, op);
    if (kind == IR_OP(intra, call)) c_calls_read(m, op);
    if (kind == IR_OP(intra, make_edges)) read_run_set(m, op);
    note_edges(m, phase, op);
    note_body(m, op);
  }
}

/* Finds the phases of the program with their functions; false where a required one is missing. */
static bool find_phases(c_model *m) {
  for (const c_phase_row *row = m->phase_rows; row->call.name; row++) {
    c_phase phase = {.row = row, .places = {.arena = m->arena}};
    IR_FOR_EACH_OP(op, ir_region_block(m->module))
      if (ir_string_is(op, "gnn.phase", row->call.name)) phase.function = op;
    bool is_there = !mlirOperationIsNull(phase.function);
    if (!is_there && row->presence == C_PRESENCE_required) {
      c_model_fail(m, m->module, DIAG_internal, "the module has no function of phase %s", row->call.name);
      return false;
    }
    if (is_there || row->presence == C_PRESENCE_always) VEC_PUSH(m->arena, &m->phases, phase);
  }
  return true;
}

/* ---- the interface ---- */

/* Reads inputs and outputs in the order of the phase's buffers; each gets a member name of its
 * own. The members of a struct that an earlier phase takes, too, are there already. */
static void read_fields(c_model *m, c_phase *phase) {
  c_names names[C_SPACE_FIELDS];
  bool is_known[C_SPACE_FIELDS];
  for (int i = 0; i < C_SPACE_FIELDS; i++) {
    names[i] = (c_names){.arena = m->arena};
    is_known[i] = m->fields[i].count;
  }
  for (size_t i = 0; i < phase->buffers.count; i++) {
    c_buffer *b = &phase->buffers.items[i];
    if (b->space != C_SPACE_input && b->space != C_SPACE_output && b->space != C_SPACE_adjoint) continue;
    b->id = c_names_add(&names[b->space], b->name);
    if (!is_known[b->space]) VEC_PUSH(m->arena, &m->fields[b->space], *b);
  }
}

static void read_interface(c_model *m) {
  for (size_t p = 0; p < m->phases.count; p++) {
    c_phase *phase = &m->phases.items[p];
    if (phase->row->has_interface) read_fields(m, phase);
    if (phase->row->has_interface && m->is_training) c_trained_read(m, phase);
    for (size_t i = 0; i < phase->buffers.count; i++) {
      const c_buffer *b = &phase->buffers.items[i];
      if (b->rows == C_ROWS_graph) m->has_batch = true;
      if (b->rows == C_ROWS_edge && c_buffer_is_user(b)) m->sets.items[b->set].has_number = true;
    }
  }
}

bool c_read_module(c_model *m) {
  m->weight_places = m->packed_forms = (map){.arena = m->arena, .of_strings = true};
  m->name = ir_get_string(m->module, "gnn.model", "model");
  m->id = c_names_mangle(m->arena, m->is_training ? arena_printf(m->arena, "%s_train", m->name) : m->name);
  m->source = ir_get_string(m->module, "gnn.source", "");
  c_model_set(m, "g");
  read_slots(m, m->module, "gnn.bound_slots", &m->bound);
  c_names fields = {.arena = m->arena};
  IR_FOR_EACH_OP(op, ir_region_block(m->module))
    if (!strcmp(ir_op_name(op), "ml_program.global")) read_weight(m, op, &fields);
  if (!find_phases(m)) return false;
  for (size_t p = 0; p < m->phases.count; p++)
    if (!mlirOperationIsNull(m->phases.items[p].function)) read_phase(m, &m->phases.items[p]);
  read_interface(m);
  c_array_decide(m);
  return !m->failed;
}
