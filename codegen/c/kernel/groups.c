/* Kernels over groups of members: the edges into or out of each node, the nodes of each graph of a
 * batch.
 *
 *   intra.order(g, key, to) over = "in"      for each node n: order_sort(&keys, g->in_ptr[n], g->in_ptr[n + 1], to)
 *   intra.first(g, x, to, order)             the rows of the first places of the group, then zeros
 *   intra.place_first(g, d, to, order)       the same rows back at their members, and zeros at the others
 *   intra.quantile(g, x, to)                 for 32 columns at a time: a search by bits over the rows of the group
 *
 * A group is a range of places; `group` says where the row of a place is. */
#include "codegen/c/kernel/groups.h"

#include "codegen/c/body/parameter.h"
#include "codegen/c/body/row.h"
#include "codegen/c/body/scalar.h"

#include <string.h>

/* What the functions below share: the names of variables, and the text around them. */
typedef struct group {
  const char *over;        /* in, out or graph */
  const char *set;         /* the parameter with the arrays */
  const char *n;           /* the group */
  const char *first, *end; /* its places */
} group;

static bool is_over(const group *g, const char *over) {
  return !strcmp(g->over, over);
}

void c_groups_describe(c_body *b) {
  c_kernel *kernel = b->kernel;
  bool is_graph = ir_string_is(kernel->op, "over", "graph");
  const char *set = ir_type_of(mlirOperationGetOperand(kernel->op, 0)).set;
  kernel->rows = is_graph ? C_ROWS_graph : C_ROWS_node;
  kernel->set = c_model_set(b->model, ir_node_set(mlirOperationGetContext(kernel->op), set));
}

/* Opens the loop over groups, with the range of places of each. */
static group open_groups(c_body *b) {
  MlirOperation op = b->kernel->op;
  group g = {.over = ir_get_string(op, "over", "in"), .n = c_names_add(&b->names, "n")};
  g.first = c_names_add(&b->names, "first");
  g.end = c_names_add(&b->names, "last");
  g.set = c_parameter_set(b, c_model_set(b->model, ir_type_of(mlirOperationGetOperand(op, 0)).set));
  const char *pointers = is_over(&g, "graph") ? "graph_ptr" : is_over(&g, "in") ? "in_ptr" : "out_ptr";
  c_writer_open_loop(b->w, g.n, "begin", "end");
  c_writer_line(b->w, "const int64_t %s = %s->%s[%s], %s = %s->%s[%s + 1];", g.first, g.set, pointers, g.n, g.end,
                g.set, pointers, g.n);
  return g;
}

/* The row of a buffer that belongs to the member at a place. */
static const char *row_at(c_body *b, const group *g, const c_buffer *buffer, const char *place) {
  arena *a = b->model->arena;
  if (is_over(g, "graph")) return arena_printf(a, "%s->graph_order[%s]", g->set, place);
  bool is_in = is_over(g, "in");
  if (buffer->rows == C_ROWS_node) return arena_printf(a, "%s->%s[%s]", g->set, is_in ? "src" : "out_dst", place);
  return c_row_of_edge(b, buffer, is_in ? place : arena_printf(a, "%s->out_position[%s]", g->set, place));
}

/* "x + (int64_t)row * 16 + j" */
static const char *element_of(c_body *b, const c_parameter *p, const char *row, int64_t elements, const char *j) {
  return arena_printf(b->model->arena, "%s[(int64_t)%s * %lld + %s]", p->name, row, (long long)elements, j);
}

