/* Tensor sets: adding tensors with checks of all sizes, finding them by name, metadata. Names and
 * keys of metadata are hashed, because a malicious header may have a million of them. */
#include "data/tensor.h"
#include "support/text.h"
#include "support/vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The largest tensor in bytes. Larger sizes come from a broken or malicious file. */
#define MAX_BYTES ((int64_t)1 << 46)

tensor_set *tensor_set_create(const char *name) {
  arena *memory = arena_create();
  tensor_set *set = arena_alloc(memory, sizeof *set);
  set->memory = memory;
  set->name = arena_strdup(memory, name);
  set->metadata_slots = (map){.arena = memory, .of_strings = true};
  return set;
}

void tensor_set_destroy(tensor_set *set) {
  if (!set) return;
  file_mapping mapping = set->mapping;
  arena_destroy(set->memory);
  file_unmap(&mapping);
}

status tensor_measure(dtype d, int32_t rank, const int64_t *dims, int64_t *count, size_t *bytes) {
  if (rank < 0 || rank > TENSOR_MAX_RANK)
    return status_error(STATUS_CODE_unsupported, "has %d dimensions, at most %d are supported", (int)rank,
                        TENSOR_MAX_RANK);
  int64_t limit = MAX_BYTES / (int64_t)dtype_bytes(d);
  int64_t product = 1;
  bool is_empty = false;
  for (int32_t i = 0; i < rank; i++) {
    if (dims[i] < 0) return status_error(STATUS_CODE_format, "dimension %d is negative", (int)i);
    if (dims[i] == 0)
      is_empty = true;
    else if (product > limit / dims[i])
      return status_error(STATUS_CODE_memory, "its shape is too large");
    else
      product *= dims[i];
  }
  *count = is_empty ? 0 : product;
  *bytes = (size_t)*count * dtype_bytes(d);
  return STATUS_OK;
}

/* Returns the slot of the name, or the free slot for it. */
static uint32_t *find_slot(const tensor_set *set, const char *name) {
  uint64_t hash = UINT64_C(0xCBF29CE484222325);
  for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
  size_t mask = set->slot_count - 1;
  size_t i = (size_t)(hash ^ hash >> 32) & mask;
  while (set->slots[i] && strcmp(set->tensors[set->slots[i] - 1].name, name) != 0) i = (i + 1) & mask;
  return &set->slots[i];
}

static void grow_slots(tensor_set *set) {
  set->slot_count = set->slot_count ? set->slot_count * 2 : 32;
  set->slots = arena_alloc_array(set->memory, set->slot_count, sizeof *set->slots);
  for (size_t i = 0; i < set->count; i++) *find_slot(set, set->tensors[i].name) = (uint32_t)(i + 1);
}

const tensor *tensor_set_find(const tensor_set *set, const char *name) {
  uint32_t slot = set->slot_count ? *find_slot(set, name) : 0;
  return slot ? &set->tensors[slot - 1] : NULL;
}

status tensor_set_add_view(tensor_set *set, const tensor *t) {
  if (set->count * 2 >= set->slot_count) grow_slots(set);
  uint32_t *slot = find_slot(set, t->name);
  if (*slot) return status_error(STATUS_CODE_format, "tensor '%s' appears twice", t->name);
  if (set->count == set->capacity)
    set->tensors = vec_grow(set->memory, set->tensors, &set->capacity, sizeof *set->tensors);
  tensor *added = &set->tensors[set->count++];
  *added = *t;
  added->name = arena_strdup(set->memory, t->name);
  *slot = (uint32_t)set->count;
  return STATUS_OK;
}

status tensor_set_add(tensor_set *set, const char *name, dtype d, int32_t rank, const int64_t *dims, void **data) {
  tensor t = {.name = name, .dtype = d, .rank = rank};
  status s = tensor_measure(d, rank, dims, &t.count, &t.bytes);
  if (s) return status_context(s, "tensor '%s'", name);
  if (rank) memcpy(t.dims, dims, (size_t)rank * sizeof *dims);
  void *storage = arena_try_alloc(set->memory, t.bytes);
  if (!storage)
    return status_error(STATUS_CODE_memory, "tensor '%s' of %zu bytes does not fit into memory", name, t.bytes);
  t.data = storage;
  RETURN_IF_ERROR(tensor_set_add_view(set, &t));
  if (data) *data = storage;
  return STATUS_OK;
}

static tensor_metadata *find_metadata(const tensor_set *set, const char *key) {
  int64_t slot = map_get(&set->metadata_slots, key, 0);
  return slot ? &set->metadata[slot - 1] : NULL;
}

void tensor_set_put_metadata(tensor_set *set, const char *key, const char *value) {
  tensor_metadata *entry = find_metadata(set, key);
  if (!entry) {
    if (set->metadata_count == set->metadata_capacity)
      set->metadata = vec_grow(set->memory, set->metadata, &set->metadata_capacity, sizeof *set->metadata);
    entry = &set->metadata[set->metadata_count++];
    entry->key = arena_strdup(set->memory, key);
    map_set(&set->metadata_slots, entry->key, (int64_t)set->metadata_count);
  }
  entry->value = arena_strdup(set->memory, value);
}

void tensor_set_put_metadata_int(tensor_set *set, const char *key, int64_t value) {
  tensor_set_put_metadata(set, key, arena_printf(set->memory, "%lld", (long long)value));
}

const char *tensor_set_get_metadata(const tensor_set *set, const char *key) {
  const tensor_metadata *entry = find_metadata(set, key);
  return entry ? entry->value : NULL;
}

bool tensor_set_get_metadata_int(const tensor_set *set, const char *key, int64_t *value) {
  const char *s = tensor_set_get_metadata(set, key);
  if (!s || (*s != '-' && (*s < '0' || *s > '9'))) return false;
  char *end;
  errno = 0;
  long long parsed = strtoll(s, &end, 10);
  if (errno || *end) return false;
  *value = parsed;
  return true;
}

const char *tensor_shape_text(arena *a, const tensor *t) {
  text s = {0};
  text_append(&s, "[");
  for (int32_t i = 0; i < t->rank; i++) text_printf(&s, "%s%lld", i ? ", " : "", (long long)t->dims[i]);
  text_append(&s, "]");
  return text_keep(&s, a);
}
