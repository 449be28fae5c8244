/* The layer library that ships with the compiler: readable .gnn text, embedded when the compiler is
 * built. */
#ifndef GNNC_FRONTEND_LIBRARY_H
#define GNNC_FRONTEND_LIBRARY_H

#include <stddef.h>

/* One file of frontend/library; it defines one layer or a few related ones. */
typedef struct library_file {
  const char *name; /* "library/gcn_conv.gnn": the name in locations */
  const char *text; /* NUL-terminated behind `size` bytes */
  size_t size;
} library_file;

typedef struct library_layer {
  const char *name;
  size_t file; /* index into library_files */
} library_layer;

/* Generated from frontend/library; both in the order of names. */
extern const library_file library_files[];
extern const size_t library_file_count;
extern const library_layer library_layers[];
extern const size_t library_layer_count;

/* Returns the layer of that name, or NULL. User code may not define a layer with such a name. */
const library_layer *library_find_layer(const char *name);

#endif