void c_groups_emit_order(c_body *b) {
  MlirOperation op = b->kernel->op;
  const c_parameter *key = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, order, key)));
  const c_parameter *to = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, order, to)));
  const char *keys = c_names_add(&b->names, "keys");
  bool is_user = c_buffer_is_user(key->buffer);
  const char *over = ir_get_string(op, "over", "in");
  int set = c_model_set(b->model, ir_type_of(mlirOperationGetOperand(op, 0)).set);
  const char *graph = c_parameter_set(b, set);
  const char *rows = !strcmp(over, "graph") ? "graph_order" : !strcmp(over, "out") ? "out_position" : NULL;
  c_writer_line(b->w, "order_keys %s = {0};", keys);
  c_writer_line(b->w, "%s.%s = %s;", keys, is_user ? "given" : "made", key->name);
  if (rows) c_writer_line(b->w, "%s.rows = %s->%s;", keys, graph, rows);
  if (is_user && strcmp(over, "graph") != 0 && b->model->sets.items[set].has_csc)
    c_writer_line(b->w, "%s.numbers = %s->number;", keys, graph);
  group g = open_groups(b);
  c_writer_line(b->w, "order_sort(&%s, %s, %s, %s);", keys, g.first, g.end, to->name);
  c_writer_close(b->w);
}

/* Copies a row, of floats or of `real`. */
static void emit_copy(c_body *b, const char *j, int64_t elements, const char *to, const char *from) {
  c_writer_line(b->w, "%s %s = %s;", c_body_each(b, j, elements), to, from);
}

void c_groups_emit_first(c_body *b) {
  arena *a = b->model->arena;
  MlirOperation op = b->kernel->op;
  const c_parameter *value = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, first, value)));
  const c_parameter *to = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, first, to)));
  MlirValue order = ir_operand(op, IR_IN(intra, first, order));
  int64_t count = ir_get_integer(op, "count", 1), elements = value->buffer->elements;
  group g = open_groups(b);
  const char *i = c_names_add(&b->names, "i"), *j = c_names_add(&b->names, "j"),
             *place = c_names_add(&b->names, "place");
  const char *row = arena_printf(a, "(%s * %lld + %s)", g.n, (long long)count, i);
  const char *target = element_of(b, to, row, elements, j), *narrow = c_body_narrow(b, c_buffer_is_user(to->buffer));
  c_writer_open_count(b->w, i, count);
  c_writer_open(b->w, "if (%s + %s >= %s)", g.first, i, g.end);
  emit_copy(b, j, elements, target, "0");
  c_writer_line(b->w, "continue;");
  c_writer_close(b->w);
  const char *at = arena_printf(a, "%s + %s", g.first, i);
  if (!ir_value_is_null(order)) at = arena_printf(a, "order_get(%s, %s)", c_parameter_buffer(b, order)->name, at);
  c_writer_line(b->w, "const int64_t %s = %s;", place, at);
  const char *from = element_of(b, value, row_at(b, &g, value->buffer, place), elements, j);
  emit_copy(b, j, elements, target, arena_printf(a, "%s%s", narrow, from));
  c_writer_close(b->w);
  c_writer_close(b->w);
}

void c_groups_emit_place(c_body *b) {
  arena *a = b->model->arena;
  MlirOperation op = b->kernel->op;
  const c_parameter *value = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, place_first, value)));
  const c_parameter *to = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, place_first, to)));
  MlirValue order = ir_operand(op, IR_IN(intra, place_first, order));
  int64_t elements = to->buffer->elements, count = value->buffer->elements / elements;
  group g = open_groups(b);
  const char *i = c_names_add(&b->names, "i"), *j = c_names_add(&b->names, "j"),
             *place = c_names_add(&b->names, "place");
  const char *narrow = c_body_narrow(b, c_buffer_is_user(to->buffer)), *at = arena_printf(a, "%s + %s", g.first, i);
  if (!ir_value_is_null(order)) at = arena_printf(a, "order_get(%s, %s)", c_parameter_buffer(b, order)->name, at);
  c_writer_open_loop(b->w, i, "0", arena_printf(a, "%s - %s", g.end, g.first));
  c_writer_line(b->w, "const int64_t %s = %s;", place, at);
  const char *target = element_of(b, to, row_at(b, &g, to->buffer, place), elements, j);
  c_writer_open(b->w, "if (%s >= %lld)", i, (long long)count);
  emit_copy(b, j, elements, target, "0");
  c_writer_line(b->w, "continue;");
  c_writer_close(b->w);
  const char *from = element_of(b, value, arena_printf(a, "(%s * %lld + %s)", g.n, (long long)count, i), elements, j);
  emit_copy(b, j, elements, target, arena_printf(a, "%s%s", narrow, from));
  c_writer_close(b->w);
  c_writer_close(b->w);
}

