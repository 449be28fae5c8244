/* Checks an uncalled layer by itself. Its arguments are values of the declared types, or unknown
 * values where a parameter has no type. Names are always checked; shapes and domains as far as
 * types are declared. */
#include "frontend/sema/sema_state.h"

#include <string.h>

/* Whether a loop such as `for n in g.nodes` shows that g is a graph. */
static bool is_looped_over(const ast_statement_list *body, const char *name) {
  for (size_t i = 0; i < body->count; i++) {
    const ast_statement *st = body->items[i];
    if (st->kind == AST_STATEMENT_repeat && is_looped_over(&st->repeat.body, name)) return true;
    for (const ast_statement *b = st->kind == AST_STATEMENT_if ? st : NULL; b; b = b->branch.otherwise)
      if (is_looped_over(&b->branch.body, name)) return true;
    if (st->kind != AST_STATEMENT_for || st->loop.domain->kind != AST_EXPR_field) continue;
    const ast_expr *base = st->loop.domain->field.base;
    if (base->kind == AST_EXPR_name && !strcmp(base->name.text, name)) return true;
  }
  return false;
}

static sema_value opaque_graph(sema *s, span where) {
  return sema_from_id(
      s, sema_add(s, FLAT_graph, (flat_type){.domain = FLAT_DOMAIN_graph, .set = s->graph_set}, where, NULL, 0));
}

static sema_value opaque_value(sema *s, const ast_parameter *p, const sema_layer *layer) {
  flat_type type = {0};
  switch (p->type.kind) {
  case AST_TYPE_graph: return opaque_graph(s, p->name.span);
  case AST_TYPE_dim:
    return (sema_value){
        .kind = SEMA_size, .id = FLAT_NONE, .size = dim_new_symbol(s->dims, p->name.text, p->name.span)};
  case AST_TYPE_reduction: return (sema_value){.kind = SEMA_reduction, .id = FLAT_NONE, .name = "sum"};
  case AST_TYPE_function: return p->default_value ? sema_eval(s, p->default_value) : sema_poisoned();
  case AST_TYPE_none:
    if (is_looped_over(&layer->ast->body, p->name.text)) return opaque_graph(s, p->name.span);
    return p->default_value ? sema_eval(s, p->default_value) : sema_poisoned();
  default: break;
  }
  if (!sema_eval_type(s, &p->type, &type)) return sema_poisoned();
  if (type.domain == FLAT_DOMAIN_node || type.domain == FLAT_DOMAIN_edge) type.set = s->graph_set;
  return sema_from_id(s, sema_add(s, FLAT_input, type, p->name.span, NULL, 0));
}

/* `inout e.a` without a type may be a field of nodes or of edges. */
static void declare_opaque_field(sema *s, const ast_parameter *p, sema_value v) {
  bool is_typed = v.kind == SEMA_tensor;
  bool is_edge = !is_typed || sema_type(s, v.id).domain == FLAT_DOMAIN_edge;
  sema_last_loop *last = arena_alloc(s->arena, sizeof *last);
  *last = (sema_last_loop){.is_edge = is_edge, .graph = FLAT_NONE, .set = is_typed ? sema_type(s, v.id).set : NULL};
  sema_map_set(s->arena, &s->scope->last_loops, p->name.text, last);
  sema_set_field(s, p->field.text, is_edge, last->set, v, p->field.span);
  if (!is_typed) sema_set_field(s, p->field.text, false, NULL, v, p->field.span);
}

/* Declares dimensions first, because types of other parameters may name them. */
void sema_declare_opaque(sema *s, const sema_layer *layer) {
  for (int want_dims = 1; want_dims >= 0; want_dims--) {
    for (size_t i = 0; i < layer->ast->parameters.count; i++) {
      const ast_parameter *p = &layer->ast->parameters.items[i];
      if ((p->type.kind == AST_TYPE_dim) != want_dims) continue;
      sema_value v = opaque_value(s, p, layer);
      if (p->field.text)
        declare_opaque_field(s, p, v);
      else
        sema_declare(s, p->name, SEMA_BINDING_parameter, v);
    }
  }
  sema_flush(s);
}
