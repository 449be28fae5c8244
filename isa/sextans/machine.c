/* The constant that describes Sextans as a machine. */
#include "isa/sextans/sextans.h"

#include "isa/image/image.h"
#include "isa/manuals.h"

#define ISA_INSN_BYTES SEXTANS_INSN_BYTES
#include "isa/insn_tables.h"

#define DEVICE_STRUCT sextans_device
#define DEVICE_DEF "isa/sextans/device.def"
#include "isa/device_table.h"

const machine sextans_machine = {
    .name = "sextans",
    .summary = "Sextans SpMM accelerator",
    .isa_major = SEXTANS_MAJOR,
    .isa_minor = SEXTANS_MINOR,
    .fields = device_fields,
    .num_fields = sizeof device_fields / sizeof *device_fields,
    .params_bytes = sizeof(sextans_device),
    .fallback = &device_fallback,
    .isa = &sextans_isa,
    .manual = isa_manual_sextans,
    .sections = 1u << IMAGE_TEXT | 1u << IMAGE_EDGES | 1u << IMAGE_WEIGHTS | 1u << IMAGE_FEATURES |
                1u << IMAGE_PROGRAM | 1u << IMAGE_ROWS | 1u << IMAGE_SOURCE | 1u << IMAGE_LISTS,
};
