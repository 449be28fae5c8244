/* The C back end as one pipeline: it reads the module, writes the kernels, then the functions
 * around them, then chooses the parts of the prelude. */
#include "codegen/c/codegen.h"

#include "codegen/c/interface/entry.h"
#include "codegen/c/interface/header.h"
#include "codegen/c/interface/info.h"
#include "codegen/c/interface/layout.h"
#include "codegen/c/interface/manifest.h"
#include "codegen/c/interface/phases.h"
#include "codegen/c/interface/train.h"
#include "codegen/c/kernel/unpacked.h"
#include "codegen/c/model/read.h"
#include "codegen/c/text/prelude.h"
#include "codegen/c/text/quote.h"

#include <string.h>

/* FNV-1a hash, which tells apart the bound blocks of different programs. */
static uint64_t hash_text(const char *code) {
  uint64_t hash = 14695981039346656037u;
  for (; *code; code++) hash = (hash ^ (unsigned char)*code) * 1099511628211u;
  return hash;
}

static void mark_opened_sets(c_model *m, const c_kernels *kernels) {
  for (size_t i = 0; i < kernels->count; i++)
    for (size_t j = 0; j < kernels->items[i].parameter_count; j++) {
      const c_parameter *p = &kernels->items[i].parameters[j];
      if (!p->buffer && !p->packed && !p->is_step) m->sets.items[p->set].is_opened = true;
    }
}

/* Reserves the names of the model's own functions, so that no kernel gets one of them. */
static void reserve_functions(const c_model *m, c_names *names) {
  for (size_t p = 0; p < m->phases.count; p++) {
    const c_phase_row *row = m->phases.items[p].row;
    if (row->bytes.name) c_names_add(names, arena_printf(m->arena, "%s_%s", m->id, row->bytes.name));
    c_names_add(names, arena_printf(m->arena, "%s_%s", m->id, row->call.name));
    c_names_add(names, arena_printf(m->arena, "%s_info_%s", m->id, row->call.name));
  }
  for (const c_phase_function *f = c_phases_functions(m); f->name; f++) {
    c_names_add(names, arena_printf(m->arena, "%s_%s", m->id, f->name));
    c_names_add(names, arena_printf(m->arena, "%s_info_%s", m->id, f->name));
  }
  c_names_add(names, "call_profile");
  c_names_add(names, arena_printf(m->arena, "%s_profile", m->id));
  c_names_add(names, arena_printf(m->arena, "%s_info", m->id));
}

/* Makes the kernels of each phase. */
static c_kernels *make_kernels(c_model *m) {
  c_kernels *kernels = arena_alloc_array(m->arena, m->phases.count, sizeof *kernels);
  c_names names = {.arena = m->arena};
  reserve_functions(m, &names);
  for (size_t p = 0; p < m->phases.count; p++) {
    kernels[p] = (c_kernels){.phase = &m->phases.items[p]};
    if (p) kernels[p].first_cost = kernels[p - 1].first_cost + (int64_t)kernels[p - 1].count;
    c_kernels_make(m, &names, &kernels[p]);
  }
  c_unpacked_leave_out(m, kernels, m->phases.count);
  for (size_t p = 0; p < m->phases.count; p++) mark_opened_sets(m, &kernels[p]);
  return kernels;
}

/* Whether gcc rounds a product before it adds it depends on how many sums there are next to each other, so on the columns of a kernel. Where
 * a program computes the same sums by all columns and by some, it rounds in both, but for products of matrices, which are the same. */
static void round_products(text *out) {
  text_append(out, "#if defined(__GNUC__) && !defined(__clang__) /* sums over edges have the same bits for all columns "
                   "and for some */\n"
                   "#pragma GCC optimize(\"fp-contract=off\")\n"
                   "#define ROUNDS_PRODUCTS\n"
                   "#endif\n\n");
}

/* Includes the header, or its text where its name contains a character that #include cannot
 * express. */
static void include_header(const c_model *m, const char *header, text *out) {
  if (strpbrk(header, "\"\\\r\n"))
    c_header_emit(m, out);
  else
    text_printf(out, "#include \"%s\"\n", header);
  text_append(out, "\n");
}

/* Defines GNNC_TIMED, which stands around the calls that take time. Without GNNC_PROFILE it is the call
 * alone. */
