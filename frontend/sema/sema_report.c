/* Reports the messages of semantic analysis: each once per place, with notes that explain it and
 * notes of the calls around it.
 *
 *   lib.gnn:9:11: error: 'h' has 16 columns, but 'W' takes 32   [shape-mismatch]
 *   m.gnn:4:9: note: 'W' is declared here: f32[32, 8]
 *   m.gnn:12:11: note: in the call to 'gcn_conv' here */
#include "frontend/sema/sema_state.h"

#include <string.h>

enum { MAX_CALL_NOTES = 6, MAX_QUOTE = 40 };

void sema_flush(sema *s) {
  if (!s->has_pending) return;
  s->has_pending = false;
  const flat_frame *frame = s->pending;
  for (unsigned shown = 0; frame; frame = frame->parent, shown++) {
    if (shown == MAX_CALL_NOTES && frame->parent) {
      diag_note(s->diag, frame->call, "... and %u more calls", frame->depth);
      return;
    }
    diag_note(s->diag, frame->call, "in the call to '%s' here", frame->layer);
  }
}

/* Whether this message was reported before; remembers it. */
static bool is_repetition(sema *s, const char *key, span where, diag_id id) {
  const char *place =
      key ? arena_printf(s->arena, "%s/%d", key, (int)id)
          : arena_printf(s->arena, "%p/%u/%u/%d", (const void *)where.source, where.begin, where.end, (int)id);
  if (sema_map_get(&s->reported, place)) return true;
  sema_map_set(s->arena, &s->reported, place, s);
  return false;
}

void sema_error_v(sema *s, const flat_frame *frame, const char *key, span where, diag_id id, const char *format,
                  va_list args) {
  sema_flush(s);
  s->steps += SEMA_STEPS_OF_AN_ERROR;
  s->is_silent = !s->held && is_repetition(s, key, where, id);
  if (s->is_silent) return;
  text message = {0};
  text_vprintf(&message, format, args);
  if (s->held) {
    VEC_PUSH(s->arena, &s->held->messages, (sema_message){where, id, false, text_keep(&message, s->arena), key});
    return;
  }
  diag_report(s->diag, where, id, "%s", text_str(&message));
  text_free(&message);
  s->has_pending = true;
  s->pending = frame;
}

void sema_error_in(sema *s, const flat_frame *frame, const char *key, span where, diag_id id, const char *format, ...) {
  va_list args;
  va_start(args, format);
  sema_error_v(s, frame, key, where, id, format, args);
  va_end(args);
}

void sema_error(sema *s, span where, diag_id id, const char *format, ...) {
  va_list args;
  va_start(args, format);
  sema_error_v(s, s->scope ? s->scope->frame : NULL, NULL, where, id, format, args);
  va_end(args);
}

void sema_note(sema *s, span where, const char *format, ...) {
  if (s->is_silent) return;
  text message = {0};
  va_list args;
  va_start(args, format);
  text_vprintf(&message, format, args);
  va_end(args);
  if (s->held) {
    VEC_PUSH(s->arena, &s->held->messages,
             (sema_message){where, DIAG_syntax, true, text_keep(&message, s->arena), NULL});
    return;
  }
  diag_note(s->diag, where, "%s", text_str(&message));
  text_free(&message);
}

/* Names of other frameworks, which diag_nearest does not find because their spelling differs too
 * much. */
static const struct {
  const char *elsewhere, *here;
} words[] = {
    {"source", "src"},
    {"target", "dst"},
    {"dest", "dst"},
    {"destination", "dst"},
    {"neighbors", "incoming"},
    {"neighbours", "incoming"},
    {"predecessors", "incoming"},
    {"in_edges", "incoming"},
    {"successors", "outgoing"},
    {"out_edges", "outgoing"},
    {"vertices", "nodes"},
    {"deg", "in_degree"},
    {"degree", "in_degree"},
    {"add_self_loops", "add_remaining_self_loops"},
    {"add_self_loop", "add_remaining_self_loops"},
    {"cat", "concat"},
};

static const char *find_word(const char *name, const char *const *candidates, size_t count) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    for (size_t j = 0; !strcmp(words[i].elsewhere, name) && j < count; j++)
      if (!strcmp(words[i].here, candidates[j])) return candidates[j];
  return NULL;
}

const char *sema_suggest(sema *s, const char *name, const char *const *candidates, size_t count) {
  const char *nearest = find_word(name, candidates, count);
  if (!nearest) nearest = diag_nearest(name, candidates, count);
  return nearest ? arena_printf(s->arena, "; did you mean '%s'?", nearest) : "";
}

const char *sema_type_text(sema *s, flat_type type) {
  text t = {0};
  flat_print_type(s->dims, type, &t);
  return text_keep(&t, s->arena);
}

const char *sema_dim_text(sema *s, dim d) {
  text t = {0};
  dim_print(s->dims, d, &t);
  return text_keep(&t, s->arena);
}

