/* gnn-run --compare: outputs against the tensors of a file. */
#include "tools/gnn_run.h"

#include "data/convert.h"
#include "data/safetensors.h"

#include <math.h>
#include <stdio.h>

/* Prints the largest difference; true where it is too large. NaN differs from everything but NaN. */
static bool compare_values(const char *name, const float *found, const float *expected, int64_t count,
                           double tolerance) {
  double largest = 0, scale = 1;
  int64_t where = 0;
  for (int64_t i = 0; i < count; i++) {
    if (isfinite(expected[i])) scale = fmax(scale, fabs((double)expected[i]));
    double difference = fabs((double)found[i] - (double)expected[i]);
    if (isnan(difference)) difference = isnan(found[i]) && isnan(expected[i]) ? 0 : INFINITY;
    if (found[i] == expected[i]) difference = 0;
    if (difference <= largest) continue;
    largest = difference;
    where = i;
  }
  bool differs = largest > tolerance * scale;
  printf("compare: %s: largest difference %.3g, allowed %.3g: %s\n", name, largest, tolerance * scale,
         differs ? "differs" : "equal");
  if (differs)
    printf("compare: %s: element %lld is %.9g, expected %.9g\n", name, (long long)where, (double)found[where],
           (double)expected[where]);
  return differs;
}

static status compare_output(arena *a, const gnnc_program *program, const gnnc_session *session, int32_t index,
                             const tensor *expected, double tolerance, bool *differs) {
  const gnnc_tensor_info *info = &gnnc_program_info(program)->outputs[index];
  int64_t rows = 0, elements = 1;
  const float *found = gnnc_session_output(session, index, &rows), *values = NULL;
  for (int32_t i = 0; i < info->rank; i++) elements *= info->dims[i];
  if (rows * elements != expected->count)
    return status_error(STATUS_CODE_mismatch, "'%s' has shape %s there, %lld x %lld numbers here", info->name,
                        tensor_shape_text(a, expected), (long long)rows, (long long)elements);
  RETURN_IF_ERROR(convert_to_f32(a, expected, &values));
  *differs |= compare_values(info->name, found, values, expected->count, tolerance);
  return STATUS_OK;
}

status run_compare(const gnnc_program *program, const gnnc_session *session, const run_options *options,
                   bool *differs) {
  tensor_set *set = NULL;
  RETURN_IF_ERROR(safetensors_open(options->compare, &set));
  const gnnc_model_info *info = gnnc_program_info(program);
  arena *a = arena_create();
  status failed = STATUS_OK;
  int compared = 0;
  for (int32_t i = 0; i < info->num_outputs && !failed; i++) {
    const tensor *expected = tensor_set_find(set, info->outputs[i].name);
    if (!expected) {
      printf("compare: %s: not in %s\n", info->outputs[i].name, options->compare);
      continue;
    }
    failed = compare_output(a, program, session, i, expected, options->tolerance, differs);
    compared++;
  }
  if (!failed && !compared) failed = status_error(STATUS_CODE_mismatch, "it has none of the model's outputs");
  arena_destroy(a);
  tensor_set_destroy(set);
  return status_context(failed, "%s", options->compare);
}
