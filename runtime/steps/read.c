/* Reads the host steps from the manifest of an image: see steps.h. */
#include "runtime/steps/json.h"
#include "runtime/steps/steps.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  arena *a;
  const image *image;
  steps_reader *places;
  program_steps *out;
} reader;

/* ---- arrays and lists ---- */

/* The most numbers in an array, so that bytes and products of two widths are below 2^63. */
#define MOST_NUMBERS (INT64_C(1) << 48)

/* Finds `bytes` bytes at an offset of .gnnc.lists; *out stays NULL if the image has no data. */
static status find_data(const reader *r, const char *key, int64_t offset, int64_t bytes, const void **out) {
  const image_section *s = &r->image->sections[IMAGE_LISTS];
  if (offset % 4 || (uint64_t)offset > s->size || (uint64_t)bytes > s->size - (uint64_t)offset)
    return status_error(STATUS_CODE_format,
                        "'%s' is %" PRId64 " bytes at %" PRId64 " of '.gnnc.lists', which has %" PRIu64, key, bytes,
                        offset, s->size);
  *out = s->data ? s->data + offset : NULL;
  return STATUS_OK;
}

static status read_array(reader *r, const json_t *from, step_array *a) {
  int64_t offset;
  const void *data = NULL;
  a->last = -1;
  RETURN_IF_ERROR(steps_text(r->a, from, "name", &a->name));
  RETURN_IF_ERROR(steps_integer(from, "rows", 0, INT32_MAX, &a->rows));
  RETURN_IF_ERROR(steps_integer(from, "width", 1, INT32_MAX, &a->width));
  RETURN_IF_ERROR(steps_integer_or(from, "data", 0, INT64_MAX / 4, -1, &offset));
  if (a->rows && a->width > MOST_NUMBERS / a->rows)
    return status_error(STATUS_CODE_format, "%" PRId64 " x %" PRId64 " numbers, expected at most %" PRId64, a->rows,
                        a->width, MOST_NUMBERS);
  a->is_constant = offset >= 0;
  if (a->is_constant) RETURN_IF_ERROR(find_data(r, "data", offset, 4 * a->rows * a->width, &data));
  a->data = data;
  return STATUS_OK;
}

static status check_ends(const int32_t *ends, int64_t edges, int64_t rows, const char *what) {
  for (int64_t e = 0; ends && e < edges; e++)
    if (ends[e] < 0 || ends[e] >= rows)
      return status_error(STATUS_CODE_format, "edge %" PRId64 " has %s row %d, there are %" PRId64 " rows", e, what,
                          ends[e], rows);
  return STATUS_OK;
}

/* Finds whether a list has at most one edge per destination and no weights. */
static status find_copy(step_edge_list *l) {
  if (!l->dst || l->has_weight || l->edges > l->to_rows) return STATUS_OK;
  unsigned char *seen = calloc((size_t)l->to_rows / 8 + 1, 1);
  if (!seen) return status_error(STATUS_CODE_memory, "out of memory");
  l->is_copy = true;
  for (int64_t e = 0; e < l->edges; e++) {
    unsigned char bit = (unsigned char)(1u << l->dst[e] % 8);
    if (seen[l->dst[e] / 8] & bit) l->is_copy = false;
    seen[l->dst[e] / 8] |= bit;
  }
  free(seen);
  return STATUS_OK;
}

static status read_list(reader *r, const json_t *from, step_edge_list *l) {
  int64_t src, dst, weight;
  const void *ends[2], *weights = NULL;
  RETURN_IF_ERROR(steps_text(r->a, from, "name", &l->name));
  RETURN_IF_ERROR(steps_integer(from, "from_rows", 0, INT32_MAX, &l->from_rows));
  RETURN_IF_ERROR(steps_integer(from, "to_rows", 0, INT32_MAX, &l->to_rows));
  RETURN_IF_ERROR(steps_integer(from, "edges", 0, INT32_MAX, &l->edges));
  RETURN_IF_ERROR(steps_integer(from, "src", 0, INT64_MAX / 4, &src));
  RETURN_IF_ERROR(steps_integer(from, "dst", 0, INT64_MAX / 4, &dst));
  RETURN_IF_ERROR(steps_integer_or(from, "weight", 0, INT64_MAX / 4, -1, &weight));
  RETURN_IF_ERROR(find_data(r, "src", src, 4 * l->edges, &ends[0]));
  RETURN_IF_ERROR(find_data(r, "dst", dst, 4 * l->edges, &ends[1]));
  if (weight >= 0) RETURN_IF_ERROR(find_data(r, "weight", weight, 4 * l->edges, &weights));
  l->src = ends[0];
  l->dst = ends[1];
  l->weight = weights;
  l->has_weight = weight >= 0;
  RETURN_IF_ERROR(check_ends(l->src, l->edges, l->from_rows, "source"));
  RETURN_IF_ERROR(check_ends(l->dst, l->edges, l->to_rows, "destination"));
  return find_copy(l);
}

