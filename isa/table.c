/* Look-ups in a machine's table of instructions, and the encoder, decoder and printer that are
 * loops over it (see table.h). */
#include "isa/table.h"

#include <math.h>
#include <string.h>

const isa_insn_info *isa_find(const isa_table *t, uint32_t op) {
  for (size_t i = 0; i < t->num_insns; i++)
    if (t->insns[i].op == op) return &t->insns[i];
  return NULL;
}

const isa_insn_info *isa_find_name(const isa_table *t, const char *name) {
  for (size_t i = 0; i < t->num_insns; i++)
    if (strcmp(t->insns[i].name, name) == 0) return &t->insns[i];
  return NULL;
}

const isa_field_info *isa_find_field(const isa_insn_info *info, const char *name) {
  for (size_t i = 0; i < info->count; i++)
    if (strcmp(info->fields[i].name, name) == 0) return &info->fields[i];
  return NULL;
}

const char *isa_name_value(const isa_table *t, int kind, uint64_t value) {
  for (size_t i = 0; i < t->num_names; i++)
    if (t->names[i].kind == kind && t->names[i].value == value) return t->names[i].name;
  return NULL;
}

bool isa_find_value(const isa_table *t, int kind, const char *word, uint64_t *out) {
  for (size_t i = 0; i < t->num_names; i++) {
    if (t->names[i].kind != kind || strcmp(t->names[i].name, word) != 0) continue;
    *out = t->names[i].value;
    return true;
  }
  return false;
}

/* A mask of `width` ones; width is 1 to 64. */
static uint64_t mask_of(unsigned width) {
  return ~UINT64_C(0) >> (64 - width);
}

uint64_t isa_field_largest(const isa_table *t, const isa_field_info *field) {
  uint64_t largest = mask_of(field->width), bias = isa_bias(t, field), count = isa_values_of(t, field)->count;
  if (largest <= UINT64_MAX - bias) largest += bias;
  return count && count - 1 < largest ? count - 1 : largest;
}

uint64_t isa_field_get(const void *insn, const isa_field_info *field) {
  uint64_t value;
  memcpy(&value, (const char *)insn + field->offset, sizeof value);
  return value;
}

void isa_field_set(void *insn, const isa_field_info *field, uint64_t value) {
  memcpy((char *)insn + field->offset, &value, sizeof value);
}

static uint32_t opcode_of(const void *insn) {
  uint32_t op;
  memcpy(&op, insn, sizeof op);
  return op;
}

void isa_clear(const isa_table *t, const isa_insn_info *info, void *insn) {
  memset(insn, 0, t->struct_bytes);
  memcpy(insn, &info->op, sizeof info->op);
  for (size_t i = 0; i < info->count; i++) isa_field_set(insn, &info->fields[i], isa_bias(t, &info->fields[i]));
}

/* ---- records ---- */

/* Writes `width` bits of a value into a record, from bit `low` on. */
static void put_bits(unsigned char *record, uint64_t value, unsigned low, unsigned width) {
  for (unsigned done = 0; done < width;) {
    unsigned at = low + done, room = 8 - at % 8, count = room < width - done ? room : width - done;
    unsigned part = (unsigned)(value >> done & mask_of(count));
    record[at / 8] = (unsigned char)(record[at / 8] | part << at % 8);
    done += count;
  }
}

static uint64_t get_bits(const unsigned char *record, unsigned low, unsigned width) {
  uint64_t value = 0;
  for (unsigned done = 0; done < width;) {
    unsigned at = low + done, room = 8 - at % 8, count = room < width - done ? room : width - done;
    value |= ((uint64_t)record[at / 8] >> at % 8 & mask_of(count)) << done;
    done += count;
  }
  return value;
}

status isa_encode(const isa_table *t, const void *insn, unsigned char *out) {
  const isa_insn_info *info = isa_find(t, opcode_of(insn));
  if (!info) return status_error(STATUS_CODE_mismatch, "no instruction has the opcode 0x%02x", opcode_of(insn));
  memset(out, 0, t->insn_bytes);
  put_bits(out, info->op, 0, ISA_OPCODE_BITS);
  for (size_t i = 0; i < info->count; i++) {
    const isa_field_info *f = &info->fields[i];
    uint64_t value = isa_field_get(insn, f), bias = isa_bias(t, f), largest = isa_field_largest(t, f);
    if (value < bias)
      return status_error(STATUS_CODE_mismatch, "%s: '%s' is 0, expected 1 to %llu", info->name, f->name,
                          (unsigned long long)largest);
    if (value > largest)
      return status_error(STATUS_CODE_mismatch, "%s: '%s' is %llu; the largest that fits is %llu", info->name, f->name,
                          (unsigned long long)value, (unsigned long long)largest);
    put_bits(out, value - bias, f->low, f->width);
  }
  return STATUS_OK;
}

