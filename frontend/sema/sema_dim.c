/* Evaluates dimension expressions and finds the names that are dimensions.
 *
 * A name that stands in the type of a weight, input or parameter, and is nothing else, is a
 * symbolic dimension of its model or layer: `weight W : f32[F, H*C]` makes F, H and C known in the
 * whole body. */
#include "frontend/sema/sema_state.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static dim bad_dim(sema *s, const ast_expr *e, const char *found) {
  sema_error(s, e->span, DIAG_type_mismatch, "%s is %s, but a dimension is an integer expression over dimension names",
             sema_quote(s, e), found);
  return NULL;
}

static dim eval_name(sema *s, const ast_expr *e) {
  const sema_binding *binding = sema_find_name(s->scope, e->name.text);
  if (!binding) {
    VEC(const char *) names = {0};
    for (size_t i = 0; i < s->scope->declared.count; i++)
      if (s->scope->declared.items[i]->value.size) VEC_PUSH(s->arena, &names, s->scope->declared.items[i]->name);
    sema_error(s, e->span, DIAG_unknown_name, "unknown dimension '%s'%s", e->name.text,
               sema_suggest(s, e->name.text, names.items, names.count));
    return NULL;
  }
  sema_mark(binding->use);
  if (binding->value.kind == SEMA_poison) return NULL;
  if (binding->value.size) return binding->value.size;
  bad_dim(s, e, sema_describe(s, binding->value));
  sema_note(s, binding->declared, "'%s' is declared here as %s", binding->name, sema_binding_text(binding->kind));
  return NULL;
}

static dim eval_quotient(sema *s, const ast_expr *e, dim a, dim b) {
  dim quotient = dim_divide(s->dims, a, b, (dim_origin){e->span, "the division leaves no rest", s->scope->frame});
  if (!quotient)
    sema_error(s, e->span, DIAG_shape_mismatch, "%s / %s is not an integer", sema_dim_text(s, a), sema_dim_text(s, b));
  return quotient;
}

/* The quotient of ceil(a / b) and floor(a / b), or NULL. */
static const ast_expr *rounded_quotient(const ast_expr *e) {
  if (e->kind != AST_EXPR_call || e->call.prefix || e->call.arguments.count != 1) return NULL;
  if (strcmp(e->call.callee.text, "ceil") != 0 && strcmp(e->call.callee.text, "floor") != 0) return NULL;
  const ast_argument *a = &e->call.arguments.items[0];
  bool is_quotient = a->value->kind == AST_EXPR_binary && a->value->binary.op == AST_BINARY_divide;
  return is_quotient && !a->name.text && !a->is_inout ? a->value : NULL;
}

/* Rounds a quotient of sizes that are known; where a root is checked without files, it is any size. */
static dim eval_rounded(sema *s, const ast_expr *e, const ast_expr *quotient) {
  dim a = sema_eval_dim(s, quotient->binary.left);
  dim b = sema_eval_dim(s, quotient->binary.right);
  int64_t x = 0, y = 0;
  if (!a || !b) return NULL;
  if (!dim_value(s->dims, a, &x) || !dim_value(s->dims, b, &y)) {
    if (s->is_check) return dim_new_symbol(s->dims, sema_quote(s, e), e->span);
    sema_error(s, e->span, DIAG_unbound_dimension, "%s divides %s by %s, whose values are not known here",
               sema_quote(s, e), sema_dim_text(s, a), sema_dim_text(s, b));
    sema_note(s, e->span, "they must be known before this line: from --dim, or from a weight or input declared above");
    return NULL;
  }
  if (x >= 0 && y > 0) return dim_constant(s->dims, x / y + (*e->call.callee.text == 'c' && x % y != 0));
  sema_error(s, e->span, DIAG_shape_mismatch, "%" PRId64 " / %" PRId64 " is no quotient of sizes", x, y);
  return NULL;
}

