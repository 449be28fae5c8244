#include "codegen/device/steps/step_place.h"

#include "codegen/device/operand.h"

status step_place_make(step_writer *w, program_rows *rows, MlirValue value, const char *set,
                       program_manifest_place *out) {
  ir_type type = ir_type_of(value);
  *out = (program_manifest_place){
      .set = set, .width = type.dims[0], .stride = -1, .memory_rows = -1, .order = PROGRAM_MANIFEST_NO_ORDER};
  out->is_values = type.kind == IR_KIND_values;
  out->array = step_writer_output(w, value) + 1;
  if (!out->is_values) {
    RETURN_IF_ERROR(program_host_set_rows(w->host, type.set, &out->rows));
    return program_rows_of_set(rows, type.set, out->rows, &out->order);
  }
  const program_edge_list *list;
  RETURN_IF_ERROR(program_host_edge_list(w->host, operand_edges(value), &list));
  out->rows = list->edges;
  if (list->edge) out->order = program_rows_add(rows, list->edge, list->edges);
  return STATUS_OK;
}