/* An error where a bit is set that belongs to no field. */
static status check_reserved(const isa_table *t, const isa_insn_info *info, const unsigned char *in) {
  unsigned char used[ISA_MOST_INSN_BYTES] = {0};
  put_bits(used, mask_of(ISA_OPCODE_BITS), 0, ISA_OPCODE_BITS);
  for (size_t i = 0; i < info->count; i++)
    put_bits(used, mask_of(info->fields[i].width), info->fields[i].low, info->fields[i].width);
  for (unsigned bit = 0; bit < 8 * t->insn_bytes; bit++)
    if (in[bit / 8] >> bit % 8 & 1 && !(used[bit / 8] >> bit % 8 & 1))
      return status_error(STATUS_CODE_format, "%s: bit %u is set, but reserved", info->name, bit);
  return STATUS_OK;
}

status isa_decode(const isa_table *t, const unsigned char *in, void *insn) {
  uint32_t op = (uint32_t)get_bits(in, 0, ISA_OPCODE_BITS);
  const isa_insn_info *info = isa_find(t, op);
  if (!info) return status_error(STATUS_CODE_format, "no instruction has the opcode 0x%02x", op);
  isa_clear(t, info, insn);
  for (size_t i = 0; i < info->count; i++) {
    const isa_field_info *f = &info->fields[i];
    uint64_t stored = get_bits(in, f->low, f->width), bias = isa_bias(t, f), largest = isa_field_largest(t, f);
    if (stored > largest - bias)
      return status_error(STATUS_CODE_format, "%s: '%s' has the value %llu, which means nothing", info->name, f->name,
                          (unsigned long long)stored);
    isa_field_set(insn, f, stored + bias);
  }
  return check_reserved(t, info, in);
}

/* ---- text ---- */

void isa_print_real(text *out, uint32_t bits) {
  enum { STANDARD_NAN = 0x7fc00000 };
  float real;
  memcpy(&real, &bits, sizeof real);
  if (isnan(real) && (bits & INT32_MAX) != STANDARD_NAN)
    text_printf(out, "bits:0x%08x", bits);
  else
    text_printf(out, "%.9g", (double)real);
}

static void print_value(const isa_table *t, text *out, const isa_field_info *f, uint64_t value, const char *name) {
  const isa_values_info *kind = isa_values_of(t, f);
  if (name)
    text_append(out, name);
  else if (kind->class == ISA_CLASS_address || kind->class == ISA_CLASS_mask)
    text_printf(out, "0x%llx", (unsigned long long)(value * kind->unit));
  else if (kind->class == ISA_CLASS_real)
    isa_print_real(out, (uint32_t)value);
  else
    text_printf(out, "%llu", (unsigned long long)value);
}

/* The order of fields in a line: the buffer without a name, other buffers, values, flags. */
enum { TURN_bare, TURN_buffer, TURN_value, TURN_flag, TURNS };

static int turn_of(const isa_table *t, const isa_field_info *f) {
  isa_class class = isa_values_of(t, f)->class;
  if (strcmp(f->name, "buffer") == 0) return TURN_bare;
  if (class == ISA_CLASS_buffer) return TURN_buffer;
  return class == ISA_CLASS_flag ? TURN_flag : TURN_value;
}

void isa_print(const isa_table *t, text *out, const void *insn, isa_namer *name_of) {
  const isa_insn_info *info = isa_find(t, opcode_of(insn));
  if (!info) {
    text_printf(out, "; opcode 0x%02x", opcode_of(insn));
    return;
  }
  text_append(out, info->name);
  const char *between = " ";
  for (int turn = 0; turn < TURNS; turn++) {
    for (size_t i = 0; i < info->count; i++) {
      const isa_field_info *f = &info->fields[i];
      uint64_t value = isa_field_get(insn, f);
      if (turn_of(t, f) != turn || (turn >= TURN_value && value == isa_bias(t, f))) continue;
      const char *name = name_of ? name_of(insn, f, value) : NULL;
      text_append(out, between);
      between = ", ";
      if (turn != TURN_bare) text_append(out, f->name);
      if (turn == TURN_flag) continue;
      if (turn != TURN_bare) text_append(out, "=");
      print_value(t, out, f, value, name ? name : isa_name_value(t, f->kind, value));
    }
  }
}
