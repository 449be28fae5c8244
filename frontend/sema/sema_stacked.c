/* Weights per type that the file keeps apart, a tensor for each type:
 *
 *   weight W : etype f32[8, 4] from "convs.{type}.weight";      "{convs.cites.weight|convs.writes.weight}"
 *
 * The name of a stack lists the names of its tensors; who reads the file puts them together. */
#include "frontend/sema/sema_kinds.h"

#include <string.h>

bool sema_is_stacked(const ast_type *type, const char *pattern) {
  bool is_typed = type->kind == AST_TYPE_etype || type->kind == AST_TYPE_ntype;
  const char *at = is_typed ? strstr(pattern, "{type") : NULL;
  return at && (at[5] == '}' || at[5] == '.');
}

/* Counts a tensor of the file as used. */
static void note_use(sema *s, const char *name) {
  if (sema_map_get(&s->weights, name)) return;
  sema_weight_use *use = arena_alloc(s->arena, sizeof *use);
  use->id = FLAT_NONE;
  sema_map_set(s->arena, &s->weights, name, use);
}

/* Reports two tensors that differ in shape, where the file has all. */
static void report_shapes(sema *s, const char *const *names, size_t count, span where) {
  sema_tensor first = {0}, other = {0};
  s->env->find_weight(s->env->user, names[0], &first);
  for (size_t i = 1; i < count; i++) {
    s->env->find_weight(s->env->user, names[i], &other);
    if (first.rank == other.rank && !memcmp(first.dims, other.dims, first.rank * sizeof *first.dims)) continue;
    sema_error(s, where, DIAG_weight_shape, "'%s' and '%s' have different shapes: a weight per type has one", names[0],
               names[i]);
    return;
  }
  sema_error(s, where, DIAG_weight_shape, "'%s' and the tensors of the other types cannot be stacked", names[0]);
}

const char *sema_stacked_name(sema *s, const ast_type *type, const char *pattern, span where, const char **missing) {
  bool is_edge = type->kind == AST_TYPE_etype;
  const ast_statement *graph = s->graph_statement;
  const ast_graph_type_list *types = !graph ? NULL : is_edge ? &graph->graph.edge_types : &graph->graph.node_types;
  *missing = NULL;
  if (!types || !types->count) {
    if (graph)
      sema_error(s, where, DIAG_unknown_name,
                 "'{type}' stands for the names of the types of %s, but graph '%s' gives none",
                 is_edge ? "edges" : "nodes", graph->graph.name.text);
    return NULL;
  }
  if (strpbrk(pattern, "|") || strpbrk(s->scope->prefix, "|{}")) {
    sema_error(s, where, DIAG_unsupported,
               "the name of a weight that is stacked cannot contain '|': it separates the names");
    return NULL;
  }
  const char **names = arena_alloc_array(s->arena, types->count, sizeof *names);
  text list = {0};
  bool is_good = true;
  for (size_t i = 0; i < types->count && is_good; i++) {
    s->stacked_type = &types->items[i];
    const char *own = sema_interpolate(s, pattern, where);
    s->stacked_type = NULL;
    is_good = own != NULL;
    if (!is_good) break;
    names[i] = sema_join_names(s, s->scope->prefix, own);
    text_printf(&list, "%s%s", i ? "|" : "{", names[i]);
    sema_tensor t = {0};
    bool is_there = !s->env->weights_file || s->env->find_weight(s->env->user, names[i], &t);
    if (is_there)
      note_use(s, names[i]);
    else if (!*missing)
      *missing = names[i];
  }
  const char *name = is_good ? arena_printf(s->arena, "%s}", text_str(&list)) : NULL;
  text_free(&list);
  sema_tensor t = {0};
  bool is_odd = name && !*missing && s->env->weights_file && !s->env->find_weight(s->env->user, name, &t);
  if (is_odd) report_shapes(s, names, types->count, where);
  return is_odd ? NULL : name;
}

const char *sema_stack_label(sema *s, const ast_statement *st, const char *name) {
  const char *pattern = st->weight.from ? st->weight.from : st->weight.name.text;
  if (name[0] != '{' || !sema_is_stacked(&st->weight.type, pattern)) return name;
  static const ast_graph_type any = {.name.text = "type", .src.text = "src", .dst.text = "dst"};
  s->stacked_type = &any;
  const char *own = sema_interpolate(s, pattern, st->weight.from_span);
  s->stacked_type = NULL;
  return own ? sema_join_names(s, s->scope->prefix, own) : name;
}
