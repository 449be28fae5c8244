/* Descriptions of device parameters, and the macros that make a machine's struct from them. A
 * machine lists its parameters in <machine>/device.def:
 *
 *   COMMON(key, least, largest, fallback)                       a parameter of device_common.def: its limits and default here; all of them, in its order
 *   PARAM(key, type, role, least, largest, fallback, doc)       one of its own: INT32, INT64, DOUBLE or BOOL
 *   CHOICE(key, role, fallback, doc, "first", "second", ...)    one of its own: a name of a short list, kept as its number */
#ifndef GNNC_ISA_DEVICE_FIELD_H
#define GNNC_ISA_DEVICE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum device_type {
  DEVICE_TYPE_NAME, /* char[64] */
  DEVICE_TYPE_INT32,
  DEVICE_TYPE_INT64,
  DEVICE_TYPE_DOUBLE,
  DEVICE_TYPE_BOOL,
  DEVICE_TYPE_CHOICE, /* int32_t */
} device_type;

/* How the value of the device that runs a program must relate to the value of the device for which
 * the program was compiled. */
typedef enum device_role {
  DEVICE_ROLE_TIMES,  /* it affects only times */
  DEVICE_ROLE_EQUAL,  /* it must be the same */
  DEVICE_ROLE_NEEDED, /* a program that has the feature needs a device that has it */
} device_role;

/* The description of one parameter. */
typedef struct device_field {
  const char *key;
  device_type type;
  device_role role;
  size_t offset; /* in the machine's struct */
  double least, largest;
  const char *const *choices; /* of a CHOICE: its names, ended by NULL */
  const char *doc;            /* NULL: the text in device_common.def */
} device_field;

#define DEVICE_MEMBER_NAME(key) char key[64];
#define DEVICE_MEMBER_INT32(key) int32_t key;
#define DEVICE_MEMBER_INT64(key) int64_t key;
#define DEVICE_MEMBER_DOUBLE(key) double key;
#define DEVICE_MEMBER_BOOL(key) bool key;

/* Type and role of the common parameters, such as DEVICE_TYPE_OF_clock_mhz and
 * DEVICE_ROLE_OF_clock_mhz. */
enum {
#define PARAM(key, type, role, doc)                                                                                    \
  DEVICE_TYPE_OF_##key = DEVICE_TYPE_##type, DEVICE_ROLE_OF_##key = DEVICE_ROLE_##role,
#include "isa/device_common.def"
};

#endif
