/* Keeps the names and fields of one expanded layer. A name is declared once and never hidden; a
 * field belongs to the nodes, or to the edges of one set. */
#include "frontend/sema/sema_kinds.h"

#include <string.h>

sema_value sema_poisoned(void) {
  return (sema_value){.kind = SEMA_poison, .id = FLAT_NONE};
}

sema_value sema_from_id(const sema *s, flat_id id) {
  if (id == FLAT_NONE) return sema_poisoned();
  bool is_graph = sema_type(s, id).domain == FLAT_DOMAIN_graph;
  return (sema_value){.kind = is_graph ? SEMA_graph : SEMA_tensor, .id = id};
}

sema_value sema_from_number(sema *s, double number, bool is_integer) {
  bool is_size = is_integer && number >= -9e15 && number <= 9e15;
  return (sema_value){.kind = SEMA_number,
                      .id = FLAT_NONE,
                      .number = number,
                      .size = is_size ? dim_constant(s->dims, (int64_t)number) : NULL};
}

sema_value sema_from_size(sema *s, dim size) {
  int64_t value = 0;
  if (!size) return sema_poisoned();
  if (dim_value(s->dims, size, &value)) {
    sema_value v = sema_from_number(s, (double)value, true);
    v.size = size; /* its symbols keep their origins */
    return v;
  }
  return (sema_value){.kind = SEMA_size, .id = FLAT_NONE, .size = size};
}

sema_binding *sema_find_name(const sema_scope *scope, const char *name) {
  return sema_map_get(&scope->names, name);
}

const sema_binding *sema_find_output(sema *s, const char *name) {
  const flat_output *outputs = s->flat->outputs.items;
  for (size_t i = 0; !s->scope->layer && i < s->flat->outputs.count; i++) {
    if (strcmp(outputs[i].name, name) != 0) continue;
    sema_binding *binding = arena_alloc(s->arena, sizeof *binding);
    *binding = (sema_binding){.name = name,
                              .declared = outputs[i].span,
                              .kind = SEMA_BINDING_output,
                              .value = sema_from_id(s, outputs[i].value)};
    return binding;
  }
  return NULL;
}

const char *sema_binding_text(sema_binding_kind kind) {
  static const char *const texts[] = {"a value",     "a parameter", "an input",        "a weight", "a graph",
                                      "a dimension", "an index",    "a loop variable", "an output"};
  return texts[kind];
}

sema_layer *sema_find_layer(const sema *s, const char *name) {
  sema_layer *own = sema_is_in_library(s) ? NULL : sema_map_get(&s->layers, name);
  return own ? own : sema_map_get(&s->library_layers, name);
}

/* Whether a name hides a value of the language or, in a user's file, a builtin function. Layers of
 * the library have no reserved names, so that the library can grow without breaking models. */
static bool is_shadowing(sema *s, ast_name name) {
  sema_value literal = {0};
  if (sema_find_literal(s, name.text, &literal)) {
    sema_error(s, name.span, DIAG_shadowing, "'%s' is a value of the language; choose another name", name.text);
    return true;
  }
  if (sema_is_in_library(s) || !sema_function_find(name.text)) return false;
  sema_error(s, name.span, DIAG_shadowing, "'%s' is a builtin function; choose another name", name.text);
  return true;
}

sema_binding *sema_declare(sema *s, ast_name name, sema_binding_kind kind, sema_value value) {
  sema_scope *scope = s->scope;
  sema_binding *binding = arena_alloc(s->arena, sizeof *binding);
  *binding =
      (sema_binding){.name = name.text, .declared = name.span, .kind = kind, .value = value, .loop = scope->loop};
  binding->stamp = ++s->clock;
  sema_binding *before = sema_find_name(scope, name.text);
  if (before) {
    sema_error(s, name.span, DIAG_redefinition, "'%s' is already declared%s", name.text,
               before->kind == SEMA_BINDING_let && kind == SEMA_BINDING_let
                   ? "; to give it a new version write it without 'let'"
                   : "");
    sema_note(s, before->declared, "'%s' is declared here as %s", name.text, sema_binding_text(before->kind));
    return binding;
  }
  is_shadowing(s, name);
  sema_map_set(s->arena, &scope->names, name.text, binding);
  VEC_PUSH(s->arena, &scope->declared, binding);
  return binding;
}

size_t sema_open_block(const sema_scope *scope) {
  return scope->declared.count;
}

void sema_close_block(sema_scope *scope, size_t mark) {
  while (scope->declared.count > mark)
    sema_map_set(NULL, &scope->names, scope->declared.items[--scope->declared.count]->name, NULL);
}

sema_field *sema_find_field(const sema_scope *scope, const char *name, bool is_edge, const char *set) {
  for (sema_field *f = sema_map_get(&scope->fields, name); f; f = f->next)
    if (f->is_edge == is_edge && !f->is_stale && (!set || !f->set || !strcmp(f->set, set))) return f;
  return NULL;
}

sema_field *sema_enter_field(sema *s, sema_scope *scope, const char *name, bool is_edge, const char *set,
                             sema_value value, span assigned) {
  sema_field *field = sema_find_field(scope, name, is_edge, set);
  if (!field) {
    sema_map *fields = &scope->fields;
    field = arena_alloc(s->arena, sizeof *field);
    *field = (sema_field){.name = name, .is_edge = is_edge, .set = set, .next = sema_map_get(fields, name)};
    sema_map_set(s->arena, fields, name, field);
  }
  field->value = value;
  field->assigned = assigned;
  field->use = NULL;
  return field;
}

sema_field *sema_set_field(sema *s, const char *name, bool is_edge, const char *set, sema_value value, span assigned) {
  if (!is_edge && sema_is_part(set)) sema_keep_newest(s, name, set);
  if (!is_edge && !sema_is_part(set)) sema_forget_parts(s, name);
  sema_field *field = sema_enter_field(s, s->scope, name, is_edge, set, value, assigned);
  field->is_united = false;
  field->stamp = ++s->clock;
  return field;
}
