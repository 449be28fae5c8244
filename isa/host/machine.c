/* The constant that describes the host as a machine without a device. It has no instructions; its
 * programs consist of host steps. It executes everything that the device level can express, so it
 * is the fallback for other machines and, with its plain kernels, their reference. */
#include "isa/machine.h"

#include "isa/image/image.h"
#include "isa/manuals.h"

#define DEVICE_STRUCT host_device
#define DEVICE_DEF "isa/host/device.def"
#include "isa/device_table.h"

enum { INSN_BYTES = 16, ISA_MAJOR = 1, ISA_MINOR = 0 };

static const isa_table no_instructions = {.insn_bytes = INSN_BYTES, .struct_bytes = sizeof(uint32_t)};

static void print_device(const device *d, text *out) {
  text_printf(out, "%s, without a device", d->common.name);
}

const machine host_machine = {
    .name = "host",
    .summary = "host alone, without a device",
    .isa_major = ISA_MAJOR,
    .isa_minor = ISA_MINOR,
    .fields = device_fields,
    .num_fields = sizeof device_fields / sizeof *device_fields,
    .params_bytes = sizeof(host_device),
    .fallback = &device_fallback,
    .isa = &no_instructions,
    .manual = isa_manual_host,
    .sections = 1u << IMAGE_PROGRAM | 1u << IMAGE_ROWS | 1u << IMAGE_SOURCE | 1u << IMAGE_LISTS,
    .print_device = print_device,
};
