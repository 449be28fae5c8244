/* Instructions of the overlay as C structs, and their 128-bit words. isa/graphagile/graphagile.def
 * is the table behind all of it. */
#ifndef GNNC_ISA_GRAPHAGILE_GRAPHAGILE_H
#define GNNC_ISA_GRAPHAGILE_GRAPHAGILE_H

#include "isa/graphagile/device.h"

#include <stddef.h>

enum { GRAPHAGILE_MAJOR = 1, GRAPHAGILE_MINOR = 0 };

typedef struct graphagile_word {
  uint64_t low, high;
} graphagile_word;

/* A word where it lies in memory: little endian, low first. */
graphagile_word graphagile_word_read(const unsigned char in[16]);
void graphagile_word_write(graphagile_word word, unsigned char out[16]);

/* graphagile_memrd, GRAPHAGILE_OP_memrd, GRAPHAGILE_REDUCE_max, ...: see isa/insn_structs.h. BUF
 * fields hold GRAPHAGILE_E0 .. GRAPHAGILE_F2, but EBUF, WBUF and FBUF fields the number within the
 * class: .w = 1 is W1. */
#define ISA_DEF "isa/graphagile/graphagile.def"
#define ISA_LOWER graphagile
#define ISA_UPPER GRAPHAGILE
#include "isa/insn_structs.h"

/* The same as data. */
extern const isa_table graphagile_isa;

enum {
  GRAPHAGILE_E0,
  GRAPHAGILE_E1,
  GRAPHAGILE_W0,
  GRAPHAGILE_W1,
  GRAPHAGILE_F0,
  GRAPHAGILE_F1,
  GRAPHAGILE_F2,
  GRAPHAGILE_BUFFERS
};

/* What a descriptor (16 bytes in DDR, little endian) says of one piece of a subshard, at most edges
 * edges.
 *
 * reuse: the source features of the piece before are those of this one, too. MEMRD of features with
 * ind is skipped, and the piece before does not give its features back (unlock_f of SpDMM,
 * unlock_src of SDDMM, with ind). It means nothing in the first iteration of a LOOP, which loads,
 * and the last one gives back whatever follows in the table. */
typedef struct graphagile_descriptor {
  uint32_t first_edge; /* in its relation's edge array */
  uint32_t num_edges;  /* 0 .. edges; stored less one in 16 bits, 0 as a bit of its own */
  uint32_t src_row;    /* first row of the source features; edges' source rows count from here */
  uint32_t src_rows;   /* 1 .. feature_rows; stored less one in 14 bits */
  bool second;         /* destination rows are those of the second tile: SpDMM's out2 */
  bool reuse;
} graphagile_descriptor;
enum {
  GRAPHAGILE_DESCRIPTOR_BYTES = 16,
  GRAPHAGILE_RECORD_BYTES = 12,
  GRAPHAGILE_VALUE_BYTES = 4,
  GRAPHAGILE_INSN_BYTES = 16
};

/* Bits [31:0] first_edge, [47:32] num_edges - 1, [61:48] src_rows - 1, [62] second, [63] reuse,
 * [95:64] src_row, [96] no edges ([47:32] are 0), the rest 0. */
void graphagile_descriptor_encode(const graphagile_descriptor *d, unsigned char out[16]);
/* False where a reserved bit is set. */
bool graphagile_descriptor_decode(const unsigned char in[16], graphagile_descriptor *out);

/* The word of an instruction. Fails naming the instruction, the field, its value and the largest
 * that fits. */
status graphagile_encode(const graphagile_insn *in, graphagile_word *out);
/* Fails on an unknown opcode, a reserved bit or a value no enumeration has. Sets `op` and the
 * struct of that instruction; the rest of the union is not touched. */
status graphagile_decode(graphagile_word in, graphagile_insn *out);
/* The same with no message, for loops over millions. */
bool graphagile_encode_fast(const graphagile_insn *in, graphagile_word *out);
bool graphagile_decode_fast(graphagile_word in, graphagile_insn *out);

/* What a device must refuse whatever the state: regions beyond buffers (base + (nfib - 1) * stride
 * + rows <= feature_rows, len * gfib <= weight_rows, ...), forms, buffer classes, broadcast or
 * packed edges that the device lacks. Names the field and the limit. */
status graphagile_check(const graphagile_insn *in, const graphagile_device *d);

bool graphagile_is_eot(const graphagile_insn *in);
const char *graphagile_insn_name(graphagile_opcode op);

/* The name of a value of a kind (GRAPHAGILE_VALUES_*), NULL where it has none. */
const char *graphagile_value_name(int kind, uint64_t value);

/* The text of an instruction, as gnn-as reads it: `memrd F0, addr=0x1000, count=2048, nfib=4,
 * stride=19717, kind=hidden, lock, wait, ind, alt`. Fields at 0 (MINUS1: at 1) are left out. */
void graphagile_insn_print(text *t, const graphagile_insn *in);

/* How the unset word of FILL unset looks: a quiet NaN no arithmetic makes. */
enum { GRAPHAGILE_UNSET = 0x7fc0a61e };

#endif
