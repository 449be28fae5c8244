/* M.h: what a program that embeds the model includes. */
#include "codegen/c/text_outputs.h"

#include "codegen/c/embedded.h"
#include "codegen/c/quote.h"
#include "codegen/c/writer.h"

#include <ctype.h>

/* "[num_nodes, 16] f32", the caller's view of a tensor. */
static const char *shape_text(const c_model *m, const c_buffer *b) {
  static const char *const rows[] = {[C_ROWS_node] = "num_nodes",
                                     [C_ROWS_edge] = "num_edges",
                                     [C_ROWS_graph] = "num_graphs",
                                     [C_ROWS_nonzero] = "num_nodes"};
  text made = {0};
  text_append(&made, "f32 [");
  int64_t part = c_buffer_part(m, b);
  if (part >= 0)
    text_printf(&made, "nodes of type %lld%s", (long long)part, b->type.rank ? ", " : "");
  else if (b->rows == C_ROWS_etype || b->rows == C_ROWS_ntype)
    text_printf(&made, "%lld %s types%s", (long long)b->count, b->rows == C_ROWS_etype ? "edge" : "node",
                b->type.rank ? ", " : "");
  else if (b->rows != C_ROWS_one)
    text_printf(&made, "%s%s", rows[b->rows], b->type.rank ? ", " : "");
  for (unsigned d = 0; d < b->type.rank; d++) text_printf(&made, "%s%lld", d ? ", " : "", (long long)b->type.dims[d]);
  text_append(&made, b->rows == C_ROWS_nonzero ? "] as CSR" : "]");
  const char *kept = arena_strdup(m->arena, text_str(&made));
  text_free(&made);
  return kept;
}

static void emit_struct(const c_model *m, c_writer *w, const c_buffer *items, size_t count, const char *name,
                        const char *what) {
  c_writer_raw(w, "/* %s */", what);
  c_writer_open(w, "typedef struct %s_%s", m->id, name);
  for (size_t i = 0; i < count; i++) {
    const c_buffer *b = &items[i];
    bool is_output = b->space == C_SPACE_output, is_sparse = b->rows == C_ROWS_nonzero;
    c_writer_line(w, "%s%s *%s; /* %s%s%s */", is_output ? "" : "const ", is_sparse ? "gnnc_csr" : "float", b->id,
                  shape_text(m, b),
                  is_output ? "" : ", in files: ", is_output ? "" : c_quote_comment(m->arena, b->from));
  }
  if (!count) c_writer_line(w, "const void *none; /* there are no %s */", name);
  w->depth--;
  c_writer_raw(w, "} %s_%s;\n", m->id, name);
}

static const char upper_functions[] =
    "/* Bytes that bind needs for this graph: an upper bound from the numbers of nodes and edges (and graphs of a "
    "batch); 0 where\n"
    " * they are negative or too large. */\n"
    "size_t %s_bound_bytes(const gnnc_graph *graph);\n\n"
    "/* Checks the graph, keeps what run needs of graph and weights, and computes what depends on them alone, once. "
    "`bound` is a block of\n"
    " * the caller of at least bound_bytes; 64-byte alignment is best, any works; it must not move afterwards. It is "
    "read-only for run and\n"
    " * may be shared by threads. Graph and weights may be freed afterwards. On failure *index (may be NULL) says "
    "where:\n"
    " * GNNC_ERROR_NULL (position in gnnc_graph or %s_weights), GNNC_ERROR_SIZE (bytes needed), GNNC_ERROR_EDGE_RANGE "
    "(the edge),\n"
    " * GNNC_ERROR_TYPE_RANGE (the edge or node), GNNC_ERROR_COUNT. */\n"
    "gnnc_result %s_bind(const gnnc_graph *graph, const %s_weights *weights, void *bound, size_t bound_size, int64_t "
    "*index);\n\n"
    "/* Bytes of workspace that run needs; 0 when `bound` was not filled by bind. */\n"
    "size_t %s_workspace_bytes(const void *bound, int32_t threads);\n\n"
    "/* Computes the outputs from the inputs, with at most `threads` threads where compiled with OpenMP (less than 1 "
    "means 1); the result\n"
    " * is the same for any number. `workspace` is the caller's, at least workspace_bytes, for one run at a time. "
    "Fails with\n"
    " * GNNC_ERROR_NULL, GNNC_ERROR_NOT_BOUND or GNNC_ERROR_CSR; outputs are then untouched. */\n"
    "gnnc_result %s_run(const void *bound, const %s_inputs *inputs, const %s_outputs *outputs, void *workspace, "
    "int32_t threads);\n\n"
    "/* The same as tables, for programs that do not know this header. */\n"
    "const gnnc_model_info *%s_info(void);\n";

void c_header_emit(const c_model *m, text *out) {
  c_writer w = {.out = out};
  const char *guard = arena_printf(m->arena, "%s_MODEL_H", m->id);
  char *upper = arena_strdup(m->arena, guard);
  for (char *c = upper; *c; c++) *c = (char)toupper((unsigned char)*c);
  const char *id = m->id;
  c_writer_raw(&w, "/* gnnc model %s: made from %s; include this where the model is used. */",
               c_quote_comment(m->arena, m->name), c_quote_comment(m->arena, m->source));
  c_writer_raw(&w, "#ifndef GNNC_%s\n#define GNNC_%s\n", upper, upper);
  text_append(out, (const char *)c_embedded_abi);
  c_writer_raw(&w, "\n#if GNNC_ABI_VERSION != 1\n#error \"this model speaks version 1 of the gnnc ABI\"\n#endif\n");
  c_writer_raw(&w, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
  emit_struct(m, &w, m->inputs.items, m->inputs.count, "inputs", "What run reads.");
  emit_struct(m, &w, m->weights.items, m->weights.count, "weights", "What bind reads.");
  emit_struct(m, &w, m->outputs.items, m->outputs.count, "outputs", "What run writes.");
  text_printf(out, upper_functions, id, id, id, id, id, id, id, id, id);
  c_writer_raw(&w, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif");
}
