/* Section .gnnc.program of an image: JSON that says where inputs and outputs are in device memory. Keys of others (layers, tensors, relations, options)
 * are passed over. */
#include "runtime/program_manifest.h"

#include "support/map.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  program_binary *program;
  arena *a;
  const json_t *root;
  map orders;           /* begin of each order that was checked -> its rows */
  int64_t checked_rows; /* of orders */
} reader;

static status mismatch(const char *key, const char *expected) {
  return status_error(STATUS_CODE_format, "'%s' is missing or no %s", key, expected);
}

/* ---- values ---- */

static status read_text(const reader *r, const json_t *object, const char *key, const char **out) {
  const char *found = json_string_value(json_object_get(object, key));
  if (!found || !*found) return mismatch(key, "text");
  *out = arena_strdup(r->a, found);
  return STATUS_OK;
}

static status check_integer(const json_t *value, const char *key, int64_t least, int64_t most, int64_t *out) {
  if (!json_is_integer(value)) return mismatch(key, "whole number");
  *out = json_integer_value(value);
  if (*out >= least && *out <= most) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'%s' is %" PRId64 ", expected %" PRId64 " to %" PRId64, key, *out, least,
                      most);
}

static status read_integer(const json_t *object, const char *key, int64_t least, int64_t most, int64_t *out) {
  return check_integer(json_object_get(object, key), key, least, most, out);
}

/* ---- tensors ---- */

/* 'shape' and 'width', which is its product. */
static status read_shape(const json_t *from, program_tensor *t) {
  const json_t *shape = json_object_get(from, "shape");
  if (!json_is_array(shape)) return mismatch("shape", "list of sizes");
  if (json_array_size(shape) > PROGRAM_MAX_RANK)
    return status_error(STATUS_CODE_format, "'shape' has %zu dimensions, expected at most %d", json_array_size(shape),
                        PROGRAM_MAX_RANK);
  int64_t product = 1;
  t->rank = (int32_t)json_array_size(shape);
  for (int32_t i = 0; i < t->rank; i++) {
    RETURN_IF_ERROR(check_integer(json_array_get(shape, (size_t)i), "shape", 1, INT32_MAX, &t->dims[i]));
    product *= t->dims[i];
    if (product > INT32_MAX) return status_error(STATUS_CODE_format, "'shape' has more than %d elements", INT32_MAX);
  }
  RETURN_IF_ERROR(read_integer(from, "width", 1, INT32_MAX, &t->width));
  if (t->width == product) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'width' is %" PRId64 ", 'shape' has %" PRId64 " elements", t->width,
                      product);
}

/* The user's index of each row: every index once. */
static status check_order(const int32_t *order, int64_t rows) {
  unsigned char *seen = calloc((size_t)rows / 8 + 1, 1);
  status s = seen ? STATUS_OK : status_error(STATUS_CODE_memory, "out of memory");
  for (int64_t i = 0; i < rows && !s; i++) {
    int64_t at = order[i];
    if (at < 0 || at >= rows)
      s = status_error(STATUS_CODE_format, "row %" PRId64 " of 'order' is %" PRId64 ", expected 0 to %" PRId64, i, at,
                       rows - 1);
    else if (seen[at / 8] >> at % 8 & 1)
      s = status_error(STATUS_CODE_format, "'order' has row %" PRId64 " twice", at);
    else
      seen[at / 8] |= (unsigned char)(1u << at % 8);
  }
  free(seen);
  return s;
}

/* Tensors share orders; a file whose tensors have parts of the rows as orders again and again is refused. */
static status check_order_once(reader *r, const int32_t *order, int64_t rows) {
  enum { MOST_OVERLAP = 16, MOST_FREE = 1 << 20 };
  int64_t most = MOST_FREE + MOST_OVERLAP * (int64_t)(r->program->image.sections[IMAGE_ROWS].size / 4);
  if (map_get(&r->orders, order, -1) == rows) return STATUS_OK;
  map_set(&r->orders, order, rows);
  r->checked_rows += rows;
  if (r->checked_rows <= most) return check_order(order, rows);
  return status_error(STATUS_CODE_format,
                      "orders of rows overlap in '.gnnc.rows': they have more than %" PRId64 " rows", most);
}

