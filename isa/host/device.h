/* The parameters of the machine host, from device.def. */
#ifndef GNNC_ISA_HOST_DEVICE_H
#define GNNC_ISA_HOST_DEVICE_H

#define DEVICE_STRUCT host_device
#define DEVICE_DEF "isa/host/device.def"
#include "isa/device_struct.h"

#endif
