/* Nodes of one type are a node set of their own: "g:0" holds the nodes of "g" whose type is number
 * 0.
 *
 *   for n in g.nodes.paper { n.h = n.x @ P; }      x.paper, or the paper rows of x; h for papers
 *   for n in g.nodes { n.y = relu(n.h); }          all parts of h united; 0 at nodes of types that have no h
 *
 * A field has a version for all nodes and newer ones for parts. They are united when a statement
 * reads the field of all nodes. */
#include "frontend/sema/sema_kinds.h"

#include <stdlib.h>
#include <string.h>

bool sema_is_part(const char *set) {
  return set && strchr(set, ':');
}

const char *sema_part_set(sema *s, size_t type) {
  return arena_printf(s->arena, "%s:%zu", s->graph_set, type);
}

size_t sema_type_of_part(const char *set) {
  return strtoul(strchr(set, ':') + 1, NULL, 10);
}

const char *sema_part_name(const sema *s, const char *set) {
  return s->graph_statement->graph.node_types.items[sema_type_of_part(set)].name.text;
}

const char *sema_rows_text(sema *s, flat_type t) {
  if (t.domain == FLAT_DOMAIN_edge) return arena_printf(s->arena, "per edge of '%s'", t.set);
  if (!sema_is_part(t.set)) return "per node";
  return arena_printf(s->arena, "per node of type '%s'", sema_part_name(s, t.set));
}

static void add_type(sema *s, flat_id id, const char *set) {
  if (id != FLAT_NONE) sema_add_integer(s, id, "type", (int64_t)sema_type_of_part(set));
}

flat_id sema_part(sema *s, flat_id value, const char *set, span where) {
  if (value == FLAT_NONE) return value;
  flat_type type = sema_type(s, value);
  if (!sema_is_part(set) || type.domain != FLAT_DOMAIN_node || sema_is_part(type.set)) return value;
  type.set = set;
  flat_id id = sema_add(s, FLAT_part, type, where, (flat_id[]){s->graph, value}, 2);
  add_type(s, id, set);
  return id;
}

flat_id sema_unite(sema *s, flat_id rows, flat_id rest, span where) {
  if (rows == FLAT_NONE) return rows;
  flat_type type = sema_type(s, rows);
  const char *part = type.set;
  if (!sema_is_part(part)) return rows;
  if (type.is_integer) {
    sema_error(s, where, DIAG_integer_value,
               "integers of nodes of type '%s' have no value at other nodes: look them up in a loop over g.nodes.%s",
               sema_part_name(s, part), sema_part_name(s, part));
    return FLAT_NONE;
  }
  type.set = s->graph_set;
  flat_id id = sema_add(s, FLAT_unite, type, where, (flat_id[]){s->graph, rows, rest}, 3);
  add_type(s, id, part);
  return id;
}

/* ---- fields ---- */

bool sema_is_part_field(const sema_field *f) {
  return !f->is_edge && !f->is_stale && sema_is_part(f->set);
}

/* Marks the versions for parts as stale after an assignment for all nodes. */
void sema_forget_parts(sema *s, const char *name) {
  for (sema_field *f = sema_map_get(&s->scope->fields, name); f; f = f->next)
    if (sema_is_part_field(f)) f->is_stale = true;
}

/* Checks that two parts of one field have the same shape; false after an error. */
static bool have_one_shape(sema *s, const char *name, flat_type a, flat_type b, span where) {
  bool is_same = a.rank == b.rank;
  for (unsigned i = 0; is_same && i < a.rank; i++)
    is_same = sema_unify(s, a.dims[i], b.dims[i], where, "nodes of all types have it");
  if (is_same) return true;
  const char *rows[] = {sema_rows_text(s, a), sema_rows_text(s, b)};
  a.domain = b.domain = FLAT_DOMAIN_plain;
  sema_error(s, where, DIAG_shape_mismatch, "'%s' has no shape for all nodes: it is %s %s, but %s %s", name,
             sema_type_text(s, a), rows[0], sema_type_text(s, b), rows[1]);
  return false;
}

sema_value sema_add_part(sema *s, const char *name, sema_value rest, sema_value rows, span where) {
  if (rows.kind != SEMA_tensor || rest.kind == SEMA_poison) return sema_poisoned();
  flat_id before = rest.kind == SEMA_tensor ? rest.id : FLAT_NONE;
  if (before != FLAT_NONE && !have_one_shape(s, name, sema_type(s, rows.id), sema_type(s, before), where))
    return sema_poisoned();
  return sema_from_id(s, sema_unite(s, rows.id, before, where));
}

static sema_field *unite_field(sema *s, sema_scope *scope, const char *name, const char *set, span where) {
  sema_field *whole = sema_find_field(scope, name, false, set);
  sema_value value = whole ? whole->value : (sema_value){.kind = SEMA_nothing, .id = FLAT_NONE};
  span assigned = {0};
  bool is_newer = false;
  for (sema_field *f = sema_map_get(&scope->fields, name); f; f = f->next) {
    if (!sema_is_part_field(f) || f->is_united) continue;
    sema_mark(f->use);
    if (whole) sema_mark(whole->use);
    value = sema_add_part(s, name, value, f->value, where);
    assigned = f->assigned;
    f->is_united = is_newer = true;
  }
  return is_newer ? sema_enter_field(s, scope, name, false, set, value, assigned) : whole;
}

static sema_field *find_version(sema *s, sema_scope *scope, const char *name, bool is_edge, const char *set,
                                span where) {
  if (is_edge || !set) return sema_find_field(scope, name, is_edge, set);
  if (!sema_is_part(set)) return unite_field(s, scope, name, set, where);
  sema_field *own = sema_find_field(scope, name, false, set);
  if (own) return own;
  const sema_field *whole = sema_find_field(scope, name, false, s->graph_set);
  if (!whole) return NULL;
  sema_value v = whole->value;
  if (v.kind == SEMA_tensor) v = sema_from_id(s, sema_part(s, v.id, set, where));
  sema_mark(whole->use);
  sema_field *part = sema_enter_field(s, scope, name, false, set, v, whole->assigned);
  part->is_united = true;
  return part;
}

sema_field *sema_read_field(sema *s, sema_scope *scope, const char *name, bool is_edge, const char *set, span where) {
  sema_field *field = find_version(s, scope, name, is_edge, set, where);
  if (field) sema_mark(field->use);
  return field;
}

/* ---- g.nodes.paper ---- */

bool sema_find_part(sema *s, ast_name type, const char **set) {
  *set = NULL;
  if (!s->graph_statement) return false; /* a layer checked by itself: the types of its graph are unknown */
  const ast_statement *graph = s->graph_statement;
  VEC(const char *) names = {0};
  for (size_t i = 0; i < graph->graph.node_types.count; i++) {
    const char *name = graph->graph.node_types.items[i].name.text;
    if (!strcmp(name, type.text)) *set = sema_part_set(s, i);
    VEC_PUSH(s->arena, &names, name);
  }
  if (!*set)
    sema_error(s, type.span, DIAG_unknown_name, "graph '%s' declares no nodes '%s'%s", graph->graph.name.text,
               type.text, sema_suggest(s, type.text, names.items, names.count));
  return *set != NULL;
}
