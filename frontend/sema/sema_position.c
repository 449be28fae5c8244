/* Evaluates reads inside loops: n.h, e.a, e.src.h, W[e.type], degrees. Each value is
 * converted to a value of the innermost loop:
 *
 *   for n in g.nodes { for e in n.incoming { n.y += e.a * n.z; } }     n.z becomes gather(z, dst), a value per edge */
#include "frontend/sema/sema_kinds.h"

#include <string.h>

bool sema_as_position(sema *s, const ast_expr *e, sema_position *out) {
  bool is_end = e->kind == AST_EXPR_field && e->field.base->kind == AST_EXPR_name &&
                (!strcmp(e->field.name.text, "src") || !strcmp(e->field.name.text, "dst"));
  const ast_expr *variable = is_end ? e->field.base : e;
  if (variable->kind != AST_EXPR_name) return false;
  const sema_binding *binding = sema_find_name(s->scope, variable->name.text);
  if (!binding || binding->kind != SEMA_BINDING_loop || binding->loop->is_unknown ||
      (is_end && !binding->loop->is_edge))
    return false;
  out->loop = binding->loop;
  out->end = SEMA_END_self;
  if (is_end) out->end = sema_stored_end(binding->loop->is_reversed, !strcmp(e->field.name.text, "src"));
  return true;
}

sema_end sema_stored_end(bool is_reversed, bool is_src) {
  return is_src != is_reversed ? SEMA_END_src : SEMA_END_dst;
}

bool sema_position_is_edge(sema_position p) {
  return p.loop->is_edge && p.end == SEMA_END_self;
}

/* "n", "e.src" */
const char *sema_position_text(sema *s, sema_position p) {
  bool is_src = p.end == sema_stored_end(p.loop->is_reversed, true);
  return arena_printf(s->arena, "%s%s", p.loop->variable, !p.end ? "" : is_src ? ".src" : ".dst");
}

const char *sema_position_set(sema *s, sema_position p) {
  if (p.loop->graph == FLAT_NONE) return NULL;
  const char *set = sema_type(s, p.loop->graph).set;
  if (sema_position_is_edge(p)) return set;
  const char *end = sema_part_at(s, set, p.end);
  if (end) return end;
  return p.loop->part ? p.loop->part : sema_node_set(s, set);
}

static sema_value unreachable_place(sema *s, sema_position p, span where) {
  sema_error(s, where, DIAG_unsupported, "'%s' cannot be read for each '%s': it is neither '%s' nor one of its ends",
             sema_position_text(s, p), s->scope->loop->variable, s->scope->loop->variable);
  sema_note(s, p.loop->declared, "'%s' belongs to the loop that begins here", p.loop->variable);
  return sema_poisoned();
}

/* A value of some nodes as one of all nodes, for edges that lead to these nodes alone. */
static flat_id at_all_nodes(sema *s, flat_id value, span where) {
  const flat_value *v = sema_flat(s, value);
  if (v->op == FLAT_part) return v->operands[1];
  return sema_unite(s, value, FLAT_NONE, where);
}

sema_value sema_bring_node(sema *s, sema_position p, flat_id value, span where) {
  const sema_loop *loop = s->scope->loop;
  if (value == FLAT_NONE) return sema_poisoned();
  if (sema_type(s, value).domain == FLAT_DOMAIN_plain) return sema_from_id(s, value);
  sema_end end = SEMA_END_self;
  if (p.loop == loop)
    end = p.end;
  else if (loop->is_edge && loop->owner.loop == p.loop && loop->owner.end == p.end)
    end = loop->owner_end;
  else
    return unreachable_place(s, p, where);
  if (end == SEMA_END_self) return sema_from_id(s, sema_part(s, value, loop->part, where));
  value = at_all_nodes(s, value, where);
  if (loop->graph == FLAT_NONE) return sema_poisoned();
  return sema_from_id(s, sema_gather(s, loop->graph, value, end, where));
}

/* Converts a value read at a position to the innermost loop: node values are gathered, edge values
 * must belong to the loop's own edge. */
sema_value sema_bring(sema *s, sema_position p, sema_value v, span where) {
  if (v.kind != SEMA_tensor) return v;
  if (!sema_position_is_edge(p)) return sema_bring_node(s, p, v.id, where);
  return p.loop == s->scope->loop ? v : unreachable_place(s, p, where);
}

