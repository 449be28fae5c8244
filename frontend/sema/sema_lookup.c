/* Integers: rows of tables, and conversion to f32.
 *
 *   E[n.z]                     lookup(E, z)                           E f32[N, F], z node i32: node f32[F]
 *   W[min(n.in_degree, 4)]     lookup(W, degree, low = 0, high = 4)
 *
 * Integers are inputs and elements of inputs. They are no numbers: each place that computes with a
 * tensor refuses them (sema_as_tensor), so that an index is never added to a feature by mistake.
 * The range of an integer input is checked when the model runs. A degree has no range of its own,
 * so an index that is a degree needs an upper bound, which is checked here. */
#include "frontend/sema/sema_state.h"

#include <string.h>

bool sema_is_integer(const sema *s, sema_value v) {
  return v.kind == SEMA_tensor && sema_type(s, v.id).is_integer;
}

sema_value sema_convert(sema *s, sema_value v, span where) {
  if (!sema_is_integer(s, v)) return v;
  flat_type type = sema_type(s, v.id);
  type.is_integer = false;
  return sema_from_id(s, sema_add(s, FLAT_convert, type, where, &v.id, 1));
}

/* ---- which subscripts are lookups ---- */

/* Whether a subscript reads a value: a field, a tensor by its name, or a function of one. */
static bool reads_value(sema *s, const ast_expr *e) {
  const sema_binding *binding = NULL;
  switch (e->kind) {
  case AST_EXPR_field: return true;
  case AST_EXPR_name:
    binding = sema_find_name(s->scope, e->name.text);
    return binding && (binding->value.kind == SEMA_by_type || binding->value.kind == SEMA_tensor);
  case AST_EXPR_index: return reads_value(s, e->index.base);
  case AST_EXPR_unary: return reads_value(s, e->unary.operand);
  case AST_EXPR_binary: return reads_value(s, e->binary.left) || reads_value(s, e->binary.right);
  case AST_EXPR_call:
    for (size_t i = 0; i < e->call.arguments.count; i++)
      if (reads_value(s, e->call.arguments.items[i].value)) return true;
    return false;
  default: return false;
  }
}

bool sema_is_lookup(sema *s, const ast_expr *e) {
  for (size_t i = 0; i < e->index.subscripts.count; i++)
    if (reads_value(s, e->index.subscripts.items[i])) return true;
  return false;
}

/* ---- indices ---- */

/* An integer or a degree, but at least `low` and at most `high`; NULL: no such bound. */
typedef struct row_index {
  flat_id id;
  bool is_degree;
  dim low, high;
} row_index;

/* Whether a value counts edges: a degree, at the nodes themselves or where it was moved to. */
static bool is_degree(const sema *s, flat_id id) {
  for (; id != FLAT_NONE; id = sema_flat(s, id)->operands[1]) {
    flat_op op = sema_flat(s, id)->op;
    if (op == FLAT_degree || op == FLAT_group_size) return true;
    if (op != FLAT_gather && op != FLAT_part && op != FLAT_expand) return false;
  }
  return false;
}

static bool wrong_index(sema *s, const ast_expr *e, sema_value v) {
  if (v.kind == SEMA_poison) return false;
  if (v.kind == SEMA_by_type) {
    sema_error(s, e->span, DIAG_integer_value,
               "%s is a value per node type; a row is picked at the nodes of one type: for n in g.nodes.paper { n.h = "
               "E[n.z]; }",
               sema_quote(s, e));
    return false;
  }
  sema_error(s, e->span, DIAG_integer_value,
             "%s is %s; a row is picked by an integer input, by a degree, or by min, max or clamp of one of them and "
             "whole numbers: E[n.z], W[min(n.in_degree, 4)]",
             sema_quote(s, e), sema_describe(s, v));
  sema_note_operand(s, e);
  return false;
}

static bool eval_index(sema *s, const ast_expr *e, row_index *out);

/* The smaller (or the larger) of two bounds; NULL where a size whose value is not known yet would decide. Sizes are at
 * least 1, so that 0 is less than a single dimension. */
static dim nearer(sema *s, dim before, dim bound, bool is_least) {
  int64_t a = 0, b = 0;
  if (!before || before == bound) return bound;
  bool is_known = dim_value(s->dims, before, &a), is_bound_known = dim_value(s->dims, bound, &b);
  if (is_known && is_bound_known) return (a < b) == is_least ? before : bound;
  bool is_symbol = bound->count == 1 && bound->terms[0].degree == 1 && bound->terms[0].coefficient == 1;
  if (is_known && a == 0 && is_symbol) return is_least ? before : bound;
  return NULL;
}

/* Applies min (or max) with a bound. What lies behind the bound is the bound. False after an error. */
static bool bound_index(sema *s, const ast_expr *e, row_index *x, dim bound, bool is_min) {
  dim *own = is_min ? &x->high : &x->low, *other = is_min ? &x->low : &x->high;
  dim limit = nearer(s, *own, bound, is_min), rest = *other ? nearer(s, *other, bound, is_min) : NULL;
  if (!limit || (*other && !rest)) {
    sema_error(s, e->span, DIAG_unbound_dimension,
               "%s bounds an index that has another bound, and which of the two is nearer is not known here: give the "
               "dimension its value before, as in 'dim N = 5;'",
               sema_quote(s, e));
    return false;
  }
  *own = limit;
  if (*other) *other = rest;
  return true;
}

static const ast_expr *argument(const ast_expr *call, size_t i) {
  return call->call.arguments.items[i].value;
}