/* ---- steps ---- */

static const char *const op_names[STEP_OPS] = {
    [STEP_gemm] = "gemm",     [STEP_spmm] = "spmm",        [STEP_sddmm] = "sddmm",   [STEP_vadd] = "vadd",
    [STEP_map] = "map",       [STEP_columns] = "columns",  [STEP_concat] = "concat", [STEP_outer_sum] = "outer_sum",
    [STEP_lookup] = "lookup", [STEP_relayout] = "relayout"};

/* The keys of the operands of each operation, in the order of program_step.in. */
static const char *const operand_keys[STEP_OPS][STEP_MAX_OPERANDS] = {[STEP_gemm] = {"in", "weights", "bias", "addend"},
                                                                      [STEP_spmm] = {"in", "values", "bias", "addend"},
                                                                      [STEP_sddmm] = {"src", "dst", "values"},
                                                                      [STEP_vadd] = {"a", "b", "condition"},
                                                                      [STEP_map] = {"in"},
                                                                      [STEP_columns] = {"in"},
                                                                      [STEP_concat] = {"a", "b"},
                                                                      [STEP_outer_sum] = {"a", "b"},
                                                                      [STEP_lookup] = {"table", "in"},
                                                                      [STEP_relayout] = {"in"}};

/* Reads the index of an array; -1 if the key is missing. */
static status read_operand(const reader *r, const json_t *from, const char *key, int32_t *out) {
  int64_t found = -1;
  if (key) RETURN_IF_ERROR(steps_integer_or(from, key, 0, r->out->num_arrays - 1, -1, &found));
  *out = (int32_t)found;
  return STATUS_OK;
}

static status read_functions(reader *r, const json_t *from, program_step *s) {
  const json_t *list = json_object_get(from, "functions"), *item;
  size_t i;
  if (list && !json_is_array(list)) return steps_mismatch("functions", "list of texts");
  s->functions = arena_alloc_array(r->a, json_array_size(list) + 1, sizeof *s->functions);
  json_array_foreach(list, i, item) {
    const char *words = json_string_value(item);
    if (!words || !elementwise_call_parse(words, &s->functions[i]))
      return status_error(STATUS_CODE_format,
                          "'functions' has '%s', expected a function and as many numbers as it takes",
                          words ? words : "no text");
  }
  s->num_functions = (int32_t)json_array_size(list);
  return STATUS_OK;
}

static status read_run(const reader *r, const json_t *range, program_step *s) {
  const machine *m = r->image->device.machine;
  uint64_t records = r->image->sections[IMAGE_TEXT].size / m->isa->insn_bytes;
  int64_t first, end;
  if (json_array_size(range) != 2) return steps_mismatch("run", "pair of records");
  RETURN_IF_ERROR(steps_check_integer(json_array_get(range, 0), "run", 0, (int64_t)records, &first));
  RETURN_IF_ERROR(steps_check_integer(json_array_get(range, 1), "run", first, (int64_t)records, &end));
  s->run.first = (uint64_t)first;
  s->run.end = (uint64_t)end;
  return m->check_run ? m->check_run(r->image, s->run.first, s->run.end) : STATUS_OK;
}

static status read_gemm(reader *r, const json_t *from, program_step *s) {
  const json_t *segments = json_object_get(from, "segments"), *item;
  bool has_segments = json_array_size(segments) > 0;
  size_t i;
  if (segments && !has_segments) return steps_mismatch("segments", "list of rows");
  RETURN_IF_ERROR(steps_flag(from, "transposed", &s->gemm.is_transposed));
  RETURN_IF_ERROR(steps_flag(from, "skips_zeros", &s->gemm.skips_zeros));
  s->gemm.types = has_segments ? (int64_t)json_array_size(segments) - 1 : 1;
  int64_t *offsets = arena_alloc_array(r->a, (size_t)s->gemm.types + 1, sizeof *offsets);
  s->gemm.offsets = offsets;
  if (!has_segments && s->in[0] >= 0) offsets[1] = r->out->arrays[s->in[0]].rows;
  json_array_foreach(segments, i, item)
      RETURN_IF_ERROR(steps_check_integer(item, "segments", 0, INT32_MAX, &offsets[i]));
  return STATUS_OK;
}

