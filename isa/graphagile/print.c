/* The text of an instruction, as the assembler reads it:
 *
 *   memrd F0, addr=0x1000, count=2048, nfib=4, stride=19717, kind=hidden, lock, wait, ind, alt
 *   gemm in=F0, out=F2, w=W1, rows=2048, len=64, gfib=4, in_stride=2048, out_stride=2048, acc, unlock_f, unlock_w
 *
 * First the buffers, then what has a value other than the one it has when it is left out (0, or 1 where the field counts from 1), then the flags that are set. */
#include "isa/table.h"

#include <string.h>

bool isa_is_buffer(isa_values kind) {
  return kind == ISA_VALUES_BUF || kind == ISA_VALUES_EBUF || kind == ISA_VALUES_WBUF || kind == ISA_VALUES_FBUF;
}

const char *isa_name(isa_opcode op) {
  const isa_insn_info *info = isa_table_find(op);
  return info ? info->name : "?";
}

/* VADD on edges has Edge Buffers where its fields are of Feature Buffers. */
static const char *value_name(const isa_insn *in, const isa_field_info *f, uint64_t value) {
  bool is_edge = in->op == ISA_OP_vadd && in->vadd.on_edges && f->kind == ISA_VALUES_FBUF && value < ISA_COUNT_EBUF;
  return isa_value_name(is_edge ? ISA_VALUES_EBUF : f->kind, value);
}

static void print_value(text *t, const isa_insn *in, const isa_field_info *f, uint64_t value) {
  const char *name = value_name(in, f, value);
  uint64_t bytes = value * (f->kind == ISA_VALUES_ADDR4 ? 4 : 16);
  if (name)
    text_append(t, name);
  else if (f->kind == ISA_VALUES_ADDR4 || f->kind == ISA_VALUES_ADDR16)
    text_printf(t, "0x%llx", (unsigned long long)bytes);
  else if (strcmp(f->name, "lanes") == 0)
    text_printf(t, "0x%llx", (unsigned long long)value);
  else
    text_printf(t, "%llu", (unsigned long long)value);
}

/* The order of fields in a line: the buffer that needs no name, other buffers, values, flags. A buffer that few instructions use is a value. */
enum { TURN_bare, TURN_buffer, TURN_value, TURN_flag, TURNS };

static int turn_of(const isa_field_info *f) {
  if (strcmp(f->name, "buffer") == 0) return TURN_bare;
  if (isa_is_buffer(f->kind)) return strcmp(f->name, "out2") == 0 ? TURN_value : TURN_buffer;
  return f->kind == ISA_VALUES_FLAG ? TURN_flag : TURN_value;
}

void isa_print(text *t, const isa_insn *in) {
  const isa_insn_info *info = isa_table_find(in->op);
  if (!info) {
    text_printf(t, "; opcode 0x%02x", (unsigned)in->op);
    return;
  }
  text_append(t, info->name);
  const char *between = " ";
  for (int turn = 0; turn < TURNS; turn++) {
    for (size_t i = 0; i < info->count; i++) {
      const isa_field_info *f = &info->fields[i];
      uint64_t value = isa_field_get(in, f);
      if (turn_of(f) != turn || (turn >= TURN_value && value == ISA_BIAS(f->kind))) continue;
      text_append(t, between);
      between = ", ";
      if (turn != TURN_bare) text_append(t, f->name);
      if (turn == TURN_flag) continue;
      if (turn != TURN_bare) text_append(t, "=");
      print_value(t, in, f, value);
    }
  }
}
