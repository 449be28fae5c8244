/* Evaluates the domains of loops and reductions (g.nodes, g.edges, n.incoming, n.outgoing) and
 * declares their variables. */
#include "frontend/sema/sema_kinds.h"

#include <string.h>

static bool is_any(const char *name, const char *a, const char *b, const char *c) {
  return !strcmp(name, a) || !strcmp(name, b) || !strcmp(name, c);
}

static bool is_nodes(const char *name) {
  return is_any(name, "nodes", "src_nodes", "dst_nodes");
}
static bool is_edges(const char *name) {
  return !strcmp(name, "edges");
}
static bool is_incoming(const char *name) {
  return is_any(name, "incoming", "incoming_edges", "incoming");
}
static bool is_outgoing(const char *name) {
  return is_any(name, "outgoing", "outgoing_edges", "outgoing");
}

static bool not_a_domain(sema *s, const ast_expr *domain, sema_loop *loop) {
  loop->is_unknown = !loop->is_reduction;
  static const char *const names[] = {"nodes", "edges", "incoming", "outgoing"};
  const char *hint = domain->kind == AST_EXPR_field ? sema_suggest(s, domain->field.name.text, names, 4) : "";
  sema_error(s, domain->span, DIAG_type_mismatch, "%s is nothing to loop over%s%s", sema_quote(s, domain), hint,
             *hint ? ""
             : loop->is_reduction
                 ? "; expected g.nodes, g.edges, n.incoming, n.outgoing, 0..K, g.relations or g.node_types"
                 : "; expected g.nodes, g.edges, n.incoming or n.outgoing");
  return false;
}

/* Finds the types of the nodes of a relation: g.writes.dst_nodes. */
static bool find_ends(sema *s, const ast_expr *domain, sema_loop *loop) {
  const char *name = domain->field.name.text;
  const char *src = sema_part_at(s, loop->set, sema_stored_end(loop->is_reversed, true));
  const char *dst = sema_part_at(s, loop->set, sema_stored_end(loop->is_reversed, false));
  if (loop->is_edge || !src || !dst) return true;
  if (strcmp(name, "nodes") != 0 || !strcmp(src, dst)) {
    loop->part = strcmp(name, "src_nodes") ? dst : src;
    return true;
  }
  sema_error(s, domain->span, DIAG_type_mismatch,
             "%s: the edges lead from '%s' to '%s'; loop over src_nodes or dst_nodes", sema_quote(s, domain),
             sema_part_name(s, src), sema_part_name(s, dst));
  return false;
}

/* t.nodes, where t is an index of repeat over g.node_types. */
static bool eval_node_type(sema *s, const ast_expr *domain, sema_value type, sema_loop *loop) {
  if (!is_nodes(domain->field.name.text)) return not_a_domain(s, domain, loop);
  loop->graph = s->graph;
  loop->set = s->graph_set;
  loop->part = sema_part_set(s, type.count);
  return s->graph != FLAT_NONE;
}

static bool eval_whole(sema *s, const ast_expr *domain, sema_loop *loop) {
  sema_value graph = sema_eval(s, domain->field.base);
  if (graph.kind == SEMA_poison) return false;
  if (graph.kind == SEMA_node_type) return eval_node_type(s, domain, graph, loop);
  if (graph.kind != SEMA_graph) {
    sema_error(s, domain->field.base->span, DIAG_type_mismatch, "%s is %s, but only a graph has %s",
               sema_quote(s, domain->field.base), sema_describe(s, graph), domain->field.name.text);
    sema_note_operand(s, domain->field.base);
    return false;
  }
  if (s->scope->loop && !loop->is_reduction) {
    sema_error(s, domain->span, DIAG_unsupported,
               "inside the loop over '%s' only the edges of a node can be looped over: n.incoming or n.outgoing",
               s->scope->loop->variable);
    return false;
  }
  loop->graph = graph.id;
  loop->is_reversed = graph.is_reversed;
  loop->set = sema_type(s, graph.id).set;
  return find_ends(s, domain, loop);
}

/* Leaves the edges of one type, whose name is the last field of the domain. */
static bool narrow_to_relation(sema *s, const ast_expr *domain, sema_loop *loop) {
  sema_value graph = {.kind = SEMA_graph, .id = loop->graph, .is_reversed = loop->is_reversed};
  graph = sema_relation(s, domain, graph, domain->field.name);
  if (graph.kind == SEMA_poison) return false;
  loop->graph = graph.id;
  loop->set = sema_type(s, graph.id).set;
  return true;
}

/* g.nodes.paper, g.edges.writes */
static bool eval_typed(sema *s, const ast_expr *domain, sema_loop *loop) {
  const ast_expr *all = domain->field.base;
  loop->is_edge = is_edges(all->field.name.text);
  if (!eval_whole(s, all, loop)) return false;
  if (!loop->is_edge) return sema_find_part(s, domain->field.name, &loop->part);
  return narrow_to_relation(s, domain, loop);
}

