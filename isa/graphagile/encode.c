/* Instructions to 128-bit words and back: per instruction straight-line code made from the table, and the slow way for messages. */
#include "isa/graphagile/words.h"

ISA_INLINE uint64_t get(isa_word word, unsigned low, unsigned width) {
  uint64_t value;
  if (low >= 64)
    value = word.high >> (low & 63);
  else
    value = low + width > 64 ? word.low >> low | word.high << ((64 - low) & 63) : word.low >> low;
  return value & ((UINT64_C(1) << width) - 1);
}

bool isa_encode_fast(const isa_insn *in, isa_word *out) {
  return isa_encode_inline(in, out);
}

/* Every bit that a field or the opcode has. */
ISA_INLINE void use(isa_word *used, unsigned low, unsigned width) {
  isa_put(used, (UINT64_C(1) << width) - 1, low, width);
}

bool isa_decode_fast(isa_word in, isa_insn *out) {
  isa_word used = {0x3f, 0};
  bool bad = false;
  switch (in.low & 0x3f) {
#define INSN(name, opcode, summary, doc) case ISA_OP_##name: {
#define FIELD(insn, name, low, width, kind, doc)                                                                       \
  {                                                                                                                    \
    uint64_t stored = get(in, low, width);                                                                             \
    bad |= isa_is_bad(stored, width, ISA_COUNT_##kind);                                                                \
    use(&used, low, width);                                                                                            \
    out->insn.name = stored + ISA_BIAS(ISA_VALUES_##kind);                                                             \
  }
#define END(insn)                                                                                                      \
  break;                                                                                                               \
  }
#include "isa/graphagile/graphagile.def"
  default: return false;
  }
  out->op = (isa_opcode)(in.low & 0x3f);
  return !bad && !(in.low & ~used.low) && !(in.high & ~used.high);
}

status isa_encode(const isa_insn *in, isa_word *out) {
  if (isa_encode_fast(in, out)) return STATUS_OK;
  const isa_insn_info *info = isa_table_find(in->op);
  if (!info) return status_error(STATUS_CODE_mismatch, "no instruction has the opcode 0x%02x", (unsigned)in->op);
  for (size_t i = 0; i < info->count; i++) {
    const isa_field_info *f = &info->fields[i];
    uint64_t value = isa_field_get(in, f), largest = isa_field_largest(f);
    if (value < ISA_BIAS(f->kind))
      return status_error(STATUS_CODE_mismatch, "%s: '%s' is 0, expected 1 to %llu", info->name, f->name,
                          (unsigned long long)largest);
    if (value > largest)
      return status_error(STATUS_CODE_mismatch, "%s: '%s' is %llu; the largest that fits is %llu", info->name, f->name,
                          (unsigned long long)value, (unsigned long long)largest);
  }
  return status_error(STATUS_CODE_mismatch, "%s: a field does not fit", info->name);
}

status isa_decode(isa_word in, isa_insn *out) {
  if (isa_decode_fast(in, out)) return STATUS_OK;
  const isa_insn_info *info = isa_table_find((isa_opcode)(in.low & 0x3f));
  if (!info) return status_error(STATUS_CODE_format, "no instruction has the opcode 0x%02x", (unsigned)(in.low & 0x3f));
  isa_word used = {0x3f, 0};
  for (size_t i = 0; i < info->count; i++) {
    const isa_field_info *f = &info->fields[i];
    uint64_t stored = get(in, f->low, f->width);
    if (stored + ISA_BIAS(f->kind) > isa_field_largest(f))
      return status_error(STATUS_CODE_format, "%s: '%s' has the value %llu, which means nothing", info->name, f->name,
                          (unsigned long long)stored);
    use(&used, f->low, f->width);
  }
  for (unsigned bit = 0; bit < 128; bit++)
    if (get(in, bit, 1) && !get(used, bit, 1))
      return status_error(STATUS_CODE_format, "%s: bit %u is set, but reserved", info->name, bit);
  return status_error(STATUS_CODE_format, "%s: not a valid word", info->name);
}

bool isa_is_eot(const isa_insn *in) {
  switch (in->op) {
  case ISA_OP_nop: return in->nop.eot;
  case ISA_OP_memrd: return in->memrd.eot;
  case ISA_OP_memwr: return in->memwr.eot;
  case ISA_OP_gemm: return in->gemm.eot;
  case ISA_OP_spdmm: return in->spdmm.eot;
  case ISA_OP_sddmm: return in->sddmm.eot;
  case ISA_OP_vadd: return in->vadd.eot;
  case ISA_OP_post: return in->post.eot;
  case ISA_OP_init: return in->init.eot;
  case ISA_OP_csi:
  case ISA_OP_loop:
  case ISA_OP_halt: return false;
  }
  return false;
}

static uint64_t read_u64(const unsigned char *in) {
  uint64_t value = 0;
  for (int i = 7; i >= 0; i--) value = value << 8 | in[i];
  return value;
}

static void write_u64(unsigned char *out, uint64_t value) {
  for (int i = 0; i < 8; i++, value >>= 8) out[i] = (unsigned char)value;
}

isa_word isa_word_read(const unsigned char in[16]) {
  return (isa_word){read_u64(in), read_u64(in + 8)};
}

void isa_word_write(isa_word word, unsigned char out[16]) {
  write_u64(out, word.low);
  write_u64(out + 8, word.high);
}

void isa_descriptor_encode(const isa_descriptor *d, unsigned char out[16]) {
  uint64_t edges = d->num_edges ? d->num_edges - 1 : 0;
  write_u64(out, (uint64_t)d->first_edge | (edges & 0xffff) << 32 | (uint64_t)((d->src_rows - 1) & 0x3fff) << 48 |
                     (uint64_t)d->second << 62 | (uint64_t)d->reuse << 63);
  write_u64(out + 8, d->src_row | (uint64_t)!d->num_edges << 32);
}

bool isa_descriptor_decode(const unsigned char in[16], isa_descriptor *out) {
  uint64_t low = read_u64(in), high = read_u64(in + 8), edges = low >> 32 & 0xffff;
  bool is_empty = high >> 32 & 1;
  *out = (isa_descriptor){.first_edge = (uint32_t)low,
                          .num_edges = is_empty ? 0 : (uint32_t)edges + 1,
                          .src_row = (uint32_t)high,
                          .src_rows = (uint32_t)(low >> 48 & 0x3fff) + 1,
                          .second = low >> 62 & 1,
                          .reuse = low >> 63};
  return !(high >> 33) && !(is_empty && edges);
}
