/* A device: a machine and its hardware parameters. A program is compiled for a device, and a
 * simulator simulates one. */
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

/* Each machine's struct begins with the members of device_common, so these can be read through
 * `common` for every machine (C17 6.5.2.3, common initial sequence). `room` makes the size
 * independent of the machines that are linked in. */
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

/* Sets *d to the machine's default device. */
void device_default(device *d, const machine *m);

/* Reads a JSON file ({"machine": "toy", "adders": 2, ...}); parameters that it does not name have
 * their defaults. Without "machine" it is for `expected`, or for the default machine where that is
 * NULL. The error names the file, the key, what was found and what was expected. Refuses unknown
 * keys, with the nearest known one, and machines other than `expected`. */
status device_read(const char *path, const machine *expected, device *out);

/* The same for text in memory, as device_json writes it; errors begin with 'name'. */
status device_parse(const char *name, const char *json, size_t size, const machine *expected, device *out);

/* Changes one parameter from text, "memory" and "shared:77", and the parameters that depend on it.
 * After an error the device is unchanged. */
status device_set(device *d, const char *key, const char *value);

/* The same for the argument of --device-set=KEY=VALUE. */
status device_edit(device *d, const char *argument);

/* A parameter that is a number or a flag; 0 where the machine has no parameter of that name. For
 * code that all machines share. */
double device_get(const device *d, const char *key);

/* Whether a program for device `program` can run on device `runs`; the error names the first
 * parameter that differs, with both values. */
status device_check_same(const device *program, const device *runs);

/* The machine and all parameters as JSON, for images, --help and statistics; the caller frees
 * it. */
char *device_json(const device *d);

#endif
