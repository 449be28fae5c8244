/* Which unit executes each operation of the device level: the device, or the host between its
 * runs. */
#ifndef GNNC_CODEGEN_DEVICE_STEPS_PLACE_H
#define GNNC_CODEGEN_DEVICE_STEPS_PLACE_H

#include "dialects/ir.h"
#include "support/arena.h"
#include "support/elementwise.h"
#include "support/map.h"

/* What a machine can do, and what is not asked of it. */
typedef struct place_rules {
  /* Whether the machine executes an operation, but for its functions; NULL: none at all. */
  bool (*runs)(MlirOperation op, const void *user);
  /* Whether it has a function that stands behind an operation. */
  bool (*has_function)(elementwise_unary function, const void *user);
  const void *user;
  const char *host; /* --host: families of operations, or all; NULL: none */
} place_rules;

/* Sets 'unit' = "host" of each operation that goes there. An operation whose functions the machine
 * does not all have is cut: those from the first that is missing on become a device.map of the
 * host. The same rules again change nothing. */
void place_operations(arena *a, MlirOperation function, const place_rules *rules);

bool place_is_on_host(MlirOperation op);
/* Whether an operation is executed at all: edge lists, constants, inputs and outputs are not. */
bool place_is_step(MlirOperation op);
/* Whether any operation of a function is. */
bool place_has_host(MlirOperation function);

/* The values that device memory has to hold: what operations of the device read and make, the edge
 * lists of values among them, and outputs that the host does not make. */
map place_find_needs(arena *a, MlirOperation function);
static inline bool place_needs(const map *needs, MlirValue value) {
  return map_get(needs, value.ptr, 0);
}

/* Families of operations, as --host names them: "gemm,map" or "all". False where a word is none of
 * them; `*unknown` is then that word, of *length characters. */
bool place_check_families(const char *host, const char **unknown, int *length);
/* "gemm, spmm, ..., or all", for messages. */
extern const char place_family_names[];

#endif
