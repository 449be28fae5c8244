/* The parameters of an AGILE device, from device.def. */
#ifndef GNNC_ISA_AGILE_DEVICE_H
#define GNNC_ISA_AGILE_DEVICE_H

typedef enum agile_admission { AGILE_ADMISSION_events, AGILE_ADMISSION_groups } agile_admission;
typedef enum agile_masters { AGILE_MASTERS_shared, AGILE_MASTERS_separate } agile_masters;
typedef enum agile_memory { AGILE_MEMORY_ideal, AGILE_MEMORY_shared } agile_memory;
typedef enum agile_allocation { AGILE_ALLOCATION_static, AGILE_ALLOCATION_sequential } agile_allocation;

#define DEVICE_STRUCT agile_device
#define DEVICE_DEF "isa/agile/device.def"
#include "isa/device_struct.h"

#endif