dim sema_eval_dim(sema *s, const ast_expr *e) {
  const ast_expr *rounded = rounded_quotient(e);
  if (rounded) return eval_rounded(s, e, rounded);
  if (e->kind == AST_EXPR_number) {
    if (e->number.is_integer && e->number.value < 9e15) return dim_constant(s->dims, (int64_t)e->number.value);
    if (!e->number.is_integer && e->number.value < 9e15) return bad_dim(s, e, "not a size");
    sema_error(s, e->span, DIAG_shape_mismatch, "the size %s is too large", sema_quote(s, e));
    return NULL;
  }
  if (e->kind == AST_EXPR_name) return eval_name(s, e);
  if (e->kind == AST_EXPR_choice) {
    const ast_expr *chosen = sema_choose(s, e);
    return chosen ? sema_eval_dim(s, chosen) : NULL;
  }
  if (e->kind == AST_EXPR_call && !strcmp(e->call.callee.text, "num_columns")) {
    sema_value v = sema_eval(s, e);
    return v.kind == SEMA_poison ? NULL : v.size;
  }
  if (e->kind == AST_EXPR_unary) {
    dim d = sema_eval_dim(s, e->unary.operand);
    return dim_subtract(s->dims, dim_constant(s->dims, 0), d);
  }
  if (e->kind != AST_EXPR_binary || e->binary.op > AST_BINARY_divide) return bad_dim(s, e, "something else");
  dim a = sema_eval_dim(s, e->binary.left);
  dim b = sema_eval_dim(s, e->binary.right);
  if (!a || !b) return NULL;
  dim result = NULL;
  switch (e->binary.op) {
  case AST_BINARY_add: result = dim_add(s->dims, a, b); break;
  case AST_BINARY_subtract: result = dim_subtract(s->dims, a, b); break;
  case AST_BINARY_multiply: result = dim_multiply(s->dims, a, b); break;
  default: return eval_quotient(s, e, a, b);
  }
  if (!result) sema_error(s, e->span, DIAG_shape_mismatch, "the size %s is too large", sema_quote(s, e));
  return result;
}

bool sema_eval_known(sema *s, const ast_expr *e, const char *what, int64_t *value) {
  dim d = sema_eval_dim(s, e);
  if (!d) return false;
  if (dim_value(s->dims, d, value)) return true;
  if (s->is_check) return false;
  sema_error(s, e->span, DIAG_unbound_dimension, "%s is %s, whose value is not known here", what, sema_dim_text(s, d));
  sema_note(s, e->span, "it must be known before this line: from --dim, or from a weight or input declared above");
  return false;
}

dim sema_eval_size(sema *s, const ast_expr *e) {
  int64_t value = 1;
  dim d = sema_eval_dim(s, e);
  if (!d || !dim_value(s->dims, d, &value) || value >= 1) return d;
  sema_error(s, e->span, DIAG_shape_mismatch, "a size is at least 1, not %" PRId64, value);
  return NULL;
}

bool sema_eval_type(sema *s, const ast_type *t, flat_type *out) {
  static const flat_domain domains[] = {
      [AST_TYPE_node] = FLAT_DOMAIN_node,         [AST_TYPE_edge] = FLAT_DOMAIN_edge,
      [AST_TYPE_etype] = FLAT_DOMAIN_etype,       [AST_TYPE_ntype] = FLAT_DOMAIN_ntype,
      [AST_TYPE_pergraph] = FLAT_DOMAIN_pergraph,
  };
  *out = (flat_type){.is_integer = t->is_integer};
  if (t->kind > AST_TYPE_none && t->kind <= AST_TYPE_pergraph) out->domain = domains[t->kind];
  if (t->dims.count > FLAT_MAX_RANK) {
    sema_error(s, t->span, DIAG_shape_mismatch, "a tensor has at most %d dimensions, not %zu", FLAT_MAX_RANK,
               t->dims.count);
    return false;
  }
  bool is_good = true;
  out->rank = (unsigned)t->dims.count;
  for (unsigned i = 0; i < out->rank; i++) {
    out->dims[i] = sema_eval_size(s, t->dims.items[i]);
    is_good = is_good && out->dims[i];
  }
  return is_good;
}

/* ---- names of dimensions ---- */

static void take(sema *s, sema_map *taken, ast_name name) {
  sema_map_set(s->arena, taken, name.text, s);
}

static void collect_expr(sema *s, const ast_expr *e, sema_map *taken, ast_name_list *out) {
  if (e->kind == AST_EXPR_name && !sema_map_get(taken, e->name.text)) {
    take(s, taken, e->name);
    VEC_PUSH(s->arena, out, e->name);
  }
  if (e->kind == AST_EXPR_unary) collect_expr(s, e->unary.operand, taken, out);
  if (e->kind == AST_EXPR_choice) {
    collect_expr(s, e->choice.yes, taken, out);
    collect_expr(s, e->choice.no, taken, out);
  }
  if (e->kind != AST_EXPR_binary) return;
  collect_expr(s, e->binary.left, taken, out);
  collect_expr(s, e->binary.right, taken, out);
}