/* n.incoming, e.dst.outgoing */
static bool eval_neighbours(sema *s, const ast_expr *domain, sema_loop *loop) {
  sema_position owner = {0};
  if (!sema_as_position(s, domain->field.base, &owner)) {
    sema_value base = sema_eval(s, domain->field.base);
    if (base.kind == SEMA_poison) return false;
    sema_error(s, domain->field.base->span, DIAG_type_mismatch, "%s is %s, but only the node of a loop has %s edges",
               sema_quote(s, domain->field.base), sema_describe(s, base), domain->field.name.text);
    return false;
  }
  if (sema_position_is_edge(owner)) {
    sema_error(s, domain->span, DIAG_type_mismatch, "'%s' is an edge; its ends have edges: %s.src.%s, %s.dst.%s",
               owner.loop->variable, owner.loop->variable, domain->field.name.text, owner.loop->variable,
               domain->field.name.text);
    return false;
  }
  loop->owner = owner;
  loop->is_reversed = owner.loop->is_reversed;
  loop->owner_end = sema_stored_end(loop->is_reversed, !is_incoming(domain->field.name.text));
  loop->graph = owner.loop->graph;
  loop->set = loop->graph == FLAT_NONE ? NULL : sema_type(s, loop->graph).set;
  if (!loop->is_reduction && (owner.loop != s->scope->loop || owner.loop->is_edge)) {
    sema_error(
        s, domain->span, DIAG_unsupported,
        "this loop nests too deeply: only 'for e in n.incoming' directly inside 'for n in g.nodes' has a meaning");
    return false;
  }
  return true;
}

/* g.graphs.nodes: the nodes of each graph of a batch. */
static bool eval_graphs(sema *s, const ast_expr *domain, sema_loop *loop) {
  if (!loop->is_reduction || s->scope->loop) {
    loop->is_unknown = !loop->is_reduction;
    sema_error(s, domain->span, DIAG_unsupported,
               "%s is reduced outside of loops, to a value per graph: sum(n in g.graphs.nodes: n.x)",
               sema_quote(s, domain));
    return false;
  }
  loop->is_graphs = true;
  return eval_whole(s, domain->field.base, loop);
}

bool sema_eval_domain(sema *s, const ast_expr *domain, sema_loop *loop) {
  loop->graph = FLAT_NONE;
  if (sema_is_group_property(domain)) {
    loop->is_edge = true;
    bool is_good = sema_check_group(s, domain, loop);
    return (is_good || !loop->is_reduction) && eval_neighbours(s, domain->index.base, loop) && is_good;
  }
  if (domain->kind != AST_EXPR_field) return not_a_domain(s, domain, loop);
  const char *name = domain->field.name.text;
  const ast_expr *base = domain->field.base;
  if (base->kind == AST_EXPR_field && !strcmp(base->field.name.text, "graphs") && is_nodes(name))
    return eval_graphs(s, domain, loop);
  bool is_neighbours =
      base->kind == AST_EXPR_field && (is_incoming(base->field.name.text) || is_outgoing(base->field.name.text));
  if (is_neighbours) { /* n.incoming.writes */
    loop->is_edge = true;
    return eval_neighbours(s, base, loop) && narrow_to_relation(s, domain, loop);
  }
  if (base->kind == AST_EXPR_field && (is_nodes(base->field.name.text) || is_edges(base->field.name.text))) {
    return eval_typed(s, domain, loop);
  }
  loop->is_edge = !is_nodes(name);
  if (is_incoming(name) || is_outgoing(name)) return eval_neighbours(s, domain, loop);
  if (!is_nodes(name) && !is_edges(name)) return not_a_domain(s, domain, loop);
  return eval_whole(s, domain, loop);
}

void sema_enter_loop(sema *s, sema_loop *loop, ast_name variable) {
  loop->outer = s->scope->loop;
  loop->variable = variable.text;
  loop->declared = variable.span;
  loop->mark = sema_open_block(s->scope);
  sema_binding *binding =
      sema_declare(s, variable, SEMA_BINDING_loop, (sema_value){.kind = SEMA_nothing, .id = FLAT_NONE});
  binding->loop = loop;
  loop->hidden = sema_find_name(s->scope, variable.text);
  if (loop->hidden == binding) loop->hidden = NULL;
  sema_map_set(s->arena, &s->scope->names, variable.text,
               binding); /* also after an error: the body uses this variable */
  s->scope->loop = loop;
}

void sema_leave_loop(sema *s, sema_loop *loop) {
  s->scope->loop = loop->outer;
  sema_close_block(s->scope, loop->mark);
  if (loop->hidden) sema_map_set(s->arena, &s->scope->names, loop->variable, loop->hidden);
  if (loop->is_reduction) return;
  sema_last_loop *last = arena_alloc(s->arena, sizeof *last);
  *last = (sema_last_loop){loop->is_unknown, loop->is_edge, loop->graph, loop->set, loop->is_reversed};
  sema_map_set(s->arena, &s->scope->last_loops, loop->variable, last);
}
