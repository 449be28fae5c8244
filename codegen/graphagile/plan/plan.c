/* Operations on a plan that all steps share: messages, the constant table, tensors. */
#include "codegen/graphagile/plan/plan.h"

#include "support/number.h"

#include <string.h>

bool graphagile_plan_check(graphagile_plan *p, status s) {
  if (!s) return true;
  if (p->error)
    status_free(s);
  else
    p->error = s;
  return false;
}

void graphagile_plan_fail(graphagile_plan *p, const graphagile_plan_layer *layer, diag_id id, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(p->arena, format, args), *file = NULL;
  va_end(args);
  unsigned line = 0, column = 0;
  if (!layer && !mlirOperationIsNull(p->function))
    ir_location_position(mlirOperationGetLocation(p->function), &file, &line, &column);
  if (layer)
    diag_report_at(p->diag, layer->file, layer->line, layer->column, id, "%s", message);
  else
    diag_report_at(p->diag, file, line, column, id, "%s", message);
  p->failed = true;
}

int graphagile_plan_constant_index(graphagile_plan *p, const graphagile_plan_layer *layer, double value) {
  enum { LARGEST = 1024 };
  float number = (float)value;
  for (int i = 0; i < p->num_constants; i++)
    if (!memcmp(&p->constants[i], &number, sizeof number)) return i;
  if (p->num_constants == LARGEST) {
    graphagile_plan_fail(p, layer, DIAG_unsupported,
                         "the model has more than %d different constants, the device's table holds no more", LARGEST);
    return 0;
  }
  if (!p->constants) p->constants = arena_alloc_array(p->arena, LARGEST, sizeof *p->constants);
  p->constants[p->num_constants] = number;
  return p->num_constants++;
}

graphagile_plan_tensor *graphagile_plan_find_tensor(graphagile_plan *p, MlirValue value) {
  return ir_value_is_null(value) ? NULL : map_get_pointer(&p->values, value.ptr);
}

graphagile_plan_tensor *graphagile_plan_add_tensor(graphagile_plan *p, MlirValue rows, graphagile_plan_place place,
                                                   const char *name) {
  ir_type type = ir_type_of(rows);
  graphagile_plan_tensor *t = arena_alloc(p->arena, sizeof *t);
  *t = (graphagile_plan_tensor){
      .name = name, .set = type.set, .place = place, .width = type.dims[0], .first = -1, .last = -1};
  if (type.kind == IR_KIND_rows) graphagile_plan_check(p, program_host_set_rows(p->host, t->set, &t->rows));
  t->kind = place == GRAPHAGILE_PLAN_INPUT    ? GRAPHAGILE_KIND_input
            : place == GRAPHAGILE_PLAN_HIDDEN ? GRAPHAGILE_KIND_hidden
                                              : GRAPHAGILE_KIND_weights;
  map_set_pointer(&p->values, rows.ptr, t);
  VEC_PUSH(p->arena, &p->tensors, t);
  return t;
}

void graphagile_plan_size_tensor(graphagile_plan *p, graphagile_plan_tensor *t) {
  const int64_t width = p->device->width;
  if (t->edges || t->weight) {
    t->fibers = t->width;
    t->array_bytes = (uint64_t)number_round_up(t->rows * GRAPHAGILE_VALUE_BYTES, GRAPHAGILE_PLAN_ALIGN);
    t->bytes = t->array_bytes * (uint64_t)t->width;
  } else {
    t->fibers = number_ceil_div(t->width, width);
    t->stride = number_round_up(t->rows, width);
    t->bytes = (uint64_t)(t->fibers * t->stride * graphagile_plan_row_bytes(t, width));
  }
}

void graphagile_plan_join_lives(graphagile_plan *p) {
  for (size_t i = 0; i < p->tensors.count; i++) {
    graphagile_plan_tensor *t = p->tensors.items[i], *root = t;
    while (root->whole) root = root->whole;
    if (root == t) continue;
    if (t->first >= 0 && (root->first < 0 || t->first < root->first)) root->first = t->first;
    if (t->last > root->last) root->last = t->last;
    root->is_output |= t->is_output;
  }
}
