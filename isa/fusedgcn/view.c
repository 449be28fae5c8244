/* Places of the arrays of records, and S. */
#include "isa/fusedgcn/view.h"

#include <inttypes.h>

enum { EDGES = 1 << IMAGE_EDGES, WEIGHTS = 1 << IMAGE_WEIGHTS, FEATURES = 1 << IMAGE_FEATURES };

/* An array of `count` numbers, one after the other. */
static fusedgcn_place list(const char *name, uint32_t sections, uint64_t base, uint64_t count, uint64_t bytes) {
  return (fusedgcn_place){name, sections, IMAGE_ALIGNMENT, base, 1, 0, count * bytes};
}

fusedgcn_place fusedgcn_place_s_pos(const fusedgcn_layer *in) {
  return list("s_pos", EDGES, in->s_pos, in->n + 1, sizeof(int32_t));
}

fusedgcn_place fusedgcn_place_s_col(const fusedgcn_layer *in) {
  return list("s_col", EDGES, in->s_col, in->nnz, sizeof(int32_t));
}

fusedgcn_place fusedgcn_place_s_val(const fusedgcn_layer *in) {
  return list("s_val", EDGES | WEIGHTS | FEATURES, in->s_val, in->nnz, FUSEDGCN_WORD);
}

fusedgcn_place fusedgcn_place_h(const fusedgcn_layer *in) {
  return (fusedgcn_place){"h",        WEIGHTS | FEATURES,           FUSEDGCN_WORD,        in->h,
                          in->h_rows, FUSEDGCN_WORD * in->h_stride, FUSEDGCN_WORD * in->i};
}

fusedgcn_place fusedgcn_place_out(const fusedgcn_layer *in) {
  return (fusedgcn_place){
      "out", FEATURES, FUSEDGCN_WORD, in->out, in->n, FUSEDGCN_WORD * in->out_stride, FUSEDGCN_WORD * in->o};
}

fusedgcn_place fusedgcn_place_w(const fusedgcn_device *d, const fusedgcn_loadw *in) {
  return list("w", WEIGHTS, in->w, fusedgcn_load_bytes(d, in->tiles, in->biases), 1);
}

static bool is_empty(const fusedgcn_place *p) {
  return !p->rows || !p->width;
}

static bool is_inside(const image_section *s, const fusedgcn_place *p) {
  uint64_t begin = p->base - s->address, more = p->rows - 1;
  return s->size && p->base >= s->address && begin <= s->size && p->width <= s->size - begin &&
         (!more || p->stride <= (s->size - begin - p->width) / more);
}

/* Appends the names of the sections, or where the first of them lies. */
static void name_sections(const fusedgcn_place *p, text *out) {
  const char *between = "";
  for (int kind = 0; kind < IMAGE_LOADED; kind++) {
    if (!(p->sections >> kind & 1)) continue;
    text_printf(out, "%s'%s'", between, image_section_name((image_section_kind)kind));
    between = " or ";
  }
}

static status place_error(const fusedgcn_place *p) {
  text names = {0};
  name_sections(p, &names);
  status s = p->rows == 1
                 ? status_error(STATUS_CODE_format, "'%s': %" PRIu64 " bytes from 0x%" PRIx64 " on do not lie in %s",
                                p->name, p->width, p->base, text_str(&names))
                 : status_error(STATUS_CODE_format,
                                "'%s': %" PRIu64 " rows of %" PRIu64 " bytes from 0x%" PRIx64 " on, %" PRIu64
                                " bytes apart, do not lie in %s",
                                p->name, p->rows, p->width, p->base, p->stride, text_str(&names));
  text_free(&names);
  return s;
}

status fusedgcn_place_check(const image *im, const fusedgcn_place *p) {
  if (p->base % p->alignment)
    return status_error(STATUS_CODE_format, "'%s' is 0x%" PRIx64 ", expected a multiple of %" PRIu64, p->name, p->base,
                        p->alignment);
  if (is_empty(p)) return STATUS_OK;
  if (p->rows > 1 && p->stride < p->width)
    return status_error(STATUS_CODE_format, "'%s_stride' is %" PRIu64 ", expected at least %" PRIu64 " columns",
                        p->name, p->stride / FUSEDGCN_WORD, p->width / FUSEDGCN_WORD);
  for (int kind = 0; kind < IMAGE_LOADED; kind++)
    if (p->sections >> kind & 1 && is_inside(&im->sections[kind], p)) return STATUS_OK;
  return place_error(p);
}

uint64_t fusedgcn_place_bytes(const fusedgcn_place *p) {
  return is_empty(p) ? 0 : (p->rows - 1) * p->stride + p->width;
}

bool fusedgcn_place_overlap(const fusedgcn_place *x, const fusedgcn_place *y) {
  const fusedgcn_place *low = x->base <= y->base ? x : y, *high = low == x ? y : x;
  if (is_empty(low) || is_empty(high) || high->base - low->base >= fusedgcn_place_bytes(low)) return false;
  if (low->stride != high->stride || !low->stride) return true;
  uint64_t column = (high->base - low->base) % low->stride;
  return column < low->width || column + high->width > low->stride;
}

/* The data of an array that passed the check. */
static const unsigned char *bytes_of(const image *im, const fusedgcn_place *p) {
  const image_section *s = &im->sections[IMAGE_EDGES];
  return is_empty(p) || !s->data ? s->data : s->data + (p->base - s->address);
}

status fusedgcn_view_open(const image *im, const fusedgcn_layer *in, fusedgcn_view *out) {
  fusedgcn_place pos = fusedgcn_place_s_pos(in), col = fusedgcn_place_s_col(in);
  RETURN_IF_ERROR(fusedgcn_place_check(im, &pos));
  RETURN_IF_ERROR(fusedgcn_place_check(im, &col));
  *out = (fusedgcn_view){(int64_t)in->n, (int64_t)in->nnz, bytes_of(im, &pos), bytes_of(im, &col)};
  if (out->pos) return STATUS_OK;
  return status_error(STATUS_CODE_format, "'s_pos' has no data: section '.edges' is not in the file");
}
