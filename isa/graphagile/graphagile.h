/* Instructions of the overlay as C structs, and their 128-bit words. isa/graphagile/graphagile.def is the table behind all of it. */
#ifndef GNNC_ISA_GRAPHAGILE_H
#define GNNC_ISA_GRAPHAGILE_H

#include "isa/device.h"

#include <stddef.h>

enum { ISA_MAJOR = 1, ISA_MINOR = 0 };

typedef struct isa_word {
  uint64_t low, high;
} isa_word;

/* A word where it lies in memory: little endian, low first. */
isa_word isa_word_read(const unsigned char in[16]);
void isa_word_write(isa_word word, unsigned char out[16]);

/* One struct per instruction, all fields uint64_t: struct isa_memrd { ... }. MINUS1 fields hold the number itself, ADDR4 and ADDR16 fields the address / 4 and / 16, BUF fields
 * ISA_E0 .. ISA_F2, but EBUF, WBUF and FBUF fields the number within the class: .w = 1 is W1. */
#define INSN(name, opcode, summary, doc)                                                                               \
  typedef struct isa_##name {                                                                                          \
    char unused_##name;
#define FIELD(insn, name, low, width, kind, doc) uint64_t name;
#define END(insn)                                                                                                      \
  }                                                                                                                    \
  isa_##insn;
#include "isa/graphagile/graphagile.def"

/* ISA_OP_memrd = 0x03, ... */
#define INSN(name, opcode, summary, doc) ISA_OP_##name = opcode,
typedef enum isa_opcode {
#include "isa/graphagile/graphagile.def"
} isa_opcode;

/* ISA_REDUCE_max, ISA_FUNCTION_relu, ... */
#define ENUM(kind, name, value) ISA_##kind##_##name = value,
enum {
#include "isa/graphagile/graphagile.def"
};

enum { ISA_E0, ISA_E1, ISA_W0, ISA_W1, ISA_F0, ISA_F1, ISA_F2, ISA_BUFFERS };

typedef struct isa_insn {
  isa_opcode op;
  union {
#define INSN(name, opcode, summary, doc) isa_##name name;
#include "isa/graphagile/graphagile.def"
  };
} isa_insn;

/* What a descriptor (16 bytes in DDR, little endian) says of one piece of a subshard, at most device.edges edges.
 *
 * reuse: the source features of the piece before are those of this one, too. MEMRD of features with ind is skipped, and the piece before does not give its features
 * back (unlock_f of SpDMM, unlock_src of SDDMM, with ind). It means nothing in the first iteration of a LOOP, which loads, and the last one gives back whatever follows in the table. */
typedef struct isa_descriptor {
  uint32_t first_edge; /* in its relation's edge array */
  uint32_t num_edges;  /* 0 .. device.edges; stored less one in 16 bits, 0 as a bit of its own */
  uint32_t src_row;    /* first row of the source features; edges' source rows count from here */
  uint32_t src_rows;   /* 1 .. device.feature_rows; stored less one in 14 bits */
  bool second;         /* destination rows are those of the second tile: SpDMM's out2 */
  bool reuse;
} isa_descriptor;
enum { ISA_DESCRIPTOR_BYTES = 16, ISA_RECORD_BYTES = 12, ISA_VALUE_BYTES = 4, ISA_INSN_BYTES = 16 };

/* Bits [31:0] first_edge, [47:32] num_edges - 1, [61:48] src_rows - 1, [62] second, [63] reuse, [95:64] src_row, [96] no edges ([47:32] are 0), the rest 0. */
void isa_descriptor_encode(const isa_descriptor *d, unsigned char out[16]);
/* False where a reserved bit is set. */
bool isa_descriptor_decode(const unsigned char in[16], isa_descriptor *out);

/* The word of an instruction. Fails naming the instruction, the field, its value and the largest that fits. */
status isa_encode(const isa_insn *in, isa_word *out);
/* Fails on an unknown opcode, a reserved bit or a value no enumeration has. Sets `op` and the struct of that instruction; the rest of the union is not touched. */
status isa_decode(isa_word in, isa_insn *out);
/* The same with no message, for loops over millions. */
bool isa_encode_fast(const isa_insn *in, isa_word *out);
bool isa_decode_fast(isa_word in, isa_insn *out);

/* What a device must refuse whatever the state: regions beyond buffers (base + (nfib - 1) * stride + rows <= feature_rows, len * gfib <= weight_rows, ...), forms, buffer classes,
 * broadcast or packed edges that the device lacks. Names the field and the limit. */
status isa_check(const isa_insn *in, const device *d);

bool isa_is_eot(const isa_insn *in);
const char *isa_name(isa_opcode op);

/* The text of an instruction, as gnn-as reads it: `memrd F0, addr=0x1000, count=2048, nfib=4, stride=19717, kind=hidden, lock, wait, ind, alt`. Fields at 0 (MINUS1: at 1) are left out. */
void isa_print(text *t, const isa_insn *in);

/* How the unset word of FILL unset looks: a quiet NaN no arithmetic makes. */
enum { ISA_UNSET = 0x7fc0a61e };

#endif
