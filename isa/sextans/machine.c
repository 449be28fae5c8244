/* The constant that describes Sextans as a machine. */
#include "isa/sextans/sextans.h"

#include "isa/image/image.h"
#include "isa/manuals.h"
#include "isa/sextans/assemble.h"
#include "isa/sextans/image_check.h"
#include "isa/sextans/listing.h"

#include <string.h>

#define ISA_INSN_BYTES SEXTANS_INSN_BYTES
#include "isa/insn_tables.h"

#define DEVICE_STRUCT sextans_device
#define DEVICE_DEF "isa/sextans/device.def"
#include "isa/device_table.h"

/* A window is a whole number of beats of 8 rows of B, and so is half of it. The largest values of
 * device.def are those of an element's fields. */
static status settle(device *d, const char *key) {
  enum { ROWS = 16 };
  sextans_device *s = &d->sextans;
  if ((!key || !strcmp(key, "window")) && s->window % ROWS)
    return status_error(STATUS_CODE_mismatch, "'window' is %d, expected a multiple of %d", (int)s->window, ROWS);
  if (key && !strcmp(key, "clock_mhz")) s->cycle_ns = 1000 / s->clock_mhz;
  return STATUS_OK;
}

const machine sextans_machine = {
    .name = "sextans",
    .summary = "Sextans SpMM accelerator",
    .isa_major = SEXTANS_MAJOR,
    .isa_minor = SEXTANS_MINOR,
    .fields = device_fields,
    .num_fields = sizeof device_fields / sizeof *device_fields,
    .params_bytes = sizeof(sextans_device),
    .fallback = &device_fallback,
    .settle = settle,
    .isa = &sextans_isa,
    .manual = isa_manual_sextans,
    .sections = 1u << IMAGE_TEXT | 1u << IMAGE_EDGES | 1u << IMAGE_WEIGHTS | 1u << IMAGE_FEATURES |
                1u << IMAGE_PROGRAM | 1u << IMAGE_ROWS | 1u << IMAGE_SOURCE | 1u << IMAGE_LISTS,
    .check_image = sextans_image_check,
    .check_run = sextans_run_check,
    .print_text = sextans_listing_print,
    .print_device = sextans_print_device,
    .print_size = sextans_print_size,
    .print_section = sextans_print_section,
    .assembler = &sextans_assembler,
};
