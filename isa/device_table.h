/* Expands a machine's device.def into `device_fields` and `device_fallback`, which the machine's
 * constant (isa/machine.h) refers to. Before it is included, define DEVICE_DEF and DEVICE_STRUCT as
 * for isa/device_struct.h. */
static const DEVICE_STRUCT device_fallback = {
#define COMMON(key, least, largest, fallback) .key = fallback,
#define PARAM(key, type, role, least, largest, fallback, doc) .key = fallback,
#define CHOICE(key, role, fallback, doc, ...) .key = fallback,
#include DEVICE_DEF
};

static const device_field device_fields[] = {
#define COMMON(key, least, largest, fallback)                                                                          \
  {#key,                                                                                                               \
   (device_type)DEVICE_TYPE_OF_##key,                                                                                  \
   (device_role)DEVICE_ROLE_OF_##key,                                                                                  \
   offsetof(DEVICE_STRUCT, key),                                                                                       \
   least,                                                                                                              \
   largest,                                                                                                            \
   NULL,                                                                                                               \
   NULL},
#define PARAM(key, type, role, least, largest, fallback, doc)                                                          \
  {#key, DEVICE_TYPE_##type, DEVICE_ROLE_##role, offsetof(DEVICE_STRUCT, key), least, largest, NULL, doc},
#define CHOICE(key, role, fallback, doc, ...)                                                                          \
  {#key,                                                                                                               \
   DEVICE_TYPE_CHOICE,                                                                                                 \
   DEVICE_ROLE_##role,                                                                                                 \
   offsetof(DEVICE_STRUCT, key),                                                                                       \
   0,                                                                                                                  \
   0,                                                                                                                  \
   (const char *const[]){__VA_ARGS__, NULL},                                                                           \
   doc},
#include DEVICE_DEF
};
#undef DEVICE_STRUCT
#undef DEVICE_DEF
