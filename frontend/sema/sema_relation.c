/* Relations: the edges of one type as an edge set, whose ends may be nodes of one type each.
 *
 *   graph g { nodes paper, author; edges cites : paper -> paper, writes : author -> paper; }
 *   for n in g.writes.dst_nodes { n.y = mean(e in n.incoming: e.src.x); }      n is a paper, e.src an author
 *
 * The set of type number 1 is "g.relation1". */
#include "frontend/sema/sema_kinds.h"

#include "support/edge_mode.h"

#include <stdlib.h>
#include <string.h>

static size_t find_type(const ast_graph_type_list *types, const char *name) {
  size_t i = 0;
  while (i < types->count && strcmp(types->items[i].name.text, name) != 0) i++;
  return i;
}

static const char *suggest_type(sema *s, const ast_graph_type_list *types, const char *name) {
  VEC(const char *) names = {0};
  for (size_t i = 0; i < types->count; i++) VEC_PUSH(s->arena, &names, types->items[i].name.text);
  return sema_suggest(s, name, names.items, names.count);
}

static const char *name_of(sema *s, const ast_graph_type_list *types, int64_t type) {
  return type < (int64_t)types->count ? arena_printf(s->arena, "'%s'", types->items[type].name.text)
                                      : arena_printf(s->arena, "type %lld", (long long)type);
}

/* Compares the ends of a type with the edges of the graph file. */
static void check_edges(sema *s, const ast_statement *st, size_t number) {
  const ast_graph_type *type = &st->graph.edge_types.items[number];
  const ast_graph_type_list *nodes = &st->graph.node_types;
  size_t src = find_type(nodes, type->src.text), dst = find_type(nodes, type->dst.text);
  int64_t ends[2] = {0};
  int64_t e = s->env->find_stray_edge ? s->env->find_stray_edge(s->env->user, number, src, dst, ends) : -1;
  if (e < 0) return;
  sema_error(s, span_join(type->name.span, type->dst.span), DIAG_graph_mismatch,
             "edge %lld of %s, of type '%s', leads from %s to %s, not from '%s' to '%s'", (long long)e,
             s->env->graph_file, type->name.text, name_of(s, nodes, ends[0]), name_of(s, nodes, ends[1]),
             type->src.text, type->dst.text);
}

void sema_check_ends(sema *s, const ast_statement *st) {
  const ast_graph_type_list *nodes = &st->graph.node_types;
  for (size_t i = 0; i < st->graph.edge_types.count; i++) {
    const ast_graph_type *type = &st->graph.edge_types.items[i];
    bool is_good = type->src.text != NULL;
    for (int end = 0; end < 2; end++) {
      const ast_name *name = end ? &type->dst : &type->src;
      if (!name->text || find_type(nodes, name->text) < nodes->count) continue;
      sema_error(s, name->span, DIAG_unknown_name, "graph '%s' declares no nodes '%s'%s", st->graph.name.text,
                 name->text, suggest_type(s, nodes, name->text));
      is_good = false;
    }
    if (is_good) check_edges(s, st, i);
  }
}

void sema_add_ends(sema *s, flat_id graph, const ast_statement *st) {
  const ast_graph_type_list *nodes = &st->graph.node_types, *edges = &st->graph.edge_types;
  dim *ends = arena_alloc_array(s->arena, 2 * edges->count + 1, sizeof *ends);
  bool has_ends = false;
  for (size_t i = 0; i < 2 * edges->count; i++) {
    const char *name = i % 2 ? edges->items[i / 2].dst.text : edges->items[i / 2].src.text;
    size_t type = name ? find_type(nodes, name) : nodes->count;
    bool is_known = type < nodes->count;
    ends[i] = dim_constant(s->dims, is_known ? (int64_t)type : -1);
    has_ends |= is_known;
  }
  if (graph != FLAT_NONE && has_ends) sema_add_sizes(s, graph, "edge_ends", ends, (unsigned)(2 * edges->count));
}

int64_t sema_relation_type(const char *set) {
  const char *dot = strchr(set, '.');
  edge_mode mode = edge_mode_read(dot ? dot + 1 : "");
  return mode.kind == EDGE_MODE_relation ? mode.number : -1;
}

static const ast_graph_type *type_of(const sema *s, const char *set) {
  int64_t type = sema_relation_type(set);
  bool is_known = type >= 0 && s->graph_statement && (size_t)type < s->graph_statement->graph.edge_types.count;
  return is_known ? &s->graph_statement->graph.edge_types.items[type] : NULL;
}

const char *sema_part_of_type(sema *s, const char *node_type) {
  if (!s->graph_statement) return NULL;
  const ast_graph_type_list *types = &s->graph_statement->graph.node_types;
  size_t type = node_type ? find_type(types, node_type) : types->count;
  return type < types->count ? sema_part_set(s, type) : NULL;
}

/* The type of the nodes at an end of a relation's or a union's edges; NULL where they are of any type. All items of a
 * union have the same ends. */
static const char *node_type_at(const sema *s, const char *set, bool is_src) {
  const char *dot = strchr(set, '.'), *mode = dot ? dot + 1 : "";
  int64_t types = edge_mode_types(mode), type = 0;
  if (!s->graph_statement || edge_mode_ways(mode, types)) return NULL;
  while (type < types && !edge_mode_ways(mode, type)) type++;
  if (type == types || (size_t)type >= s->graph_statement->graph.edge_types.count) return NULL;
  bool is_back = !(edge_mode_ways(mode, type) & EDGE_WAY_forward);
  const ast_graph_type *of = &s->graph_statement->graph.edge_types.items[type];
  return is_src != is_back ? of->src.text : of->dst.text;
}

