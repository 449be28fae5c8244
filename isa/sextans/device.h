/* The parameters of a Sextans device, from device.def. */
#ifndef GNNC_ISA_SEXTANS_DEVICE_H
#define GNNC_ISA_SEXTANS_DEVICE_H

typedef enum sextans_memory { SEXTANS_MEMORY_ideal, SEXTANS_MEMORY_shared } sextans_memory;

#define DEVICE_STRUCT sextans_device
#define DEVICE_DEF "isa/sextans/device.def"
#include "isa/device_struct.h"

#endif
