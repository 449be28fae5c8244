/* Calls of the routines that make edges or choose nodes while the model runs: see routines.h.
 *
 *   {
 *     near_set made = {.of = &g, .width = 3, .most = 8, .value = h, ..., .to = {.in_ptr = ..., .src = ...}};
 *     GNNC_TIMED(2, g_knn_0_edges = near_edges(&made));
 *   } */
#include "codegen/c/interface/routines.h"

#include "codegen/c/interface/layout.h"
#include "codegen/c/model/array.h"
#include "codegen/c/model/count.h"
#include "support/edge_mode.h"

void c_routines_emit_check(const c_model *m, c_writer *w, const c_set *set) {
  (void)m;
  long long most = (long long)set->run.most;
  c_writer_line(w, "if (!result && graph->num_nodes > INT32_MAX / %lld) result = GNNC_ERROR_COUNT; /* edges of %s */",
                most + 1, set->id);
}

/* ---- memory ---- */

static bool has_routine(const c_model *m, ir_op kind) {
  for (size_t p = 0; p < m->phases.count; p++) {
    if (mlirOperationIsNull(m->phases.items[p].function)) continue;
    IR_FOR_EACH_OP(op, ir_func_body(m->phases.items[p].function))
      if (ir_op_kind(op) == kind) return true;
  }
  return false;
}

bool c_routines_have_power(const c_model *m) {
  for (size_t i = 0; i < m->sets.count; i++)
    if (m->sets.items[i].run.is_power) return true;
  return false;
}

/* The numbers of a row that the routine of a set compares. */
static int64_t row_width(const c_model *m, const c_set *set) {
  for (size_t p = 0; p < m->phases.count; p++) {
    if (mlirOperationIsNull(m->phases.items[p].function)) continue;
    IR_FOR_EACH_OP(op, ir_func_body(m->phases.items[p].function)) {
      if (ir_op_kind(op) != IR_OP(intra, make_edges) || !ir_string_is(op, "set", set->name)) continue;
      return ir_type_elements(ir_type_of(mlirOperationGetOperand(op, 0)));
    }
  }
  return 1;
}

static void field(c_writer *w, bool is_struct, const char *name, const char *rows, int64_t elements, const char *type) {
  if (is_struct)
    c_writer_line(w, "size_t %s;", name);
  else
    c_writer_line(w, "l->%s = section(&at, %s, %lld * sizeof(%s));", name, rows, (long long)elements, type);
}

/* Rows are packed in blocks of NEAR_LANES, 64 at most. One set is made after the other, so they share the memory. */
void c_routines_list_memory(const c_model *m, c_writer *w, bool is_struct) {
  int64_t width = 0, most = 0;
  for (size_t i = 0; i < m->sets.count; i++) {
    const c_set *set = &m->sets.items[i];
    if (!set->run.is_near) continue;
    int64_t own = row_width(m, set);
    if (own > width) width = own;
    if (!set->run.has_radius && set->run.most > most) most = set->run.most;
  }
  if (width) field(w, is_struct, "near_packed", "header->num_nodes + 64", width, "real");
  if (most) field(w, is_struct, "near_distance", "header->num_nodes", most, "real");
  if (c_routines_have_power(m)) field(w, is_struct, "power_search", "header->num_nodes", 2, "int32_t");
  if (has_routine(m, IR_OP(intra, top_nodes))) field(w, is_struct, "top_order", "header->num_nodes", 1, "int32_t");
}

/* ---- calls ---- */

static void member(c_writer *w, const char *name, const char *value) {
  c_writer_line(w, ".%s = %s,", name, value);
}

static void number(const c_model *m, c_writer *w, const char *name, int64_t value) {
  member(w, name, arena_printf(m->arena, "%lld", (long long)value));
}

/* The arrays that are filled. */
static void emit_arrays(const c_model *m, c_writer *w, const c_set *set) {
  static const c_array arrays[] = {C_ARRAY_in_ptr,  C_ARRAY_src,     C_ARRAY_dst,         C_ARRAY_base,
                                   C_ARRAY_out_ptr, C_ARRAY_out_dst, C_ARRAY_out_position};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    if (c_array_is_made(set, arrays[i]))
      member(w, arena_printf(m->arena, "to.%s", c_array_name(arrays[i])), c_layout_array(m, set, arrays[i]));
}

static const char *work_place(const c_model *m, const char *type, const char *name) {
  return arena_printf(m->arena, "(%s *)(void *)(work + k.%s)", type, name);
}

