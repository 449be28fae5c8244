/* Calls of routines of the prelude that add up rows: see call.h.
 *
 *     .a.made = inputs->x,
 *     .a.at = g.src,
 *     .a.stride = 64, */
#include "codegen/c/kernel/call.h"

#include "codegen/c/model/array.h"

#include <string.h>

int c_call_find_set(const c_model *m, const char *name) {
  for (size_t i = 0; i < m->sets.count; i++)
    if (!strcmp(m->sets.items[i].name, name)) return (int)i;
  return 0;
}

c_call_rows c_call_find_rows(const c_model *m, MlirOperation op, const c_buffer *first, const c_buffer *second,
                             const char *const gathers[2]) {
  c_call_rows r = {.buffers = {first, second}, .gathers = {gathers[0], gathers[1]}};
  r.rows = second->rows;
  r.set = second->set;
  if (!strcmp(gathers[0], "none") && !strcmp(gathers[1], "none")) return r;
  r.rows = C_ROWS_edge;
  r.set = c_call_find_set(m, ir_type_of(mlirOperationGetOperand(op, 0)).set);
  return r;
}

static bool is_end(const char *gather) {
  return !strcmp(gather, "src") || !strcmp(gather, "dst");
}

static bool is_group(const char *gather) {
  return !strncmp(gather, "group_", strlen("group_"));
}

/* Whether rows of a buffer are the caller's edges, in their order. */
static bool has_numbers(const c_model *m, const c_buffer *b) {
  return b && b->rows == C_ROWS_edge && c_buffer_is_user(b) && m->sets.items[b->set].has_csc;
}

/* ---- parameters ---- */

void c_call_add_set(const c_model *m, c_call_parameters *list, int set) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].set == set) return;
  c_parameter p = {.set = set, .is_used = true};
  VEC_PUSH(m->arena, list, p);
}

void c_call_add_buffer(const c_model *m, c_call_parameters *list, const c_buffer *buffer, bool is_written) {
  c_parameter p = {.buffer = buffer, .set = -1, .is_used = true, .is_written = is_written};
  if (buffer) VEC_PUSH(m->arena, list, p);
}

void c_call_add_sets(const c_model *m, c_call_parameters *list, const c_call_rows *rows, bool needs_rows) {
  for (int i = 0; i < 2; i++) needs_rows |= is_end(rows->gathers[i]) || has_numbers(m, rows->buffers[i]);
  if (needs_rows) c_call_add_set(m, list, rows->set);
  for (int i = 0; i < 2; i++)
    if (rows->buffers[i] && is_group(rows->gathers[i])) c_call_add_set(m, list, rows->buffers[i]->set);
}

/* ---- members ---- */

const char *c_call_name(const c_call *at, const c_buffer *buffer) {
  for (size_t i = 0; i < at->kernel->parameter_count; i++)
    if (at->kernel->parameters[i].buffer == buffer) return at->names[i];
  return "unknown";
}

const char *c_call_array(const c_call *at, int set, const char *array) {
  for (size_t i = 0; i < at->kernel->parameter_count; i++) {
    const c_parameter *p = &at->kernel->parameters[i];
    if (!p->buffer && p->set == set) return arena_printf(at->m->arena, "%s.%s", at->names[i] + 1, array);
  }
  return "unknown";
}

void c_call_member(const c_call *at, const char *name, const char *value) {
  c_writer_line(at->w, ".%s = %s,", name, value);
}

void c_call_number(const c_call *at, const char *name, int64_t value) {
  c_call_member(at, name, arena_printf(at->m->arena, "%lld", (long long)value));
}

void c_call_side(const c_call *at, const char *side, const c_call_rows *rows, int i, const char *array) {
  arena *a = at->m->arena;
  const c_buffer *b = rows->buffers[i];
  const char *gather = rows->gathers[i];
  bool is_given = at->m->options->is_f64 && c_buffer_is_float(b);
  if (array)
    c_call_member(at, array, c_call_name(at, b));
  else
    c_call_member(at, arena_printf(a, "%s.%s", side, is_given ? "given" : "made"), c_call_name(at, b));
  if (is_end(gather)) c_call_member(at, arena_printf(a, "%s.at", side), c_call_array(at, rows->set, gather));
  if (is_group(gather)) c_call_member(at, arena_printf(a, "%s.at", side), c_call_array(at, b->set, "row"));
  if (has_numbers(at->m, b)) c_call_member(at, arena_printf(a, "%s.number", side), c_call_array(at, b->set, "number"));
  c_call_number(at, arena_printf(a, "%s.stride", side), b->elements);
}
