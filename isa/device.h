/* A device: a machine and its hardware parameters, what programs are compiled for and what a
 * simulator simulates. */
#ifndef GNNC_ISA_DEVICE_H
#define GNNC_ISA_DEVICE_H

#include "isa/device_field.h"
#include "support/status.h"
#include "support/text.h"

#define MACHINE_HEADERS
#include "isa/machines.def"
#undef MACHINE_HEADERS

typedef struct machine machine; /* isa/machine.h */

/* The parameters that all machines have. */
typedef struct device_common {
#define PARAM(key, type, role, doc) DEVICE_MEMBER_##type(key)
#include "isa/device_common.def"
} device_common;

enum { DEVICE_PARAMS_BYTES = 512 };

/* Each machine's struct begins with the members of device_common, so these can be read as `common`
 * whatever the machine is (C17 6.5.2.3, common initial sequence). `room` keeps the size the same
 * whichever machines are linked in. */
typedef struct device {
  const machine *machine;
  union {
    device_common common;
#define MACHINE(name, summary) name##_device name;
#include "isa/machines.def"
#undef MACHINE
    char room[DEVICE_PARAMS_BYTES];
  };
} device;

/* The machine's default device. */
void device_default(device *d, const machine *m);

/* Starts from the default and takes what a JSON file says ({"machine": "toy", "adders": 2, ...});
 * without "machine" it is of `expected`. Fails naming the file, the key, what was found and what
 * was expected; unknown keys are refused with the nearest, other machines than `expected` too
 * (NULL: any; then files without "machine" are of the default machine). */
status device_read(const char *path, const machine *expected, device *out);

/* The same from text, as device_json writes it; messages begin with 'name'. */
status device_parse(const char *name, const char *json, size_t size, const machine *expected, device *out);

/* Changes one parameter from text: "memory" and "shared:77". What follows from it changes too; on
 * failure the device stays as it was. */
status device_set(device *d, const char *key, const char *value);

/* The same from the argument of --device-set=KEY=VALUE. */
status device_edit(device *d, const char *argument);

/* A parameter that is a number or a flag; 0 where the machine has none of that name. For choices
 * that depend on parameters other machines lack. */
double device_get(const device *d, const char *key);

/* Whether programs for one run on the other; else the first parameter that differs, with both
 * values, in the message. */
status device_check_same(const device *program, const device *runs);

/* The machine and all parameters as JSON, for images, --help and statistics; to be freed by the
 * caller. */
char *device_json(const device *d);

#endif
