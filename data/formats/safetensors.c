/* Reads safetensors and trusts no part of a header before it is checked.
 *
 *   {"__metadata__": {"name": "cora"}, "x": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
 *
 * Jansson parses the JSON and refuses duplicate keys. As the format demands, the tensors fill the
 * data section from its first to its last byte without overlap or gap, in any order. */
#include "data/formats/safetensors.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tensor files are read in place, which needs little-endian");

/* The largest header that the reference implementation of the format accepts. */
enum { MAX_HEADER_BYTES = 100 * 1000 * 1000 };

static status read_metadata(tensor_set *set, json_t *object) {
  if (!json_is_object(object)) return status_error(STATUS_CODE_format, "__metadata__ is not an object");
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    if (!json_is_string(value)) return status_error(STATUS_CODE_format, "metadata '%s' is not a string", key);
    tensor_set_put_metadata(set, key, json_string_value(value));
  }
  return STATUS_OK;
}

static status read_shape(json_t *entry, tensor *t) {
  json_t *shape = json_object_get(entry, "shape");
  if (!json_is_array(shape)) return status_error(STATUS_CODE_format, "has no shape");
  size_t rank = json_array_size(shape);
  if (rank > TENSOR_MAX_RANK)
    return status_error(STATUS_CODE_unsupported, "has %zu dimensions, at most %d are supported", rank, TENSOR_MAX_RANK);
  t->rank = (int32_t)rank;
  for (size_t i = 0; i < rank; i++) {
    json_t *size = json_array_get(shape, i);
    if (!json_is_integer(size))
      return status_error(STATUS_CODE_format, "its shape holds something else than whole numbers");
    t->dims[i] = json_integer_value(size);
  }
  return tensor_measure(t->dtype, t->rank, t->dims, &t->count, &t->bytes);
}

/* Reads an entry of the header. Its offsets are checked against the `available` bytes of the data
 * section. */
static status read_tensor(json_t *entry, const unsigned char *data, size_t available, tensor *t) {
  if (!json_is_object(entry)) return status_error(STATUS_CODE_format, "is not described by an object");
  const char *type = json_string_value(json_object_get(entry, "dtype"));
  if (!type) return status_error(STATUS_CODE_format, "has no dtype");
  if (!dtype_parse(type, &t->dtype)) return status_error(STATUS_CODE_unsupported, "has the unknown dtype '%s'", type);
  RETURN_IF_ERROR(read_shape(entry, t));
  json_t *offsets = json_object_get(entry, "data_offsets");
  if (json_array_size(offsets) != 2 || !json_is_integer(json_array_get(offsets, 0)) ||
      !json_is_integer(json_array_get(offsets, 1)))
    return status_error(STATUS_CODE_format, "has no data_offsets of two whole numbers");
  int64_t begin = json_integer_value(json_array_get(offsets, 0));
  int64_t end = json_integer_value(json_array_get(offsets, 1));
  if (begin < 0 || end < begin || (uint64_t)end > available)
    return status_error(STATUS_CODE_format, "lies at bytes %" PRId64 " to %" PRId64 ", the data has %zu", begin, end,
                        available);
  if ((uint64_t)(end - begin) != t->bytes)
    return status_error(STATUS_CODE_format, "its shape and dtype take %zu bytes, its offsets hold %" PRId64, t->bytes,
                        end - begin);
  t->data = data + begin;
  return STATUS_OK;
}

