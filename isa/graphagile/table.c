/* Expands graphagile.def into its table, and prints instructions:
 *
 *   memrd F0, addr=0x1000, count=2048, nfib=4, stride=19717, kind=hidden, lock, wait, ind, alt
 *   gemm in=F0, out=F2, w=W1, rows=2048, len=64, gfib=4, in_stride=2048, out_stride=2048, acc, unlock_f, unlock_w */
#include "isa/graphagile/graphagile.h"

#define ISA_INSN_BYTES GRAPHAGILE_INSN_BYTES
#include "isa/insn_tables.h"

const char *graphagile_value_name(int kind, uint64_t value) {
  return isa_name_value(&graphagile_isa, kind, value);
}

const char *graphagile_insn_name(graphagile_opcode op) {
  const isa_insn_info *info = isa_find(&graphagile_isa, op);
  return info ? info->name : "?";
}

/* The name of a buffer: VADD on edges has Edge Buffers in fields of Feature Buffers. */
static const char *name_operand(const void *insn, const isa_field_info *f, uint64_t value) {
  const graphagile_insn *in = insn;
  bool is_edge = in->op == GRAPHAGILE_OP_vadd && in->vadd.on_edges && f->kind == GRAPHAGILE_VALUES_FBUF &&
                 value < GRAPHAGILE_COUNT_EBUF;
  return is_edge ? graphagile_value_name(GRAPHAGILE_VALUES_EBUF, value) : NULL;
}

void graphagile_insn_print(text *t, const graphagile_insn *in) {
  isa_print(&graphagile_isa, t, in, name_operand);
}