static void define_timed(const c_model *m, text *out) {
  if (!m->timed.count) return;
  text_printf(out,
              "/* With GNNC_PROFILE a program sees when kernels begin (0) and end (1), by their numbers in the "
              "manifest. */\n"
              "#ifdef GNNC_PROFILE\n"
              "void (*%s_profile)(int32_t number, int32_t is_end);\n"
              "static void call_profile(int32_t number, int32_t is_end) {\n"
              "  if (%s_profile) %s_profile(number, is_end);\n"
              "}\n"
              "#define GNNC_TIMED(number, call) (call_profile(number, 0), (void)(call), call_profile(number, 1))\n"
              "#else\n"
              "#define GNNC_TIMED(number, call) call\n"
              "#endif\n\n",
              m->id, m->id, m->id);
}

/* Kernels come first: they decide what is packed and which edge sets are used, and so the
 * layout. */
static void emit_source(c_model *m, text *out) {
  text kernels_text = {0}, layout_text = {0}, functions_text = {0}, prelude_text = {0};
  c_writer kernels = {.out = &kernels_text}, layout = {.out = &layout_text}, functions = {.out = &functions_text};
  const c_kernels *of_phase = make_kernels(m);
  for (size_t p = 0; p < m->phases.count; p++) c_kernels_emit(&of_phase[p], &kernels);
  c_layout_emit(m, &layout);
  c_info_emit_ranges(m, &functions);
  for (size_t p = 0; p < m->phases.count; p++) c_entry_emit(m, &functions, &of_phase[p]);
  c_train_emit(m, &functions);
  c_info_emit(m, &functions);

  text used = {0};
  text_printf(&used, "%s%s%s", text_str(&layout_text), text_str(&kernels_text), text_str(&functions_text));
  c_prelude_select(m->arena, text_str(&used), m->options->is_f64, &prelude_text);
  const char *header = m->options->header_name ? m->options->header_name : arena_printf(m->arena, "%s.h", m->id);
  text_printf(out, "/* gnnc model %s: made from %s for the C target. Everything a caller needs is in %s.%s */\n",
              c_quote_comment(m->arena, m->name), c_quote_comment(m->arena, m->source),
              c_quote_comment(m->arena, header), c_made_by(m));
  include_header(m, header, out);
  text_append(out, "#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n\n");
  text_printf(out, "#define BOUND_MAGIC 0x31434e4e47u /* \"GNNC1\" */\n#define BOUND_PROGRAM 0x%016llxu\n\n",
              (unsigned long long)hash_text(text_str(&used)));
  if (m->is_training && !m->is_backward) text_append(out, "#define STATE_MAGIC 0x31454e4e47u /* \"GNNE1\" */\n\n");
  define_timed(m, out);
  if (m->has_columns) round_products(out);
  text_printf(out, "/* ---- prelude ---- */\n\n%s", text_str(&prelude_text));
  text_printf(out, "/* ---- memory ---- */\n\n%s", text_str(&layout_text));
  text_printf(out, "/* ---- kernels ---- */\n\n%s", text_str(&kernels_text));
  text_printf(out, "/* ---- interface ---- */\n\n%s", text_str(&functions_text));
  text_free(&used);
  text_free(&kernels_text);
  text_free(&layout_text);
  text_free(&functions_text);
  text_free(&prelude_text);
}

bool codegen_c_emit(MlirOperation module, const codegen_c_options *options, diag *d, codegen_c_output *output) {
  *output = (codegen_c_output){0};
  arena *a = arena_create();
  c_model m = {.arena = a, .options = options, .diag = d, .module = module};
  m.is_training = ir_get_bool(module, "gnn.training");
  m.is_backward = ir_get_string(module, "gnn.backward", NULL) != NULL;
  m.has_ranks = ir_get_bool(module, "gnn.ranks");
  m.has_cells = ir_get_bool(module, "gnn.cells");
  m.has_out_edges = ir_get_bool(module, "gnn.out_edges");
  m.has_columns = ir_get_bool(module, "gnn.columns");
  m.phase_rows = m.is_backward ? c_backward_phases : m.is_training ? c_train_phases : c_phases;
  if (c_read_module(&m)) {
    emit_source(&m, &output->source);
    c_header_emit(&m, &output->header);
    c_manifest_emit(&m, &output->manifest);
  }
  if (m.failed) codegen_c_output_free(output);
  arena_destroy(a);
  return !m.failed;
}

void codegen_c_output_free(codegen_c_output *output) {
  text_free(&output->source);
  text_free(&output->header);
  text_free(&output->manifest);
}
