/* Expands calls of builtin functions. Each handler of functions.def has one function, which gets
 * arguments that are evaluated and of the right kind. */
#include "frontend/sema/sema_builtin.h"
#include "frontend/sema/sema_kinds.h"
#include "frontend/sema/sema_view.h"
#include "support/edge_mode.h"

#include <string.h>

typedef flat_id (*maker)(sema *s, const sema_call *c);
typedef sema_value (*value_maker)(sema *s, const sema_call *c);

static flat_type type_of(sema *s, const sema_call *c, size_t i) {
  return sema_type(s, c->ids[i]);
}

/* Appends an operation whose operands are the value arguments, in order. */
static flat_id add(sema *s, const sema_call *c, flat_op op, flat_type type, size_t operands) {
  return sema_add(s, op, type, c->e->span, c->ids, operands);
}

/* Returns the index of a parameter, or 0 where the function has no parameter of that name. */
static size_t find_parameter(const sema_call *c, const char *name) {
  for (size_t i = 1; c->f->parameters[i].name; i++)
    if (!strcmp(c->f->parameters[i].name, name)) return i;
  return 0;
}

/* Checks low <= high in functions that have both parameters; NaN fails the check. */
static bool check_range(sema *s, const sema_call *c) {
  size_t low = find_parameter(c, "low"), high = find_parameter(c, "high");
  if (!low || !high || c->numbers[low] <= c->numbers[high]) return true;
  const ast_expr *at = c->exprs[high] ? c->exprs[high] : c->exprs[low];
  sema_error(s, at->span, DIAG_number_range, "'high' of '%s' is %g, expected at least 'low', which is %g", c->f->name,
             c->numbers[high], c->numbers[low]);
  return false;
}

static flat_id make_unary(sema *s, const sema_call *c) {
  if (!check_range(s, c)) return FLAT_NONE;
  flat_id id = sema_activation(s, c->f->op, c->ids[0], c->e->span);
  for (size_t i = 1; c->f->parameters[i].name; i++) sema_add_number(s, id, c->f->parameters[i].name, c->numbers[i]);
  return id;
}

static flat_id make_binary(sema *s, const sema_call *c) {
  flat_type type = {0};
  if (!sema_type_binary(s, c->e, c->exprs[0], c->exprs[1], type_of(s, c, 0), type_of(s, c, 1), &type)) return FLAT_NONE;
  flat_id id = add(s, c, FLAT_binary, type, 2);
  sema_add_string(s, id, "function", c->f->op);
  return id;
}

/* select(x > 0, x, a * x) */
static flat_id make_prelu(sema *s, const sema_call *c) {
  flat_type scaled = {0};
  const ast_expr *x = c->exprs[0];
  if (!sema_type_binary(s, c->e, x, c->exprs[1], type_of(s, c, 0), type_of(s, c, 1), &scaled)) return FLAT_NONE;
  flat_id zero = sema_add(s, FLAT_constant, (flat_type){0}, c->e->span, NULL, 0);
  sema_add_number(s, zero, "value", 0);
  flat_id positive = sema_add(s, FLAT_compare, type_of(s, c, 0), c->e->span, (flat_id[]){c->ids[0], zero}, 2);
  sema_add_string(s, positive, "predicate", "gt");
  flat_id product = sema_add(s, FLAT_multiply, scaled, c->e->span, (flat_id[]){c->ids[0], c->ids[1]}, 2);
  return sema_add(s, FLAT_select, scaled, c->e->span, (flat_id[]){positive, c->ids[0], product}, 3);
}

static flat_id make_identity(sema *s, const sema_call *c) {
  (void)s;
  return c->ids[0];
}

static flat_id make_softmax(sema *s, const sema_call *c) {
  unsigned axis = 0;
  flat_type type = type_of(s, c, 0);
  if (!sema_check_rank(s, c->exprs[0], type, 1) || !sema_read_axis(s, c, 1, type, &axis)) return FLAT_NONE;
  flat_id x = sema_axis_to_last(s, c->ids[0], axis, c->e->span);
  flat_id id = sema_add(s, FLAT_softmax, sema_type(s, x), c->e->span, &x, 1);
  if (*c->f->op) sema_add_flag(s, id, "log");
  return sema_axis_from_last(s, id, axis, c->e->span);
}

