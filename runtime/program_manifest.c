/* Reads section .gnnc.program of an image: JSON that gives the places of inputs and outputs in
 * device memory. Keys for other readers (layers, tensors, relations, options) are ignored. */
#include "runtime/program_manifest.h"

#include "runtime/steps/json.h"
#include "support/map.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  program_binary *program;
  arena *a;
  const json_t *root;
  steps_reader *places;
} reader;

/* ---- tensors ---- */

/* Reads 'shape', and 'width', which must be the product of the shape. */
static status read_shape(const json_t *from, program_tensor *t) {
  const json_t *shape = json_object_get(from, "shape");
  if (!json_is_array(shape)) return steps_mismatch("shape", "list of sizes");
  if (json_array_size(shape) > PROGRAM_MAX_RANK)
    return status_error(STATUS_CODE_format, "'shape' has %zu dimensions, expected at most %d", json_array_size(shape),
                        PROGRAM_MAX_RANK);
  int64_t product = 1;
  t->rank = (int32_t)json_array_size(shape);
  for (int32_t i = 0; i < t->rank; i++) {
    RETURN_IF_ERROR(steps_check_integer(json_array_get(shape, (size_t)i), "shape", 1, INT32_MAX, &t->dims[i]));
    product *= t->dims[i];
    if (product > INT32_MAX) return status_error(STATUS_CODE_format, "'shape' has more than %d elements", INT32_MAX);
  }
  RETURN_IF_ERROR(steps_integer(from, "width", 1, INT32_MAX, &t->width));
  if (t->width == product) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'width' is %" PRId64 ", 'shape' has %" PRId64 " elements", t->width,
                      product);
}

/* Reads the array of the host for an input or output; -1 for none. */
static status read_array(const reader *r, const json_t *from, program_tensor *t) {
  const program_steps *steps = &r->program->steps;
  int64_t found;
  RETURN_IF_ERROR(steps_integer_or(from, "array", 0, steps->num_arrays - 1, -1, &found));
  t->array = (int32_t)found;
  if (found < 0) return STATUS_OK;
  step_array *a = &steps->arrays[found];
  if (a->rows != t->rows || a->width != t->width || a->is_constant)
    return status_error(STATUS_CODE_format,
                        "array '%s' is %" PRId64 " x %" PRId64 "%s, the tensor is %" PRId64 " x %" PRId64, a->name,
                        a->rows, a->width, a->is_constant ? " constants" : "", t->rows, t->width);
  a->is_kept = true;
  a->is_input = a->is_input || (!strcmp(t->domain, "input") && !t->is_weight);
  return STATUS_OK;
}

/* Reads the places of the tensor: in device memory, on the host, or both. */
static status read_places(reader *r, const json_t *from, const char *fallback, program_tensor *t) {
  bool is_written = !strcmp(t->domain, "input") && !t->is_weight;
  t->place.tensor.rows = t->rows;
  t->place.tensor.width = t->width;
  RETURN_IF_ERROR(read_array(r, from, t));
  t->is_on_device =
      t->array < 0 || json_object_get(from, "address") != NULL || json_object_get(from, "addresses") != NULL;
  if (!t->is_on_device) return STATUS_OK;
  RETURN_IF_ERROR(steps_read_place(r->places, from, fallback, is_written, &t->place));
  if (!t->place.layout->folds) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'layout' is '%s', which only relayouts have", t->place.layout->name);
}

static status read_common(reader *r, const json_t *from, const char *fallback, program_tensor *t) {
  RETURN_IF_ERROR(steps_integer(from, "rows", 0, INT32_MAX, &t->rows));
  RETURN_IF_ERROR(read_shape(from, t));
  RETURN_IF_ERROR(read_places(r, from, fallback, t));
  if (!t->has_rows && t->rows != 1)
    return status_error(STATUS_CODE_format, "'rows' is %" PRId64 ", expected 1", t->rows);
  RETURN_IF_ERROR(steps_read_order(r->places, from, t->rows, &t->order));
  t->place.tensor.order = t->order;
  return STATUS_OK;
}

