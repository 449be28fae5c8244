/* Expands a machine's instructions into C types and constants. Before it is included, define
 *
 *   ISA_DEF    the file with the rows, "isa/toy/toy.def"
 *   ISA_LOWER  the machine's name, toy
 *   ISA_UPPER  the same for constants, TOY
 *
 * It defines: a struct for each instruction with a uint64_t for each field (toy_add); a union of
 * these with the opcode (toy_insn); and constants for opcodes (TOY_OP_add), kinds of values
 * (TOY_VALUES_REDUCE), the number of values of a kind (TOY_COUNT_REDUCE; 0: the width of the field
 * decides), the difference between a field and the stored number (TOY_BIAS_MINUS1), names of values
 * (TOY_REDUCE_max) and places of fields (TOY_LOW_add_count, TOY_WIDTH_add_count). Struct members of
 * counted fields hold the number itself, those of addresses the number of units. */
#include "isa/table.h"

#ifndef ISA_JOIN
#define ISA_JOIN_(a, b) a##_##b
#define ISA_JOIN(a, b) ISA_JOIN_(a, b)
#endif

#define INSN(name, opcode, summary, doc)                                                                               \
  typedef struct ISA_JOIN(ISA_LOWER, name) {                                                                           \
    char unused_##name;
#define FIELD(of, name, low, width, kind, doc) uint64_t name;
#define END(of)                                                                                                        \
  }                                                                                                                    \
  ISA_JOIN(ISA_LOWER, of);
#include ISA_DEF

#define INSN(name, opcode, summary, doc) ISA_JOIN(ISA_UPPER, OP_##name) = opcode,
typedef enum ISA_JOIN(ISA_LOWER, opcode) {
#include ISA_DEF
} ISA_JOIN(ISA_LOWER, opcode);

#define VALUES(kind, class, unit, count, doc) ISA_JOIN(ISA_UPPER, VALUES_##kind),
typedef enum ISA_JOIN(ISA_LOWER, values) {
#include ISA_DEF
  ISA_JOIN(ISA_UPPER, VALUES_KINDS)
} ISA_JOIN(ISA_LOWER, values);

enum {
#define VALUES(kind, class, unit, count, doc)                                                                          \
  ISA_JOIN(ISA_UPPER, COUNT_##kind) = count, ISA_JOIN(ISA_UPPER, BIAS_##kind) = ISA_CLASS_##class == ISA_CLASS_count,
#define ENUM(kind, name, value) ISA_JOIN(ISA_UPPER, kind##_##name) = value,
#define FIELD(of, name, low, width, kind, doc)                                                                         \
  ISA_JOIN(ISA_UPPER, LOW_##of##_##name) = low, ISA_JOIN(ISA_UPPER, WIDTH_##of##_##name) = width,
#include ISA_DEF
};

typedef struct ISA_JOIN(ISA_LOWER, insn) {
  ISA_JOIN(ISA_LOWER, opcode) op;
  union {
#define INSN(name, opcode, summary, doc) ISA_JOIN(ISA_LOWER, name) name;
#include ISA_DEF
  };
} ISA_JOIN(ISA_LOWER, insn);
