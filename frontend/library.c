/* Looks layers up in the embedded library. */
#include "frontend/library.h"

#include <string.h>

const library_layer *library_find_layer(const char *name) {
  for (size_t i = 0; i < library_layer_count; i++)
    if (strcmp(library_layers[i].name, name) == 0) return &library_layers[i];
  return NULL;
}
