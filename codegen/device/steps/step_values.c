#include "codegen/device/steps/step_values.h"

#include "codegen/device/steps/step_private.h"

status step_values_of(step_writer *w, MlirOperation spdmm, const program_edge_list *l, int64_t heads, int32_t *out) {
  const float *weight = NULL;
  *out = step_writer_array(w, ir_operand(spdmm, IR_IN(device, spdmm, values)));
  if (!l->has_weight) return STATUS_OK;
  if (!w->no_data) RETURN_IF_ERROR(program_host_weights(w->host, l, &weight));
  int32_t weights = step_add_constant(w, "weights", l->edges, 1, weight);
  int32_t product = step_add_array(w, "values", l->edges, heads, -1);
  step_writer_combine(w, spdmm, "mul", *out, weights, product);
  *out = product;
  return STATUS_OK;
}
