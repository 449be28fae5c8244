/* graphagile.def expanded into constant tables, with the look-ups that loops over them need. */
#include "isa/table.h"

#include <string.h>

#define INSN(name, opcode, summary, doc) static const isa_field_info name##_fields[] = {
#define FIELD(insn, name, low, width, kind, doc)                                                                       \
  {#name, low, width, ISA_VALUES_##kind, offsetof(isa_insn, insn.name), doc},
#define END(insn)                                                                                                      \
  {                                                                                                                    \
    NULL, 0, 0, ISA_VALUES_UINT, 0, NULL                                                                               \
  } /* halt has no other */                                                                                            \
  }                                                                                                                    \
  ;
#include "isa/graphagile/graphagile.def"

const isa_insn_info isa_table[ISA_INSNS] = {
#define INSN(name, opcode, summary, doc)                                                                               \
  {#name, ISA_OP_##name, summary, doc, name##_fields, sizeof name##_fields / sizeof *name##_fields - 1},
#include "isa/graphagile/graphagile.def"
};

const isa_values_info isa_values_table[ISA_VALUES_KINDS] = {
#define VALUES(kind, count, doc) {#kind, count, doc},
#include "isa/graphagile/graphagile.def"
};

#define ENUM(kind, name, value) _Static_assert(value < ISA_COUNT_##kind, #kind " has more values than its row says");
#include "isa/graphagile/graphagile.def"

typedef struct value_name {
  isa_values kind;
  uint64_t value;
  const char *name;
} value_name;

static const value_name value_names[] = {
    {ISA_VALUES_BUF, ISA_E0, "E0"}, {ISA_VALUES_BUF, ISA_E1, "E1"}, {ISA_VALUES_BUF, ISA_W0, "W0"},
    {ISA_VALUES_BUF, ISA_W1, "W1"}, {ISA_VALUES_BUF, ISA_F0, "F0"}, {ISA_VALUES_BUF, ISA_F1, "F1"},
    {ISA_VALUES_BUF, ISA_F2, "F2"}, {ISA_VALUES_EBUF, 0, "E0"},     {ISA_VALUES_EBUF, 1, "E1"},
    {ISA_VALUES_WBUF, 0, "W0"},     {ISA_VALUES_WBUF, 1, "W1"},     {ISA_VALUES_FBUF, 0, "F0"},
    {ISA_VALUES_FBUF, 1, "F1"},     {ISA_VALUES_FBUF, 2, "F2"},
#define ENUM(kind, name, value) {ISA_VALUES_##kind, value, #name},
#include "isa/graphagile/graphagile.def"
};

const isa_insn_info *isa_table_find(isa_opcode op) {
  for (int i = 0; i < ISA_INSNS; i++)
    if (isa_table[i].op == op) return &isa_table[i];
  return NULL;
}

const isa_insn_info *isa_table_find_name(const char *name) {
  for (int i = 0; i < ISA_INSNS; i++)
    if (strcmp(isa_table[i].name, name) == 0) return &isa_table[i];
  return NULL;
}

const isa_field_info *isa_table_field(const isa_insn_info *info, const char *name) {
  for (size_t i = 0; i < info->count; i++)
    if (strcmp(info->fields[i].name, name) == 0) return &info->fields[i];
  return NULL;
}

const char *isa_value_name(isa_values kind, uint64_t value) {
  for (size_t i = 0; i < sizeof value_names / sizeof *value_names; i++)
    if (value_names[i].kind == kind && value_names[i].value == value) return value_names[i].name;
  return NULL;
}

uint64_t isa_field_largest(const isa_field_info *field) {
  uint64_t by_width = (UINT64_C(1) << field->width) - 1 + ISA_BIAS(field->kind);
  uint64_t count = isa_values_table[field->kind].count;
  return count && count - 1 < by_width ? count - 1 : by_width;
}

uint64_t isa_field_get(const isa_insn *in, const isa_field_info *field) {
  uint64_t value;
  memcpy(&value, (const char *)in + field->offset, sizeof value);
  return value;
}

void isa_field_set(isa_insn *in, const isa_field_info *field, uint64_t value) {
  memcpy((char *)in + field->offset, &value, sizeof value);
}
