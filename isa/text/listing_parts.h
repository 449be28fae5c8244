/* What the files behind isa/text/listing.h share. */
#ifndef GNNC_ISA_TEXT_LISTING_PARTS_H
#define GNNC_ISA_TEXT_LISTING_PARTS_H

#include "isa/machine.h"
#include "isa/text/listing.h"

#include <jansson.h>

typedef struct listing_symbols {
  const image_symbol **at; /* by address */
  size_t count;
} listing_symbols;

struct listing_walk {
  const image *im;
  text *out;
  json_t *manifest;             /* NULL: none */
  listing_symbols data, tables; /* of tensors, constants and edges; of descriptors */
  bool is_plain;                /* for gnn-as alone: no addresses, no comments */
  int64_t only;                 /* this layer; -1 all */
};

/* Symbols and manifest of an image; memory that is out leaves out names. */
void listing_open(listing_walk *w);
void listing_close(listing_walk *w);

/* Appends the symbol of data that an address lies in: "x+0x40"; nothing where none reaches there,
 * "x or y" where two have the place one after the other. */
void listing_print_place(const listing_walk *w, uint64_t address, text *out);

/* Appends what the manifest says of a layer: " 'conv1.y' (line 12)". */
void listing_print_name(const listing_walk *w, uint64_t layer, text *out);

/* The name of the first table of descriptors that begins at an address; NULL: none. */
const char *listing_table_name(const listing_walk *w, uint64_t address);

/* Appends the program: layers, blocks, instructions, then all descriptors. *layers is how many
 * there are. Fails where .text is no program. */
status listing_print_program(const listing_walk *w, uint64_t *layers);

#endif