static flat_id make_argmax(sema *s, const sema_call *c) {
  flat_type type = type_of(s, c, 0);
  if (!sema_check_rank(s, c->exprs[0], type, 1)) return FLAT_NONE;
  type.rank--;
  return add(s, c, FLAT_argmax, type, 1);
}

/* Reduces two arguments element by element, one argument over a dimension. */
static flat_id make_reduce(sema *s, const sema_call *c) {
  flat_type type = type_of(s, c, 0);
  size_t at = find_parameter(c, "axis");
  if (c->ids[1] != FLAT_NONE && c->exprs[at]) {
    sema_error(s, c->exprs[at]->span, DIAG_arity, "'%s' of two values has no 'axis'", c->f->name);
    return FLAT_NONE;
  }
  if (c->ids[1] != FLAT_NONE) {
    if (!sema_type_binary(s, c->e, c->exprs[0], c->exprs[1], type, type_of(s, c, 1), &type)) return FLAT_NONE;
    return add(s, c, strcmp(c->f->op, "max") == 0 ? FLAT_maximum : FLAT_minimum, type, 2);
  }
  unsigned axis = 0;
  if (!sema_check_rank(s, c->exprs[0], type, 1) || !sema_read_axis(s, c, at, type, &axis)) return FLAT_NONE;
  flat_id x = sema_axis_to_last(s, c->ids[0], axis, c->e->span);
  type = sema_type(s, x);
  type.rank--;
  flat_id id = sema_add(s, FLAT_reduce, type, c->e->span, &x, 1);
  sema_add_string(s, id, "function", c->f->op);
  return id;
}

static flat_id make_select(sema *s, const sema_call *c) {
  flat_type both = {0};
  if (!sema_type_binary(s, c->e, c->exprs[1], c->exprs[2], type_of(s, c, 1), type_of(s, c, 2), &both)) return FLAT_NONE;
  flat_type result = {0};
  if (!sema_type_binary(s, c->e, c->exprs[0], c->exprs[1], type_of(s, c, 0), both, &result)) return FLAT_NONE;
  return add(s, c, FLAT_select, result, 3);
}

static flat_id make_inner(sema *s, const sema_call *c) {
  flat_type type = {0};
  if (!sema_type_inner(s, c->e, c->exprs[0], c->exprs[1], type_of(s, c, 0), type_of(s, c, 1), &type)) return FLAT_NONE;
  return add(s, c, FLAT_vector_inner, type, 2);
}

/* Makes x @ W + b with b along the last dimension; '+' would align b with the first. Without b it is
 * x @ W. */
static flat_id make_linear_map(sema *s, const sema_call *c) {
  flat_type product = {0}, bias = type_of(s, c, 2);
  if (!sema_type_linear(s, c->e, c->exprs[0], c->exprs[1], type_of(s, c, 0), type_of(s, c, 1), &product))
    return FLAT_NONE;
  if (c->ids[2] == FLAT_NONE) return add(s, c, FLAT_linear, product, 2);
  flat_type result = product;
  dim columns = product.dims[product.rank - 1];
  if (!sema_join_domain(s, c->e, product, bias, &result)) return FLAT_NONE;
  if (bias.rank != 1 || !sema_unify(s, columns, bias.dims[0], c->e->span, "a bias has a number per column")) {
    sema_error(s, c->exprs[2]->span, DIAG_shape_mismatch, "the product has %s columns, but bias %s is %s",
               sema_dim_text(s, columns), sema_quote(s, c->exprs[2]), sema_type_text(s, bias));
    sema_note_operand(s, c->exprs[2]);
    return FLAT_NONE;
  }
  if (product.rank > 1) return add(s, c, FLAT_linear, result, 3);
  flat_id y = add(s, c, FLAT_linear, product, 2);
  return sema_add(s, FLAT_vector_add, result, c->e->span, (flat_id[]){y, c->ids[2]}, 2);
}

