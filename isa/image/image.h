/* Program images: ELF files (EM_NONE, 64 bit, little endian) written and read with libelf, so that
 * readelf and llvm-objcopy work. What .text, .desc, .constants and .edges hold is the machine's.
 *
 *   section          flags     what
 *   .text            AX        instructions, one symbol per layer; sh_addr is the DDR address, as everywhere
 *   .desc            A         descriptor tables
 *   .constants       A         fp32 table
 *   .edges           A         edge records, one symbol per edge list
 *   .weights         A         weights and other constants in device layout, one symbol per tensor
 *   .features        A nobits  inputs, hidden tensors, values of edges, outputs; one symbol per tensor
 *   .gnnc.program    -         JSON: model, tensors, layers, see docs/architecture.md
 *   .gnnc.rows       -         int32 permutations of row sets, see docs/architecture.md
 *   .gnnc.source     -         text of the model, for gnn-run --compare-with=c
 *   .gnnc.lists      -         words that host steps read: ends and weights of edges, matrices, constant rows (runtime/steps/steps.h)
 *   .note.gnnc       note      owner "gnnc", type 1: JSON {"machine": "toy", "isa": [major, minor], "device": {...}, "graph": "fingerprint in hex", "compiler": "..."}
 *
 * --no-data images have .edges, .weights and .gnnc.lists as nobits, too; the loader fills them from
 * the graph and the weights. Nothing depends on time, paths or machine. */
#ifndef GNNC_ISA_IMAGE_IMAGE_H
#define GNNC_ISA_IMAGE_IMAGE_H

#include "isa/machine.h"
#include "support/arena.h"
#include "support/file.h"

typedef enum image_section_kind {
  IMAGE_TEXT,
  IMAGE_DESC,
  IMAGE_CONSTANTS,
  IMAGE_EDGES,
  IMAGE_WEIGHTS,
  IMAGE_FEATURES,
  IMAGE_PROGRAM,
  IMAGE_ROWS,
  IMAGE_SOURCE,
  IMAGE_LISTS, /* in files only where it holds anything */
  IMAGE_SECTIONS
} image_section_kind;

typedef struct image_section {
  uint64_t address;          /* in DDR; 0 for those that are not loaded */
  uint64_t size;             /* bytes */
  const unsigned char *data; /* NULL: nobits */
} image_section;

typedef struct image_symbol {
  const char *name; /* "layer 3", "conv1.weight" */
  image_section_kind section;
  uint64_t address, size;
} image_symbol;

struct image {
  int32_t isa_major, isa_minor; /* of the machine */
  device device;                /* its machine too */
  uint64_t graph_fingerprint;   /* 0: made without a graph (gnn-as) */
  const char *compiler;
  image_section sections[IMAGE_SECTIONS];
  const image_symbol *symbols;
  int64_t num_symbols;
  file_mapping mapping; /* what image_open mapped; nothing else uses it */
};

/* Writes beside the target and renames. */
status image_write(const image *im, const char *path);
/* Into a file that the caller commits. */
status image_put(const image *im, file_writer *file);
/* The same into memory, the caller frees. */
status image_write_memory(const image *im, unsigned char **data, size_t *size);

/* Maps or takes a file and checks all of it before anything is used: ELF structure, sections within
 * the file, aligned (64 bytes), not overlapping in DDR and within device.ddr_bytes; note, versions
 * (a newer major version is refused with both named); then the machine checks the program
 * (isa/<machine>/image_check.c). In the arena. */
status image_open(arena *a, const char *path, image *out);
/* Unmaps the file; sections are gone afterwards. */
void image_close(image *im);
/* The same for bytes that live longer than the image; they are copied only where they are not
 * aligned to 16 bytes. 'name' is for messages. */
status image_read(arena *a, const char *name, const unsigned char *data, size_t size, image *out);
/* What image_open checks of sections and program, for programs that were assembled. Messages name
 * the place. */
status image_check(const image *im);

/* ".text", ".edges", ... */
const char *image_section_name(image_section_kind kind);
/* Of a section in DDR, as .section of the assembler calls it: "text", "edges", ... */
const char *image_loaded_name(image_section_kind kind);

#endif
