/* The ranges of inner loops in C: edges at a node, stored entries of a sparse row, nodes of a graph
 * of a batch, edges of a pair.
 *
 *   inter.for_incoming(%g, %n)       p from g->in_ptr[n] to g->in_ptr[n + 1], an edge at position p
 *   inter.for_members(%g, %u)        m from u->member_ptr[...], an edge at position u->member[m] */
#include "codegen/c/operation/range.h"

#include "codegen/c/body/parameter.h"
#include "codegen/c/body/row.h"

/* Which loop over members an inner loop is like: that over incoming or outgoing edges, or over the
 * nodes of a graph. */
static ir_op way_of(MlirOperation op) {
  if (ir_op_kind(op) != IR_OP(inter, fold)) return ir_op_kind(op);
  if (ir_string_is(op, "over", "graph")) return IR_OP(inter, for_members);
  return ir_string_is(op, "over", "out") ? IR_OP(inter, for_outgoing) : IR_OP(inter, for_incoming);
}

/* The array of pointers that delimits the entries of a node, graph or pair, and the name of the
 * loop variable. */
static const char *find_pointers(c_body *b, MlirOperation op, const char **variable) {
  arena *a = b->model->arena;
  MlirValue of = ir_operand(op, 1);
  *variable = "p";
  if (way_of(op) == IR_OP(intra, nonzeros)) {
    *variable = "entry";
    return arena_printf(a, "%s->indptr", c_parameter_buffer(b, ir_operand(op, 0))->name);
  }
  if (way_of(op) == IR_OP(inter, for_members)) {
    *variable = "m";
    if (c_row_is_at(of, C_ROWS_graph)) return arena_printf(a, "%s->graph_ptr", c_parameter_set(b, -1));
    if (c_row_is_at(of, C_ROWS_piece)) return arena_printf(a, "%s->piece_ptr", c_parameter_set(b, -1));
    return arena_printf(a, "%s->member_ptr", c_parameter_set(b, c_body_find(b, of)->set));
  }
  int set = c_model_set(b->model, ir_type_of(ir_operand(op, 0)).set);
  bool outgoing = way_of(op) == IR_OP(inter, for_outgoing);
  if (outgoing || b->model->sets.items[set].end) *variable = "q";
  return arena_printf(a, "%s->%s", c_parameter_set(b, set), outgoing ? "out_ptr" : "in_ptr");
}

c_range c_range_describe(c_body *b, MlirOperation op) {
  arena *a = b->model->arena;
  const char *variable, *of = find_pointers(b, op, &variable), *row = c_body_find(b, ir_operand(op, 1))->text;
  bool is_piece = way_of(op) == IR_OP(inter, for_members) && c_row_is_at(ir_operand(op, 1), C_ROWS_piece);
  return (c_range){c_names_add(&b->names, variable), arena_printf(a, "%s[%s]", of, row),
                   arena_printf(a, "%s[%s + 1]", of, row), is_piece};
}

static void define_member(c_body *b, MlirOperation op, const c_range *range) {
  arena *a = b->model->arena;
  MlirValue of = ir_operand(op, IR_IN(inter, for_members, of)), cursor = mlirBlockGetArgument(ir_region_block(op), 0);
  const c_value *pair = c_body_find(b, of);
  int pair_set = pair->set;
  const char *src = pair->src, *dst = pair->dst;
  c_value *at = c_body_define(b, cursor, C_FORM_cursor, NULL);
  at->set = c_model_set(b->model, ir_type_of(cursor).set);
  if (c_row_is_at(of, C_ROWS_graph)) {
    at->text = arena_printf(a, "%s->graph_order[%s]", c_parameter_set(b, -1), range->variable);
    return;
  }
  if (c_row_is_at(of, C_ROWS_piece)) {
    const bool is_ordered = b->model->has_cells;
    at->text =
        is_ordered ? arena_printf(a, "%s->piece_order[%s]", c_parameter_set(b, -1), range->variable) : range->variable;
    return;
  }
  at->text = arena_printf(a, "%s->member[%s]", c_parameter_set(b, pair_set), range->variable);
  at->src = src; /* all edges of a pair have this end */
  at->dst = dst;
}

void c_range_define_cursor(c_body *b, MlirOperation op, const c_range *range) {
  arena *a = b->model->arena;
  ir_op kind = way_of(op);
  if (kind == IR_OP(inter, for_members)) {
    define_member(b, op, range);
    return;
  }
  MlirValue cursor = mlirBlockGetArgument(ir_region_block(op), 0);
  const char *node = c_body_find(b, ir_operand(op, 1))->text;
  c_value *at = c_body_define(b, cursor, C_FORM_cursor, range->variable);
  if (kind == IR_OP(intra, nonzeros)) {
    at->src = arena_printf(a, "%s->indices[%s]", c_parameter_buffer(b, ir_operand(op, 0))->name, range->variable);
    return;
  }
  at->set = c_model_set(b->model, ir_type_of(ir_operand(op, 0)).set);
  bool incoming = kind != IR_OP(inter, for_outgoing), is_unique = b->model->sets.items[at->set].end != NULL;
  *(incoming ? &at->dst : &at->src) = node;
  if (incoming && !is_unique) return;
  const char *graph = c_parameter_set(b, at->set);
  at->text = arena_printf(a, "%s->%s_position[%s]", graph, incoming ? "in" : "out", range->variable);
  if (!incoming && !is_unique) at->dst = arena_printf(a, "%s->out_dst[%s]", graph, range->variable);
}