static flat_id make_outer(sema *s, const sema_call *c) {
  flat_type type = {.rank = 2};
  for (unsigned i = 0; i < 2; i++) {
    flat_type t = type_of(s, c, i);
    if (t.rank != 1) {
      sema_error(s, c->exprs[i]->span, DIAG_shape_mismatch, "'outer' takes two vectors, but %s is %s",
                 sema_quote(s, c->exprs[i]), sema_type_text(s, t));
      return FLAT_NONE;
    }
    type.dims[i] = t.dims[0];
  }
  if (!sema_join_domain(s, c->e, type_of(s, c, 0), type_of(s, c, 1), &type)) return FLAT_NONE;
  return add(s, c, FLAT_outer, type, 2);
}

static flat_id make_reshape(sema *s, const sema_call *c) {
  flat_type type = {0};
  if (!sema_read_shape(s, c->exprs[1], &type)) return FLAT_NONE;
  if (!sema_type_reshape(s, c->e, c->exprs[0], type_of(s, c, 0), &type)) return FLAT_NONE;
  return sema_reshape(s, c->ids[0], type, c->e->span);
}

static flat_id make_transpose(sema *s, const sema_call *c) {
  flat_type type = type_of(s, c, 0);
  if (!sema_check_rank(s, c->exprs[0], type, 2)) return FLAT_NONE;
  dim last = type.dims[type.rank - 1];
  type.dims[type.rank - 1] = type.dims[type.rank - 2];
  type.dims[type.rank - 2] = last;
  return add(s, c, FLAT_transpose, type, 1);
}

static flat_id make_row_normalize(sema *s, const sema_call *c) {
  if (!sema_check_rank(s, c->exprs[0], type_of(s, c, 0), 1)) return FLAT_NONE;
  return add(s, c, FLAT_row_normalize, type_of(s, c, 0), 1);
}

static flat_id make_normalize(sema *s, const sema_call *c) {
  flat_type x = type_of(s, c, 0);
  if (!sema_check_rank(s, c->exprs[0], x, 1)) return FLAT_NONE;
  dim columns = x.dims[x.rank - 1];
  for (size_t i = 1; i < 5; i++) {
    flat_type t = type_of(s, c, i);
    const char *name = c->f->parameters[i].name;
    if (t.domain == FLAT_DOMAIN_plain && t.rank == 1 &&
        sema_unify(s, columns, t.dims[0], c->e->span, "'normalize' has a coefficient per column"))
      continue;
    sema_error(s, c->exprs[i]->span, DIAG_shape_mismatch,
               "'%s' of 'normalize' is %s, but x has %s columns, so f32[%s] is needed", name, sema_type_text(s, t),
               sema_dim_text(s, columns), sema_dim_text(s, columns));
    sema_note_operand(s, c->exprs[0]);
    sema_note_operand(s, c->exprs[i]);
    if (t.rank == 1) sema_note_sizes(s, columns, t.dims[0]);
    return FLAT_NONE;
  }
  flat_id id = add(s, c, FLAT_batch_norm, x, 5);
  sema_add_number(s, id, "epsilon", c->numbers[5]);
  return id;
}

/* ---- the graph as a whole ---- */

bool sema_is_outside_loops(sema *s, const sema_call *c) {
  if (!s->scope->loop) return true;
  sema_error(s, c->e->span, DIAG_misplaced, "'%s' works on the whole graph, so it stands outside of the loop over '%s'",
             c->f->name, s->scope->loop->variable);
  return false;
}

static flat_id make_pool(sema *s, const sema_call *c) {
  flat_type type = type_of(s, c, 1);
  if (!sema_is_outside_loops(s, c)) return FLAT_NONE;
  if (type.domain != FLAT_DOMAIN_node) {
    sema_error(s, c->exprs[1]->span, DIAG_domain_mismatch, "%s is %s, but '%s' pools a value per node",
               sema_quote(s, c->exprs[1]), sema_type_text(s, type), c->f->name);
    sema_note_operand(s, c->exprs[1]);
    return FLAT_NONE;
  }
  if (sema_is_part(type.set)) {
    sema_error(s, c->exprs[1]->span, DIAG_domain_mismatch,
               "%s is %s, but '%s' pools all nodes: assign it to a field in a loop over those nodes",
               sema_quote(s, c->exprs[1]), sema_rows_text(s, type), c->f->name);
    return FLAT_NONE;
  }
  type.domain = FLAT_DOMAIN_pergraph;
  type.set = NULL;
  flat_id id = add(s, c, FLAT_pool, type, 2);
  sema_add_string(s, id, "reduce", c->f->op);
  return id;
}

