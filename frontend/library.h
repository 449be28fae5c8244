/* The layer library that ships with the compiler: readable .gnn text, embedded when the compiler is built. */
#ifndef GNNC_FRONTEND_LIBRARY_H
#define GNNC_FRONTEND_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* One file of frontend/library, and one layer of it; a file defines one layer or a few related ones. */
typedef struct library_file {
  const char *name; /* "library/gcn_conv.gnn": how locations name it */
  const char *text;
  size_t size;
} library_file;

typedef struct library_layer {
  const char *name;
  size_t file; /* index for library_file_at */
} library_layer;

size_t library_file_count(void);
const library_file *library_file_at(size_t index);

/* All layers, sorted by name. */
size_t library_layer_count(void);
const library_layer *library_layer_at(size_t index);

/* Returns the layer of that name, or NULL. User code may not define a layer with such a name. */
const library_layer *library_find_layer(const char *name);

#endif
