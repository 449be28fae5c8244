/* Packed matrices: see packed.h. Two GEMMs share one where they multiply by the same matrix in the
 * same way. */
#include "codegen/c/model/packed.h"

int64_t c_packed_columns(int64_t width) {
  int64_t rest = width % 48;
  return width - rest + (!rest ? 0 : rest <= 8 ? 8 : (rest + 15) / 16 * 16);
}

c_memory c_packed_memory(const c_packed *p) {
  return p->space == C_SPACE_bound ? C_MEMORY_bound : p->phase->row->memory;
}

const c_packed *c_packed_find(c_model *m, const c_buffer *b, bool transposed, const c_phase *phase) {
  unsigned last = b->type.rank - 1;
  int64_t depth = b->type.dims[transposed ? last : last - 1], width = b->type.dims[transposed ? last - 1 : last];
  int64_t matrices = b->elements / (depth * width) * (b->rows == C_ROWS_one ? 1 : b->count);
  const char *owner = b->space == C_SPACE_bound ? "all phases" : phase->row->call.name;
  const char *form = arena_printf(m->arena, "%s %d %d %d %lld %lld %lld", owner, b->space, b->slot, transposed,
                                  (long long)depth, (long long)width, (long long)matrices);
  c_packed *packed = map_get_pointer(&m->packed_forms, form);
  if (packed) return packed;
  packed = arena_alloc(m->arena, sizeof *packed);
  *packed = (c_packed){.space = b->space,
                       .slot = b->slot,
                       .transposed = transposed,
                       .phase = phase,
                       .depth = depth,
                       .width = width,
                       .padded = c_packed_columns(width),
                       .matrices = matrices,
                       .number = m->packed.count};
  VEC_PUSH(m->arena, &m->packed, packed);
  map_set_pointer(&m->packed_forms, form, packed);
  return packed;
}
