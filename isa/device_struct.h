/* Expands a machine's device.def into its struct of parameters. Before it is included, define
 * DEVICE_DEF "isa/toy/device.def" and DEVICE_STRUCT toy_device. The struct begins with the members
 * of device_common, so that they are at the same place in the structs of all machines. */
#include "isa/device_field.h"

typedef struct DEVICE_STRUCT {
#define PARAM(key, type, role, doc) DEVICE_MEMBER_##type(key)
#include "isa/device_common.def"
#define COMMON(key, least, largest, fallback)
#define PARAM(key, type, role, least, largest, fallback, doc) DEVICE_MEMBER_##type(key)
#define CHOICE(key, role, fallback, doc, ...) int32_t key;
#include DEVICE_DEF
} DEVICE_STRUCT;
#undef DEVICE_STRUCT
#undef DEVICE_DEF
