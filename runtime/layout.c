/* Finds layouts by name. */
#include "runtime/layout.h"

#include <string.h>

const layout *layout_find(const char *name) {
  for (const layout *const *l = layout_table; *l; l++)
    if (!strcmp((*l)->name, name)) return *l;
  return NULL;
}