/* min(x, 4), max(1, x), clamp(x, 0, 4): x by which a row is picked, and whole numbers. */
static bool eval_bounded(sema *s, const ast_expr *e, row_index *out) {
  const char *name = e->call.callee.text;
  size_t count = e->call.arguments.count;
  bool is_clamp = !strcmp(name, "clamp");
  size_t x = !is_clamp && count == 2 && !reads_value(s, argument(e, 0)) ? 1 : 0;
  if (!eval_index(s, argument(e, x), out)) return false;
  for (size_t i = 0; i < count; i++) {
    if (i == x) continue;
    dim bound = sema_eval_dim(s, argument(e, i));
    if (!bound) return false;
    if (!bound_index(s, argument(e, i), out, bound, is_clamp ? i == 2 : !strcmp(name, "min"))) return false;
  }
  return true;
}

/* Whether the expression is a call of min, max or clamp itself, with all its arguments in order. */
static bool is_bounded(sema *s, const ast_expr *e) {
  if (e->kind != AST_EXPR_call || sema_find_name(s->scope, e->call.callee.text)) return false;
  const char *name = e->call.callee.text;
  size_t count = e->call.arguments.count, values = 0;
  for (size_t i = 0; i < count; i++) {
    if (e->call.arguments.items[i].name.text || e->call.arguments.items[i].is_inout) return false;
    values += reads_value(s, argument(e, i));
  }
  if (!strcmp(name, "clamp")) return count == 3 && values == 1 && reads_value(s, argument(e, 0));
  return sema_is_either(name, "min", "max") && count == 2 && values == 1;
}

static bool eval_index(sema *s, const ast_expr *e, row_index *out) {
  if (is_bounded(s, e)) return eval_bounded(s, e, out);
  sema_value v = sema_eval(s, e);
  *out = (row_index){.id = v.id};
  if (v.kind != SEMA_tensor) return wrong_index(s, e, v);
  out->is_degree = is_degree(s, v.id);
  if (out->is_degree) out->low = dim_constant(s->dims, 0);
  if (!out->is_degree && !sema_is_integer(s, v)) return wrong_index(s, e, v);
  flat_type type = sema_type(s, v.id);
  if (!type.rank) return true;
  sema_error(s, e->span, DIAG_shape_mismatch, "%s is %s, but a row is picked by one integer: %s[0]", sema_quote(s, e),
             sema_type_text(s, type), type.rank == 1 ? "write it with a subscript, as in n.z" : "z[0, 0], or z");
  return false;
}

/* ---- the row ---- */

/* Checks a bound that must be a row of the table itself. */
static bool require_row(sema *s, const ast_expr *e, dim bound, dim rows) {
  dim next = dim_add(s->dims, bound, dim_constant(s->dims, 1));
  return sema_require_bound(
      s, (sema_bound){.where = e->span, .first = bound, .last = next, .size = rows, .is_index = true});
}

/* Checks bounds of indices. Those of a degree must be rows; those of an integer need not be, as long
 * as some row is left: the run checks its values. */
static bool check_bounds(sema *s, const ast_expr *e, const row_index *x, dim rows) {
  int64_t low = 0, high = 0;
  if (x->is_degree && !x->high) {
    sema_error(s, e->span, DIAG_integer_value,
               "%s can be larger than the last row of any table; give it a bound: min(n.in_degree, 4)",
               sema_quote(s, e));
    return false;
  }
  bool is_row_low = x->low && (x->is_degree || !dim_value(s->dims, x->low, &low) || low >= 0);
  bool is_row_high = x->high && (x->is_degree || (dim_value(s->dims, x->high, &high) && high < 0));
  if (is_row_low && !require_row(s, e, x->low, rows)) return false;
  return !is_row_high || require_row(s, e, x->high, rows);
}

static bool check_table(sema *s, const ast_expr *e, sema_value base, flat_id *table) {
  if (!sema_as_tensor(s, base, e->index.base, table)) return false;
  flat_type type = sema_type(s, *table);
  if (type.domain == FLAT_DOMAIN_plain) return sema_check_rank(s, e->index.base, type, 1);
  sema_error(s, e->index.base->span, DIAG_domain_mismatch,
             "%s is %s, but rows are picked from a plain tensor, which is the same for the whole model",
             sema_quote(s, e->index.base), sema_type_text(s, type));
  sema_note_operand(s, e->index.base);
  return false;
}

sema_value sema_eval_lookup(sema *s, const ast_expr *e, sema_value base) {
  const ast_expr *index = ast_only_subscript(e);
  row_index x = {.id = FLAT_NONE};
  flat_id table = FLAT_NONE;
  if (base.kind == SEMA_poison) return base;
  if (!index) {
    sema_error(s, e->span, DIAG_integer_value,
               "a row is picked by one subscript; others follow in brackets: E[n.z][2]");
    return sema_poisoned();
  }
  if (!check_table(s, e, base, &table) || !eval_index(s, index, &x)) return sema_poisoned();
  flat_type from = sema_type(s, table), type = sema_type(s, x.id);
  if (!check_bounds(s, index, &x, from.dims[0])) return sema_poisoned();
  type.is_integer = false;
  type.rank = from.rank - 1;
  for (unsigned i = 0; i < type.rank; i++) type.dims[i] = from.dims[i + 1];
  flat_id id = sema_add(s, FLAT_lookup, type, e->span, (flat_id[]){table, x.id}, 2);
  if (x.low) sema_add_whole(s, id, "low", x.low);
  if (x.high) sema_add_whole(s, id, "high", x.high);
  return sema_from_id(s, id);
}
