/* gnn-run --compare: compares outputs with the tensors of a file. */
#include "tools/gnn-run/gnn_run.h"

#include "data/convert.h"
#include "data/formats/safetensors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

run_difference run_find_difference(const float *found, const float *expected, int64_t count) {
  run_difference d = {.scale = 1};
  for (int64_t i = 0; i < count; i++) {
    if (isfinite(expected[i])) d.scale = fmax(d.scale, fabs((double)expected[i]));
    double difference = fabs((double)found[i] - (double)expected[i]);
    if (isnan(difference)) difference = isnan(found[i]) && isnan(expected[i]) ? 0 : INFINITY;
    if (found[i] == expected[i]) difference = 0;
    if (difference <= d.largest) continue;
    d.largest = difference;
    d.where = i;
  }
  return d;
}

bool run_compare_values(const run_options *options, const char *name, const float *found, const float *expected,
                        int64_t count) {
  run_difference d = run_find_difference(found, expected, count);
  double allowed = (options->tolerance < 0 ? MACHINE_TOLERANCE_F32 : options->tolerance) * d.scale;
  bool differs = d.largest > allowed;
  run_print(options->report, "compare: %s: largest difference %.3g, allowed %.3g: %s\n", name, d.largest, allowed,
            differs ? "differs" : "equal");
  if (differs)
    run_print(options->report, "compare: %s: element %lld is %.9g, expected %.9g\n", name, (long long)d.where,
              (double)found[d.where], (double)expected[d.where]);
  return differs;
}

/* Whether a tensor of a file has rows of more nodes than the chosen ones, and all of these. */
static bool has_other_rows(const run_outputs *outputs, const run_output *o, const tensor *expected) {
  if (!outputs->nodes || !o->is_per_node || expected->count == o->rows * o->elements) return false;
  int64_t rows = o->elements ? expected->count / o->elements : 0;
  if (rows * o->elements != expected->count) return false;
  for (int64_t i = 0; i < o->rows; i++)
    if (outputs->nodes[i] >= rows) return false;
  return true;
}

static const float *take_rows(arena *a, const run_outputs *outputs, const run_output *o, const float *values) {
  float *made = arena_alloc_array(a, (size_t)(o->rows * o->elements) + 1, sizeof *made);
  for (int64_t i = 0; i < o->rows; i++)
    memcpy(made + i * o->elements, values + outputs->nodes[i] * o->elements, (size_t)o->elements * sizeof *made);
  return made;
}

static status compare_output(arena *a, const run_outputs *outputs, const run_output *o, const tensor *expected,
                             const run_options *options, bool *differs) {
  const float *values = NULL;
  if (has_other_rows(outputs, o, expected)) {
    RETURN_IF_ERROR(convert_to_f32(a, expected, &values));
    *differs |= run_compare_values(options, o->name, o->data, take_rows(a, outputs, o, values), o->rows * o->elements);
    return STATUS_OK;
  }
  if (o->rows * o->elements != expected->count)
    return status_error(STATUS_CODE_mismatch, "'%s' has shape %s there, %lld x %lld numbers here", o->name,
                        tensor_shape_text(a, expected), (long long)o->rows, (long long)o->elements);
  RETURN_IF_ERROR(convert_to_f32(a, expected, &values));
  *differs |= run_compare_values(options, o->name, o->data, values, expected->count);
  return STATUS_OK;
}

status run_compare(const run_outputs *outputs, const run_options *options, bool *differs) {
  tensor_set *set = NULL;
  RETURN_IF_ERROR(safetensors_open(options->compare, &set));
  arena *a = arena_create();
  status failed = STATUS_OK;
  int compared = 0;
  for (int32_t i = 0; i < outputs->count && !failed; i++) {
    const run_output *o = &outputs->items[i];
    const tensor *expected = tensor_set_find(set, o->name);
    if (!expected) {
      run_print(options->report, "compare: %s: not in %s\n", o->name, options->compare);
      continue;
    }
    failed = compare_output(a, outputs, o, expected, options, differs);
    compared++;
  }
  if (!failed && !compared) failed = status_error(STATUS_CODE_mismatch, "it has none of the model's outputs");
  arena_destroy(a);
  tensor_set_destroy(set);
  return status_context(failed, "%s", options->compare);
}
