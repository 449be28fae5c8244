/* intra.unite: joins values of nodes that are stored type by type.
 *
 *   %h = intra.unite(%x_paper, %n, %rest)       g->node_type[n] == 2 ? x_paper + g->place[n] * 128 : rest */
#include "codegen/c/operation/unite.h"

#include "codegen/c/body/parameter.h"
#include "codegen/c/body/place.h"

/* Copies the value to an array of its own: needed for parts that are float where the rest is
 * double, for parts of bf16, and for rows that this kernel writes. */
static void unite_by_copy(c_body *b, MlirOperation op, const char *condition, const c_value *row, MlirValue rest) {
  MlirValue value = ir_result(op);
  ir_type type = ir_type_of(value);
  if (!ir_value_is_null(rest)) c_place_in_memory(b, rest);
  const c_target target = c_place_declare(b, value, "united", C_USE_reduced);
  size_t mark = b->names.count;
  const char *j = c_names_add(&b->names, "j");
  const char *loop =
      arena_printf(b->model->arena, "%s %s[%s]", c_body_each(b, j, ir_type_elements(type)), target.base, j);
  c_writer_line(b->w, "if (%s)", condition);
  c_writer_line(b->w, "  %s = %s;", loop, c_body_element_at(b, row, j));
  c_writer_line(b->w, "else");
  if (ir_value_is_null(rest))
    c_writer_line(b->w, "  %s = 0;", loop);
  else
    c_writer_line(b->w, "  %s = %s[%s];", loop, c_body_find(b, rest)->text, j);
  c_names_leave(&b->names, mark);
  c_target_define(b, value, target);
}

/* The value of a node without that type: memory of the rest, or zeros. */
static const char *rest_memory(c_body *b, MlirValue rest, int64_t elements) {
  if (!ir_value_is_null(rest)) return c_place_in_memory(b, rest);
  const char *zeros = c_names_add(&b->names, "zeros");
  c_writer_line(b->w, "const real %s[%lld] = {0};", zeros, (long long)elements);
  return zeros;
}

void c_unite_emit(c_body *b, MlirOperation op) {
  arena *a = b->model->arena;
  c_parameter *p = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, unite, rows)));
  MlirValue rest = ir_operand(op, IR_IN(intra, unite, rest)), value = ir_result(op);
  const char *node = c_body_find(b, ir_operand(op, IR_IN(intra, unite, node)))->text, *graph = c_parameter_set(b, -1);
  long long part = (long long)b->model->sets.items[p->buffer->set].part, elements = (long long)p->buffer->elements;
  const char *condition = arena_printf(a, "%s->node_type[%s] == %lld", graph, node, part);
  if (!ir_type_of(value).rank) {
    const char *other = ir_value_is_null(rest) ? "0" : c_body_find(b, rest)->text;
    const char *widen = c_body_widen(b, c_buffer_is_float(p->buffer));
    c_body_define_scalar(
        b, op, arena_printf(a, "(%s ? %s%s[%s->place[%s]] : %s)", condition, widen, p->name, graph, node, other),
        false);
    return;
  }
  const char *row = arena_printf(a, "(%s + (int64_t)%s->place[%s] * %lld)", p->name, graph, node, elements);
  bool is_float = c_buffer_is_float(p->buffer), is_wide = b->model->options->is_f64;
  bool rest_is_float = !ir_value_is_null(rest) && c_body_find(b, rest)->is_float;
  if (p->is_written || c_parameter_is_shared(b, p->buffer) || p->buffer->is_bf16 ||
      (is_wide && is_float != rest_is_float)) {
    const c_value of_part = {.text = row, .is_bf16 = p->buffer->is_bf16};
    unite_by_copy(b, op, condition, &of_part, rest);
    return;
  }
  const char *other = rest_memory(b, rest, p->buffer->elements);
  const char *name = c_body_name(b, value, "united");
  c_writer_line(b->w, "const %s *%s = %s ? %s : %s;", c_buffer_type(p->buffer), name, condition, row, other);
  c_body_define(b, value, C_FORM_memory, name)->is_float = is_float;
}