static sema_value bare_value(sema *s, const ast_expr *e, flat_type type) {
  const sema_loop *loop = s->scope->loop;
  const char *name = e->name.text;
  if (loop->is_unknown) return sema_poisoned();
  if (type.domain == FLAT_DOMAIN_etype || type.domain == FLAT_DOMAIN_ntype || type.domain == FLAT_DOMAIN_pergraph)
    sema_error(s, e->span, DIAG_bare_value, "'%s' is %s; inside a loop it is indexed, like %s[%s%s.%s]", name,
               sema_type_text(s, type), name, loop->variable,
               loop->is_edge && type.domain != FLAT_DOMAIN_etype ? ".src" : "",
               type.domain == FLAT_DOMAIN_pergraph ? "graph" : "type");
  else if ((type.domain == FLAT_DOMAIN_edge) == loop->is_edge)
    sema_error(s, e->span, DIAG_bare_value, "'%s' is %s; inside this loop write '%s.%s'", name, sema_type_text(s, type),
               loop->variable, name);
  else if (loop->is_edge)
    sema_error(s, e->span, DIAG_bare_value, "'%s' is %s; inside this loop write '%s.src.%s' or '%s.dst.%s'", name,
               sema_type_text(s, type), loop->variable, name, loop->variable, name);
  else
    sema_error(s, e->span, DIAG_bare_value, "'%s' is %s; at a node reduce it: sum(e in %s.incoming: e.%s)", name,
               sema_type_text(s, type), loop->variable, name);
  return sema_poisoned();
}

static sema_value unknown_name(sema *s, const ast_expr *e) {
  const sema_scope *scope = s->scope;
  const char *name = e->name.text;
  sema_field *field = sema_find_field(scope, name, false, NULL);
  if (!field) field = sema_find_field(scope, name, true, NULL);
  if (field) {
    sema_error(s, e->span, DIAG_unknown_name, "'%s' is a field: write it with its variable, like '%s.%s'", name,
               field->is_edge ? "e" : "n", name);
    sema_note(s, field->assigned, "it is assigned here");
    return sema_poisoned();
  }
  VEC(const char *) names = {0};
  for (size_t i = 0; i < scope->declared.count; i++) VEC_PUSH(s->arena, &names, scope->declared.items[i]->name);
  sema_error(s, e->span, DIAG_unknown_name, "unknown name '%s'%s", name,
             sema_suggest(s, name, names.items, names.count));
  return sema_poisoned();
}

static sema_value eval_unbound(sema *s, const ast_expr *e) {
  const sema_function *function = sema_function_find(e->name.text);
  sema_layer *layer = function ? NULL : sema_find_layer(s, e->name.text);
  sema_value literal = {0};
  if (!function && !layer && sema_is_reduction(e->name.text))
    return (sema_value){.kind = SEMA_reduction, .id = FLAT_NONE, .name = e->name.text};
  if (sema_find_literal(s, e->name.text, &literal)) return literal;
  if (!function && !layer) return unknown_name(s, e);
  return (sema_value){
      .kind = SEMA_function, .id = FLAT_NONE, .name = e->name.text, .function = function, .layer = layer};
}

/* Whether the language or the library gives a name its meaning. */
static bool is_word(sema *s, const char *name) {
  sema_value literal = {0};
  return sema_function_find(name) || sema_find_layer(s, name) || sema_is_reduction(name) ||
         sema_find_literal(s, name, &literal);
}

sema_value sema_eval_name(sema *s, const ast_expr *e) {
  const sema_binding *binding = sema_find_name(s->scope, e->name.text);
  if (!binding && !is_word(s, e->name.text)) binding = sema_find_output(s, e->name.text);
  if (!binding) return eval_unbound(s, e);
  sema_mark(binding->use);
  if (binding->kind == SEMA_BINDING_loop) {
    const char *name = binding->name;
    if (binding->loop->is_unknown) return sema_poisoned();
    if (binding->loop->is_edge)
      sema_error(s, e->span, DIAG_type_mismatch, "'%s' is an edge; its values are written '%s.a', '%s.src.h'", name,
                 name, name);
    else
      sema_error(s, e->span, DIAG_type_mismatch, "'%s' is a node; its values are written '%s.h'", name, name);
    return sema_poisoned();
  }
  sema_value v = binding->value;
  if (v.kind == SEMA_size) return sema_from_size(s, v.size);
  if (v.kind != SEMA_tensor || !s->scope->loop) return v;
  flat_type type = sema_type(s, v.id);
  if (type.domain == FLAT_DOMAIN_plain) return v;
  if (!binding->loop) return bare_value(s, e, type);
  return sema_bring(s, (sema_position){binding->loop, SEMA_END_self}, v, e->span);
}

/* ---- W[e.type], W[n.type], p[n.graph] ---- */

static sema_value bad_index(sema *s, const ast_expr *e) {
  sema_error(s, e->span, DIAG_type_mismatch,
             "values per type or per graph are indexed by the types and graphs of a loop: W[e.type], W[n.type], "
             "W[e.src.type], p[n.graph]; and edges, e.dst.incoming[e.type]");
  return sema_poisoned();
}

