/* The constant that describes the GraphAGILE overlay as a machine. */
#include "isa/machine.h"

#include "isa/graphagile/assemble.h"
#include "isa/graphagile/image_check.h"
#include "isa/graphagile/listing.h"
#include "isa/graphagile/summary.h"
#include "isa/manuals.h"

#include <string.h>

#define DEVICE_STRUCT graphagile_device
#define DEVICE_DEF "isa/graphagile/device.def"
#include "isa/device_table.h"

/* In nanoseconds; it reproduces the paper's tables better than 1000 / 300 (docs/results.md). */
static const double paper_cycle_ns = 3.3;

static bool is_one_of(const char *key, const char *name) {
  return !key || !strcmp(key, name);
}

static status settle(device *d, const char *key) {
  graphagile_device *g = &d->graphagile;
  if (is_one_of(key, "width") && g->width != 4 && g->width != 8 && g->width != 16)
    return status_error(STATUS_CODE_mismatch, "'width' is %d, expected 4, 8 or 16", (int)g->width);
  if (key && !strcmp(key, "memory") && g->memory == GRAPHAGILE_MEMORY_paper) g->cycle_ns = paper_cycle_ns;
  if (key && (!strcmp(key, "clock_mhz") || !strcmp(key, "memory")) && g->memory != GRAPHAGILE_MEMORY_paper)
    g->cycle_ns = 1000 / g->clock_mhz;
  return STATUS_OK;
}

const machine graphagile_machine = {
    .name = "graphagile",
    .summary = "GraphAGILE overlay",
    .isa_major = GRAPHAGILE_MAJOR,
    .isa_minor = GRAPHAGILE_MINOR,
    .fields = device_fields,
    .num_fields = sizeof device_fields / sizeof *device_fields,
    .params_bytes = sizeof(graphagile_device),
    .fallback = &device_fallback,
    .settle = settle,
    .isa = &graphagile_isa,
    .manual = isa_manual_graphagile,
    .sections = ~0u,
    .needed_sections = 1u << IMAGE_TEXT,
    .desc_bytes = GRAPHAGILE_DESCRIPTOR_BYTES,
    .check_image = graphagile_image_check,
    .check_run = graphagile_run_check,
    .print_device = graphagile_summary_print_device,
    .print_size = graphagile_summary_print_size,
    .print_data = graphagile_listing_print_data,
    .print_text = graphagile_listing_print,
    .assembler = &graphagile_assembler,
};