const char *sema_quote(sema *s, const ast_expr *e) {
  text t = {0};
  ast_print_expr(e, &t);
  const char *whole = text_str(&t);
  const char *quoted = strlen(whole) <= MAX_QUOTE ? arena_printf(s->arena, "'%s'", whole)
                                                  : arena_printf(s->arena, "'%.*s...'", MAX_QUOTE - 3, whole);
  text_free(&t);
  return quoted;
}

const char *sema_describe(sema *s, sema_value v) {
  switch (v.kind) {
  case SEMA_poison: return "a value with an error";
  case SEMA_nothing: return "nothing";
  case SEMA_none: return "none";
  case SEMA_tensor: return sema_type_text(s, sema_type(s, v.id));
  case SEMA_graph: return "a graph";
  case SEMA_number: return arena_printf(s->arena, "the number %g", v.number);
  case SEMA_size: return arena_printf(s->arena, "the dimension %s", sema_dim_text(s, v.size));
  case SEMA_function:
    return v.layer ? arena_printf(s->arena, "the layer '%s'", v.name)
                   : arena_printf(s->arena, "the function '%s'", v.name);
  case SEMA_reduction: return arena_printf(s->arena, "the reduction '%s'", v.name);
  case SEMA_string: return arena_printf(s->arena, "the string \"%s\"", v.name);
  case SEMA_tuple: return arena_printf(s->arena, "%zu values", v.count);
  case SEMA_by_type: return "a value per node of some types";
  case SEMA_node_type: return arena_printf(s->arena, "the node type '%s'", v.name);
  }
  return "a value";
}

/* Finds the binding or field that an operand names; the field takes precedence. */
static bool find_declaration(sema *s, const ast_expr *e, span *where, sema_value *value, const char **what) {
  if (e->kind == AST_EXPR_index) e = e->index.base;
  const char *name = e->kind == AST_EXPR_name ? e->name.text : e->kind == AST_EXPR_field ? e->field.name.text : NULL;
  if (!name) return false;
  sema_field *field = e->kind == AST_EXPR_field ? sema_find_field(s->scope, name, false, NULL) : NULL;
  if (!field && e->kind == AST_EXPR_field) field = sema_find_field(s->scope, name, true, NULL);
  sema_binding *binding = field ? NULL : sema_find_name(s->scope, name);
  if (!field && !binding) return false;
  *where = field ? field->assigned : binding->declared;
  *value = field ? field->value : binding->value;
  *what = field ? "assigned" : binding->kind == SEMA_BINDING_let ? "computed" : "declared";
  return true;
}

void sema_note_operand(sema *s, const ast_expr *e) {
  span where = {0};
  sema_value value = {0};
  const char *what = NULL;
  if (!s->scope || !find_declaration(s, e, &where, &value, &what) || value.kind != SEMA_tensor) return;
  sema_note(s, where, "%s is %s here: %s", sema_quote(s, e), what, sema_describe(s, value));
}

enum { MAX_SIZE_NOTES = 4 };

/* Symbols that were explained already, so that each is explained once. */
typedef struct explained {
  uint32_t symbols[MAX_SIZE_NOTES];
  unsigned count;
} explained;

static bool is_explained(const explained *done, uint32_t symbol) {
  for (unsigned i = 0; i < done->count; i++)
    if (done->symbols[i] == symbol) return true;
  return done->count == MAX_SIZE_NOTES;
}

/* Notes the origins of the bindings of a size's symbols, then those of the sizes to which they are
 * bound. */
static void note_size(sema *s, dim d, explained *done) {
  for (uint32_t i = 0; d && i < d->count; i++) {
    for (uint32_t j = 0; j < d->terms[i].degree; j++) {
      uint32_t index = d->terms[i].symbols[j];
      const dim_symbol *symbol = &s->dims->symbols.items[index];
      if (!symbol->binding || !symbol->origin.text || is_explained(done, index)) continue;
      done->symbols[done->count++] = index;
      sema_note(s, symbol->origin.where, "'%s' is %s: %s", symbol->name, sema_dim_text(s, symbol->binding),
                symbol->origin.text);
      note_size(s, symbol->causes[0], done);
      note_size(s, symbol->causes[1], done);
    }
  }
}

void sema_note_sizes(sema *s, dim a, dim b) {
  explained done = {0};
  note_size(s, a, &done);
  note_size(s, b, &done);
}

void sema_report_failures(sema *s) {
  while (s->dims->failures.count) {
    const dim_constraint *c = &s->dims->constraints.items[s->dims->failures.items[--s->dims->failures.count]];
    sema_error_in(s, c->origin.user, NULL, c->origin.where, DIAG_shape_mismatch, "%s and %s must be equal: %s",
                  sema_dim_text(s, c->a), sema_dim_text(s, c->b),
                  c->origin.text ? c->origin.text : "they are the same size");
    sema_note_sizes(s, c->a, c->b);
  }
}
