/* --print-library: prints text of the layer library, which is embedded in the compiler.
 *
 *   gnnc --print-library=gcn_conv       library/gcn_conv.gnn, where the layer is */
#include "frontend/library.h"
#include "support/diag.h"
#include "support/program.h"
#include "support/vec.h"
#include "tools/gnnc/gnnc_options.h"

#include <string.h>

static const char folder[] = "library/", ending[] = ".gnn";

/* Returns the file of a layer or of a name such as "gcn_conv", "gcn_conv.gnn" or
 * "library/gcn_conv.gnn"; NULL if there is none. */
static const library_file *find(arena *a, const char *name) {
  const library_layer *layer = library_find_layer(name);
  if (layer) return &library_files[layer->file];
  if (!strncmp(name, folder, strlen(folder))) name += strlen(folder);
  const char *path = arena_printf(a, "%s%s%s", folder, name, text_ends_with(name, ending) ? "" : ending);
  for (size_t i = 0; i < library_file_count; i++)
    if (!strcmp(library_files[i].name, path)) return &library_files[i];
  return NULL;
}

bool gnnc_print_library(arena *a, const char *name, FILE *out) {
  const library_file *file = find(a, name);
  if (file) {
    fwrite(file->text, 1, file->size, out);
    return true;
  }
  VEC(const char *) names = {0};
  text list = {0};
  for (size_t i = 0; i < library_layer_count; i++) {
    VEC_PUSH(a, &names, library_layers[i].name);
    text_printf(&list, "%s%s", i ? ", " : "", library_layers[i].name);
  }
  const char *nearest = diag_nearest(name, names.items, names.count);
  if (nearest)
    program_error("--print-library=%s: the library has no such layer; did you mean '%s'?", name, nearest);
  else
    program_error("--print-library=%s: the library has no such layer; it has %s", name, text_str(&list));
  text_free(&list);
  return false;
}
