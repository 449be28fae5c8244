/* The entry points of a model: see entry.h. The rows of phases.c say what comes before and after
 * the calls of kernels.
 *
 *   size_t gcn_workspace_bytes(const void *bound, const gnnc_context *context) { ... }
 *   gnnc_result gcn_run(const void *bound, ...) { ... gemm_z1(...); nodes_h1(...); return GNNC_OK; } */
#include "codegen/c/interface/entry.h"

#include "codegen/c/interface/sequence.h"
#include "codegen/c/interface/signature.h"

static void close_function(c_writer *w) {
  c_writer_close(w);
  c_writer_raw(w, "%s", "");
}

void c_entry_emit(c_model *m, c_writer *w, const c_kernels *kernels) {
  const c_phase_row *row = kernels->phase->row;
  if (row->emit_helpers) row->emit_helpers(m, w);
  if (row->bytes.name) {
    c_signature_open(m, w, &row->bytes);
    row->emit_bytes(m, w);
    close_function(w);
  }
  c_signature_open(m, w, &row->call);
  row->emit_begin(m, w, row);
  c_sequence_emit(m, w, kernels);
  if (row->emit_end) row->emit_end(m, w);
  c_writer_line(w, "return GNNC_OK;");
  close_function(w);
}