static int compare_by_place(const void *a, const void *b) {
  const tensor *x = *(const tensor *const *)a, *y = *(const tensor *const *)b;
  if (x->data != y->data) return x->data < y->data ? -1 : 1;
  return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Checks that the tensors follow one another without gap and end with the file. */
static status check_layout(const tensor_set *set, const unsigned char *data, size_t available) {
  const tensor **order = arena_alloc_array(set->memory, set->count + 1, sizeof *order);
  for (size_t i = 0; i < set->count; i++) order[i] = &set->tensors[i];
  qsort(order, set->count, sizeof *order, compare_by_place);
  const unsigned char *end = data;
  const char *before = NULL;
  for (size_t i = 0; i < set->count; i++) {
    const tensor *t = order[i];
    if (t->data < end) return status_error(STATUS_CODE_format, "tensors '%s' and '%s' overlap", before, t->name);
    if (t->data > end)
      return status_error(STATUS_CODE_format, "%zu unused bytes before tensor '%s'", (size_t)(t->data - end), t->name);
    end = t->data + t->bytes;
    before = t->name;
  }
  size_t used = (size_t)(end - data);
  if (used != available)
    return status_error(STATUS_CODE_format, "the tensors take %zu bytes, the file holds %zu", used, available);
  return STATUS_OK;
}

static status read_header(tensor_set *set, json_t *header, const unsigned char *data, size_t available) {
  if (!json_is_object(header)) return status_error(STATUS_CODE_format, "the header is not a JSON object");
  const char *key;
  json_t *value;
  json_object_foreach(header, key, value) {
    if (strcmp(key, "__metadata__") == 0) {
      RETURN_IF_ERROR(read_metadata(set, value));
      continue;
    }
    tensor t = {.name = key};
    status s = read_tensor(value, data, available, &t);
    if (s) return status_context(s, "tensor '%s'", key);
    RETURN_IF_ERROR(tensor_set_add_view(set, &t));
  }
  return check_layout(set, data, available);
}

/* Whether the file is from torch.save: a zip archive or, in older versions, a pickle. */
static bool is_of_torch(const unsigned char *bytes) {
  return !memcmp(bytes, "PK\3\4", 4) || (bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5 && bytes[2] != 0);
}

static status parse(tensor_set *set, const unsigned char *bytes, size_t size) {
  uint64_t length;
  if (size < sizeof length)
    return status_error(STATUS_CODE_format, "holds %zu bytes, a safetensors file has at least 8", size);
  memcpy(&length, bytes, sizeof length);
  if (length > size - sizeof length && is_of_torch(bytes))
    return status_error(STATUS_CODE_format,
                        "is a pickle, as torch.save writes it, not a safetensors file; in Python, "
                        "safetensors.torch.save_file(model.state_dict(), FILE) writes weights, and "
                        "save_file({\"edge_index\": data.edge_index, \"x\": data.x}, FILE) a graph");
  if (length > size - sizeof length)
    return status_error(STATUS_CODE_format, "header is %" PRIu64 " bytes, file holds %zu (is it a safetensors file?)",
                        length, size - sizeof length);
  if (length > MAX_HEADER_BYTES)
    return status_error(STATUS_CODE_format, "header is %" PRIu64 " bytes, at most %d are allowed", length,
                        MAX_HEADER_BYTES);
  const char *text = (const char *)bytes + sizeof length;
  json_error_t error;
  json_t *header = json_loadb(text, (size_t)length, JSON_REJECT_DUPLICATES, &error);
  if (!header) return status_error(STATUS_CODE_format, "header, byte %d: %s", error.position, error.text);
  size_t begin = sizeof length + (size_t)length;
  status s = read_header(set, header, bytes + begin, size - begin);
  json_decref(header);
  return s;
}

status safetensors_parse(const char *name, const void *bytes, size_t size, tensor_set **set) {
  *set = tensor_set_create(name);
  status s = parse(*set, bytes, size);
  if (!s) return STATUS_OK;
  tensor_set_destroy(*set);
  *set = NULL;
  return status_context(s, "%s", name);
}

status safetensors_open(const char *path, tensor_set **set) {
  file_mapping mapping;
  *set = NULL;
  RETURN_IF_ERROR(file_map(path, &mapping));
  status s = safetensors_parse(path, mapping.data, mapping.size, set);
  if (s || !*set) {
    file_unmap(&mapping);
    return s;
  }
  (*set)->mapping = mapping;
  return STATUS_OK;
}
