/* The constant that describes AGILE as a machine. */
#include "isa/agile/agile.h"

#include "isa/agile/assemble.h"
#include "isa/agile/format.h"
#include "isa/agile/image_check.h"
#include "isa/agile/listing.h"
#include "isa/image/image.h"
#include "isa/manuals.h"

#include <string.h>

#define ISA_INSN_BYTES AGILE_INSN_BYTES
#include "isa/insn_tables.h"

#define DEVICE_STRUCT agile_device
#define DEVICE_DEF "isa/agile/device.def"
#include "isa/device_table.h"

static status check_multiple(const char *key, int32_t value, int32_t of) {
  if (value % of == 0) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "'%s' is %d, expected a multiple of %d", key, (int)value, (int)of);
}

static status settle(device *d, const char *key) {
  enum { FLIT = 512 };
  agile_device *a = &d->agile;
  RETURN_IF_ERROR(check_multiple("address_queue", a->address_queue, AGILE_BEAT_WORDS));
  RETURN_IF_ERROR(check_multiple("fte_columns", a->fte_columns, AGILE_BEAT_WORDS));
  if (FLIT % a->flit_bits)
    return status_error(STATUS_CODE_mismatch, "'flit_bits' is %d, expected a divisor of %d", (int)a->flit_bits, FLIT);
  if (key && !strcmp(key, "clock_mhz")) a->cycle_ns = 1000 / a->clock_mhz;
  return STATUS_OK;
}

const machine agile_machine = {
    .name = "agile",
    .summary = "AGILE node-event accelerator",
    .isa_major = AGILE_MAJOR,
    .isa_minor = AGILE_MINOR,
    .fields = device_fields,
    .num_fields = sizeof device_fields / sizeof *device_fields,
    .params_bytes = sizeof(agile_device),
    .fallback = &device_fallback,
    .settle = settle,
    .isa = &agile_isa,
    .manual = isa_manual_agile,
    .sections = 1u << IMAGE_TEXT | 1u << IMAGE_DESC | 1u << IMAGE_EDGES | 1u << IMAGE_WEIGHTS | 1u << IMAGE_FEATURES |
                1u << IMAGE_PROGRAM | 1u << IMAGE_ROWS | 1u << IMAGE_SOURCE | 1u << IMAGE_LISTS,
    .desc_bytes = AGILE_DESC_BYTES,
    .check_image = agile_image_check,
    .check_run = agile_run_check,
    .print_text = agile_listing_print,
    .print_device = agile_print_device,
    .print_size = agile_print_size,
    .assembler = &agile_assembler,
};
