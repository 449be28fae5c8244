/* Cursors: ends of edges, pairs of edges, degrees.
 *
 *   %s = inter.src(%e)                          const int64_t s = g->src[p];
 *   %u = inter.group(%e) end = "src"            g_unique_src->row[p] */
#include "codegen/c/operation/cursor.h"

#include "codegen/c/body/parameter.h"
#include "codegen/c/body/row.h"

#include <string.h>

void c_cursor_emit_end(c_body *b, MlirOperation op) {
  bool is_src = ir_op_kind(op) == IR_OP(inter, src);
  c_value *edge = c_body_find(b, ir_operand(op, 0));
  const char **known = is_src ? &edge->src : &edge->dst, *node = *known;
  if (!node) {
    node = c_names_add(&b->names, is_src ? "s" : "d");
    c_writer_line(b->w, "const int64_t %s = %s->%s[%s];", node, c_parameter_set(b, edge->set), is_src ? "src" : "dst",
                  edge->text);
    if (edge->depth == b->w->depth) *known = node; /* otherwise the variable is out of scope after this block */
  }
  c_body_define(b, ir_result(op), C_FORM_cursor, node)->set = c_model_set(b->model, ir_type_of(ir_result(op)).set);
}

void c_cursor_emit_degree(c_body *b, MlirOperation op) {
  int set = c_model_set(b->model, ir_type_of(ir_operand(op, IR_IN(inter, degree, graph))).set);
  const char *node = c_body_find(b, ir_operand(op, IR_IN(inter, degree, node)))->text;
  const char *pointers = strcmp(ir_get_string(op, "direction", "in"), "in") ? "out_ptr" : "in_ptr";
  const char *graph = c_parameter_set(b, set);
  const char *name = c_body_name(b, ir_result(op), "degree");
  c_writer_line(b->w, "const real %s = (real)(%s->%s[%s + 1] - %s->%s[%s]);", name, graph, pointers, node, graph,
                pointers, node);
  c_body_define(b, ir_result(op), C_FORM_scalar, name);
}

void c_cursor_emit_group(c_body *b, MlirOperation op) {
  const c_value *edge = c_body_find(b, ir_operand(op, IR_IN(inter, group, edge)));
  bool at_src = !strcmp(ir_get_string(op, "end", "src"), "src");
  const char *position = edge->text, *node = at_src ? edge->src : edge->dst;
  int set = c_model_set(b->model, ir_type_of(ir_result(op)).set);
  c_value *pair = c_body_define(b, ir_result(op), C_FORM_cursor, NULL);
  pair->set = set;
  pair->text = arena_printf(b->model->arena, "%s->row[%s]", c_parameter_set(b, set), position);
  *(at_src ? &pair->src : &pair->dst) = node;
}

void c_cursor_emit_group_size(c_body *b, MlirOperation op) {
  const c_value *pair = c_body_find(b, ir_operand(op, IR_IN(inter, group_size, pair)));
  const char *graph = c_parameter_set(b, pair->set), *row = pair->text;
  c_body_define_scalar(
      b, op,
      arena_printf(b->model->arena, "(real)(%s->member_ptr[%s + 1] - %s->member_ptr[%s])", graph, row, graph, row),
      false);
}

void c_cursor_emit_whole_row(c_body *b, MlirOperation op) {
  const char *number = c_row_in_graph(b, c_body_find(b, ir_operand(op, IR_IN(inter, whole_row, row))));
  c_body_define(b, ir_result(op), C_FORM_cursor, number)->set = c_model_set(b->model, ir_type_of(ir_result(op)).set);
}
