/* Checks the program of an image, record by record: numbers within the limits of the device, arrays
 * inside of their sections, and the elements of A. */
#include "isa/sextans/image_check.h"

#include "isa/sextans/lists_check.h"

#include <inttypes.h>

enum { MOST_N = 65535 };

static status check_size(const sextans_spmm *in, const sextans_device *d) {
  uint64_t most = SEXTANS_PES * (uint64_t)d->depth, window = (uint64_t)sextans_window(d);
  uint64_t windows = in->k / window + (in->k % window != 0);
  if (in->n < 1 || in->n > MOST_N)
    return status_error(STATUS_CODE_format, "%" PRIu64 " columns, expected 1 to %d", in->n, MOST_N);
  if (in->m > most)
    return status_error(STATUS_CODE_format,
                        "%" PRIu64 " rows, the device holds %d * %d = %" PRIu64
                        "; expected several launches with some of the rows each",
                        in->m, SEXTANS_PES, (int)d->depth, most);
  if (in->windows != windows)
    return status_error(STATUS_CODE_format,
                        "%" PRIu64 " windows, expected %" PRIu64 ": %" PRIu64 " rows of B, %" PRIu64 " in a window",
                        in->windows, windows, in->k, window);
  if (in->slots <= INT32_MAX) return STATUS_OK;
  return status_error(STATUS_CODE_format, "%" PRIu64 " slots, the largest number in Q is %" PRId32, in->slots,
                      INT32_MAX);
}

/* Checks C_in, which may be C_out, but may not overlap it in another way. */
static status check_c_in(const image *im, const sextans_spmm *in, const sextans_place *c_out) {
  sextans_place c_in = sextans_place_c(in, false);
  if (in->no_c && !im->device.sextans.has_no_c)
    return status_error(STATUS_CODE_format, "'no_c' is set, the device has no 'has_no_c'");
  if (in->no_c && in->c_in)
    return status_error(STATUS_CODE_format, "'c_in' is 0x%" PRIx64 ", expected 0 with 'no_c'", in->c_in);
  if (in->no_c) return STATUS_OK;
  RETURN_IF_ERROR(sextans_place_check(im, &c_in));
  if (in->c_in == in->c_out || !sextans_place_overlap(&c_in, c_out)) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "'c_out' = 0x%" PRIx64 " overlaps 'c_in' = 0x%" PRIx64
                      ", expected the same address, or arrays apart",
                      in->c_out, in->c_in);
}

static status check_launch(sextans_lists_checker *c, const sextans_spmm *in) {
  const image *im = c->im;
  RETURN_IF_ERROR(check_size(in, &im->device.sextans));
  sextans_place b = sextans_place_b(in), c_out = sextans_place_c(in, true);
  RETURN_IF_ERROR(sextans_place_check(im, &b));
  RETURN_IF_ERROR(sextans_place_check(im, &c_out));
  RETURN_IF_ERROR(check_c_in(im, in, &c_out));
  if (sextans_place_overlap(&b, &c_out))
    return status_error(STATUS_CODE_format, "'c_out' = 0x%" PRIx64 " overlaps 'b' = 0x%" PRIx64, in->c_out, in->b);
  return sextans_lists_check(c, in);
}

static status check_record(sextans_lists_checker *c, uint64_t at) {
  const image_section *code = &c->im->sections[IMAGE_TEXT];
  bool is_last = at + SEXTANS_INSN_BYTES == code->size;
  sextans_insn in;
  RETURN_IF_ERROR(isa_decode(&sextans_isa, code->data + at, &in));
  if (is_last && in.op != SEXTANS_OP_halt)
    return status_error(STATUS_CODE_format, "spmm is the last record, expected halt");
  if (in.op == SEXTANS_OP_spmm) return check_launch(c, &in.spmm);
  if (is_last) return STATUS_OK;
  return status_error(STATUS_CODE_format, "halt before the last record, %" PRIu64 " bytes follow",
                      code->size - at - SEXTANS_INSN_BYTES);
}

status sextans_image_check(const image *im) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  sextans_lists_checker c = {.im = im, .memory = arena_create()};
  status s = STATUS_OK;
  c.lists_of = (map){.arena = c.memory};
  for (uint64_t at = 0; !s && at < code->size; at += SEXTANS_INSN_BYTES)
    s = status_context(check_record(&c, at), "record at 0x%" PRIx64, code->address + at);
  arena_destroy(c.memory);
  return s;
}

status sextans_run_check(const image *im, uint64_t first, uint64_t end) {
  uint64_t count = im->sections[IMAGE_TEXT].size / SEXTANS_INSN_BYTES;
  if (first <= end && end <= count) return STATUS_OK;
  return status_error(STATUS_CODE_format, "records %" PRIu64 " to %" PRIu64 ", '.text' has %" PRIu64, first, end,
                      count);
}
