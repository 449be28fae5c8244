/* The parameters of an overlay device, from device.def. Those with role EQUAL or NEEDED decide
 * whether a program runs on the device; the others only affect times. */
#ifndef GNNC_ISA_GRAPHAGILE_DEVICE_H
#define GNNC_ISA_GRAPHAGILE_DEVICE_H

typedef enum graphagile_memory { GRAPHAGILE_MEMORY_shared, GRAPHAGILE_MEMORY_paper } graphagile_memory;

#define DEVICE_STRUCT graphagile_device
#define DEVICE_DEF "isa/graphagile/device.def"
#include "isa/device_struct.h"

#endif
