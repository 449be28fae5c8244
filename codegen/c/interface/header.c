/* M.h: the header for programs that embed the model. */
#include "codegen/c/interface/header.h"

#include "codegen/c/interface/info.h"
#include "codegen/c/interface/phases.h"
#include "codegen/c/interface/signature.h"
#include "codegen/c/text/embedded.h"
#include "codegen/c/text/quote.h"
#include "codegen/c/text/writer.h"
#include "runtime/gnnc/abi.h"

#include <ctype.h>

/* "f32 [num_nodes, 16]": the shape of a tensor as its caller sees it. */
static const char *shape_text(const c_model *m, const c_buffer *b) {
  text made = {0};
  text_append(&made, b->type.is_integer ? "i32 [" : "f32 [");
  int64_t part = c_model_part(m, b);
  if (part >= 0)
    text_printf(&made, "nodes of type %lld%s", (long long)part, b->type.rank ? ", " : "");
  else if (b->rows == C_ROWS_etype || b->rows == C_ROWS_ntype)
    text_printf(&made, "%lld %s types%s", (long long)b->count, b->rows == C_ROWS_etype ? "edge" : "node",
                b->type.rank ? ", " : "");
  else if (b->rows != C_ROWS_one)
    text_printf(&made, "%s%s", c_rows_describe(b->rows)->length, b->type.rank ? ", " : "");
  for (unsigned d = 0; d < b->type.rank; d++) text_printf(&made, "%s%lld", d ? ", " : "", (long long)b->type.dims[d]);
  text_append(&made, b->rows == C_ROWS_nonzero ? "] as CSR" : "]");
  const char *kept = arena_strdup(m->arena, text_str(&made));
  text_free(&made);
  return kept;
}

/* Whether the struct is for what a phase writes. */
static bool is_result(c_space space) {
  return space == C_SPACE_output || space == C_SPACE_update || space == C_SPACE_gradient;
}

/* Whether callers may write what a member of the struct points to. */
static bool is_written(const c_model *m, c_space space) {
  return is_result(space) || (space == C_SPACE_weight && m->is_training);
}

/* "What run reads.": names the first phase that takes the struct. */
static const char *use_text(const c_model *m, c_space space) {
  for (size_t p = 0; p < m->phases.count; p++) {
    const c_phase_function *call = &m->phases.items[p].row->call;
    for (const c_phase_parameter *q = call->parameters; q->name; q++)
      if (q->untyped && q->space == space)
        return arena_printf(m->arena, "What %s %s.", call->name, is_result(space) ? "writes" : "reads");
  }
  return "";
}

static void emit_struct(const c_model *m, c_writer *w, c_space space) {
  const c_buffers *fields = &m->fields[space];
  const char *name = c_space_struct(space);
  c_writer_raw(w, "/* %s */", use_text(m, space));
  c_writer_open(w, "typedef struct %s_%s", m->id, c_space_type(space));
  for (size_t i = 0; i < fields->count; i++) {
    const c_buffer *b = &fields->items[i];
    bool is_output = is_result(space) || space == C_SPACE_adjoint, is_sparse = b->rows == C_ROWS_nonzero;
    c_writer_line(w, "%s%s *%s; /* %s%s%s */", is_written(m, space) ? "" : "const ",
                  is_sparse            ? "gnnc_csr"
                  : b->type.is_integer ? "int32_t"
                                       : "float",
                  b->id, shape_text(m, b),
                  is_output ? "" : ", in files: ", is_output ? "" : c_quote_comment(m->arena, b->from));
  }
  if (!fields->count) c_writer_line(w, "const void *none; /* there are no %s */", name);
  w->depth--;
  c_writer_raw(w, "} %s_%s;\n", m->id, c_space_type(space));
}

static void declare_function(const c_model *m, text *out, const c_phase_function *function) {
  text_printf(out, "/* %s */\n%s;\n\n", c_signature_named(m, function->comment), c_signature_declaration(m, function));
}

static void declare_functions(const c_model *m, text *out) {
  for (size_t p = 0; p < m->phases.count; p++) {
    const c_phase_row *row = m->phases.items[p].row;
    if (row->bytes.name) declare_function(m, out, &row->bytes);
    declare_function(m, out, &row->call);
  }
  for (const c_phase_function *f = c_phases_functions(m); f->name; f++) declare_function(m, out, f);
  text_printf(out,
              "/* The same as tables, for programs that do not know this header. */\n"
              "const %s *%s_info(void);\n",
              c_info_type(m), m->id);
  if (m->timed.count)
    text_printf(
        out,
        "\n#ifdef GNNC_PROFILE\n"
        "/* Called, where it is not NULL, before (0) and after (1) each call whose number is in the manifest, in the "
        "thread\n"
        " * that calls bind or run. For measurements: all threads of a program share it. */\n"
        "extern void (*%s_profile)(int32_t number, int32_t is_end);\n"
        "#endif\n",
        m->id);
}

const char *c_made_by(const c_model *m) {
  const codegen_c_options *o = m->options;
  if (!o->compiler) return "";
  const char *with = o->options && *o->options ? arena_printf(m->arena, " with %s", o->options) : "";
  return arena_printf(m->arena, "\n * Made by %s%s.", o->compiler, c_quote_comment(m->arena, with));
}

void c_header_emit(const c_model *m, text *out) {
  c_writer w = {.out = out};
  const char *guard = arena_printf(m->arena, "%s_MODEL_H", m->id);
  char *upper = arena_strdup(m->arena, guard);
  for (char *c = upper; *c; c++) *c = (char)toupper((unsigned char)*c);
  c_writer_raw(&w, "/* gnnc model %s: made from %s; include this where the model is used.%s */",
               c_quote_comment(m->arena, m->name), c_quote_comment(m->arena, m->source), c_made_by(m));
  c_writer_raw(&w, "#ifndef GNNC_%s\n#define GNNC_%s\n", upper, upper);
  text_append(out, (const char *)c_embedded_abi);
  c_writer_raw(&w, "\n#if GNNC_ABI_VERSION != %d\n#error \"this model speaks version %d of the gnnc ABI\"\n#endif\n",
               GNNC_ABI_VERSION, GNNC_ABI_VERSION);
  c_writer_raw(&w, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
  for (int i = 0; i < C_SPACE_FIELDS; i++)
    if (i < C_SPACE_TABLES || m->is_backward || (i == C_SPACE_gradient && m->is_training))
      emit_struct(m, &w, (c_space)i);
  declare_functions(m, out);
  c_writer_raw(&w, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif");
}