static status read_list_number(const reader *r, const json_t *from, int32_t *out) {
  int64_t list;
  RETURN_IF_ERROR(steps_integer(from, "list", 0, r->out->num_lists - 1, &list));
  *out = (int32_t)list;
  return STATUS_OK;
}

static status read_spmm(reader *r, const json_t *from, program_step *s) {
  static const char *const names[] = {"sum", "mean", "max", "min"};
  int found;
  RETURN_IF_ERROR(read_list_number(r, from, &s->spmm.list));
  RETURN_IF_ERROR(steps_choice(from, "reduce", names, 4, &found));
  s->spmm.reduction = (kernel_reduction)found;
  return STATUS_OK;
}

/* Reads a binary function, or the word `none` for BINARY_none. */
static status read_binary(const json_t *from, const char *key, const char *none, elementwise_binary *out) {
  const char *names[BINARY_COUNT + 1];
  int found;
  for (int i = 0; i < BINARY_COUNT; i++) names[i] = elementwise_binaries[i].name;
  names[BINARY_COUNT] = none;
  RETURN_IF_ERROR(steps_choice(from, key, names, BINARY_COUNT + 1, &found));
  *out = found < BINARY_COUNT ? (elementwise_binary)found : BINARY_none;
  return STATUS_OK;
}

static status read_sddmm(reader *r, const json_t *from, program_step *s) {
  static const char *const names[] = {"dot", "add", "src", "dst"};
  int found;
  RETURN_IF_ERROR(read_list_number(r, from, &s->sddmm.list));
  RETURN_IF_ERROR(steps_integer(from, "heads", 1, INT32_MAX, &s->sddmm.heads));
  RETURN_IF_ERROR(steps_choice(from, "inner", names, 4, &found));
  s->sddmm.inner = (kernel_inner)found;
  return read_binary(from, "combine", "replace", &s->sddmm.combine);
}

/* Reads a number, or the text of a number that JSON lacks; 1 if the key is missing. */
static status read_scale(const json_t *from, float *out) {
  static const char *const names[] = {"inf", "-inf", "nan"};
  static const float numbers[] = {INFINITY, -INFINITY, NAN};
  const json_t *scale = json_object_get(from, "scale");
  int found;
  *out = json_is_number(scale) ? (float)json_number_value(scale) : 1;
  if (!scale || json_is_number(scale)) return STATUS_OK;
  if (!json_is_string(scale)) return steps_mismatch("scale", "number");
  RETURN_IF_ERROR(steps_choice(from, "scale", names, 3, &found));
  *out = numbers[found];
  return STATUS_OK;
}

static status read_vadd(const json_t *from, program_step *s) {
  RETURN_IF_ERROR(read_scale(from, &s->vadd.scale));
  return read_binary(from, "function", "select", &s->vadd.function);
}

/* Reads a bound of an index; `fallback` where there is none. */
static status read_bound(const json_t *from, const char *key, double fallback, double *out) {
  int64_t found = 0;
  *out = fallback;
  if (!json_object_get(from, key)) return STATUS_OK;
  RETURN_IF_ERROR(steps_integer(from, key, INT32_MIN, INT32_MAX, &found));
  *out = (double)found;
  return STATUS_OK;
}

static status read_lookup(const json_t *from, program_step *s) {
  RETURN_IF_ERROR(steps_integer(from, "rows", 1, INT32_MAX, &s->lookup.rows));
  RETURN_IF_ERROR(steps_integer(from, "column", 0, INT32_MAX, &s->lookup.column));
  RETURN_IF_ERROR(read_bound(from, "low", -INFINITY, &s->lookup.low));
  RETURN_IF_ERROR(read_bound(from, "high", INFINITY, &s->lookup.high));
  return steps_flag(from, "each", &s->lookup.is_each);
}

static status read_relayout(reader *r, const json_t *from, program_step *s) {
  const json_t *place = json_object_get(from, "place");
  bool is_written = s->in[0] >= 0;
  int32_t array = is_written ? s->in[0] : s->out;
  if (!json_is_object(place)) return steps_mismatch("place", "object");
  if (array < 0) return steps_mismatch("in", "array");
  if (s->num_functions) return status_error(STATUS_CODE_format, "a relayout has no functions");
  s->place.tensor.rows = r->out->arrays[array].rows;
  s->place.tensor.width = r->out->arrays[array].width;
  RETURN_IF_ERROR(steps_read_place(r->places, place, NULL, is_written, &s->place));
  if (s->place.layout->folds) return STATUS_OK; /* its order is read */
  return steps_read_order(r->places, place, s->place.tensor.rows, &s->place.tensor.order);
}

