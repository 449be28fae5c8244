/* The parameters of a FusedGCN device, from device.def. */
#ifndef GNNC_ISA_FUSEDGCN_DEVICE_H
#define GNNC_ISA_FUSEDGCN_DEVICE_H

typedef enum fusedgcn_memory { FUSEDGCN_MEMORY_ideal, FUSEDGCN_MEMORY_shared } fusedgcn_memory;
typedef enum fusedgcn_conversion { FUSEDGCN_CONVERSION_nearest, FUSEDGCN_CONVERSION_truncate } fusedgcn_conversion;

#define DEVICE_STRUCT fusedgcn_device
#define DEVICE_DEF "isa/fusedgcn/device.def"
#include "isa/device_struct.h"

#endif