static status read_order(reader *r, const json_t *from, program_tensor *t) {
  const json_t *order = json_object_get(from, "order");
  const image_section *s = &r->program->image.sections[IMAGE_ROWS];
  int64_t offset = 0, bytes = 4 * t->rows;
  if (!order || json_is_null(order)) return STATUS_OK;
  RETURN_IF_ERROR(check_integer(order, "order", 0, INT64_MAX / 2, &offset));
  if (offset % 4 || (uint64_t)(offset + bytes) > s->size)
    return status_error(STATUS_CODE_format,
                        "'order' is %" PRId64 " bytes at %" PRId64 " of '.gnnc.rows', which has %" PRIu64, bytes,
                        offset, s->size);
  if (!t->rows) return STATUS_OK;
  const void *begin = s->data + offset;
  t->order = begin;
  return check_order_once(r, t->order, t->rows);
}

/* Bytes that lie in one section: those which a run changes, or also those that it only reads. */
static status check_span(const reader *r, const program_tensor *t, uint64_t address, uint64_t bytes) {
  image_section_kind kind = IMAGE_SECTIONS;
  const image *im = &r->program->image;
  static const image_section_kind kinds[] = {IMAGE_FEATURES, IMAGE_WEIGHTS};
  for (int i = 0; i < 2; i++) {
    const image_section *s = &im->sections[kinds[i]];
    if (address >= s->address && address - s->address <= s->size && bytes <= s->size - (address - s->address))
      kind = kinds[i];
  }
  bool is_written = !strcmp(t->domain, "input") && !t->is_weight;
  if (kind == IMAGE_FEATURES || (kind == IMAGE_WEIGHTS && !is_written)) return STATUS_OK;
  return status_error(STATUS_CODE_format, "%" PRIu64 " bytes at 0x%" PRIx64 " do not lie in '.features'%s", bytes,
                      address, is_written ? "" : " or '.weights'");
}

/* Bytes from the first row of the first fiber to the last of the last. */
static status fiber_bytes(const reader *r, const program_tensor *t, uint64_t *bytes) {
  const graphagile_device *d = &r->program->image.device.graphagile;
  int64_t fibers = (t->width + d->width - 1) / d->width, row = 4 * (int64_t)d->width;
  int64_t rows = t->rows ? (fibers - 1) * t->stride + t->rows : 0;
  if (rows > d->ddr_bytes / row)
    return status_error(STATUS_CODE_format, "%" PRId64 " rows of %" PRId64 " bytes are more than the device's memory",
                        rows, row);
  *bytes = (uint64_t)(rows * row);
  return STATUS_OK;
}

static status read_addresses(const reader *r, const json_t *from, program_tensor *t) {
  const json_t *list = t->is_values ? json_object_get(from, "addresses") : NULL;
  size_t count = t->is_values ? (size_t)t->width : 1;
  int64_t most = r->program->image.device.common.ddr_bytes;
  uint64_t bytes = 4 * (uint64_t)t->rows;
  if (t->is_values && json_array_size(list) != count)
    return status_error(STATUS_CODE_format, "'addresses' has %zu entries, expected one per head: %zu",
                        json_array_size(list), count);
  if (!t->is_values) {
    RETURN_IF_ERROR(read_integer(from, "stride", t->rows, INT32_MAX, &t->stride));
    RETURN_IF_ERROR(fiber_bytes(r, t, &bytes));
  }
  uint64_t *made = arena_alloc_array(r->a, count, sizeof *made);
  t->addresses = made;
  for (size_t i = 0; i < count; i++) {
    const json_t *value = t->is_values ? json_array_get(list, i) : json_object_get(from, "address");
    int64_t address = 0;
    RETURN_IF_ERROR(check_integer(value, t->is_values ? "addresses" : "address", 0, most, &address));
    if (address % 4)
      return status_error(STATUS_CODE_format, "address 0x%" PRIx64 " is no multiple of 4", (uint64_t)address);
    made[i] = (uint64_t)address;
    if (bytes) RETURN_IF_ERROR(check_span(r, t, made[i], bytes)); /* no rows are anywhere */
  }
  return STATUS_OK;
}

static status read_common(reader *r, const json_t *from, program_tensor *t) {
  RETURN_IF_ERROR(read_integer(from, "rows", 0, INT32_MAX, &t->rows));
  RETURN_IF_ERROR(read_shape(from, t));
  RETURN_IF_ERROR(read_addresses(r, from, t));
  if (!t->has_rows && t->rows != 1)
    return status_error(STATUS_CODE_format, "'rows' is %" PRId64 ", expected 1", t->rows);
  return read_order(r, from, t);
}

