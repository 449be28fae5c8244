/* What the files that implement isa/text/listing.h share. */
#ifndef GNNC_ISA_TEXT_LISTING_PARTS_H
#define GNNC_ISA_TEXT_LISTING_PARTS_H

#include "isa/machine.h"
#include "isa/text/listing.h"

#include <jansson.h>

typedef struct listing_symbols {
  const image_symbol **at; /* sorted by address */
  size_t count;
} listing_symbols;

/* A listing while it is printed. */
struct listing_walk {
  const image *im;
  text *out;
  json_t *manifest;             /* NULL: the image has none */
  listing_symbols data, tables; /* symbols of tensors, constants and edges; symbols of descriptor tables */
  bool is_plain;                /* text for gnn-as only, without addresses and comments */
  int64_t only;                 /* number of the layer to print; -1: all */
};

/* Reads symbols and manifest of an image; without memory, names are left out. */
void listing_open(listing_walk *w);
void listing_close(listing_walk *w);

/* Appends the symbol of data that contains an address: "x+0x40"; nothing where none does; "x or y"
 * where two tensors share the place at different times. */
void listing_print_place(const listing_walk *w, uint64_t address, text *out);

/* Appends the manifest's name of a layer: " 'conv1.y' (line 12)". */
void listing_print_name(const listing_walk *w, uint64_t layer, text *out);

/* The name of the first table of descriptors that begins at an address; NULL: none. */
const char *listing_table_name(const listing_walk *w, uint64_t address);

/* Prints the program: layers, blocks, instructions, then all descriptors. *layers becomes the
 * number of layers. Returns an error where .text is no program. */
status listing_print_program(const listing_walk *w, uint64_t *layers);

#endif
