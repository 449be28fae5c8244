/* The constant that describes FusedGCN as a machine. */
#include "isa/fusedgcn/fusedgcn.h"

#include "isa/fusedgcn/assemble.h"
#include "isa/fusedgcn/image_check.h"
#include "isa/fusedgcn/listing.h"
#include "isa/image/image.h"
#include "isa/manuals.h"

#include <string.h>

#define ISA_INSN_BYTES FUSEDGCN_INSN_BYTES
#include "isa/insn_tables.h"

#define DEVICE_STRUCT fusedgcn_device
#define DEVICE_DEF "isa/fusedgcn/device.def"
#include "isa/device_table.h"

static status settle(device *d, const char *key) {
  fusedgcn_device *f = &d->fusedgcn;
  if (key && !strcmp(key, "clock_mhz")) f->cycle_ns = 1000 / f->clock_mhz;
  return STATUS_OK;
}

const machine fusedgcn_machine = {
    .name = "fusedgcn",
    .summary = "FusedGCN systolic array",
    .tolerance = 0.2, /* bf16: the largest difference of the trained models is 0.11 of the largest number */
    .isa_major = FUSEDGCN_MAJOR,
    .isa_minor = FUSEDGCN_MINOR,
    .fields = device_fields,
    .num_fields = sizeof device_fields / sizeof *device_fields,
    .params_bytes = sizeof(fusedgcn_device),
    .fallback = &device_fallback,
    .settle = settle,
    .isa = &fusedgcn_isa,
    .manual = isa_manual_fusedgcn,
    .sections = 1u << IMAGE_TEXT | 1u << IMAGE_EDGES | 1u << IMAGE_WEIGHTS | 1u << IMAGE_FEATURES |
                1u << IMAGE_PROGRAM | 1u << IMAGE_ROWS | 1u << IMAGE_SOURCE | 1u << IMAGE_LISTS,
    .check_image = fusedgcn_image_check,
    .check_run = fusedgcn_run_check,
    .print_text = fusedgcn_listing_print,
    .print_device = fusedgcn_print_device,
    .print_size = fusedgcn_print_size,
    .print_section = fusedgcn_print_section,
    .assembler = &fusedgcn_assembler,
};
