/* Converts instructions to 128-bit words and back: with straight-line code for each instruction,
 * made from the table, and with slower loops over the table for error messages. */
#include "isa/graphagile/words.h"

GRAPHAGILE_INLINE uint64_t get(graphagile_word word, unsigned low, unsigned width) {
  uint64_t value;
  if (low >= 64)
    value = word.high >> (low & 63);
  else
    value = low + width > 64 ? word.low >> low | word.high << ((64 - low) & 63) : word.low >> low;
  return value & ((UINT64_C(1) << width) - 1);
}

bool graphagile_encode_fast(const graphagile_insn *in, graphagile_word *out) {
  return graphagile_encode_inline(in, out);
}

/* Marks the bits of a field or of the opcode as used. */
GRAPHAGILE_INLINE void use(graphagile_word *used, unsigned low, unsigned width) {
  graphagile_put(used, (UINT64_C(1) << width) - 1, low, width);
}

bool graphagile_decode_fast(graphagile_word in, graphagile_insn *out) {
  graphagile_word used = {0x3f, 0};
  bool bad = false;
  switch (in.low & 0x3f) {
#define INSN(name, opcode, summary, doc) case GRAPHAGILE_OP_##name: {
#define FIELD(insn, name, low, width, kind, doc)                                                                       \
  {                                                                                                                    \
    uint64_t stored = get(in, low, width);                                                                             \
    bad |= graphagile_is_bad(stored, width, GRAPHAGILE_COUNT_##kind);                                                  \
    use(&used, low, width);                                                                                            \
    out->insn.name = stored + GRAPHAGILE_BIAS_##kind;                                                                  \
  }
#define END(insn)                                                                                                      \
  break;                                                                                                               \
  }
#include "isa/graphagile/graphagile.def"
  default: return false;
  }
  out->op = (graphagile_opcode)(in.low & 0x3f);
  return !bad && !(in.low & ~used.low) && !(in.high & ~used.high);
}

status graphagile_encode(const graphagile_insn *in, graphagile_word *out) {
  if (graphagile_encode_fast(in, out)) return STATUS_OK;
  unsigned char record[GRAPHAGILE_INSN_BYTES];
  status s = isa_encode(&graphagile_isa, in, record);
  return s ? s : status_error(STATUS_CODE_mismatch, "%s: a field does not fit", graphagile_insn_name(in->op));
}

status graphagile_decode(graphagile_word in, graphagile_insn *out) {
  if (graphagile_decode_fast(in, out)) return STATUS_OK;
  unsigned char record[GRAPHAGILE_INSN_BYTES];
  graphagile_insn whole;
  graphagile_word_write(in, record);
  status s = isa_decode(&graphagile_isa, record, &whole);
  return s ? s : status_error(STATUS_CODE_format, "%s: not a valid word", graphagile_insn_name(whole.op));
}

bool graphagile_is_eot(const graphagile_insn *in) {
  switch (in->op) {
  case GRAPHAGILE_OP_nop: return in->nop.eot;
  case GRAPHAGILE_OP_memrd: return in->memrd.eot;
  case GRAPHAGILE_OP_memwr: return in->memwr.eot;
  case GRAPHAGILE_OP_gemm: return in->gemm.eot;
  case GRAPHAGILE_OP_spdmm: return in->spdmm.eot;
  case GRAPHAGILE_OP_sddmm: return in->sddmm.eot;
  case GRAPHAGILE_OP_vadd: return in->vadd.eot;
  case GRAPHAGILE_OP_post: return in->post.eot;
  case GRAPHAGILE_OP_init: return in->init.eot;
  case GRAPHAGILE_OP_csi:
  case GRAPHAGILE_OP_loop:
  case GRAPHAGILE_OP_halt: return false;
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

graphagile_word graphagile_word_read(const unsigned char in[16]) {
  return (graphagile_word){read_u64(in), read_u64(in + 8)};
}

void graphagile_word_write(graphagile_word word, unsigned char out[16]) {
  write_u64(out, word.low);
  write_u64(out + 8, word.high);
}

void graphagile_descriptor_encode(const graphagile_descriptor *d, unsigned char out[16]) {
  uint64_t edges = d->num_edges ? d->num_edges - 1 : 0;
  write_u64(out, (uint64_t)d->first_edge | (edges & 0xffff) << 32 | (uint64_t)((d->src_rows - 1) & 0x3fff) << 48 |
                     (uint64_t)d->second << 62 | (uint64_t)d->reuse << 63);
  write_u64(out + 8, d->src_row | (uint64_t)!d->num_edges << 32);
}

bool graphagile_descriptor_decode(const unsigned char in[16], graphagile_descriptor *out) {
  uint64_t low = read_u64(in), high = read_u64(in + 8), edges = low >> 32 & 0xffff;
  bool is_empty = high >> 32 & 1;
  *out = (graphagile_descriptor){.first_edge = (uint32_t)low,
                                 .num_edges = is_empty ? 0 : (uint32_t)edges + 1,
                                 .src_row = (uint32_t)high,
                                 .src_rows = (uint32_t)(low >> 48 & 0x3fff) + 1,
                                 .second = low >> 62 & 1,
                                 .reuse = low >> 63};
  return !(high >> 33) && !(is_empty && edges);
}
