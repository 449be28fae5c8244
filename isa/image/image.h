/* Program images: ELF files (EM_NONE, 64 bit, little endian), written and read with libelf, so that
 * readelf and llvm-objcopy understand them. Each machine defines the contents of .text, .desc,
 * .constants and .edges.
 *
 *   section          flags     what
 *   .text            AX        instructions, one symbol per layer; sh_addr is the DDR address, as everywhere
 *   .desc            A         descriptor tables
 *   .constants       A         fp32 table
 *   .edges           A         edge records, one symbol per edge list
 *   .weights         A         weights and other constants in device layout, one symbol per tensor
 *   .features        A nobits  inputs, hidden tensors, values of edges, outputs; one symbol per tensor
 *   .gnnc.program    -         JSON: model, tensors, layers, see docs/architecture.md
 *   .gnnc.rows       -         int32 orders of rows, see docs/architecture.md
 *   .gnnc.source     -         text of the model, for gnn-run --compare-with=c
 *   .gnnc.lists      -         words that host steps read: ends and weights of edges, matrices, constant rows (runtime/steps/steps.h)
 *   .note.gnnc       note      owner "gnnc", type 1: JSON {"machine": "toy", "isa": [major, minor], "device": {...}, "graph": "fingerprint in hex", "compiler": "..."}
 *
 * In images made with --no-data, .edges, .weights and .gnnc.lists are nobits too; the loader fills
 * them from the graph and the weights. An image does not depend on time, paths or the host that
 * made it. */
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
  IMAGE_LISTS, /* in a file only if it is not empty */
  IMAGE_SECTIONS
} image_section_kind;

typedef struct image_section {
  uint64_t address;          /* in DDR; 0: the section is not loaded */
  uint64_t size;             /* bytes */
  const unsigned char *data; /* NULL: nobits */
} image_section;

typedef struct image_symbol {
  const char *name; /* "layer 3", "conv1.weight" */
  image_section_kind section;
  uint64_t address, size;
} image_symbol;

struct image {
  int32_t isa_major, isa_minor; /* of the machine's instruction set */
  device device;                /* with its machine */
  uint64_t graph_fingerprint;   /* 0: the image was made without a graph (gnn-as) */
  const char *compiler;
  image_section sections[IMAGE_SECTIONS];
  const image_symbol *symbols;
  int64_t num_symbols;
  file_mapping mapping; /* memory that image_open mapped */
};

/* Writes the image to a temporary file beside `path` and renames it. */
status image_write(const image *im, const char *path);
/* Writes the image to a file that the caller commits. */
status image_put(const image *im, file_writer *file);
/* Writes the image to memory, which the caller frees. */
status image_write_memory(const image *im, unsigned char **data, size_t *size);

/* Opens an image and checks all of it before anything is used: the ELF structure; sections within
 * the file, aligned to 64 bytes, not overlapping in DDR and within device.ddr_bytes; note and
 * versions (a newer major version is refused with a message that names both); then the machine
 * checks the program (isa/<machine>/image_check.c). The result is in the arena; the file stays
 * mapped until image_close. */
status image_open(arena *a, const char *path, image *out);
/* Unmaps the file; pointers to sections are invalid afterwards. */
void image_close(image *im);
/* The same for bytes that outlive the image; they are copied only where they are not aligned to 16
 * bytes. Messages contain 'name'. */
status image_read(arena *a, const char *name, const unsigned char *data, size_t size, image *out);
/* Checks sections and program as image_open does, for programs that were assembled. The error names
 * the place. */
status image_check(const image *im);

/* The name of a section: ".text", ".edges", ... */
const char *image_section_name(image_section_kind kind);
/* The name of a loaded section for .section of the assembler: "text", "edges", ... */
const char *image_loaded_name(image_section_kind kind);

#endif
