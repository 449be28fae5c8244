/* The instructions of a machine as a table; the assembler, the listing, the documentation and the
 * slow encoder are loops over it.
 *
 * A machine lists its instructions in <machine>/<machine>.def with the rows VALUES, ENUM, INSN,
 * FIELD and END (explained in isa/insn_tables.h) and expands them once into an isa_table. */
#ifndef GNNC_ISA_TABLE_H
#define GNNC_ISA_TABLE_H

#include "support/status.h"
#include "support/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How values of a kind are written in text. */
typedef enum isa_class {
  ISA_CLASS_number,  /* a number from 0 */
  ISA_CLASS_mask,    /* a number, printed in hexadecimal */
  ISA_CLASS_real,    /* the bits of an fp32 number */
  ISA_CLASS_count,   /* a number from 1, stored minus 1 */
  ISA_CLASS_address, /* stored in units of `unit` bytes; in text a number of bytes or a symbol */
  ISA_CLASS_flag,    /* a bit; in text its name alone */
  ISA_CLASS_name,    /* one of the names of ENUM */
  ISA_CLASS_buffer,  /* the same; its fields come first in a line */
} isa_class;

/* A kind of values. */
typedef struct isa_values_info {
  const char *name;
  isa_class class;
  uint64_t unit;  /* of an address: bytes per unit; else 1 */
  uint64_t count; /* number of values; 0: as many as the width of a field allows */
  const char *doc;
} isa_values_info;

/* A name of a value of a kind. */
typedef struct isa_value_name {
  int kind;
  uint64_t value;
  const char *name;
} isa_value_name;

/* A field of an instruction. */
typedef struct isa_field_info {
  const char *name;
  unsigned low, width; /* its bits in the record: 1 .. 64 of them */
  int kind;            /* index in isa_table.values */
  size_t offset;       /* of its uint64_t in the machine's struct of the instruction */
  const char *doc;
} isa_field_info;

/* An instruction. */
typedef struct isa_insn_info {
  const char *name;
  uint32_t op;
  const char *summary, *doc;
  const isa_field_info *fields;
  size_t count;
} isa_insn_info;

/* The instructions of a machine. In memory an instruction is a struct that begins with its opcode
 * (a 32-bit integer), followed by uint64_t fields. */
typedef struct isa_table {
  const isa_insn_info *insns; /* in the order of the file */
  size_t num_insns;
  size_t insn_bytes;   /* bytes of an instruction in .text */
  size_t struct_bytes; /* size of the machine's struct, at most ISA_MOST_STRUCT_BYTES */
  const isa_values_info *values;
  size_t num_values;
  const isa_value_name *names;
  size_t num_names;
} isa_table;

enum { ISA_MOST_INSN_BYTES = 128, ISA_MOST_STRUCT_BYTES = 512, ISA_OPCODE_BITS = 6 };

/* Large enough for an instruction of any machine. */
typedef union isa_any {
  uint32_t op;
  uint64_t words[ISA_MOST_STRUCT_BYTES / 8];
} isa_any;

/* The row of an instruction; NULL for an unknown opcode or name. */
const isa_insn_info *isa_find(const isa_table *t, uint32_t op);
const isa_insn_info *isa_find_name(const isa_table *t, const char *name);

/* The field of an instruction; NULL for an unknown name. */
const isa_field_info *isa_find_field(const isa_insn_info *info, const char *name);

/* The name of a value of a kind; NULL where it has none. */
const char *isa_name_value(const isa_table *t, int kind, uint64_t value);
/* The value of a name; false where the kind has no such name. */
bool isa_find_value(const isa_table *t, int kind, const char *word, uint64_t *out);

/* The kind of values of a field. */
static inline const isa_values_info *isa_values_of(const isa_table *t, const isa_field_info *field) {
  return &t->values[field->kind];
}

/* The difference between a field and the stored number: 1 for counts. It is also the value of a
 * field that is left out in text. */
static inline uint64_t isa_bias(const isa_table *t, const isa_field_info *field) {
  return isa_values_of(t, field)->class == ISA_CLASS_count;
}

/* The largest value of a field as the struct holds it (counts are from 1). */
uint64_t isa_field_largest(const isa_table *t, const isa_field_info *field);

/* Read and write a field in the struct of an instruction. */
uint64_t isa_field_get(const void *insn, const isa_field_info *field);
void isa_field_set(void *insn, const isa_field_info *field, uint64_t value);

/* Sets every field of an instruction to the value that text leaves out. */
void isa_clear(const isa_table *t, const isa_insn_info *info, void *insn);

/* Encodes an instruction to t->insn_bytes bytes, little endian. The error names the instruction,
 * the field, its value and the largest value that fits. */
status isa_encode(const isa_table *t, const void *insn, unsigned char *out);
/* Decodes an instruction; an unknown opcode, a reserved bit or a value without a name is an
 * error. */
status isa_decode(const isa_table *t, const unsigned char *in, void *insn);

/* Appends the text of an instruction as the assembler reads it: the buffer without a name, other
 * buffers, values other than those that text leaves out, flags that are set. `name_of` (may be
 * NULL) names values whose name depends on the whole instruction. */
typedef const char *isa_namer(const void *insn, const isa_field_info *field, uint64_t value);
void isa_print(const isa_table *t, text *out, const void *insn, isa_namer *name_of);

/* Appends an fp32 number, given by its bits, so that the assembler reads the same bits: 0.5, -0,
 * inf, nan, and bits:0x7fc00001 for other NaNs. */
void isa_print_real(text *out, uint32_t bits);

#endif
