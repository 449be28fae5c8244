/* The instruction table as data, for loops over it: the assembler, the printer and docs/isa.md. */
#ifndef GNNC_ISA_TABLE_H
#define GNNC_ISA_TABLE_H

#include "isa/graphagile/graphagile.h"

/* How values of a field look: ISA_VALUES_UINT, ISA_VALUES_MINUS1, ..., one per VALUES row of graphagile.def. */
#define VALUES(kind, count, doc) ISA_VALUES_##kind,
typedef enum isa_values {
#include "isa/graphagile/graphagile.def"
  ISA_VALUES_KINDS
} isa_values;

/* How many values a kind has, 0 where the width of the field decides: ISA_COUNT_REDUCE = 3. */
#define VALUES(kind, count, doc) ISA_COUNT_##kind = count,
enum {
#include "isa/graphagile/graphagile.def"
};

/* What the stored number is less than the field: ISA_BIAS(ISA_VALUES_MINUS1) = 1. */
#define ISA_BIAS(kind) ((kind) == ISA_VALUES_MINUS1 ? 1u : 0u)

typedef struct isa_field_info {
  const char *name;
  unsigned low, width;
  isa_values kind;
  size_t offset; /* of its uint64_t in isa_insn */
  const char *doc;
} isa_field_info;

typedef struct isa_insn_info {
  const char *name;
  isa_opcode op;
  const char *summary, *doc;
  const isa_field_info *fields;
  size_t count;
} isa_insn_info;

typedef struct isa_values_info {
  const char *name;
  uint64_t count;
  const char *doc;
} isa_values_info;

enum {
  ISA_INSNS = 0
#define INSN(name, opcode, summary, doc) +1
#include "isa/graphagile/graphagile.def"
};

/* In the order of the file. */
extern const isa_insn_info isa_table[ISA_INSNS];
extern const isa_values_info isa_values_table[ISA_VALUES_KINDS];

/* The row of an instruction, NULL for an unknown opcode or name. */
const isa_insn_info *isa_table_find(isa_opcode op);
const isa_insn_info *isa_table_find_name(const char *name);

/* The field of an instruction, NULL where it has none of that name. */
const isa_field_info *isa_table_field(const isa_insn_info *info, const char *name);

/* The name of a value of a kind (buffers too), NULL where it has none. */
const char *isa_value_name(isa_values kind, uint64_t value);

/* Whether values of a kind are buffers. */
bool isa_is_buffer(isa_values kind);

/* The largest number a field holds, as the struct has it (MINUS1: from 1). */
uint64_t isa_field_largest(const isa_field_info *field);

uint64_t isa_field_get(const isa_insn *in, const isa_field_info *field);
void isa_field_set(isa_insn *in, const isa_field_info *field, uint64_t value);

#endif