/* A round over the rows of the group: the columns of each go to a function of the selection. */
static void emit_round(c_body *b, const group *g, const c_parameter *value, const char *function, const char *select,
                       const char *columns, const char *j) {
  arena *a = b->model->arena;
  size_t mark = b->names.count;
  const char *place = c_names_add(&b->names, "place"), *row = c_names_add(&b->names, "row"),
             *k = c_names_add(&b->names, "k");
  c_writer_open_loop(b->w, place, g->first, g->end);
  c_writer_line(b->w, "real %s[selection_columns];", row);
  const char *from = element_of(b, value, row_at(b, g, value->buffer, place), value->buffer->elements,
                                arena_printf(a, "%s + %s", j, k));
  c_writer_line(b->w, "%s %s[%s] = %s;", c_body_each_of(b, k, "0", columns), row, k, from);
  c_writer_line(b->w, "%s(&%s, %s, %s);", function, select, columns, row);
  c_writer_close(b->w);
  c_names_leave(&b->names, mark);
}

void c_groups_emit_quantile(c_body *b) {
  arena *a = b->model->arena;
  MlirOperation op = b->kernel->op;
  const c_parameter *value = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, quantile, value)));
  const c_parameter *to = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, quantile, to)));
  bool is_linear = ir_string_is(op, "interpolation", "linear");
  int64_t elements = value->buffer->elements;
  group g = open_groups(b);
  const char *rank = c_names_add(&b->names, "rank"), *j = c_names_add(&b->names, "j"), *k = c_names_add(&b->names, "k");
  const char *columns = c_names_add(&b->names, "columns"), *select = c_names_add(&b->names, "select");
  const char *narrow = c_body_narrow(b, c_buffer_is_user(to->buffer));
  c_writer_open(b->w, "if (%s == %s)", g.first, g.end);
  emit_copy(b, j, elements, element_of(b, to, g.n, elements, j), "0");
  c_writer_line(b->w, "continue;");
  c_writer_close(b->w);
  c_writer_line(b->w, "const real %s = %s * (real)(%s - %s - 1);", rank,
                c_scalar_literal(b, ir_get_float(op, "q", 0.5)), g.end, g.first);
  c_writer_open(b->w, "for (int64_t %s = 0; %s < %lld; %s += selection_columns)", j, j, (long long)elements, j);
  c_writer_line(b->w, "const int64_t %s = %lld - %s < selection_columns ? %lld - %s : selection_columns;", columns,
                (long long)elements, j, (long long)elements, j);
  c_writer_line(b->w, "selection %s;", select);
  c_writer_line(b->w, "selection_begin(&%s, (int64_t)%s);", select, rank);
  c_writer_open(b->w, "while (%s.bit)", select);
  emit_round(b, &g, value, "selection_count", select, columns, j);
  c_writer_line(b->w, "selection_narrow(&%s, %s);", select, columns);
  c_writer_close(b->w);
  if (is_linear) emit_round(b, &g, value, "selection_next", select, columns, j);
  const char *number = arena_printf(a, "key_number(%s.found[%s])", select, k);
  if (is_linear) number = arena_printf(a, "selection_between(&%s, %s, %s - (real)%s.rank)", select, k, rank, select);
  c_writer_line(b->w, "%s %s = %s%s;", c_body_each_of(b, k, "0", columns),
                element_of(b, to, g.n, elements, arena_printf(a, "%s + %s", j, k)), narrow, number);
  c_writer_close(b->w);
  c_writer_close(b->w);
}