static bool is_type_name(const char *name) {
  return !strcmp(name, "type") || !strcmp(name, "etype") || !strcmp(name, "ntype");
}

/* Evaluates the value before the bracket, where a bare name is allowed even in a loop. */
static sema_value eval_indexed(sema *s, const ast_expr *base) {
  const sema_binding *binding = base->kind == AST_EXPR_name ? sema_find_name(s->scope, base->name.text) : NULL;
  if (!binding || binding->value.kind != SEMA_tensor || binding->loop) return sema_eval(s, base);
  sema_mark(binding->use);
  return binding->value;
}

/* Returns the domain of the values that the index selects from, or plain where there is none: only
 * nodes belong to a graph of a batch, edges do not. */
static flat_domain indexed_domain(const char *index, bool is_edge) {
  if (is_type_name(index)) return is_edge ? FLAT_DOMAIN_etype : FLAT_DOMAIN_ntype;
  return !strcmp(index, "graph") && !is_edge ? FLAT_DOMAIN_pergraph : FLAT_DOMAIN_plain;
}

static sema_value wrong_indexed(sema *s, const ast_expr *e, sema_value base, sema_position p, flat_domain wanted) {
  const char *kind = wanted == FLAT_DOMAIN_etype ? "edge type" : wanted == FLAT_DOMAIN_ntype ? "node type" : "graph";
  sema_error(s, e->span, DIAG_domain_mismatch, "%s is %s, but '%s.%s' picks from a value per %s",
             sema_quote(s, e->index.base), sema_describe(s, base), sema_position_text(s, p),
             wanted == FLAT_DOMAIN_pergraph ? "graph" : "type", kind);
  sema_note_operand(s, e->index.base);
  return sema_poisoned();
}

static bool is_per_type(const sema *s, sema_value v) {
  if (v.kind != SEMA_tensor) return false;
  flat_domain domain = sema_type(s, v.id).domain;
  return domain == FLAT_DOMAIN_etype || domain == FLAT_DOMAIN_ntype || domain == FLAT_DOMAIN_pergraph;
}

/* x[2], x[0..F]: subscripts that are known when the model is compiled; E[n.z]: a lookup. */
static sema_value eval_elements(sema *s, const ast_expr *e, sema_value indexed) {
  flat_id id = FLAT_NONE;
  bool is_nested = e->index.base->kind == AST_EXPR_index;
  sema_value base = is_nested ? indexed : sema_eval(s, e->index.base);
  if (sema_is_lookup(s, e)) return sema_eval_lookup(s, e, base);
  if (sema_is_integer(s, base)) return sema_eval_subscripts(s, e, base.id);
  return sema_as_tensor(s, base, e->index.base, &id) ? sema_eval_subscripts(s, e, id) : sema_poisoned();
}

sema_value sema_eval_index(sema *s, const ast_expr *e) {
  const ast_expr *index = ast_only_subscript(e);
  sema_position p = {0};
  if (sema_is_group_property(e)) return sema_eval_group_property(s, e);
  sema_value base = eval_indexed(s, e->index.base);
  if (base.kind == SEMA_poison) return base;
  if (!index || index->kind != AST_EXPR_field || !indexed_domain(index->field.name.text, false))
    return is_per_type(s, base) && s->scope->loop ? bad_index(s, e) : eval_elements(s, e, base);
  if (!sema_as_position(s, index->field.base, &p)) {
    sema_value place = sema_eval(s, index->field.base);
    return place.kind == SEMA_poison ? place : bad_index(s, e);
  }
  if (base.kind == SEMA_poison || p.loop->graph == FLAT_NONE) return sema_poisoned();
  bool is_edge = sema_position_is_edge(p);
  flat_domain wanted = indexed_domain(index->field.name.text, is_edge);
  if (!wanted) return bad_index(s, e);
  if (base.kind != SEMA_tensor || sema_type(s, base.id).domain != wanted) return wrong_indexed(s, e, base, p, wanted);
  flat_type type = sema_type(s, base.id);
  const char *set = sema_type(s, p.loop->graph).set;
  if (is_edge && !sema_has_types(set)) return sema_untyped_edges(s, e);
  type.domain = is_edge ? FLAT_DOMAIN_edge : FLAT_DOMAIN_node;
  type.set = is_edge ? set : sema_node_set(s, set);
  flat_id id = sema_add(s, FLAT_slice, type, e->span, (flat_id[]){p.loop->graph, base.id}, 2);
  sema_add_string(s, id, "by", is_edge ? "edge" : "node");
  return sema_bring(s, p, sema_from_id(s, id), e->span);
}
