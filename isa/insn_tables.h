/* Expands a machine's instructions into its isa_table, named toy_isa. The rows of ISA_DEF (see
 * isa/insn_structs.h, whose macros this needs):
 *
 *   VALUES(kind, class, unit, count, doc)        a kind of values: its class (ISA_CLASS_*), bytes of a unit of addresses (else 1), how many values
 *                                                there are (0: as many as the width of a field allows)
 *   ENUM(kind, name, value)                      a name of a value
 *   INSN(name, opcode, summary, doc)             an instruction; its opcode is the lowest six bits
 *   FIELD(insn, name, low, width, kind, doc)     its bits low .. low + width - 1; bits that no field has are zero
 *   END(insn) */
#define INSN(name, opcode, summary, doc) static const isa_field_info name##_fields[] = {
#define FIELD(of, name, low, width, kind, doc)                                                                         \
  {#name, low, width, ISA_JOIN(ISA_UPPER, VALUES_##kind), offsetof(ISA_JOIN(ISA_LOWER, insn), of.name), doc},
#define END(of)                                                                                                        \
  {                                                                                                                    \
    NULL, 0, 0, 0, 0, NULL                                                                                             \
  } /* some instructions have no other */                                                                              \
  }                                                                                                                    \
  ;
#include ISA_DEF

static const isa_insn_info insn_rows[] = {
#define INSN(name, opcode, summary, doc)                                                                               \
  {#name, opcode, summary, doc, name##_fields, sizeof name##_fields / sizeof *name##_fields - 1},
#include ISA_DEF
};

static const isa_values_info values_rows[] = {
#define VALUES(kind, class, unit, count, doc) {#kind, ISA_CLASS_##class, unit, count, doc},
#include ISA_DEF
};

static const isa_value_name name_rows[] = {
#define ENUM(kind, name, value) {ISA_JOIN(ISA_UPPER, VALUES_##kind), value, #name},
#include ISA_DEF
    {-1, 0, NULL}, /* a machine may have no names */
};

#define ENUM(kind, name, value)                                                                                        \
  _Static_assert((value) < ISA_JOIN(ISA_UPPER, COUNT_##kind), #kind " has more values than its row says");
#include ISA_DEF
_Static_assert(sizeof(ISA_JOIN(ISA_LOWER, insn)) <= ISA_MOST_STRUCT_BYTES, "isa_any has room for any instruction");

const isa_table ISA_JOIN(ISA_LOWER, isa) = {.insns = insn_rows,
                                            .num_insns = sizeof insn_rows / sizeof *insn_rows,
                                            .insn_bytes = ISA_INSN_BYTES,
                                            .struct_bytes = sizeof(ISA_JOIN(ISA_LOWER, insn)),
                                            .values = values_rows,
                                            .num_values = sizeof values_rows / sizeof *values_rows,
                                            .names = name_rows,
                                            .num_names = sizeof name_rows / sizeof *name_rows};