static status read_input(reader *r, const json_t *from, program_tensor *t) {
  const char *space = NULL, *set = NULL;
  RETURN_IF_ERROR(read_text(r, from, "from", &t->from));
  RETURN_IF_ERROR(read_text(r, from, "space", &space));
  RETURN_IF_ERROR(read_text(r, from, "set", &set));
  t->is_weight = !strcmp(space, "weights");
  if (!t->is_weight && strcmp(space, "graph") != 0)
    return status_error(STATUS_CODE_format, "'space' is '%s', expected 'graph' or 'weights'", space);
  t->domain = "input";
  t->has_rows = strcmp(set, "one") != 0;
  return read_common(r, from, t);
}

static status read_output(reader *r, const json_t *from, program_tensor *t) {
  const char *kind = NULL;
  RETURN_IF_ERROR(read_text(r, from, "kind", &kind));
  RETURN_IF_ERROR(read_text(r, from, "domain", &t->domain));
  t->is_values = !strcmp(kind, "values");
  if (!t->is_values && strcmp(kind, "rows") != 0)
    return status_error(STATUS_CODE_format, "'kind' is '%s', expected 'rows' or 'values'", kind);
  t->has_rows = strcmp(t->domain, "plain") != 0;
  return read_common(r, from, t);
}

/* ---- the whole ---- */

typedef status read_tensor(reader *r, const json_t *from, program_tensor *t);

static status read_list(reader *r, const char *key, read_tensor *read, const program_tensor **out, int32_t *count) {
  const json_t *list = json_object_get(r->root, key), *item;
  if (!json_is_array(list)) return mismatch(key, "list");
  program_tensor *made = arena_alloc_array(r->a, json_array_size(list) + 1, sizeof *made);
  map names = {.arena = r->a, .of_strings = true};
  size_t i;
  json_array_foreach(list, i, item) {
    status s = read_text(r, item, "name", &made[i].name);
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

/* Optional: fields of the graph that the program holds. */
static status read_baked(const reader *r) {
  const json_t *list = json_object_get(r->root, "baked"), *item;
  if (list && !json_is_array(list)) return status_error(STATUS_CODE_format, "expected a list");
  program_baked *made = arena_alloc_array(r->a, json_array_size(list) + 1, sizeof *made);
  size_t i;
  json_array_foreach(list, i, item) {
    const char *digits = NULL;
    RETURN_IF_ERROR(read_text(r, item, "from", &made[i].from));
    RETURN_IF_ERROR(read_text(r, item, "fingerprint", &digits));
    if (strlen(digits) != 16 || strspn(digits, "0123456789abcdef") != 16)
      return mismatch("fingerprint", "16 hexadecimal digits");
    made[i].fingerprint = strtoull(digits, NULL, 16);
  }
  r->program->baked = made;
  r->program->num_baked = (int32_t)json_array_size(list);
  return STATUS_OK;
}

/* Optional: how the source was compiled. */
static status read_dims(const reader *r) {
  json_t *dims = json_object_get(r->root, "dims"), *value;
  const char *name;
  if (dims && !json_is_object(dims)) return status_error(STATUS_CODE_format, "expected names with sizes");
  program_dim *made = arena_alloc_array(r->a, json_object_size(dims) + 1, sizeof *made);
  r->program->dims = made;
  json_object_foreach(dims, name, value) {
    program_dim *d = &made[r->program->num_dims++];
    d->name = arena_strdup(r->a, name);
    RETURN_IF_ERROR(check_integer(value, name, 1, INT32_MAX, &d->value));
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

static status read_all(reader *r) {
  program_binary *p = r->program;
  if (!json_is_object(r->root)) return status_error(STATUS_CODE_format, "not a JSON object");
  RETURN_IF_ERROR(read_text(r, r->root, "model", &p->model));
  RETURN_IF_ERROR(read_list(r, "inputs", read_input, &p->inputs, &p->num_inputs));
  RETURN_IF_ERROR(read_list(r, "outputs", read_output, &p->outputs, &p->num_outputs));
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
  reader r = {.program = p, .a = p->memory, .root = root, .orders = {.arena = p->memory}};
  status failed = read_all(&r);
  json_decref(root);
  return status_context(failed, "section '.gnnc.program'");
}
