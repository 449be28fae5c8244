/* The parameters of the toy, from device.def. */
#ifndef GNNC_TEST_MACHINES_TOY_ISA_DEVICE_H
#define GNNC_TEST_MACHINES_TOY_ISA_DEVICE_H

#include "isa/device.h"

#define DEVICE_STRUCT toy_device
#define DEVICE_DEF "toy/isa/device.def"
#include "isa/device_struct.h"

/* A machine of isa/machines.def has a member in the union `device`; this machine uses the member
 * `room` instead. */
static inline const toy_device *toy_device_of(const device *d) {
  return (const toy_device *)(const void *)d->room;
}

#endif