/* Reads the ranges of integers, two numbers for each element of a row. */
static status read_ranges(const reader *r, const json_t *from, program_tensor *t) {
  const json_t *list = json_object_get(from, "ranges");
  RETURN_IF_ERROR(steps_flag(from, "integer", &t->is_integer));
  if (!list) return STATUS_OK;
  if (!json_is_array(list) || json_array_size(list) != 2 * (size_t)t->width)
    return steps_mismatch("ranges", "list of two numbers for each element");
  int32_t *made = arena_alloc_array(r->a, json_array_size(list), sizeof *made);
  for (size_t i = 0; i < json_array_size(list); i++) {
    int64_t bound;
    RETURN_IF_ERROR(steps_check_integer(json_array_get(list, i), "ranges", INT32_MIN, INT32_MAX, &bound));
    made[i] = (int32_t)bound;
  }
  t->ranges = made;
  return STATUS_OK;
}

static status read_input(reader *r, const json_t *from, program_tensor *t) {
  const char *space = NULL, *set = NULL;
  RETURN_IF_ERROR(steps_text(r->a, from, "from", &t->from));
  RETURN_IF_ERROR(steps_text(r->a, from, "space", &space));
  RETURN_IF_ERROR(steps_text(r->a, from, "set", &set));
  t->is_weight = !strcmp(space, "weights");
  if (!t->is_weight && strcmp(space, "graph") != 0)
    return status_error(STATUS_CODE_format, "'space' is '%s', expected 'graph' or 'weights'", space);
  t->domain = "input";
  t->has_rows = strcmp(set, "one") != 0;
  RETURN_IF_ERROR(read_common(r, from, "fibers", t));
  return read_ranges(r, from, t);
}

static status read_output(reader *r, const json_t *from, program_tensor *t) {
  const char *kind = NULL;
  RETURN_IF_ERROR(steps_text(r->a, from, "kind", &kind));
  RETURN_IF_ERROR(steps_text(r->a, from, "domain", &t->domain));
  t->is_values = !strcmp(kind, "values");
  if (!t->is_values && strcmp(kind, "rows") != 0)
    return status_error(STATUS_CODE_format, "'kind' is '%s', expected 'rows' or 'values'", kind);
  t->has_rows = strcmp(t->domain, "plain") != 0;
  return read_common(r, from, t->is_values ? "values" : "fibers", t);
}

/* ---- the whole manifest ---- */

typedef status read_tensor(reader *r, const json_t *from, program_tensor *t);

static status read_list(reader *r, const char *key, read_tensor *read, const program_tensor **out, int32_t *count) {
  const json_t *list = json_object_get(r->root, key), *item;
  if (!json_is_array(list)) return steps_mismatch(key, "list");
  program_tensor *made = arena_alloc_array(r->a, json_array_size(list) + 1, sizeof *made);
  map names = {.arena = r->a, .of_strings = true};
  size_t i;
  json_array_foreach(list, i, item) {
    status s = steps_text(r->a, item, "name", &made[i].name);
    if (!s) s = status_context(read(r, item, &made[i]), "'%s'", made[i].name);
    if (s) return status_context(s, "%s", key);
    if (map_get(&names, made[i].name, -1) >= 0)
      return status_error(STATUS_CODE_format, "%s: '%s' is there twice", key, made[i].name);
    map_set(&names, made[i].name, (int64_t)i);
  }
  *out = made;
  *count = (int32_t)json_array_size(list);
  return STATUS_OK;
}

/* Reads the optional list of graph fields that the program contains. */
static status read_baked(const reader *r) {
  const json_t *list = json_object_get(r->root, "baked"), *item;
  if (list && !json_is_array(list)) return status_error(STATUS_CODE_format, "expected a list");
  program_baked *made = arena_alloc_array(r->a, json_array_size(list) + 1, sizeof *made);
  size_t i;
  json_array_foreach(list, i, item) {
    const char *digits = NULL;
    RETURN_IF_ERROR(steps_text(r->a, item, "from", &made[i].from));
    RETURN_IF_ERROR(steps_text(r->a, item, "fingerprint", &digits));
    if (strlen(digits) != 16 || strspn(digits, "0123456789abcdef") != 16)
      return steps_mismatch("fingerprint", "16 hexadecimal digits");
    made[i].fingerprint = strtoull(digits, NULL, 16);
  }
  r->program->baked = made;
  r->program->num_baked = (int32_t)json_array_size(list);
  return STATUS_OK;
}

