#include "codegen/device/program_rows.h"

#include "codegen/device/program_manifest.h"

#include <string.h>

program_rows program_rows_begin(arena *a, program_host *host) {
  return (program_rows){.arena = a, .host = host, .of_sets = {.arena = a, .of_strings = true}};
}

int64_t program_rows_add(program_rows *r, const int32_t *order, int64_t count) {
  int64_t at = r->bytes;
  VEC_PUSH(r->arena, &r->permutations, (program_permutation){order, count});
  r->bytes += count * (int64_t)sizeof *order;
  return at;
}

int64_t program_rows_add_once(program_rows *r, const int32_t *order, int64_t count) {
  int64_t at = 0;
  for (size_t i = 0; i < r->permutations.count; i++) {
    if (r->permutations.items[i].order == order) return at;
    at += r->permutations.items[i].count * (int64_t)sizeof *order;
  }
  return program_rows_add(r, order, count);
}

status program_rows_of_set(program_rows *r, const char *set, int64_t count, int64_t *offset) {
  const int32_t *order = NULL;
  int64_t known = map_get(&r->of_sets, set, 0);
  *offset = known ? known - 1 : PROGRAM_MANIFEST_NO_ORDER;
  if (known) return STATUS_OK;
  RETURN_IF_ERROR(program_host_set_order(r->host, set, &order));
  if (!order) return STATUS_OK;
  *offset = program_rows_add(r, order, count);
  map_set(&r->of_sets, set, *offset + 1);
  return STATUS_OK;
}

void program_rows_write(const program_rows *r, image *out) {
  if (!r->bytes) return;
  unsigned char *data = arena_alloc(r->arena, (size_t)r->bytes);
  out->sections[IMAGE_ROWS] = (image_section){.size = (uint64_t)r->bytes, .data = data};
  for (size_t i = 0; i < r->permutations.count; i++) {
    size_t bytes = (size_t)r->permutations.items[i].count * sizeof(int32_t);
    if (bytes) memcpy(data, r->permutations.items[i].order, bytes);
    data += bytes;
  }
}