const char *sema_part_at(sema *s, const char *set, sema_end end) {
  return set && end != SEMA_END_self ? sema_part_of_type(s, node_type_at(s, set, end == SEMA_END_src)) : NULL;
}

sema_value sema_choose_edges(sema *s, sema_value graph, const char *mode, span where) {
  flat_type made = sema_type(s, graph.id);
  made.set = arena_printf(s->arena, "%s.%s", made.set, mode);
  flat_id id = sema_add(s, FLAT_edge_set, made, where, &graph.id, 1);
  sema_add_string(s, id, "mode", mode);
  graph.id = id;
  return id == FLAT_NONE ? sema_poisoned() : graph;
}

static sema_value make_relation(sema *s, sema_value graph, size_t type, span where) {
  return sema_choose_edges(s, graph, arena_printf(s->arena, "relation%zu", type), where);
}

/* Whether the graph has types of edges with names; reports where it has none. A layer that is checked by itself knows
 * no types. */
static bool has_relations(sema *s, const ast_expr *where, sema_value graph) {
  if (!s->graph_statement || graph.id == FLAT_NONE) return false;
  const ast_graph_type_list *types = &s->graph_statement->graph.edge_types;
  if (types->count && !strchr(sema_type(s, graph.id).set, '.')) return true;
  if (types->count)
    sema_error(s, where->span, DIAG_edge_set_mismatch,
               "%s: only the graph of the model has relations, not a graph that was made from it",
               sema_quote(s, where));
  else
    sema_error(s, where->span, DIAG_unknown_name,
               "%s: the graph has no relations; 'graph %s { nodes paper, author; edges writes : author -> paper; }' "
               "names some",
               sema_quote(s, where), s->graph_statement->graph.name.text);
  return false;
}

sema_value sema_relation(sema *s, const ast_expr *where, sema_value graph, ast_name type) {
  if (!has_relations(s, where, graph)) return sema_poisoned();
  const ast_graph_type_list *types = &s->graph_statement->graph.edge_types;
  size_t found = find_type(types, type.text);
  if (found < types->count) return make_relation(s, graph, found, where->span);
  sema_error(s, type.span, DIAG_unknown_name, "graph '%s' declares no edges '%s'%s",
             s->graph_statement->graph.name.text, type.text, suggest_type(s, types, type.text));
  return sema_poisoned();
}

/* ---- repeat r in g.relations, repeat t in g.node_types ---- */

bool sema_list_of_types(sema *s, const ast_expr *list, sema_value **items, size_t *count) {
  bool is_field = list->kind == AST_EXPR_field;
  bool are_nodes = is_field && !strcmp(list->field.name.text, "node_types");
  *count = 0;
  if (!is_field || (!are_nodes && strcmp(list->field.name.text, "relations") != 0)) {
    sema_error(s, list->span, DIAG_type_mismatch,
               "%s is nothing to repeat over; expected 0..K, g.relations or g.node_types", sema_quote(s, list));
    return false;
  }
  sema_value graph = sema_eval(s, list->field.base);
  if (graph.kind == SEMA_poison) return false;
  if (graph.kind != SEMA_graph) {
    sema_error(s, list->field.base->span, DIAG_type_mismatch, "%s is %s, but only a graph has %s",
               sema_quote(s, list->field.base), sema_describe(s, graph), list->field.name.text);
    return false;
  }
  if (!s->graph_statement || (!are_nodes && !has_relations(s, list, graph))) return false;
  const ast_graph_type_list *types =
      are_nodes ? &s->graph_statement->graph.node_types : &s->graph_statement->graph.edge_types;
  *items = arena_alloc_array(s->arena, types->count + 1, sizeof **items);
  for (size_t i = 0; i < types->count; i++)
    (*items)[i] =
        are_nodes ? (sema_value){.kind = SEMA_node_type, .id = FLAT_NONE, .name = types->items[i].name.text, .count = i}
                  : make_relation(s, graph, i, list->span);
  *count = types->count;
  if (*count) return true;
  sema_error(s, list->span, DIAG_unknown_name,
             "%s: the graph has no types of nodes; 'graph %s { nodes paper, author; }' names some", sema_quote(s, list),
             s->graph_statement->graph.name.text);
  return false;
}

bool sema_end_type(sema *s, sema_value relation, const char *field, sema_value *out) {
  if (relation.kind != SEMA_graph || relation.id == FLAT_NONE || !sema_is_either(field, "src", "dst")) return false;
  const char *name =
      node_type_at(s, sema_type(s, relation.id).set, (strcmp(field, "src") == 0) != relation.is_reversed);
  if (!name) return false;
  *out = (sema_value){.kind = SEMA_node_type,
                      .id = FLAT_NONE,
                      .name = name,
                      .count = find_type(&s->graph_statement->graph.node_types, name)};
  return true;
}

const char *sema_type_name(const sema *s, sema_value v) {
  if (v.kind == SEMA_node_type) return v.name;
  if (v.kind != SEMA_graph || v.id == FLAT_NONE) return NULL;
  const ast_graph_type *type = type_of(s, sema_type(s, v.id).set);
  return type ? type->name.text : NULL;
}