/* Reads the optional sizes with which the source was compiled. */
static status read_dims(const reader *r) {
  json_t *dims = json_object_get(r->root, "dims"), *value;
  const char *name;
  if (dims && !json_is_object(dims)) return status_error(STATUS_CODE_format, "expected names with sizes");
  program_dim *made = arena_alloc_array(r->a, json_object_size(dims) + 1, sizeof *made);
  r->program->dims = made;
  json_object_foreach(dims, name, value) {
    program_dim *d = &made[r->program->num_dims++];
    d->name = arena_strdup(r->a, name);
    RETURN_IF_ERROR(steps_check_integer(value, name, 1, INT32_MAX, &d->value));
  }
  return STATUS_OK;
}

static status read_sources(const reader *r) {
  const json_t *list = json_object_get(r->root, "sources"), *item;
  if (list && !json_is_array(list)) return status_error(STATUS_CODE_format, "expected a list");
  const char **made = arena_alloc_array(r->a, json_array_size(list) + 1, sizeof *made);
  size_t i;
  json_array_foreach(list, i, item) {
    if (!json_is_string(item)) return status_error(STATUS_CODE_format, "source %zu is no text", i);
    made[i] = arena_strndup(r->a, json_string_value(item), json_string_length(item));
  }
  r->program->sources = made;
  r->program->num_sources = (int32_t)json_array_size(list);
  return STATUS_OK;
}

/* Programs that compute with few bits state how far their outputs may be from those of others. */
static status read_tolerance(const reader *r) {
  const json_t *said = json_object_get(r->root, "tolerance");
  program_binary *p = r->program;
  p->tolerance = machine_tolerance(p->image.device.machine);
  if (!said) return STATUS_OK;
  p->tolerance = json_number_value(said);
  if (json_is_number(said) && p->tolerance > 0 && isfinite(p->tolerance)) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'tolerance' is no positive number");
}

static status read_all(reader *r) {
  program_binary *p = r->program;
  if (!json_is_object(r->root)) return status_error(STATUS_CODE_format, "not a JSON object");
  RETURN_IF_ERROR(steps_text(r->a, r->root, "model", &p->model));
  RETURN_IF_ERROR(read_tolerance(r));
  RETURN_IF_ERROR(steps_integer_or(r->root, "useful_multiply_adds", 0, INT64_MAX, 0, &p->useful_multiply_adds));
  RETURN_IF_ERROR(steps_read(r->a, &p->image, r->root, &p->steps));
  RETURN_IF_ERROR(read_list(r, "inputs", read_input, &p->inputs, &p->num_inputs));
  RETURN_IF_ERROR(read_list(r, "outputs", read_output, &p->outputs, &p->num_outputs));
  RETURN_IF_ERROR(steps_check_made(r->a, &p->steps));
  RETURN_IF_ERROR(status_context(read_baked(r), "baked"));
  RETURN_IF_ERROR(status_context(read_dims(r), "dims"));
  return status_context(read_sources(r), "sources");
}

status program_manifest_read(program_binary *p) {
  const image_section *s = &p->image.sections[IMAGE_PROGRAM];
  json_error_t error = {.position = 0};
  json_t *root = s->size ? json_loadb((const char *)s->data, s->size, JSON_REJECT_DUPLICATES, &error)
                         : json_pack("{s:s,s:[],s:[]}", "model", "assembled", "inputs", "outputs");
  if (!root)
    return status_error(STATUS_CODE_format, "section '.gnnc.program': %s at byte %d", error.text, error.position);
  reader r = {.program = p, .a = p->memory, .root = root, .places = steps_reader_create(p->memory, &p->image)};
  status failed = read_all(&r);
  json_decref(root);
  return status_context(failed, "section '.gnnc.program'");
}
