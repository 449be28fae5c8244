/* M_info: the model as tables and functions over arrays of pointers, for programs that do not know its header. */
#include "codegen/c/phase.h"
#include "codegen/c/quote.h"

static const char *rows_constant(const c_model *m, const c_buffer *b) {
  static const char *const names[] = {[C_ROWS_one] = "GNNC_ROWS_ONE",     [C_ROWS_node] = "GNNC_ROWS_NODE",
                                      [C_ROWS_edge] = "GNNC_ROWS_EDGE",   [C_ROWS_etype] = "GNNC_ROWS_ETYPE",
                                      [C_ROWS_ntype] = "GNNC_ROWS_NTYPE", [C_ROWS_graph] = "GNNC_ROWS_GRAPH",
                                      [C_ROWS_nonzero] = "GNNC_ROWS_NODE"};
  return c_buffer_part(m, b) < 0 ? names[b->rows] : "GNNC_ROWS_PART";
}

static void emit_table(const c_model *m, c_writer *w, const c_buffer *items, size_t count, const char *name) {
  if (!count) return;
  c_writer_raw(w, "static const gnnc_tensor_info %s[] = {", name);
  for (size_t i = 0; i < count; i++) {
    const c_buffer *b = &items[i];
    bool in_weights = b->space == C_SPACE_weight || b->in_weights;
    int64_t part = c_buffer_part(m, b);
    text dims = {0};
    for (unsigned d = 0; d < b->type.rank; d++) text_printf(&dims, "%s%lld", d ? ", " : "", (long long)b->type.dims[d]);
    c_writer_raw(w, "    {%s, %s, \"%s\", %s, %lld, %u, {%s}, %d},", c_quote_string(m->arena, b->name),
                 c_quote_string(m->arena, b->from), in_weights ? "weights" : "graph", rows_constant(m, b),
                 (long long)(part < 0 ? b->count : part), b->type.rank, b->type.rank ? text_str(&dims) : "0",
                 b->rows == C_ROWS_nonzero);
    text_free(&dims);
  }
  c_writer_raw(w, "};\n");
}

/* A struct made of an array of pointers: "const gcn_inputs given = {inputs[0], inputs[1]};". */
static void emit_struct(c_model *m, c_writer *w, const char *name, size_t count) {
  text list = {0};
  c_writer_line(w, count ? "if (!%s) return GNNC_ERROR_NULL;" : "(void)%s;", name);
  for (size_t i = 0; i < count; i++) text_printf(&list, "%s%s[%zu]", i ? ", " : "", name, i);
  c_writer_line(w, "const %s_%s %s_struct = {%s};", m->id, name, name, count ? text_str(&list) : "NULL");
  text_free(&list);
}

static void emit_adaptors(c_model *m, c_writer *w) {
  const char *id = m->id;
  c_writer_line(w, "static gnnc_result %s_info_bind(int32_t abi_version, const gnnc_graph *graph,", id);
  c_writer_open(w, "    const void *const *weights, void *bound, size_t bound_size, int64_t *index)");
  c_writer_open(w, "if (abi_version != GNNC_ABI_VERSION)");
  c_writer_line(w, "if (index) *index = abi_version;");
  c_writer_line(w, "return GNNC_ERROR_VERSION;");
  c_writer_close(w);
  emit_struct(m, w, "weights", m->weights.count);
  c_writer_line(w, "return %s_bind(graph, &weights_struct, bound, bound_size, index);", id);
  c_writer_close(w);
  c_writer_raw(w, "%s", "");
  c_writer_line(w, "static gnnc_result %s_info_run(const void *bound, const void *const *inputs, void *const *outputs,",
                id);
  c_writer_open(w, "    void *workspace, int32_t threads)");
  emit_struct(m, w, "inputs", m->inputs.count);
  emit_struct(m, w, "outputs", m->outputs.count);
  c_writer_line(w, "return %s_run(bound, &inputs_struct, &outputs_struct, workspace, threads);", id);
  c_writer_close(w);
  c_writer_raw(w, "%s", "");
}

void c_info_emit(c_model *m, c_writer *w) {
  emit_table(m, w, m->inputs.items, m->inputs.count, "input_table");
  emit_table(m, w, m->weights.items, m->weights.count, "weight_table");
  emit_table(m, w, m->outputs.items, m->outputs.count, "output_table");
  emit_adaptors(m, w);
  c_writer_open(w, "const gnnc_model_info *%s_info(void)", m->id);
  c_writer_line(w, "static const gnnc_model_info info = {");
  w->depth += 2;
  c_writer_line(w, ".abi_version = GNNC_ABI_VERSION,");
  c_writer_line(w, ".name = %s,", c_quote_string(m->arena, m->name));
  c_writer_line(w, ".num_inputs = %zu,", m->inputs.count);
  c_writer_line(w, ".num_weights = %zu,", m->weights.count);
  c_writer_line(w, ".num_outputs = %zu,", m->outputs.count);
  c_writer_line(w, ".inputs = %s,", m->inputs.count ? "input_table" : "NULL");
  c_writer_line(w, ".weights = %s,", m->weights.count ? "weight_table" : "NULL");
  c_writer_line(w, ".outputs = %s,", m->outputs.count ? "output_table" : "NULL");
  c_writer_line(w, ".bound_bytes = %s_bound_bytes,", m->id);
  c_writer_line(w, ".bind = %s_info_bind,", m->id);
  c_writer_line(w, ".workspace_bytes = %s_workspace_bytes,", m->id);
  c_writer_line(w, ".run = %s_info_run,", m->id);
  w->depth -= 2;
  c_writer_line(w, "};");
  c_writer_line(w, "return &info;");
  c_writer_close(w);
}