/* How the self loops of a set were changed: ".replace" of "g.relation2.replace"; NULL where they are the stored ones. */
static const char *loops_mode(const char *set) {
  const char *mode = strrchr(set, '.');
  edge_mode read = edge_mode_read(mode ? mode + 1 : "");
  bool is_about_loops = edge_mode_has_loops(read) || read.kind == EDGE_MODE_remove;
  return is_about_loops ? mode : NULL;
}

/* Whether the edges lead from nodes of a type to nodes of this type, so that they can be self loops; reports others. */
static bool has_one_type(sema *s, const sema_call *c) {
  const char *set = type_of(s, c, 0).set;
  const char *src = sema_part_at(s, set, SEMA_END_src), *dst = sema_part_at(s, set, SEMA_END_dst);
  if (!src || !dst || !strcmp(src, dst)) return true;
  sema_error(s, c->e->span, DIAG_edge_set_mismatch, "%s leads from '%s' to '%s': such edges are never self loops",
             sema_quote(s, c->exprs[0]), sema_part_name(s, src), sema_part_name(s, dst));
  return false;
}

/* Adds or removes self loops, also of a graph that already has new ones. After add_remaining the other
 * modes are applied to the original graph, after keep_one only replace and remove are, after replace
 * remove is; in all other cases the graph stays as it is. Loops that are added to a graph whose own
 * were removed replace them. */
static flat_id make_self_loops(sema *s, const sema_call *c) {
  if (!sema_is_outside_loops(s, c)) return FLAT_NONE;
  flat_id graph = c->ids[0];
  flat_type type = type_of(s, c, 0);
  if (!has_one_type(s, c)) return FLAT_NONE;
  const char *mode = loops_mode(type.set);
  const char *wanted = c->f->op;
  bool removes = !strcmp(wanted, "remove"), replaces = !strcmp(wanted, "replace");
  if (mode && !strcmp(mode, ".remove")) {
    wanted = removes ? wanted : "replace";
    if (removes) return graph;
  } else if (mode && !removes) {
    bool has_one = strcmp(mode, ".add_remaining") != 0;
    if (!strcmp(mode + 1, wanted) || !strcmp(mode, ".replace") || (has_one && !replaces)) return graph;
  }
  if (mode) graph = sema_flat(s, graph)->operands[0];
  type.set = arena_printf(s->arena, "%s.%s", sema_type(s, graph).set, wanted);
  flat_id id = sema_add(s, FLAT_edge_set, type, c->e->span, &graph, 1);
  sema_add_string(s, id, "mode", wanted);
  return id;
}

static flat_id make_extend_edges(sema *s, const sema_call *c) {
  flat_type graph = type_of(s, c, 0);
  flat_type value = type_of(s, c, 1);
  if (!sema_is_outside_loops(s, c)) return FLAT_NONE;
  if (value.domain != FLAT_DOMAIN_edge) {
    sema_error(s, c->exprs[1]->span, DIAG_domain_mismatch, "%s is %s, but 'extend_edges' takes a value per edge",
               sema_quote(s, c->exprs[1]), sema_type_text(s, value));
    sema_note_operand(s, c->exprs[1]);
    return FLAT_NONE;
  }
  const char *mode = strrchr(graph.set, '.');
  bool is_made_near = mode && (!strncmp(mode, ".knn_", 5) || !strncmp(mode, ".radius_", 8));
  if (is_made_near || (mode && !strncmp(mode, ".power", 6))) mode = NULL;
  const char *base = mode ? arena_strndup(s->arena, graph.set, (size_t)(mode - graph.set)) : graph.set;
  if (!mode) mode = "";
  bool is_done = !strcmp(value.set, graph.set) && (!strcmp(mode, ".add_remaining") || !strcmp(mode, ".keep_one"));
  if (is_done) return c->ids[1]; /* every node had its loop already */
  if (!strcmp(graph.set, base)) {
    sema_error(s, c->exprs[0]->span, DIAG_edge_set_mismatch,
               "%s was not made from another graph, whose values could be those of its edges",
               sema_quote(s, c->exprs[0]));
    return FLAT_NONE;
  }
  if (strcmp(value.set, base) != 0) {
    sema_error(s, c->e->span, DIAG_edge_set_mismatch,
               "%s is per edge of '%s', but 'extend_edges' takes values of '%s', from which %s was made",
               sema_quote(s, c->exprs[1]), value.set, base, sema_quote(s, c->exprs[0]));
    return FLAT_NONE;
  }
  value.set = graph.set;
  flat_id id = add(s, c, FLAT_extend_edges, value, 2);
  sema_add_number(s, id, "fill", c->numbers[2]);
  return id;
}

