/* Pairs, kinds, parts and types at cursors.
 *
 *   %u = inter.group(%e) end = "src"            g_unique_src->row[p]
 *   %w = intra.load(%W, %u)                     W + g_unique_src->type[g_unique_src->row[p]] * 4096
 *   %h = intra.unite(%x_paper, %n, %rest)       g->node_type[n] == 2 ? x_paper + g->place[n] * 128 : rest */
#include "codegen/c/body.h"

#include <string.h>

/* ---- rows per type ---- */

static const struct {
  c_rows rows;
  const char *cursor; /* the cursor that counts these rows */
  const char
      *of_edge; /* arrays by edge, node, kind at sources, kind at destinations; NULL where there is no such row */
  const char *of_node;
  const char *of_src_kind, *of_dst_kind;
} typed_rows[] = {
    {C_ROWS_etype, "etype", "type", NULL, "src_kind_etype", "dst_kind_etype"},
    {C_ROWS_ntype, "ntype", NULL, "node_type", "src_kind_ntype", "dst_kind_ntype"},
    {C_ROWS_etype_src, "etype_src", "kind_src", NULL, NULL, NULL},
    {C_ROWS_etype_dst, "etype_dst", "kind_dst", NULL, NULL, NULL},
    {C_ROWS_graph, "graph", NULL, "batch", NULL, NULL},
};

/* A row of nodes of one type as the node's number in the graph. */
static const char *whole_number(c_body *b, const c_value *at) {
  if (at->set < 0 || b->model->sets.items[at->set].part < 0) return at->text;
  return arena_printf(b->model->arena, "%s->part[%s]", c_access_set(b, at->set), at->text);
}

const char *c_typed_row(c_body *b, c_rows rows, MlirValue cursor) {
  arena *a = b->model->arena;
  const char *kind = ir_type_of(cursor).detail;
  const c_value *at = c_body_find(b, cursor);
  for (size_t i = 0; i < sizeof typed_rows / sizeof typed_rows[0]; i++) {
    if (typed_rows[i].rows != rows) continue;
    if (!strcmp(kind, typed_rows[i].cursor)) return at->text;
    const char *array = NULL;
    if (!strcmp(kind, "edge")) array = typed_rows[i].of_edge;
    if (!strcmp(kind, "etype_src")) array = typed_rows[i].of_src_kind;
    if (!strcmp(kind, "etype_dst")) array = typed_rows[i].of_dst_kind;
    if (array) return arena_printf(a, "%s->%s[%s]", c_access_set(b, at->set), array, at->text);
    if (strcmp(kind, "node") != 0 || !typed_rows[i].of_node) break;
    return arena_printf(a, "%s->%s[%s]", c_access_set(b, -1), typed_rows[i].of_node, whole_number(b, at));
  }
  c_body_fail(b, b->kernel, DIAG_internal, "a value per type is read at a cursor of '%s', which has no such type",
              kind);
  return "0";
}

/* ---- pairs ---- */

void c_typed_group(c_body *b, MlirOperation op) {
  const c_value *edge = c_body_find(b, ir_operand(op, IR_IN(inter, group, edge)));
  bool at_src = !strcmp(ir_get_string(op, "end", "src"), "src");
  const char *position = edge->text, *node = at_src ? edge->src : edge->dst;
  int set = c_model_set(b->model, ir_type_of(ir_result(op)).set);
  c_value *pair = c_body_define(b, ir_result(op), C_FORM_cursor, NULL);
  pair->set = set;
  pair->text = arena_printf(b->model->arena, "%s->row[%s]", c_access_set(b, set), position);
  *(at_src ? &pair->src : &pair->dst) = node;
}

void c_typed_group_size(c_body *b, MlirOperation op) {
  const c_value *pair = c_body_find(b, ir_operand(op, IR_IN(inter, group_size, pair)));
  const char *graph = c_access_set(b, pair->set), *row = pair->text;
  c_access_define_scalar(
      b, op,
      arena_printf(b->model->arena, "(real)(%s->member_ptr[%s + 1] - %s->member_ptr[%s])", graph, row, graph, row),
      false);
}

