/* The generated run function: it computes the outputs from the inputs, with a bound block and a
 * workspace. */
#include "codegen/c/interface/run.h"

#include "codegen/c/model/count.h"

/* Writes checks that the user's struct has all its pointers. */
static void emit_checks(const c_model *m, c_writer *w, c_space space) {
  const c_buffer *items = m->fields[space].items;
  size_t count = m->fields[space].count;
  const char *name = c_space_struct(space);
  if (!count) {
    c_writer_line(w, "(void)%s;", name);
    return;
  }
  c_writer_line(w, "if (!%s) return GNNC_ERROR_NULL;", name);
  for (size_t i = 0; i < count; i++) {
    bool has_rows = items[i].rows != C_ROWS_one && !c_rows_describe(items[i].rows)->is_typed;
    const char *rows = has_rows ? c_count_rows(m, items[i].rows, items[i].set, 0) : NULL;
    c_writer_line(w, "if (!%s->%s%s%s) return GNNC_ERROR_NULL;", name, items[i].id,
                  rows && items[i].rows != C_ROWS_nonzero ? " && " : "",
                  rows && items[i].rows != C_ROWS_nonzero ? rows : "");
  }
  for (size_t i = 0; i < count; i++) {
    if (mlirAttributeIsNull(items[i].range)) continue;
    const char *rows = items[i].rows == C_ROWS_one ? "1" : c_count_rows(m, items[i].rows, items[i].set, items[i].count);
    c_writer_line(w, "if (check_integers(%s->%s, %s, %lld, ranges_%s)) return GNNC_ERROR_INDEX_RANGE;", name,
                  items[i].id, rows, (long long)items[i].elements, items[i].id);
  }
  for (size_t i = 0; i < count; i++)
    if (items[i].rows == C_ROWS_nonzero) {
      c_writer_line(w, "const gnnc_result checked_%zu = check_csr(%s->%s, header->num_nodes, %lld);", i, name,
                    items[i].id, (long long)items[i].type.dims[0]);
      c_writer_line(w, "if (checked_%zu) return checked_%zu;", i, i);
    }
}

void c_run_emit_helpers(c_model *m, c_writer *w) {
  (void)m;
  c_writer_open(w, "static const bound_header *find_header(const void *bound)");
  c_writer_line(w, "if (!bound) return NULL;");
  c_writer_line(w, "const char *block = (const char *)bound + align_block(bound);");
  c_writer_line(w, "const bound_header *header = (const bound_header *)(const void *)block;");
  c_writer_line(w, "return header->magic == BOUND_MAGIC && header->program == BOUND_PROGRAM ? header : NULL;");
  c_writer_close(w);
  c_writer_raw(w, "%s", "");
}

void c_run_emit_bytes(c_model *m, c_writer *w) {
  (void)m;
  c_writer_line(w, "(void)context;");
  c_writer_line(w, "const bound_header *header = find_header(bound);");
  c_writer_line(w, "if (!header) return 0;");
  c_writer_line(w, "work_layout k;");
  c_writer_line(w, "place_work(header, &k);");
  c_writer_line(w, "return k.end == SIZE_MAX ? SIZE_MAX : k.end + 64;");
}

void c_run_emit_begin(c_model *m, c_writer *w, const c_phase_row *row) {
  c_writer_line(w, "if (!bound || !workspace) return GNNC_ERROR_NULL;");
  c_writer_line(w, "if (context && context->size < offsetof(gnnc_context, step)) return GNNC_ERROR_VERSION;");
  c_writer_line(w, "if (context && context->executor && context->executor->size < sizeof *context->executor) return "
                   "GNNC_ERROR_VERSION;");
  c_writer_line(w, "const bound_header *header = find_header(bound);");
  c_writer_line(w, "if (!header) return GNNC_ERROR_NOT_BOUND;");
  if (m->has_ranks)
    c_writer_line(w, "if (count_ghosts(context) != header->num_nodes - header->num_own) return GNNC_ERROR_COMM;");
  if (m->has_cells) c_writer_line(w, "if (count_cells(context) != header->num_cells) return GNNC_ERROR_COMM;");
  if (m->has_columns)
    c_writer_line(w, "if (count_column_ranks(context) != header->column_ranks || column_rank(context) != "
                     "header->column_rank) return GNNC_ERROR_COMM;");
  for (const c_phase_parameter *p = row->call.parameters; p->name; p++)
    if (p->untyped) emit_checks(m, w, p->space);
  c_writer_line(w, "const char *const block = (const char *)(const void *)header;");
  c_writer_line(w, "char *const work = (char *)workspace + align_block(workspace);");
  c_writer_line(w, "bound_layout l;");
  c_writer_line(w, "work_layout k;");
  c_writer_line(w, "place_bound(header->num_nodes, header->num_edges, header->num_graphs, &l);");
  c_writer_line(w, "place_work(header, &k);");
  c_writer_line(w, "(void)block, (void)work;");
  for (size_t i = 0; i < m->sets.count; i++) {
    if (!m->sets.items[i].is_run) continue;
    const char *edges = c_count_edges(m, &m->sets.items[i]);
    c_writer_line(w, "int64_t %s = 0;", edges);
    c_writer_line(w, "(void)%s;", edges);
  }
}
