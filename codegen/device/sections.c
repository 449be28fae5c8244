#include "codegen/device/sections.h"

#include "support/number.h"

#include <inttypes.h>

enum { ALIGNMENT = 64, TAG = 56 };

uint64_t sections_reserve(sections *s, image_section_kind kind, int64_t bytes) {
  uint64_t at = s->size[kind];
  s->size[kind] += (uint64_t)number_round_up(bytes, ALIGNMENT);
  return at;
}

uint64_t sections_resolve(const image *im, uint64_t address) {
  uint64_t kind = address >> TAG;
  return kind ? im->sections[kind - 1].address + (address & ((UINT64_C(1) << TAG) - 1)) : address;
}

void sections_lay_out(const sections *s, uint64_t first, const image_section_kind *kinds, int count, image *out) {
  for (int i = 0; i < count; i++) {
    out->sections[kinds[i]].address = first;
    out->sections[kinds[i]].size = s->size[kinds[i]];
    first += (uint64_t)number_round_up((int64_t)s->size[kinds[i]], ALIGNMENT);
  }
}

status sections_alloc(arena *a, image_section_kind kind, image *out, unsigned char **data) {
  image_section *s = &out->sections[kind];
  *data = arena_try_alloc(a, (size_t)s->size + 1);
  s->data = s->size ? *data : NULL;
  if (*data) return STATUS_OK;
  return status_error(STATUS_CODE_memory, "no memory for %" PRIu64 " bytes of '%s'", s->size, image_section_name(kind));
}

status sections_write_text(arena *a, const isa_table *t, const void *insns, size_t count, image *out) {
  const unsigned char *from = insns;
  unsigned char *code = arena_alloc(a, count * t->insn_bytes + 1);
  for (size_t i = 0; i < count; i++)
    RETURN_IF_ERROR(isa_encode(t, from + i * t->struct_bytes, code + i * t->insn_bytes));
  out->sections[IMAGE_TEXT].data = code;
  return STATUS_OK;
}
