/* The toy as a machine: its tables, and the check of its instructions in an image. */
#include "toy/isa/toy.h"

#include "isa/image/image.h"

#include <inttypes.h>

#define ISA_INSN_BYTES TOY_INSN_BYTES
#include "isa/insn_tables.h"

#define DEVICE_STRUCT toy_device
#define DEVICE_DEF "toy/isa/device.def"
#include "isa/device_table.h"

static status check_stretch(const image *im, const char *name, uint64_t address, uint64_t words) {
  const image_section *s = &im->sections[IMAGE_FEATURES];
  uint64_t begin = address * TOY_ALIGN, bytes = words * sizeof(float);
  if (begin >= s->address && begin - s->address <= s->size && bytes <= s->size - (begin - s->address)) return STATUS_OK;
  return status_error(STATUS_CODE_format, "add: %" PRIu64 " bytes of '%s' at 0x%" PRIx64 " do not lie in '.features'",
                      bytes, name, begin);
}

static status check_insn(const image *im, const unsigned char *record) {
  toy_insn in;
  RETURN_IF_ERROR(isa_decode(&toy_isa, record, &in));
  RETURN_IF_ERROR(check_stretch(im, "a", in.add.a, in.add.count));
  RETURN_IF_ERROR(check_stretch(im, "b", in.add.b, in.add.count));
  return check_stretch(im, "out", in.add.out, in.add.count);
}

static status check_image(const image *im) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  for (uint64_t at = 0; at < code->size; at += TOY_INSN_BYTES)
    RETURN_IF_ERROR(status_context(check_insn(im, code->data + at), ".text: 0x%" PRIx64, code->address + at));
  return STATUS_OK;
}

extern const unsigned char toy_manual[];

const machine toy_machine = {
    .name = "toy",
    .summary = "a machine that adds, for tests",
    .isa_major = TOY_MAJOR,
    .isa_minor = TOY_MINOR,
    .fields = device_fields,
    .num_fields = sizeof device_fields / sizeof *device_fields,
    .params_bytes = sizeof(toy_device),
    .fallback = &device_fallback,
    .isa = &toy_isa,
    .manual = toy_manual,
    .sections = 1u << IMAGE_TEXT | 1u << IMAGE_FEATURES | 1u << IMAGE_PROGRAM | 1u << IMAGE_ROWS | 1u << IMAGE_SOURCE |
                1u << IMAGE_LISTS,
    .check_image = check_image,
};
