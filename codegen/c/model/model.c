/* A compiled model as the C back end sees it: see model.h. */
#include "codegen/c/model/model.h"

#include "codegen/c/text/names.h"

#include <string.h>

const char *c_model_time(c_model *m, c_timed timed, const char *call) {
  VEC_PUSH(m->arena, &m->timed, timed);
  return arena_printf(m->arena, "GNNC_TIMED(%zu, %s);", m->timed.count - 1, call);
}

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

const c_buffer *c_model_buffer(const c_phase *phase, MlirValue value) {
  int64_t place = map_get(&phase->places, value.ptr, -1);
  return place < 0 ? NULL : &phase->buffers.items[place];
}

int c_model_set(c_model *m, const char *name) {
  for (size_t i = 0; i < m->sets.count; i++)
    if (!strcmp(m->sets.items[i].name, name)) return (int)i;
  MlirContext context = mlirOperationGetContext(m->module);
  const char *end = ir_unique_end(name), *whole = end ? ir_base_set(context, name) : ir_whole_set(context, name);
  if (ir_is_run_set(name)) whole = ir_base_set(context, name);
  int base = whole ? c_model_set(m, whole) : -1;
  c_set set = {.name = name, .id = c_names_mangle(m->arena, name), .base = base, .end = end};
  set.is_run = set.has_csc = ir_is_run_set(name);
  set.part = end ? -1 : ir_part_type(name);
  VEC_PUSH(m->arena, &m->sets, set);
  return (int)m->sets.count - 1;
}

int64_t c_model_part(const c_model *m, const c_buffer *b) {
  return b->rows == C_ROWS_node && b->set >= 0 ? m->sets.items[b->set].part : -1;
}

int64_t c_model_types(const c_model *m, c_rows rows) {
  int64_t declared = rows == C_ROWS_etype ? m->declared_edge_types : rows == C_ROWS_ntype ? m->declared_node_types : 0;
  int64_t limit = declared ? declared : INT32_MAX;
  for (size_t p = 0; p < m->phases.count; p++) {
    const c_buffers *buffers = &m->phases.items[p].buffers;
    for (size_t i = 0; i < buffers->count; i++) {
      const c_buffer *b = &buffers->items[i];
      if (b->rows == rows && b->count > 0 && b->count < limit) limit = b->count;
    }
  }
  return limit;
}

bool c_model_has_derived(const c_model *m) {
  for (size_t i = 0; i < m->sets.count; i++)
    if (m->sets.items[i].mode) return true;
  return false;
}