static flat_id make_concat(sema *s, const sema_call *c) {
  const ast_expr *first = c->e->call.arguments.items[0].value;
  size_t given = c->e->call.arguments.count - (c->exprs[1] ? 1 : 0); /* without `axis = k`, the last */
  const ast_expr_list *list = given == 1 && first->kind == AST_EXPR_list ? &first->list : NULL;
  size_t count = list ? list->count : given;
  unsigned axis = 0;
  flat_id joined = FLAT_NONE;
  bool is_good = count > 0;
  if (!count) sema_error(s, c->e->span, DIAG_arity, "'concat' joins at least one value");
  for (size_t i = 0; i < count; i++) {
    const ast_expr *right = list ? list->items[i] : c->e->call.arguments.items[i].value;
    flat_id id = FLAT_NONE;
    flat_type type = {0};
    is_good = sema_eval_tensor(s, right, &id) && is_good;
    if (!is_good) continue;
    if (!i && c->exprs[1]) is_good = sema_read_axis(s, c, 1, sema_type(s, id), &axis);
    if (c->exprs[1] && is_good && axis < sema_type(s, id).rank) id = sema_axis_to_last(s, id, axis, c->e->span);
    if (i && is_good) is_good = sema_type_concat(s, c->e, first, right, sema_type(s, joined), sema_type(s, id), &type);
    if (is_good) joined = i ? sema_add(s, FLAT_concat, type, c->e->span, (flat_id[]){joined, id}, 2) : id;
    if (!i) first = right;
  }
  if (!is_good) return FLAT_NONE;
  return c->exprs[1] ? sema_axis_from_last(s, joined, axis, c->e->span) : joined;
}

/* The same edge set, read against the direction of its edges. */
static sema_value make_reverse(sema *s, const sema_call *c) {
  (void)s;
  sema_value graph = c->values[0];
  graph.is_reversed = !graph.is_reversed;
  return graph;
}

static sema_value make_float(sema *s, const sema_call *c) {
  flat_id id = FLAT_NONE;
  if (sema_is_integer(s, c->values[0])) return sema_convert(s, c->values[0], c->e->span);
  return sema_as_tensor(s, c->values[0], c->exprs[0], &id) ? sema_from_id(s, id) : sema_poisoned();
}

static sema_value make_has(sema *s, const sema_call *c) {
  return sema_from_number(s, c->values[0].kind != SEMA_none, true);
}

/* Functions whose result is not a tensor. */
static const value_maker value_makers[SEMA_HANDLER_count] = {
    [SEMA_HANDLER_has] = make_has,
    [SEMA_HANDLER_float] = make_float,
    [SEMA_HANDLER_reverse] = make_reverse,
    [SEMA_HANDLER_near] = sema_make_near,
    [SEMA_HANDLER_split] = sema_make_split,
    [SEMA_HANDLER_union] = sema_make_union,
    [SEMA_HANDLER_num_columns] = sema_make_num_columns,
};

