/* Values that have a shape of their own for each node type: the inputs x.paper and x.author together are x, and the
 * fields that loops over g.nodes.paper and g.nodes.author assign are n.h.
 *
 *   let w = sage_conv(g.writes, x, 16);      the layer reads e.src.x of authors and n.x of papers; w is of papers
 *
 * Where one value of all nodes is needed, the parts are united. */
#include "frontend/sema/sema_kinds.h"

#include <string.h>

sema_value sema_new_by_type(sema *s, const char *input) {
  size_t count = s->graph_statement ? s->graph_statement->graph.node_types.count : 0;
  sema_value *items = arena_alloc_array(s->arena, count + 1, sizeof *items);
  for (size_t i = 0; i < count; i++) items[i] = (sema_value){.kind = SEMA_nothing, .id = FLAT_NONE};
  return (sema_value){.kind = SEMA_by_type, .id = FLAT_NONE, .name = input, .items = items, .count = count};
}

bool sema_has_rows_of(sema_value v, const char *set) {
  return v.kind == SEMA_by_type && (!sema_is_part(set) || v.items[sema_type_of_part(set)].kind != SEMA_nothing);
}

static sema_value missing_item(sema *s, sema_value v, const char *name, size_t type, span where) {
  const char *missing = s->graph_statement->graph.node_types.items[type].name.text;
  const sema_binding *input = v.name ? sema_find_name(s->scope, v.name) : NULL;
  if (v.name) {
    sema_error(s, where, DIAG_missing_input, "'%s' is an input of some node types only: there is no '%s.%s'", name,
               v.name, missing);
    if (input) sema_note(s, input->declared, "'%s' is declared here first", v.name);
  } else
    sema_error(s, where, DIAG_unassigned_field, "'%s' is read at nodes of type '%s', where nothing is assigned to it",
               name, missing);
  return sema_poisoned();
}

sema_value sema_read_by_type(sema *s, sema_value v, const char *name, const char *set, span where) {
  if (!s->graph_statement || s->graph == FLAT_NONE) return sema_poisoned();
  if (sema_is_part(set)) {
    size_t type = sema_type_of_part(set);
    return v.items[type].kind == SEMA_nothing ? missing_item(s, v, name, type, where) : v.items[type];
  }
  sema_value united = {.kind = SEMA_nothing, .id = FLAT_NONE};
  for (size_t i = 0; i < v.count && united.kind != SEMA_poison; i++) {
    if (v.items[i].kind != SEMA_nothing)
      united = sema_add_part(s, name, united, v.items[i], where);
    else if (v.name)
      return missing_item(s, v, name, i, where);
  }
  return united.kind == SEMA_tensor ? united : sema_poisoned();
}

const sema_value *sema_find_type(const sema *s, const char *type, const sema_value *items) {
  const ast_graph_type_list *types = &s->graph_statement->graph.node_types;
  for (size_t i = 0; i < types->count; i++)
    if (!strcmp(types->items[i].name.text, type)) return &items[i];
  return NULL;
}

const sema_value *sema_find_item(const sema *s, sema_value v, const char *type) {
  const sema_value *item = v.count ? sema_find_type(s, type, v.items) : NULL;
  return item && item->kind != SEMA_nothing ? item : NULL;
}

bool sema_fields_by_type(sema *s, const char *name, const char *set, sema_value *out) {
  bool is_found = false;
  if (!s->graph_statement || sema_find_field(s->scope, name, false, set)) return false;
  sema_value all = sema_new_by_type(s, NULL), *items = (sema_value *)all.items;
  for (const sema_field *f = sema_map_get(&s->scope->fields, name); f; f = f->next) {
    if (!sema_is_part_field(f)) continue;
    items[sema_type_of_part(f->set)] = f->value;
    sema_mark(f->use);
    is_found = true;
  }
  *out = all;
  return is_found;
}
