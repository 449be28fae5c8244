/* Declarations of the public functions of a model: see signature.h.
 *
 *   {"gnnc_result", "bind", {{"const gnnc_graph *", "graph"}, {"const M_weights *", "weights"}, ...}}
 *
 *   gnnc_result gcn_bind(const gnnc_graph *graph, const gcn_weights *weights, void *bound, ...) */
#include "codegen/c/interface/signature.h"

#include <ctype.h>
#include <string.h>

/* Replaces M by the model's name where M_ begins a word. */
static const char *name_model(arena *a, const char *name, const char *said) {
  text made = {0};
  for (const char *at = said; *at; at++) {
    bool begins = at == said || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
    if (begins && at[0] == 'M' && at[1] == '_')
      text_append(&made, name);
    else
      text_append_bytes(&made, at, 1);
  }
  const char *kept = arena_strdup(a, text_str(&made));
  text_free(&made);
  return kept;
}

const char *c_signature_named(const c_model *m, const char *said) {
  return name_model(m->arena, m->id, said);
}

/* Writes a declaration with its parameters. Lines end before 100 columns, where the model's name
 * counts as M, so that they break at the same places for all models. `indent` < 0: in one line. */
static const char *declare(const c_model *m, const char *head, const c_phase_function *function, bool is_untyped,
                           int indent) {
  enum { COLUMNS = 100 };
  text made = {0};
  size_t columns = strlen(name_model(m->arena, "", head));
  text_append(&made, head);
  for (const c_phase_parameter *p = function->parameters; p->name; p++) {
    const char *type = is_untyped && p->untyped ? p->untyped : p->type;
    const char *said = arena_printf(m->arena, "%s%s%s", type, p->name, p[1].name ? "," : ")");
    size_t length = strlen(name_model(m->arena, "", said));
    bool is_first = made.data[made.size - 1] == '(', wraps = indent >= 0 && columns + !is_first + length > COLUMNS;
    columns = wraps ? (size_t)indent + length : columns + !is_first + length;
    if (wraps)
      text_printf(&made, "\n%*s%s", indent, "", said);
    else
      text_printf(&made, "%s%s", is_first ? "" : " ", said);
  }
  const char *kept = c_signature_named(m, text_str(&made));
  text_free(&made);
  return kept;
}

const char *c_signature_declaration(const c_model *m, const c_phase_function *function) {
  return declare(m, arena_printf(m->arena, "%s M_%s(", function->result, function->name), function, false, -1);
}

void c_signature_open(const c_model *m, c_writer *w, const c_phase_function *function) {
  const char *head = arena_printf(m->arena, "%s M_%s(", function->result, function->name);
  c_writer_open(w, "%s", declare(m, head, function, false, (int)strlen(head)));
}

void c_signature_open_untyped(const c_model *m, c_writer *w, const c_phase_function *function, bool takes_version) {
  enum { INDENT = 4 };
  const char *head = arena_printf(m->arena, "static %s M_info_%s(%s", function->result, function->name,
                                  takes_version ? "int32_t abi_version," : "");
  c_writer_open(w, "%s", declare(m, head, function, true, INDENT));
}