static const maker makers[SEMA_HANDLER_count] = {
    [SEMA_HANDLER_unary] = make_unary,
    [SEMA_HANDLER_binary] = make_binary,
    [SEMA_HANDLER_prelu] = make_prelu,
    [SEMA_HANDLER_identity] = make_identity,
    [SEMA_HANDLER_softmax] = make_softmax,
    [SEMA_HANDLER_argmax] = make_argmax,
    [SEMA_HANDLER_reduce] = make_reduce,
    [SEMA_HANDLER_select] = make_select,
    [SEMA_HANDLER_linear_map] = make_linear_map,
    [SEMA_HANDLER_inner] = make_inner,
    [SEMA_HANDLER_outer] = make_outer,
    [SEMA_HANDLER_concat] = make_concat,
    [SEMA_HANDLER_reshape] = make_reshape,
    [SEMA_HANDLER_transpose] = make_transpose,
    [SEMA_HANDLER_row_normalize] = make_row_normalize,
    [SEMA_HANDLER_normalize] = make_normalize,
    [SEMA_HANDLER_pool] = make_pool,
    [SEMA_HANDLER_self_loops] = make_self_loops,
    [SEMA_HANDLER_extend_edges] = make_extend_edges,
    [SEMA_HANDLER_permute] = sema_make_permute,
    [SEMA_HANDLER_expand] = sema_make_expand,
    [SEMA_HANDLER_filled] = sema_make_filled,
    [SEMA_HANDLER_iota] = sema_make_iota,
    [SEMA_HANDLER_induced] = sema_make_induced,
    [SEMA_HANDLER_power] = sema_make_power,
    [SEMA_HANDLER_top_k] = sema_make_top_k,
    [SEMA_HANDLER_dropout] = sema_make_dropout,
    [SEMA_HANDLER_one_hot] = sema_make_one_hot,
    [SEMA_HANDLER_sum_all] = sema_make_sum_all,
    [SEMA_HANDLER_num_rows] = sema_make_num_rows,
};

/* ---- arguments ---- */

static bool eval_number(sema *s, const sema_call *c, size_t i, double *out) {
  sema_value v = sema_eval(s, c->exprs[i]);
  *out = v.number;
  if (v.kind == SEMA_number) return true;
  if (v.kind != SEMA_poison)
    sema_error(s, c->exprs[i]->span, DIAG_not_constant,
               "'%s' of '%s' must be a number known when the model is compiled, but %s is %s", c->f->parameters[i].name,
               c->f->name, sema_quote(s, c->exprs[i]), sema_describe(s, v));
  return false;
}

static bool eval_graph(sema *s, sema_call *c, size_t i, flat_id *out) {
  sema_value v = sema_eval(s, c->exprs[i]);
  *out = v.id;
  c->values[i] = v;
  if (v.kind == SEMA_graph) return true;
  if (v.kind != SEMA_poison)
    sema_error(s, c->exprs[i]->span, DIAG_type_mismatch, "'%s' takes a graph here, but %s is %s", c->f->name,
               sema_quote(s, c->exprs[i]), sema_describe(s, v));
  return false;
}

/* A name is not read in a loop, so that a value of other rows may be named. */
static sema_value eval_any(sema *s, const ast_expr *e) {
  const sema_binding *binding = e->kind == AST_EXPR_name ? sema_find_name(s->scope, e->name.text) : NULL;
  if (!binding || binding->kind == SEMA_BINDING_loop) return sema_eval(s, e);
  sema_mark(binding->use);
  return binding->value;
}

static bool check_shape(sema *s, const sema_call *c, size_t i) {
  const ast_expr *e = c->exprs[i];
  if (e->kind != AST_EXPR_list) {
    sema_error(s, e->span, DIAG_type_mismatch, "the shape of '%s' is a list of sizes, like [H, C], not %s", c->f->name,
               sema_quote(s, e));
    return false;
  }
  if (e->list.count <= FLAT_MAX_RANK) return true;
  sema_error(s, e->span, DIAG_shape_mismatch, "a tensor has at most %d dimensions, not %zu", FLAT_MAX_RANK,
             e->list.count);
  return false;
}

