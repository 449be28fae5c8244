/* Places of the arrays of a launch, and Q. */
#include "isa/sextans/view.h"

#include <inttypes.h>

sextans_place sextans_place_q(const sextans_spmm *in) {
  return (sextans_place){"q", IMAGE_EDGES, false, in->q, 0, (in->windows + 1) * sizeof(int32_t), 1};
}

sextans_place sextans_place_a(const sextans_spmm *in) {
  uint64_t bytes = (uint64_t)sextans_a_bytes((int64_t)in->slots);
  return (sextans_place){"a", IMAGE_WEIGHTS, false, in->a, in->a_stride, bytes, SEXTANS_A_CHANNELS};
}

sextans_place sextans_place_b(const sextans_spmm *in) {
  uint64_t bytes = (uint64_t)sextans_b_bytes((int64_t)in->k, (int64_t)in->n);
  return (sextans_place){"b", IMAGE_FEATURES, true, in->b, in->b_stride, bytes, SEXTANS_B_CHANNELS};
}

sextans_place sextans_place_c(const sextans_spmm *in, bool is_out) {
  uint64_t bytes = (uint64_t)sextans_c_bytes((int64_t)in->m, (int64_t)in->n);
  uint64_t base = is_out ? in->c_out : in->c_in;
  return (sextans_place){is_out ? "c_out" : "c_in", IMAGE_FEATURES, !is_out, base, in->c_stride, bytes,
                         SEXTANS_C_CHANNELS};
}

static status check_aligned(const char *name, const char *suffix, uint64_t value) {
  if (value % IMAGE_ALIGNMENT == 0) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'%s%s' is 0x%" PRIx64 ", expected a multiple of %d", name, suffix, value,
                      IMAGE_ALIGNMENT);
}

static bool is_inside(const image_section *s, const sextans_place *p) {
  uint64_t begin = p->base - s->address, most = (uint64_t)p->channels - 1;
  return p->base >= s->address && begin <= s->size && p->bytes <= s->size - begin &&
         (!most || p->stride <= (s->size - begin - p->bytes) / most);
}

status sextans_place_check(const image *im, const sextans_place *p) {
  const image_section *s = &im->sections[p->section];
  const char *stride = p->name[0] == 'c' ? "c_stride" : p->name[0] == 'a' ? "a_stride" : "b_stride";
  RETURN_IF_ERROR(check_aligned(p->name, "", p->base));
  if (p->channels > 1) RETURN_IF_ERROR(check_aligned(stride, "", p->stride));
  if (!p->bytes) return STATUS_OK;
  if (p->channels > 1 && p->stride < p->bytes)
    return status_error(STATUS_CODE_format, "'%s' is %" PRIu64 ", expected at least the %" PRIu64 " bytes of a channel",
                        stride, p->stride, p->bytes);
  if (is_inside(s, p) || (p->may_be_weights && is_inside(&im->sections[IMAGE_WEIGHTS], p))) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "'%s': %d channel%s of %" PRIu64 " bytes from 0x%" PRIx64 " on, 0x%" PRIx64
                      " bytes apart, do not lie in '%s'%s; '%s' is 0x%" PRIx64 " to 0x%" PRIx64,
                      p->name, p->channels, p->channels == 1 ? "" : "s", p->bytes, p->base, p->stride,
                      image_section_name(p->section), p->may_be_weights ? " or '.weights'" : "",
                      image_section_name(p->section), s->address, s->address + s->size);
}

bool sextans_place_overlap(const sextans_place *x, const sextans_place *y) {
  if (!x->bytes || !y->bytes) return false;
  for (int i = 0; i < x->channels; i++)
    for (int k = 0; k < y->channels; k++) {
      uint64_t a = x->base + (uint64_t)i * x->stride, b = y->base + (uint64_t)k * y->stride;
      if (a < b + y->bytes && b < a + x->bytes) return true;
    }
  return false;
}

static status check_q(const sextans_view *v) {
  for (int64_t j = 0, before = 0; j <= v->windows; j++) {
    int64_t slot = sextans_view_slot(v, j);
    if (j ? slot < before : slot != 0)
      return status_error(STATUS_CODE_format, "'q': number %" PRId64 " is %" PRId64 ", expected %s%" PRId64, j, slot,
                          j ? "at least " : "", before);
    before = slot;
  }
  int64_t end = sextans_view_slot(v, v->windows);
  if (end == v->slots) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'q' ends with %" PRId64 ", expected 'slots' = %" PRId64, end, v->slots);
}

static const unsigned char *bytes_at(const image *im, image_section_kind kind, uint64_t address) {
  const image_section *s = &im->sections[kind];
  return s->data ? s->data + (address - s->address) : NULL;
}

status sextans_view_open(const image *im, const sextans_spmm *in, sextans_view *out) {
  sextans_place q = sextans_place_q(in), a = sextans_place_a(in);
  *out = (sextans_view){.windows = (int64_t)in->windows, .slots = (int64_t)in->slots};
  RETURN_IF_ERROR(sextans_place_check(im, &q));
  RETURN_IF_ERROR(sextans_place_check(im, &a));
  out->q = bytes_at(im, IMAGE_EDGES, q.base);
  if (!out->q) return status_error(STATUS_CODE_format, "'q' has no data: section '.edges' is not in the file");
  for (int c = 0; c < SEXTANS_A_CHANNELS && a.bytes; c++)
    out->a[c] = bytes_at(im, IMAGE_WEIGHTS, a.base + (uint64_t)c * a.stride);
  return check_q(out);
}
