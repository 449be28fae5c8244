/* A hash set of names in insertion order. */
#include "data/import/name_table.h"
#include "support/text.h"
#include "support/vec.h"

#include <string.h>

static int32_t *find_slot(const name_table *table, token name) {
  uint64_t hash = UINT64_C(0xCBF29CE484222325);
  for (size_t i = 0; i < name.length; i++) hash = (hash ^ (unsigned char)name.begin[i]) * UINT64_C(0x100000001B3);
  size_t mask = table->slot_count - 1;
  for (size_t i = (size_t)(hash ^ hash >> 29) & mask;; i = (i + 1) & mask) {
    int32_t slot = table->slots[i];
    if (!slot) return &table->slots[i];
    const token *other = &table->names[slot - 1];
    if (other->length == name.length && memcmp(other->begin, name.begin, name.length) == 0) return &table->slots[i];
  }
}

static void grow_slots(name_table *table, arena *a) {
  table->slot_count = table->slot_count ? table->slot_count * 2 : 64;
  table->slots = arena_alloc_array(a, table->slot_count, sizeof *table->slots);
  for (size_t i = 0; i < table->count; i++) *find_slot(table, table->names[i]) = (int32_t)(i + 1);
}

status name_table_number(name_table *table, arena *a, token name, int64_t *number) {
  if (table->count * 2 >= table->slot_count) grow_slots(table, a);
  int32_t *slot = find_slot(table, name);
  if (!*slot) {
    if (table->count == INT32_MAX) return status_error(STATUS_CODE_unsupported, "too many different names");
    if (table->count == table->capacity)
      table->names = vec_grow(a, table->names, &table->capacity, sizeof *table->names);
    table->names[table->count++] = (token){arena_strndup(a, name.begin, name.length), name.length};
    *slot = (int32_t)table->count;
  }
  *number = *slot - 1;
  return STATUS_OK;
}

status name_table_add_tensors(const name_table *table, const char *prefix, tensor_set *set) {
  int64_t total = 0, entries = (int64_t)table->count + 1;
  for (size_t i = 0; i < table->count; i++) total += (int64_t)table->names[i].length;
  void *bytes, *ptr;
  RETURN_IF_ERROR(tensor_set_add(set, arena_printf(set->memory, "%s_bytes", prefix), DTYPE_U8, 1, &total, &bytes));
  RETURN_IF_ERROR(tensor_set_add(set, arena_printf(set->memory, "%s_ptr", prefix), DTYPE_I64, 1, &entries, &ptr));
  int64_t *begins = ptr;
  for (size_t i = 0; i < table->count; i++) {
    begins[i + 1] = begins[i] + (int64_t)table->names[i].length;
    memcpy((unsigned char *)bytes + begins[i], table->names[i].begin, table->names[i].length);
  }
  return STATUS_OK;
}

char *name_table_join(const name_table *table, arena *a, const char *separator) {
  text t = {0};
  for (size_t i = 0; i < table->count; i++) {
    if (i) text_append(&t, separator);
    text_append_bytes(&t, table->names[i].begin, table->names[i].length);
  }
  return text_keep(&t, a);
}
