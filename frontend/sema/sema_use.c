/* Finds values, fields and weights that nothing reads.
 *
 *   let a = relu(x);              warning: value 'a' is not used
 *   for n in g.nodes { n.h = -n.x; n.h = n.x; } output y = n.h;      warning for the first n.h
 *
 * A place in the text counts once, however often it is expanded: it is used when one of its
 * expansions is. */
#include "frontend/sema/sema_state.h"

#include <stdarg.h>
#include <stdio.h>

sema_use *sema_track(sema *s, span where, const char *name, const char *format, ...) {
  char place[64];
  if (*name == '_' || sema_is_in_library(s)) return NULL;
  snprintf(place, sizeof place, "%p/%u/%u", (const void *)where.source, where.begin, where.end);
  sema_use *use = sema_map_get(&s->uses_by_place, place);
  if (use) return use;
  va_list args;
  text what = {0};
  va_start(args, format);
  text_vprintf(&what, format, args);
  va_end(args);
  use = arena_alloc(s->arena, sizeof *use);
  *use = (sema_use){.where = where, .what = text_keep(&what, s->arena)};
  sema_map_set(s->arena, &s->uses_by_place, arena_strdup(s->arena, place), use);
  VEC_PUSH(s->arena, &s->uses, use);
  return use;
}

void sema_mark(sema_use *use) {
  if (use) use->is_used = true;
}

void sema_mark_visible(const sema_scope *scope) {
  for (size_t i = 0; i < scope->declared.count; i++) sema_mark(scope->declared.items[i]->use);
  for (size_t i = 0; i < scope->fields.capacity; i++)
    for (const sema_field *f = scope->fields.entries[i].value; f; f = f->next) sema_mark(f->use);
}

void sema_warn_unused_values(sema *s) {
  for (size_t i = 0; i < s->uses.count; i++) {
    const sema_use *use = s->uses.items[i];
    if (!use->is_used) sema_error(s, use->where, DIAG_unused_value, "%s is not used", use->what);
  }
  sema_flush(s);
}
