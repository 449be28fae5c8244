/* Writes safetensors. The bytes depend on the set alone: tensors are sorted by descending element
 * size, which aligns each one to its elements, then by name; metadata by key; the header is padded
 * with spaces to a multiple of 8. */
#include "data/formats/safetensors.h"
#include "support/progress.h"
#include "support/text.h"
#include "support/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Checks the name of a tensor. A wrong name is refused and not changed, because users find a tensor
 * by its name. */
static status check_name(const char *name) {
  if (strcmp(name, "__metadata__") == 0)
    return status_error(STATUS_CODE_format, "no tensor may be named '__metadata__'");
  for (size_t left = strlen(name), length; left; name += length, left -= length) {
    length = utf8_length(name, left);
    if (!length) return status_error(STATUS_CODE_format, "the name of a tensor is not UTF-8");
  }
  return STATUS_OK;
}

static int compare_tensors(const void *a, const void *b) {
  const tensor *x = *(const tensor *const *)a, *y = *(const tensor *const *)b;
  size_t x_bytes = dtype_bytes(x->dtype), y_bytes = dtype_bytes(y->dtype);
  if (x_bytes != y_bytes) return x_bytes > y_bytes ? -1 : 1;
  return strcmp(x->name, y->name);
}

static int compare_metadata(const void *a, const void *b) {
  return strcmp(((const tensor_metadata *)a)->key, ((const tensor_metadata *)b)->key);
}

static void append_metadata(text *t, arena *a, const tensor_set *set) {
  tensor_metadata *sorted = arena_alloc_array(a, set->metadata_count, sizeof *sorted);
  memcpy(sorted, set->metadata, set->metadata_count * sizeof *sorted);
  qsort(sorted, set->metadata_count, sizeof *sorted, compare_metadata);
  text_append(t, "\"__metadata__\":{");
  for (size_t i = 0; i < set->metadata_count; i++) {
    if (i) text_append(t, ",");
    text_append_json(t, sorted[i].key);
    text_append(t, ":");
    text_append_json(t, sorted[i].value);
  }
  text_append(t, "}");
}

static void append_entry(text *t, const tensor *entry, size_t offset) {
  text_append_json(t, entry->name);
  text_printf(t, ":{\"dtype\":\"%s\",\"shape\":[", dtype_name(entry->dtype));
  for (int32_t i = 0; i < entry->rank; i++) text_printf(t, "%s%lld", i ? "," : "", (long long)entry->dims[i]);
  text_printf(t, "],\"data_offsets\":[%zu,%zu]}", offset, offset + entry->bytes);
}

static status write_sorted(const char *path, const text *header, const tensor *const *order, size_t count) {
  file_writer *w;
  size_t bytes = 0;
  for (size_t i = 0; i < count; i++) bytes += order[i]->bytes;
  progress_step("write tensors", "bytes", (int64_t)bytes);
  RETURN_IF_ERROR(file_writer_open(path, &w));
  uint64_t length = header->size;
  status s = file_writer_write(w, &length, sizeof length);
  if (!s) s = file_writer_write(w, header->data, header->size);
  for (size_t i = 0; !s && i < count; i++) s = file_writer_write(w, order[i]->data, order[i]->bytes);
  if (!s) return file_writer_commit(w);
  file_writer_abandon(w);
  return s;
}

status safetensors_write(const char *path, const tensor_set *set) {
  for (size_t i = 0; i < set->count; i++) {
    status s = check_name(set->tensors[i].name);
    if (s) return status_context(s, "cannot write '%s'", path);
  }
  arena *a = arena_create();
  const tensor **order = arena_alloc_array(a, set->count, sizeof *order);
  for (size_t i = 0; i < set->count; i++) order[i] = &set->tensors[i];
  qsort(order, set->count, sizeof *order, compare_tensors);
  text header = {0};
  text_append(&header, "{");
  if (set->metadata_count) append_metadata(&header, a, set);
  size_t offset = 0;
  for (size_t i = 0; i < set->count; i++) {
    if (header.size > 1) text_append(&header, ",");
    append_entry(&header, order[i], offset);
    offset += order[i]->bytes;
  }
  text_append(&header, "}");
  while (header.size % 8) text_append(&header, " ");
  status s = write_sorted(path, &header, order, set->count);
  text_free(&header);
  arena_destroy(a);
  return s;
}