static void emit_near(const c_model *m, c_writer *w, const c_set *set, const char *value, const char *among) {
  number(m, w, "width", row_width(m, set));
  number(m, w, "most", set->run.most);
  number(m, w, "has_loops", set->run.has_loops);
  member(w, "num_graphs", "header->num_graphs");
  if (set->run.has_radius) {
    number(m, w, "has_radius", 1);
    member(w, "radius", arena_printf(m->arena, "%.17g", set->run.radius));
  }
  member(w, "value", value);
  if (among) member(w, "among", among);
  member(w, "packed", work_place(m, "real", "near_packed"));
  if (!set->run.has_radius) member(w, "distance", work_place(m, "real", "near_distance"));
}

static void emit_power(const c_model *m, c_writer *w, const c_set *set, const char *search) {
  number(m, w, "most", set->run.most);
  member(w, "met_for", search);
  member(w, "queue", arena_printf(m->arena, "%s + header->num_nodes", search));
}

void c_routines_emit_count(c_model *m, c_writer *w, const c_set *set) {
  const c_set *base = &m->sets.items[set->base];
  c_timed timed = {.phase = "bind", .function = "power_edges", .value = set->id, .cost = -1};
  c_writer_line(w, "{");
  w->depth++;
  c_writer_line(w, "const edge_set of = open_%s(block, &l);", base->id);
  c_writer_line(w, "const power_set made = {");
  w->depth += 2;
  member(w, "of", "&of");
  emit_power(m, w, set, c_layout_numbers(m, "power_search"));
  w->depth -= 2;
  c_writer_line(w, "};");
  const char *room = c_count_room(m, set);
  c_writer_line(w, "%s", c_model_time(m, timed, arena_printf(m->arena, "%s = power_edges(&made)", room)));
  c_writer_line(w, "if (%s > INT32_MAX - header->num_nodes) return GNNC_ERROR_COUNT; /* with self loops */", room);
  w->depth--;
  c_writer_line(w, "}");
}

static void emit_filter(const c_model *m, c_writer *w, const c_set *set, const char *mask) {
  const char *mode = set->run.mode;
  if (!mode) {
    member(w, "mask", mask);
    return;
  }
  number(m, w, "most", edge_mode_kept_loops(edge_mode_read(mode)));
  number(m, w, "adds", edge_mode_has_loops(edge_mode_read(mode)));
}

static void emit_top(const c_model *m, c_writer *w, const c_kernel *kernel, const char *const *names) {
  member(w, "context", "context");
  member(w, "of", names[kernel->parameter_count - 1]);
  member(w, "num_graphs", "header->num_graphs");
  double ratio = ir_get_float(kernel->op, "ratio", 1);
  if (ratio < 1)
    member(w, "ratio", arena_printf(m->arena, "(float)%.17g", ratio));
  else
    number(m, w, "most", (int64_t)ratio);
  member(w, "score", names[0]);
  member(w, "to", names[1]);
  if (kernel->parameter_count == 4) member(w, "among", names[2]);
  member(w, "order", work_place(m, "int32_t", "top_order"));
}

void c_routines_emit(c_model *m, c_writer *w, const c_kernel *kernel, const char *const *names, c_timed timed) {
  bool is_top = ir_op_kind(kernel->op) == IR_OP(intra, top_nodes);
  const c_set *set = is_top ? NULL : &m->sets.items[c_model_set(m, ir_get_string(kernel->op, "set", "g"))];
  c_writer_line(w, "{");
  w->depth++;
  bool is_near = set && set->run.is_near, is_power = set && set->run.is_power;
  c_writer_line(w, "%s made = {",
                is_top     ? "top_set"
                : is_near  ? "near_set"
                : is_power ? "const power_set"
                           : "edge_filter");
  w->depth += 2;
  if (is_top) {
    emit_top(m, w, kernel, names);
  } else {
    if (is_near) member(w, "context", "context");
    member(w, "of", names[kernel->parameter_count - 1]);
    if (is_near)
      emit_near(m, w, set, names[0], kernel->parameter_count == 3 ? names[1] : NULL);
    else if (is_power)
      emit_power(m, w, set, work_place(m, "int32_t", "power_search"));
    else
      emit_filter(m, w, set, names[0]);
    emit_arrays(m, w, set);
  }
  w->depth -= 2;
  c_writer_line(w, "};");
  const char *call = arena_printf(m->arena, "%s(&made)", kernel->name);
  if (set) call = arena_printf(m->arena, "%s = %s", c_count_edges(m, set), call);
  c_writer_line(w, "%s", c_model_time(m, timed, call));
  w->depth--;
  c_writer_line(w, "}");
}
