/* The instructions of the overlay as C structs, and their encoding in 128-bit words. All of it is
 * made from isa/graphagile/graphagile.def. */
#ifndef GNNC_ISA_GRAPHAGILE_GRAPHAGILE_H
#define GNNC_ISA_GRAPHAGILE_GRAPHAGILE_H

#include "isa/graphagile/device.h"

#include <stddef.h>

enum { GRAPHAGILE_MAJOR = 1, GRAPHAGILE_MINOR = 0 };

typedef struct graphagile_word {
  uint64_t low, high;
} graphagile_word;

/* Read and write a word in memory: little endian, low half first. */
graphagile_word graphagile_word_read(const unsigned char in[16]);
void graphagile_word_write(graphagile_word word, unsigned char out[16]);

/* Struct graphagile_memrd, constants GRAPHAGILE_OP_memrd, GRAPHAGILE_REDUCE_max, and so on: see
 * isa/insn_structs.h. Fields of kind BUF hold GRAPHAGILE_E0 .. GRAPHAGILE_F2; fields of kinds EBUF,
 * WBUF and FBUF hold the number within the class: .w = 1 is W1. */
#define ISA_DEF "isa/graphagile/graphagile.def"
#define ISA_LOWER graphagile
#define ISA_UPPER GRAPHAGILE
#include "isa/insn_structs.h"

/* The same instructions as a table. */
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

/* A descriptor (16 bytes in DDR, little endian) describes one piece of a subshard, of at most
 * device.edges edges.
 *
 * With `reuse`, the source features of the piece before are also those of this one: a MEMRD of
 * features with ind is skipped, and the instructions of the piece before do not release the
 * features (unlock_f of SpDMM, unlock_src of SDDMM, with ind). It is ignored in the first iteration
 * of a LOOP, which always loads; the last iteration always releases. */
typedef struct graphagile_descriptor {
  uint32_t first_edge; /* number in its relation's edge array */
  uint32_t num_edges;  /* 0 .. device.edges; stored minus 1 in 16 bits, and 0 as a bit of its own */
  uint32_t src_row;    /* first row of the source features; the source rows of edges are relative to it */
  uint32_t src_rows;   /* 1 .. feature_rows; stored minus 1 in 14 bits */
  bool second;         /* destinations are those of the second of two shards: SpDMM's out2 */
  bool reuse;
} graphagile_descriptor;
enum {
  GRAPHAGILE_DESCRIPTOR_BYTES = 16,
  GRAPHAGILE_RECORD_BYTES = 12,
  GRAPHAGILE_SHORT_BYTES = 8,
  GRAPHAGILE_VALUE_BYTES = 4,
  GRAPHAGILE_INSN_BYTES = 16
};

/* The bytes of a row of features or weights in DDR, whose form is GRAPHAGILE_FORM_*. */
static inline uint64_t graphagile_row_bytes(const graphagile_device *d, uint64_t form) {
  if (form == GRAPHAGILE_FORM_value) return GRAPHAGILE_VALUE_BYTES;
  return (form == GRAPHAGILE_FORM_half ? 2 : 4) * (uint64_t)d->width;
}

/* The unit of `stride` and `inc` of a load or store of a buffer, in bytes: a row of its form. The
 * form value of edges has none, and rows of fp32 are the unit. */
static inline uint64_t graphagile_stride_bytes(const graphagile_device *d, uint64_t buffer, uint64_t form) {
  const bool is_weight = buffer < GRAPHAGILE_W0 && form == GRAPHAGILE_FORM_value;
  return graphagile_row_bytes(d, is_weight ? GRAPHAGILE_FORM_record : form);
}

/* The bytes of an edge in DDR, whose form is GRAPHAGILE_FORM_*. */
static inline uint64_t graphagile_edge_bytes(uint64_t form) {
  return form == GRAPHAGILE_FORM_record ? GRAPHAGILE_RECORD_BYTES
         : form == GRAPHAGILE_FORM_half ? GRAPHAGILE_SHORT_BYTES
                                        : GRAPHAGILE_VALUE_BYTES;
}

/* Encodes a descriptor: bits [31:0] first_edge, [47:32] num_edges - 1, [61:48] src_rows - 1, [62]
 * second, [63] reuse, [95:64] src_row, [96] no edges (then [47:32] are 0), all others 0. */
void graphagile_descriptor_encode(const graphagile_descriptor *d, unsigned char out[16]);
/* Decodes a descriptor; false where a reserved bit is set. */
bool graphagile_descriptor_decode(const unsigned char in[16], graphagile_descriptor *out);

/* Encodes an instruction. The error names the instruction, the field, its value and the largest
 * value that fits. */
status graphagile_encode(const graphagile_insn *in, graphagile_word *out);
/* Decodes a word. An unknown opcode, a reserved bit or a value without a name is an error. Sets
 * `op` and the struct of that instruction; the rest of the union is not written. */
status graphagile_decode(graphagile_word in, graphagile_insn *out);
/* The same without a message; false for an error. */
bool graphagile_encode_fast(const graphagile_insn *in, graphagile_word *out);
bool graphagile_decode_fast(graphagile_word in, graphagile_insn *out);

/* Checks what a device must refuse in any state: regions beyond the end of a buffer (base + (nfib -
 * 1) * stride + rows <= feature_rows, len * gfib <= weight_rows, ...), forms, classes of buffers,
 * broadcast, packed edges, rows of fp16 or of one number that the device does not have. The error names the field and the
 * limit. */
status graphagile_check(const graphagile_insn *in, const graphagile_device *d);

/* Whether the instruction ends its tiling block. */
bool graphagile_is_eot(const graphagile_insn *in);
const char *graphagile_insn_name(graphagile_opcode op);

/* The name of a value of a kind (GRAPHAGILE_VALUES_*); NULL where it has none. */
const char *graphagile_value_name(int kind, uint64_t value);

/* Appends the text of an instruction as gnn-as reads it: `memrd F0, addr=0x1000, count=2048,
 * nfib=4, stride=19717, kind=hidden, lock, wait, ind, alt`. Fields with value 0 (kind MINUS1: value
 * 1) are left out. */
void graphagile_insn_print(text *t, const graphagile_insn *in);

/* The bits of the word that FILL unset writes: a quiet NaN that no arithmetic makes. */
enum { GRAPHAGILE_UNSET = 0x7fc0a61e };

#endif
