/* Chooses the unit that executes each operation of the device level: the device, or the host
 * between its runs. */
#ifndef GNNC_CODEGEN_DEVICE_STEPS_PLACE_H
#define GNNC_CODEGEN_DEVICE_STEPS_PLACE_H

#include "codegen/device/host/host.h"
#include "dialects/ir.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/elementwise.h"
#include "support/map.h"

/* The operations that a machine supports, and those that --host takes from it. */
typedef struct place_rules {
  /* Whether the machine executes an operation, apart from its functions; NULL: it executes none. */
  bool (*runs)(MlirOperation op, const void *user);
  /* Whether the machine can apply a function to the result of an operation. */
  bool (*has_function)(elementwise_unary function, const void *user);
  size_t most_functions; /* that the machine applies to one result; 0: any number */
  const void *user;
  const char *host; /* --host: families of operations, or all; NULL: none */
} place_rules;

/* Sets 'unit' = "host" on each operation that the host executes. Where the machine lacks a function
 * of an operation, that function and the later ones become a device.map of the host. A second call
 * with the same rules changes nothing. */
void place_operations(arena *a, MlirOperation function, const place_rules *rules);

/* Reports a remark at the line of an operation: "place: " and the message. */
void place_remark(arena *a, diag *d, MlirOperation op, const char *format, ...) __attribute__((format(printf, 4, 5)));

bool place_is_on_host(MlirOperation op);
/* Whether an operation is executed at all: edge lists, constants, inputs and outputs are not. */
bool place_is_step(MlirOperation op);
/* Whether an operation of the device makes a value; whether a sum or product reads it, wherever that
 * runs: a second placement must decide as the first one did. */
bool place_is_from_device(MlirValue value);
bool place_has_sum_users(MlirValue value);
/* Whether the values of a device.spdmm can be counted in 32 bits, all heads together. */
bool place_has_few_values(MlirOperation spdmm, program_host *host);
/* Whether the host executes any operation of the function. */
bool place_has_host(MlirOperation function);

/* Returns the values that device memory has to hold: the operands and results of operations of the
 * device, the edge lists of such values, and outputs that the host does not make. */
map place_find_needs(arena *a, MlirOperation function);
static inline bool place_needs(const map *needs, MlirValue value) {
  return map_get(needs, value.ptr, 0);
}

/* Whether a list of families as --host has it names one of two, or all. */
bool place_takes(const char *host, const char *family, const char *other);

/* Checks a list of families of operations as --host has it: "gemm,map" or "all". Returns false for
 * an unknown word, and sets *unknown to it and *length to its number of characters. */
bool place_check_families(const char *host, const char **unknown, int *length);
/* "gemm, spmm, ..., or all", for messages. */
extern const char place_family_names[];

#endif