static void collect_type(sema *s, const ast_type *t, sema_map *taken, ast_name_list *out) {
  for (size_t i = 0; i < t->dims.count; i++) collect_expr(s, t->dims.items[i], taken, out);
}

/* Collects the names that statements declare; these are no dimensions. */
static void collect_taken(sema *s, const ast_statement_list *body, sema_map *taken) {
  for (size_t i = 0; i < body->count; i++) {
    const ast_statement *st = body->items[i];
    switch (st->kind) {
    case AST_STATEMENT_graph: take(s, taken, st->graph.name); break;
    case AST_STATEMENT_dim: take(s, taken, st->dim.name); break;
    case AST_STATEMENT_input: take(s, taken, st->input.name); break;
    case AST_STATEMENT_weight: take(s, taken, st->weight.name); break;
    case AST_STATEMENT_let:
      for (size_t j = 0; j < st->let.names.count; j++) take(s, taken, st->let.names.items[j]);
      break;
    case AST_STATEMENT_repeat:
      take(s, taken, st->repeat.variable);
      collect_taken(s, &st->repeat.body, taken);
      break;
    case AST_STATEMENT_if:
      for (const ast_statement *b = st; b; b = b->branch.otherwise) collect_taken(s, &b->branch.body, taken);
      break;
    default: break;
    }
  }
}

static void collect_body(sema *s, const ast_statement_list *body, sema_map *taken, ast_name_list *out) {
  for (size_t i = 0; i < body->count; i++) {
    const ast_statement *st = body->items[i];
    if (st->kind == AST_STATEMENT_input) collect_type(s, &st->input.type, taken, out);
    if (st->kind == AST_STATEMENT_weight) collect_type(s, &st->weight.type, taken, out);
    if (st->kind == AST_STATEMENT_repeat) collect_body(s, &st->repeat.body, taken, out);
    for (const ast_statement *b = st->kind == AST_STATEMENT_if ? st : NULL; b; b = b->branch.otherwise)
      collect_body(s, &b->branch.body, taken, out);
  }
}

void sema_scan_dims(sema *s, const ast_parameter_list *parameters, const ast_statement_list *body, ast_name_list *out) {
  sema_map taken = {0};
  for (size_t i = 0; parameters && i < parameters->count; i++)
    if (!parameters->items[i].field.text) take(s, &taken, parameters->items[i].name);
  collect_taken(s, body, &taken);
  for (size_t i = 0; parameters && i < parameters->count; i++) collect_type(s, &parameters->items[i].type, &taken, out);
  collect_body(s, body, &taken, out);
}

const sema_dim_option *sema_find_dim_option(const sema *s, const char *name) {
  for (size_t i = 0; i < s->env->dim_count; i++)
    if (!strcmp(s->env->dims[i].name, name)) return &s->env->dims[i];
  return NULL;
}

dim sema_new_dim(sema *s, ast_name name) {
  dim d = dim_new_symbol(s->dims, name.text, name.span);
  if (s->scope->layer) return d;
  dim_as_symbol(s->dims, d)->is_option = true;
  const sema_dim_option *option = sema_find_dim_option(s, name.text);
  if (option) {
    const char *reason = arena_printf(s->arena, "--dim %s=%" PRId64 " says so", name.text, option->value);
    dim_unify(s->dims, d, dim_constant(s->dims, option->value), (dim_origin){{0}, reason, NULL});
  }
  return d;
}

void sema_declare_dims(sema *s, const ast_name_list *names) {
  for (size_t i = 0; i < names->count; i++) {
    const ast_name name = names->items[i];
    sema_binding *binding = arena_alloc(s->arena, sizeof *binding);
    *binding = (sema_binding){.name = name.text, .declared = name.span, .kind = SEMA_BINDING_dim};
    binding->value = (sema_value){.kind = SEMA_size, .id = FLAT_NONE, .size = sema_new_dim(s, name)};
    sema_map_set(s->arena, &s->scope->names, name.text, binding);
    VEC_PUSH(s->arena, &s->scope->declared, binding);
  }
}