static status read_special(reader *r, const json_t *from, program_step *s) {
  switch (s->op) {
  case STEP_gemm: return read_gemm(r, from, s);
  case STEP_spmm: return read_spmm(r, from, s);
  case STEP_sddmm: return read_sddmm(r, from, s);
  case STEP_vadd: return read_vadd(from, s);
  case STEP_columns: return steps_integer(from, "begin", 0, INT32_MAX, &s->columns.begin);
  case STEP_lookup: return read_lookup(from, s);
  case STEP_relayout: return read_relayout(r, from, s);
  default: return STATUS_OK;
  }
}

static status read_step(reader *r, const json_t *from, program_step *s) {
  const json_t *run = json_object_get(from, "run"), *name = json_object_get(from, "name");
  int op;
  *s = (program_step){.op = STEP_run, .name = "", .in = {-1, -1, -1, -1}, .out = -1};
  if (run) return read_run(r, run, s);
  RETURN_IF_ERROR(steps_choice(from, "op", &op_names[STEP_gemm], STEP_OPS - STEP_gemm, &op));
  s->op = (step_op)(STEP_gemm + op);
  if (json_is_string(name)) s->name = arena_strdup(r->a, json_string_value(name));
  s->line = json_integer_value(json_object_get(from, "line"));
  for (int i = 0; i < STEP_MAX_OPERANDS; i++) RETURN_IF_ERROR(read_operand(r, from, operand_keys[s->op][i], &s->in[i]));
  RETURN_IF_ERROR(read_operand(r, from, "out", &s->out));
  RETURN_IF_ERROR(read_functions(r, from, s));
  RETURN_IF_ERROR(read_special(r, from, s));
  r->out->has_host = true;
  return steps_check(r->out, s);
}

/* ---- all steps ---- */

/* Reads an optional list. */
static status list_of(const json_t *root, const char *key, const json_t **out, size_t *count) {
  *out = json_object_get(root, key);
  *count = json_array_size(*out);
  return !*out || json_is_array(*out) ? STATUS_OK : steps_mismatch(key, "list");
}

static status read_arrays(reader *r, const json_t *root) {
  const json_t *list;
  size_t count;
  RETURN_IF_ERROR(list_of(root, "arrays", &list, &count));
  r->out->arrays = arena_alloc_array(r->a, count + 1, sizeof *r->out->arrays);
  for (size_t i = 0; i < count; i++)
    RETURN_IF_ERROR(status_context(read_array(r, json_array_get(list, i), &r->out->arrays[i]), "array %zu", i));
  r->out->num_arrays = (int32_t)count;
  RETURN_IF_ERROR(list_of(root, "edge_lists", &list, &count));
  r->out->lists = arena_alloc_array(r->a, count + 1, sizeof *r->out->lists);
  for (size_t i = 0; i < count; i++)
    RETURN_IF_ERROR(status_context(read_list(r, json_array_get(list, i), &r->out->lists[i]), "edge list %zu", i));
  r->out->num_lists = (int32_t)count;
  return STATUS_OK;
}

/* Finds the last step that reads each array. */
static void find_lives(program_steps *p) {
  for (int32_t i = 0; i < p->num_steps; i++)
    for (int k = 0; k < STEP_MAX_OPERANDS; k++)
      if (p->steps[i].in[k] >= 0) p->arrays[p->steps[i].in[k]].last = i;
}

status steps_read(arena *a, const image *im, const json_t *root, program_steps *out) {
  const image_section *data = &im->sections[IMAGE_LISTS];
  reader r = {.a = a, .image = im, .places = steps_reader_create(a, im), .out = out};
  const json_t *list;
  size_t count;
  *out = (program_steps){.has_data = data->data || !data->size};
  RETURN_IF_ERROR(read_arrays(&r, root));
  RETURN_IF_ERROR(list_of(root, "steps", &list, &count));
  out->steps = arena_alloc_array(a, count + 1, sizeof *out->steps);
  for (size_t i = 0; i < count; i++)
    RETURN_IF_ERROR(status_context(read_step(&r, json_array_get(list, i), &out->steps[i]), "step %zu", i));
  out->num_steps = (int32_t)count;
  if (!list) {
    uint64_t records = im->sections[IMAGE_TEXT].size / im->device.machine->isa->insn_bytes;
    out->steps[out->num_steps++] =
        (program_step){.op = STEP_run, .name = "", .in = {-1, -1, -1, -1}, .out = -1, .run = {0, records}};
  }
  find_lives(out);
  return STATUS_OK;
}
