/* Finds machines by their names. */
#include "isa/machine.h"

#include "support/diag.h"

#include <string.h>

enum { MOST_MACHINES = 64 };

const machine *machine_find(const char *name, const char **nearest) {
  const char *names[MOST_MACHINES];
  size_t count = 0;
  for (; machine_table[count] && count < MOST_MACHINES; count++) {
    if (!strcmp(machine_table[count]->name, name)) return machine_table[count];
    names[count] = machine_table[count]->name;
  }
  if (nearest) *nearest = diag_nearest(name, names, count);
  return NULL;
}
