/* Decodes the lists of A: a look at all elements that checks and counts them, and one that fills
 * the arrays. */
#include "sim/sextans/lists.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct decoder {
  const sextans_view *v;
  const sextans_spmm *in;
  const sextans_device *device;
  uint32_t *last; /* the slot + 1 of the last non-zero of each row of C; 0: none */
  sextans_decoded *out;
} decoder;

static status place(const decoder *c, status what, int64_t window, int64_t slot, int pe) {
  return status_context(what, "PE %d, window %" PRId64 ", slot %" PRId64 " (element at 0x%" PRIx64 ")", pe, window,
                        slot, sextans_element_address(c->in, slot, pe));
}

/* Checks a non-zero; `first` is the first slot of its window, which has so many rows of B. */
static status check(decoder *c, uint64_t element, uint64_t rows, int64_t first, int64_t slot, int pe) {
  uint32_t row = sextans_element_row(element), column = sextans_element_column(element);
  uint64_t row_of_c = sextans_row_of_c(pe, row);
  if (row_of_c >= c->in->m)
    return status_error(STATUS_CODE_format, "row %u of the PE is row %" PRIu64 " of C, which has %" PRIu64, row,
                        row_of_c, c->in->m);
  if (column >= rows)
    return status_error(STATUS_CODE_format, "column %u, the window has %" PRIu64 " rows of B", column, rows);
  int64_t before = (int64_t)c->last[row_of_c] - 1;
  c->last[row_of_c] = (uint32_t)slot + 1;
  if (before < first || slot - before >= c->device->distance) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "row %u of the PE (row %" PRIu64 " of C) has a non-zero %" PRId64 " slot%s after slot %" PRId64
                      ", expected at least 'distance' = %d",
                      row, row_of_c, slot - before, slot - before == 1 ? "" : "s", before, (int)c->device->distance);
}

static status check_window(decoder *c, int64_t window) {
  int64_t first = sextans_view_slot(c->v, window), end = sextans_view_slot(c->v, window + 1);
  uint64_t rows = sextans_window_rows(c->device, c->in->k, (uint64_t)window);
  for (int64_t slot = first; slot < end; slot++)
    for (int pe = 0; pe < SEXTANS_PES; pe++) {
      uint64_t element = sextans_view_element(c->v, slot, pe);
      if (sextans_is_bubble(element)) continue;
      status wrong = check(c, element, rows, first, slot, pe);
      if (wrong) return place(c, wrong, window, slot, pe);
      c->out->of_pe[pe]++;
    }
  return STATUS_OK;
}

/* Appends the items of a window, whose elements were checked. */
static void fill_window(const decoder *c, int64_t window) {
  int64_t first = sextans_view_slot(c->v, window), end = sextans_view_slot(c->v, window + 1);
  uint32_t rows = (uint32_t)sextans_rows_of_pe(c->in->m);
  uint64_t at = c->out->first[window];
  for (int pe = 0; pe < SEXTANS_PES; pe++)
    for (int64_t slot = first; slot < end; slot++) {
      uint64_t element = sextans_view_element(c->v, slot, pe);
      if (sextans_is_bubble(element)) continue;
      c->out->items[at++] = (sextans_item){(uint32_t)pe * rows + sextans_element_row(element),
                                           sextans_element_column(element), sextans_element_value(element)};
    }
  c->out->first[window + 1] = at;
}

static status fill(const decoder *c) {
  sextans_decoded *out = c->out;
  out->first = calloc((size_t)c->v->windows + 1, sizeof *out->first);
  out->items = malloc((out->count + 1) * sizeof *out->items);
  if (!out->first || !out->items)
    return status_error(STATUS_CODE_memory, "no memory for %" PRIu64 " non-zeros", out->count);
  for (int64_t j = 0; j < c->v->windows; j++) fill_window(c, j);
  return STATUS_OK;
}

/* Every slot counts as a non-zero. */
static void suppose(const decoder *c) {
  for (int pe = 0; pe < SEXTANS_PES; pe++) c->out->of_pe[pe] = c->in->slots;
  c->out->count = SEXTANS_PES * c->in->slots;
}

status sextans_lists_decode(const sextans_view *v, const sextans_spmm *in, const sextans_device *d, bool wants_items,
                            sextans_decoded *out) {
  decoder c = {.v = v, .in = in, .device = d, .out = out};
  *out = (sextans_decoded){.is_known = v->a[0] || !v->slots};
  if (!out->is_known) {
    suppose(&c);
    return STATUS_OK;
  }
  c.last = calloc(in->m + 1, sizeof *c.last);
  if (!c.last) return status_error(STATUS_CODE_memory, "no memory for %" PRIu64 " rows of C", in->m);
  status wrong = STATUS_OK;
  for (int64_t j = 0; !wrong && j < v->windows; j++) wrong = check_window(&c, j);
  free(c.last);
  for (int pe = 0; pe < SEXTANS_PES; pe++) out->count += out->of_pe[pe];
  return wrong || !wants_items ? wrong : fill(&c);
}

void sextans_lists_free(sextans_decoded *lists) {
  free(lists->first);
  free(lists->items);
  *lists = (sextans_decoded){0};
}