static bool eval_argument(sema *s, sema_call *c, size_t i) {
  const sema_parameter *parameter = &c->f->parameters[i];
  c->numbers[i] = parameter->fallback;
  if (!c->exprs[i]) return true;
  switch (parameter->kind) {
  case SEMA_PARAMETER_value: {
    sema_value v = sema_eval(s, c->exprs[i]);
    if (v.kind == SEMA_none && !parameter->is_required) return true;
    return sema_as_tensor(s, v, c->exprs[i], &c->ids[i]);
  }
  case SEMA_PARAMETER_integers: c->values[i] = sema_eval(s, c->exprs[i]); return c->values[i].kind != SEMA_poison;
  case SEMA_PARAMETER_any: c->values[i] = eval_any(s, c->exprs[i]); return c->values[i].kind != SEMA_poison;
  case SEMA_PARAMETER_graph: return eval_graph(s, c, i, &c->ids[i]);
  case SEMA_PARAMETER_number: return eval_number(s, c, i, &c->numbers[i]);
  case SEMA_PARAMETER_shape: return check_shape(s, c, i);
  case SEMA_PARAMETER_size:
  case SEMA_PARAMETER_values: return true; /* the function evaluates it */
  }
  return false;
}

static bool has_inout(sema *s, const ast_expr *e) {
  for (size_t i = 0; i < e->call.arguments.count; i++) {
    if (!e->call.arguments.items[i].is_inout) continue;
    sema_error(s, e->call.arguments.items[i].value->span, DIAG_arity,
               "function '%s' changes nothing: the argument is not 'inout'", e->call.callee.text);
    return true;
  }
  return false;
}

/* Finds the argument of each parameter; a parameter of kind values takes all further ones. */
static bool match(sema *s, sema_call *c) {
  const ast_argument *arguments[SEMA_MAX_PARAMETERS] = {0};
  const char *names[SEMA_MAX_PARAMETERS] = {0};
  bool is_required[SEMA_MAX_PARAMETERS] = {0};
  size_t count = sema_function_arity(c->f);
  if (has_inout(s, c->e)) return false;
  if (c->f->parameters[0].kind == SEMA_PARAMETER_values) {
    for (size_t i = 0; i < c->e->call.arguments.count; i++)
      if (c->e->call.arguments.items[i].name.text) {
        if (i && i + 1 == c->e->call.arguments.count && !strcmp(c->e->call.arguments.items[i].name.text, "axis")) {
          c->exprs[1] = c->e->call.arguments.items[i].value;
          continue;
        }
        sema_error(s, c->e->call.arguments.items[i].name.span, DIAG_arity, "the arguments of '%s' have no names",
                   c->f->name);
        return false;
      }
    if (c->e->call.arguments.count) return true;
    sema_error(s, c->e->span, DIAG_arity, "'%s' joins at least one value", c->f->name);
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    names[i] = c->f->parameters[i].name;
    is_required[i] = c->f->parameters[i].is_required;
  }
  if (!sema_match_arguments(s, c->e, c->f->name, (span){0}, names, is_required, count, arguments)) return false;
  for (size_t i = 0; i < count; i++) c->exprs[i] = arguments[i] ? arguments[i]->value : NULL;
  return true;
}

sema_value sema_apply_function(sema *s, const ast_expr *e, const sema_function *f) {
  sema_call c = {.e = e, .f = f};
  for (size_t i = 0; i < SEMA_MAX_PARAMETERS; i++) c.ids[i] = FLAT_NONE;
  /* a parameter may stand for a layer or for a function; only the weights of a layer have a prefix */
  if (e->call.prefix && strcmp(e->call.callee.text, f->name) == 0) {
    sema_error(s, e->call.prefix_span, DIAG_arity, "function '%s' has no weights, so it takes no 'from'",
               e->call.callee.text);
    return sema_poisoned();
  }
  if (!match(s, &c)) return sema_poisoned();
  bool is_good = true;
  for (size_t i = 0; f->parameters[i].name; i++) is_good = eval_argument(s, &c, i) && is_good;
  if (!is_good) return sema_poisoned();
  value_maker of_value = value_makers[f->handler];
  if (of_value) return of_value(s, &c);
  sema_value made = sema_from_id(s, makers[f->handler](s, &c));
  if (made.kind == SEMA_graph) made.is_reversed = c.values[0].is_reversed; /* new loops have no direction */
  return made;
}
