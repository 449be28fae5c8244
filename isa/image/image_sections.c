/* Checks the sections of an image in DDR: their addresses and sizes. */
#include "isa/image/image_parts.h"

#include <inttypes.h>
#include <string.h>

image_section_kind image_find_section(const image *im, uint64_t begin, uint64_t end) {
  for (int kind = 0; kind < IMAGE_LOADED && begin <= end; kind++) {
    const image_section *s = &im->sections[kind];
    if (s->size && begin >= s->address && end - s->address <= s->size) return (image_section_kind)kind;
  }
  return IMAGE_SECTIONS;
}

/* The size of a section must be a multiple of this number of bytes. */
static uint64_t unit_bytes(const machine *m, image_section_kind kind) {
  switch (kind) {
  case IMAGE_TEXT: return m->isa->insn_bytes;
  case IMAGE_DESC: return m->desc_bytes ? m->desc_bytes : 4;
  case IMAGE_PROGRAM:
  case IMAGE_SOURCE: return 1;
  default: return 4;
  }
}

static status check_place(const image *im, image_section_kind kind) {
  const image_section *s = &im->sections[kind];
  uint64_t unit = unit_bytes(im->device.machine, kind);
  if (s->size % unit)
    return status_error(STATUS_CODE_format, "%" PRIu64 " bytes, expected a multiple of %" PRIu64, s->size, unit);
  if (!image_is_loaded(kind) || !s->size) return STATUS_OK;
  if (s->address % IMAGE_ALIGNMENT)
    return status_error(STATUS_CODE_format, "address 0x%" PRIx64 ", expected a multiple of %d", s->address,
                        IMAGE_ALIGNMENT);
  uint64_t ddr = (uint64_t)im->device.common.ddr_bytes;
  if (s->address > ddr || s->size > ddr - s->address)
    return status_error(STATUS_CODE_format,
                        "%" PRIu64 " bytes at 0x%" PRIx64 ", the device has %" PRIu64 " bytes of memory", s->size,
                        s->address, ddr);
  return STATUS_OK;
}

static status check_overlap(const image *im) {
  for (int i = 0; i < IMAGE_LOADED; i++)
    for (int k = 0; k < i; k++) {
      const image_section *a = &im->sections[k], *b = &im->sections[i];
      if (!a->size || !b->size || a->address + a->size <= b->address || b->address + b->size <= a->address) continue;
      return status_error(STATUS_CODE_format,
                          "sections '%s' (%" PRIu64 " bytes at 0x%" PRIx64 ") and '%s' (%" PRIu64 " bytes at 0x%" PRIx64
                          ") overlap",
                          image_section_name((image_section_kind)k), a->size, a->address,
                          image_section_name((image_section_kind)i), b->size, b->address);
    }
  return STATUS_OK;
}

/* Checks that a section that the machine needs exists, and that others it does not allow do not. */
static status check_presence(const image *im, image_section_kind kind) {
  const machine *m = im->device.machine;
  uint64_t size = im->sections[kind].size;
  if (!size && m->needed_sections >> kind & 1) return status_error(STATUS_CODE_format, "it is missing or empty");
  if (size && !(m->sections >> kind & 1))
    return status_error(STATUS_CODE_format, "programs for machine '%s' have no such section", m->name);
  return STATUS_OK;
}

status image_check_sections(const image *im) {
  for (int kind = 0; kind < IMAGE_SECTIONS; kind++) {
    const image_section *s = &im->sections[kind];
    bool needs_data = kind != IMAGE_EDGES && kind != IMAGE_WEIGHTS && kind != IMAGE_FEATURES && kind != IMAGE_LISTS;
    status failed = check_place(im, (image_section_kind)kind);
    if (!failed && needs_data && s->size && !s->data)
      failed = status_error(STATUS_CODE_format, "%" PRIu64 " bytes that are not there", s->size);
    if (!failed) failed = check_presence(im, (image_section_kind)kind);
    if (failed) return status_context(failed, "section '%s'", image_section_name((image_section_kind)kind));
  }
  return check_overlap(im);
}

status image_check(const image *im) {
  RETURN_IF_ERROR(image_check_sections(im));
  const machine *m = im->device.machine;
  return m->check_image ? m->check_image(im) : STATUS_OK;
}
