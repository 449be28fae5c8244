/* Dropout: the factors of a row are made before the loop over its numbers, which multiplies them like any other
 * element-wise operand.
 *
 *   %v = inter.dropout(%y, %n) {p = 0.5, site = 1}      real keep[16];
 *   %h = gnn.activation(%v) {relu}                  =>  keep_row(step, 1, n, 16, 2147483648u, 2.0f, keep);
 *                                                       for (int64_t j = 0; j < 16; j++) h[j] = real_relu(y[j] * keep[j]);
 *
 * A row is numbered as the caller does: nodes, edges by their numbers in the graph, or in the graph of which it is a part. An edge that the model adds, a new
 * self loop, has the number of edges plus that of its node. */
#include "codegen/c/operation/dropout.h"

#include "codegen/c/body/parameter.h"
#include "codegen/c/body/place.h"
#include "codegen/c/body/row.h"
#include "codegen/c/body/scalar.h"
#include "codegen/c/operation/elementwise.h"

#include <math.h>
#include <string.h>

/* The number of an edge among the caller's; its position in the set is the text of its cursor. */
static const char *number_of_edge(c_body *b, MlirOperation op, const c_value *edge) {
  const c_model *m = b->model;
  arena *a = m->arena;
  const c_set *set = &m->sets.items[edge->set];
  if (set->end) {
    c_body_fail(b, op, DIAG_internal, "dropout of the rows of pairs");
    return "0";
  }
  if (set->is_run) return edge->text;
  const char *graph = c_parameter_set(b, edge->set);
  const char *step = c_parameter_step(b);
  if (set->base < 0)
    return set->has_csc ? arena_printf(a, "edge_number(%s, %s->number[%s])", step, graph, edge->text)
                        : arena_printf(a, "edge_number(%s, %s)", step, edge->text);
  const char *row = c_names_add(&b->names, "row");
  c_writer_line(b->w, "int64_t %s = %s->base[%s];", row, graph, edge->text);
  for (int at = set->base; m->sets.items[at].base >= 0; at = m->sets.items[at].base) {
    graph = c_parameter_set(b, at);
    const char *position = m->sets.items[at].has_csc ? arena_printf(a, "%s->position[%s]", graph, row) : row;
    c_writer_line(b->w, "if (%s >= 0) %s = %s->base[%s];", row, row, graph, position);
    set = &m->sets.items[at];
  }
  const c_value *end = c_body_find(b, ir_operand(op, IR_IN(inter, dropout, end)));
  c_writer_line(b->w, "%s = %s < 0 ? loop_number(%s, %s->num_edges, %s) : edge_number(%s, %s);", row, row, step,
                c_parameter_set(b, set->base), end->text, step, row);
  return row;
}

static const char *number_of_row(c_body *b, MlirOperation op) {
  MlirValue cursor = ir_operand(op, IR_IN(inter, dropout, cursor));
  if (mlirValueIsNull(cursor)) return "0";
  const c_value *at = c_body_find(b, cursor);
  const char *kind = ir_type_of(cursor).detail;
  if (!strcmp(kind, "edge")) return number_of_edge(b, op, at);
  if (strcmp(kind, "node") != 0) return at->text;
  return arena_printf(b->model->arena, "node_number(%s, %s)", c_parameter_step(b), c_row_in_graph(b, at));
}

unsigned c_dropout_limit(double p) {
  double limit = ceil(p * 4294967296.0);
  return limit < 4294967295.0 ? (unsigned)limit : 4294967295u;
}

/* Of a stored entry of a sparse row: its column is that of the cursor, its row the node `end`. */
static void emit_entry(c_body *b, MlirOperation op) {
  arena *a = b->model->arena;
  double p = ir_get_float(op, "p", 0);
  const char *row = c_row_in_graph(b, c_body_find(b, ir_operand(op, IR_IN(inter, dropout, end))));
  const char *column = c_body_find(b, ir_operand(op, IR_IN(inter, dropout, cursor)))->src;
  const char *step = c_parameter_step(b), *keep = c_names_add(&b->names, "keep");
  c_writer_line(b->w, "const real %s = keep_entry(%s, %lluu, node_number(%s, %s), %s, %uu, %s);", keep, step,
                (unsigned long long)ir_get_integer(op, "site", 0), step, row, column, c_dropout_limit(p),
                c_scalar_literal(b, 1 / (1 - p)));
  c_elementwise_emit_with(b, op, arena_strdup(a, keep));
}

void c_dropout_emit(c_body *b, MlirOperation op) {
  arena *a = b->model->arena;
  MlirValue cursor = ir_operand(op, IR_IN(inter, dropout, cursor));
  if (!mlirValueIsNull(cursor) && !strcmp(ir_type_of(cursor).detail, "nonzero")) {
    emit_entry(b, op);
    return;
  }
  int64_t elements = ir_type_elements(ir_type_of(ir_result(op)));
  double p = ir_get_float(op, "p", 0);
  const char *row = number_of_row(b, op), *keep = c_names_add(&b->names, "keep");
  c_place_declare_array(b, keep, (elements + 3) / 4 * 4, false);
  c_writer_line(b->w, "keep_row(%s, %lluu, %s, %lld, %uu, %s, %s);", c_parameter_step(b),
                (unsigned long long)ir_get_integer(op, "site", 0), row, (long long)elements, c_dropout_limit(p),
                c_scalar_literal(b, 1 / (1 - p)), keep);
  c_elementwise_emit_with(b, op, ir_type_of(ir_result(op)).rank ? keep : arena_printf(a, "%s[0]", keep));
}