/* ---- nodes of one type ---- */

void c_typed_whole_row(c_body *b, MlirOperation op) {
  const char *number = whole_number(b, c_body_find(b, ir_operand(op, IR_IN(inter, whole_row, row))));
  c_body_define(b, ir_result(op), C_FORM_cursor, number)->set = c_model_set(b->model, ir_type_of(ir_result(op)).set);
}

/* The value in a place of its own: for parts that are float where the rest is double, or whose rows are written here. */
static void unite_by_copy(c_body *b, MlirOperation op, const char *condition, const char *row, MlirValue rest) {
  MlirValue value = ir_result(op);
  ir_type type = ir_type_of(value);
  if (!ir_value_is_null(rest)) c_body_memory(b, rest);
  const c_target target = c_body_place(b, value, "united", C_USE_reduced);
  size_t mark = b->names.count;
  const char *j = c_names_add(&b->names, "j");
  const char *loop = arena_printf(b->model->arena, "for (int64_t %s = 0; %s < %lld; %s++) %s[%s]", j, j,
                                  (long long)ir_type_elements(type), j, target.base, j);
  c_writer_line(b->w, "if (%s)", condition);
  c_writer_line(b->w, "  %s = %s[%s];", loop, row, j);
  c_writer_line(b->w, "else");
  if (ir_value_is_null(rest))
    c_writer_line(b->w, "  %s = 0;", loop);
  else
    c_writer_line(b->w, "  %s = %s[%s];", loop, c_body_find(b, rest)->text, j);
  c_names_leave(&b->names, mark);
  c_body_define_target(b, value, target);
}

/* What a node without that type has: memory of the rest, or zeros. */
static const char *rest_memory(c_body *b, MlirValue rest, int64_t elements) {
  if (!ir_value_is_null(rest)) return c_body_memory(b, rest);
  const char *zeros = c_names_add(&b->names, "zeros");
  c_writer_line(b->w, "const real %s[%lld] = {0};", zeros, (long long)elements);
  return zeros;
}

void c_typed_unite(c_body *b, MlirOperation op) {
  arena *a = b->model->arena;
  c_parameter *p = c_access_buffer(b, ir_operand(op, IR_IN(intra, unite, rows)));
  MlirValue rest = ir_operand(op, IR_IN(intra, unite, rest)), value = ir_result(op);
  const char *node = c_body_find(b, ir_operand(op, IR_IN(intra, unite, node)))->text, *graph = c_access_set(b, -1);
  long long part = (long long)b->model->sets.items[p->buffer->set].part, elements = (long long)p->buffer->elements;
  const char *condition = arena_printf(a, "%s->node_type[%s] == %lld", graph, node, part);
  if (!ir_type_of(value).rank) {
    const char *other = ir_value_is_null(rest) ? "0" : c_body_find(b, rest)->text;
    const char *widen = c_body_widen(b, c_buffer_is_user(p->buffer));
    c_access_define_scalar(
        b, op, arena_printf(a, "(%s ? %s%s[%s->place[%s]] : %s)", condition, widen, p->name, graph, node, other),
        false);
    return;
  }
  const char *row = arena_printf(a, "(%s + (int64_t)%s->place[%s] * %lld)", p->name, graph, node, elements);
  bool is_float = c_buffer_is_user(p->buffer), is_wide = b->model->options->is_f64;
  bool rest_is_float = !ir_value_is_null(rest) && c_body_find(b, rest)->is_float;
  if (p->is_written || c_access_is_shared(b, p->buffer) || (is_wide && is_float != rest_is_float)) {
    unite_by_copy(b, op, condition, row, rest);
    return;
  }
  const char *other = rest_memory(b, rest, p->buffer->elements);
  const char *name = c_body_name(b, value, "united");
  c_writer_line(b->w, "const %s *%s = %s ? %s : %s;", c_buffer_type(p->buffer), name, condition, row, other);
  c_body_define(b, value, C_FORM_memory, name)->is_float = is_float;
}
