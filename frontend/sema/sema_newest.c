/* Resolves n.NAME where a value and a field have the same name: n.NAME means the newer one.
 *
 *   for n in g.nodes { n.h = n.x @ W; }
 *   let h = relu(n.h);                      from here on n.h is this value
 *   for n in g.nodes { n.h = n.h + 1; }     and from here on the field again
 *
 * One counter numbers the definitions of names and fields. A name that is declared in a loop counts
 * for that loop's own variable alone. */
#include "frontend/sema/sema_kinds.h"

#include <string.h>

bool sema_is_in_library(const sema *s) {
  return s->scope->layer && s->scope->layer->ast->is_library;
}

/* Whether the binding is a value per node or per edge that can be read on the set. */
static bool has_rows(sema *s, const sema_binding *b, bool is_edge, const char *set) {
  if (b->value.kind == SEMA_by_type) return !is_edge && sema_has_rows_of(b->value, set);
  if (b->value.kind != SEMA_tensor) return false;
  flat_type type = sema_type(s, b->value.id);
  if (type.domain != (is_edge ? FLAT_DOMAIN_edge : FLAT_DOMAIN_node)) return false;
  bool is_narrower = sema_is_part(set) && !sema_is_part(type.set);
  return !strcmp(type.set, set) || (!is_edge && (b->loop || is_narrower));
}

/* Whether a read on the set uses the field: a read of all nodes also uses fields of parts, and a
 * read of a part also uses the field of all nodes. */
static bool is_about(const sema_field *f, bool is_edge, const char *set) {
  if (f->is_edge != is_edge) return false;
  if (!f->set || !strcmp(f->set, set)) return true;
  return !is_edge && (!sema_is_part(f->set) || !sema_is_part(set));
}

static const sema_field *newest_field(const sema *s, const char *name, bool is_edge, const char *set) {
  const sema_field *newest = NULL;
  for (const sema_field *f = sema_map_get(&s->scope->fields, name); f; f = f->next)
    if (is_about(f, is_edge, set) && (!newest || f->stamp > newest->stamp)) newest = f;
  return newest;
}

const sema_binding *sema_newest_name(sema *s, const char *name, bool is_edge, const char *set, const sema_loop *loop) {
  const sema_binding *b = set ? sema_find_name(s->scope, name) : NULL;
  if (!b || b->kind == SEMA_BINDING_loop || (b->loop && b->loop != loop) || !has_rows(s, b, is_edge, set)) return NULL;
  const sema_field *field = newest_field(s, name, is_edge, set);
  return !field || b->stamp > field->stamp ? b : NULL;
}

void sema_keep_newest(sema *s, const char *name, const char *part) {
  const sema_binding *b = sema_newest_name(s, name, false, s->graph_set, NULL);
  if (!b) return;
  sema_forget_parts(s, name);
  if (b->value.kind != SEMA_by_type) {
    sema_field *whole = sema_enter_field(s, s->scope, name, false, s->graph_set, b->value, b->declared);
    whole->stamp = b->stamp;
    whole->use = b->use;
    return;
  }
  for (size_t i = 0; i < b->value.count; i++) {
    const char *set = sema_part_set(s, i);
    if (b->value.items[i].kind == SEMA_nothing || !strcmp(set, part)) continue;
    sema_enter_field(s, s->scope, name, false, set, b->value.items[i], b->declared)->stamp = b->stamp;
  }
}

/* ---- warnings ---- */

void sema_warn_let(sema *s, const sema_binding *b) {
  if (sema_is_in_library(s) || b->loop || b->value.kind != SEMA_tensor) return;
  flat_type type = sema_type(s, b->value.id);
  bool is_edge = type.domain == FLAT_DOMAIN_edge;
  if (!is_edge && type.domain != FLAT_DOMAIN_node) return;
  const sema_field *field = newest_field(s, b->name, is_edge, type.set);
  if (!field) return;
  sema_error(s, b->declared, DIAG_ambiguous_name, "'%s' is a field too; from here on '%s.%s' means this value", b->name,
             is_edge ? "e" : "n", b->name);
  sema_note(s, field->assigned, "the field is assigned here");
}

void sema_warn_field(sema *s, const ast_expr *target, bool is_edge, const char *set) {
  const char *name = target->field.name.text;
  const sema_binding *b = set ? sema_find_name(s->scope, name) : NULL;
  if (sema_is_in_library(s) || !b || b->kind != SEMA_BINDING_let || b->loop || !has_rows(s, b, is_edge, set)) return;
  sema_error(s, target->span, DIAG_ambiguous_name,
             "'%s' is a value too; from here on %s means the field, and '%s' the value", name, sema_quote(s, target),
             name);
  sema_note(s, b->declared, "the value is declared here");
}

void sema_warn_read(sema *s, const ast_expr *e, const sema_binding *b, bool is_edge, const char *set) {
  const sema_field *field = newest_field(s, b->name, is_edge, set);
  if (sema_is_in_library(s) || !field) return;
  sema_error(s, e->span, DIAG_ambiguous_name, "%s means the value '%s' of this loop, which is newer than the field",
             sema_quote(s, e), b->name);
  sema_note(s, b->declared, "the value is declared here");
  sema_note(s, field->assigned, "the field is assigned here");
}
