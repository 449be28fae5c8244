/* Looks at the lists of A. */
#include "isa/sextans/lists_check.h"

#include <inttypes.h>

/* Arrays of A may share memory, so that a small file could ask for looks at far more elements than
 * it has. Programs of the compiler need one look at each. */
static status count_work(sextans_lists_checker *c, uint64_t more) {
  enum { MOST_LOOKS = 64 };
  uint64_t all = c->im->sections[IMAGE_WEIGHTS].size / sizeof(uint64_t) + c->im->sections[IMAGE_EDGES].size / 4;
  c->seen += more;
  if (c->seen <= MOST_LOOKS * all) return STATUS_OK;
  return status_error(STATUS_CODE_unsupported,
                      "arrays of A and Q overlap so much that their elements would be looked at more than %d times",
                      MOST_LOOKS);
}

static const char of_window[] = "the rows of its window";

static status place_error(const sextans_spmm *in, const sextans_extreme *at, const char *what, const char *limit,
                          uint64_t most) {
  return status_error(STATUS_CODE_format,
                      "'a': element at 0x%" PRIx64 " (window %" PRId64 ", slot %" PRId64 ", PE %d) has %s %" PRIu64
                      ", expected less than %s = %" PRIu64,
                      sextans_element_address(in, at->slot, at->pe), at->window, at->slot, at->pe, what, at->value,
                      limit, most);
}

static void note(sextans_extreme *e, uint64_t value, int64_t window, int64_t slot, int pe) {
  if (e->is_found && value <= e->value) return;
  *e = (sextans_extreme){true, value, window, slot, pe};
}

static void look_at_window(const sextans_view *v, int64_t window, sextans_extreme *row, sextans_extreme *column) {
  int64_t end = sextans_view_slot(v, window + 1);
  for (int64_t slot = sextans_view_slot(v, window); slot < end; slot++)
    for (int pe = 0; pe < SEXTANS_PES; pe++) {
      uint64_t element = sextans_view_element(v, slot, pe);
      if (sextans_is_bubble(element)) continue;
      note(row, sextans_row_of_c(pe, sextans_element_row(element)), window, slot, pe);
      note(column, sextans_element_column(element), window, slot, pe);
    }
}

/* Looks at all elements; columns of windows before the last must be within the window. */
static status look(sextans_lists_checker *c, const sextans_spmm *in, sextans_known_lists *out) {
  sextans_view v;
  uint64_t window = (uint64_t)sextans_window(&c->im->device.sextans);
  RETURN_IF_ERROR(sextans_view_open(c->im, in, &v));
  RETURN_IF_ERROR(count_work(c, in->windows + 1));
  *out = (sextans_known_lists){in->q, in->a, in->a_stride, in->windows, in->slots, {0}, {0}, 0};
  if (!v.a[0]) return STATUS_OK;
  RETURN_IF_ERROR(count_work(c, SEXTANS_PES * in->slots));
  for (int64_t j = 0; j < v.windows; j++) {
    sextans_extreme column = {0};
    look_at_window(&v, j, &out->row, &column);
    if (j + 1 == v.windows) out->column = column;
    if (column.is_found && column.value >= window) return place_error(in, &column, "column", of_window, window);
  }
  return STATUS_OK;
}

static bool is_same(const sextans_known_lists *l, const sextans_spmm *in) {
  return l->q == in->q && l->a == in->a && l->a_stride == in->a_stride && l->windows == in->windows &&
         l->slots == in->slots;
}

/* An address as a key: an odd pointer is never NULL. */
static const void *key_of(uint64_t address) {
  return (const void *)(uintptr_t)(address | 1);
}

static status find(sextans_lists_checker *c, const sextans_spmm *in, const sextans_known_lists **out) {
  int64_t first = map_get(&c->lists_of, key_of(in->a), 0);
  sextans_known_lists made;
  for (int64_t i = first; i; i = c->known.items[i - 1].next) {
    *out = &c->known.items[i - 1];
    if (is_same(*out, in)) return STATUS_OK;
  }
  RETURN_IF_ERROR(look(c, in, &made));
  made.next = first;
  VEC_PUSH(c->memory, &c->known, made);
  map_set(&c->lists_of, key_of(in->a), (int64_t)c->known.count);
  *out = &c->known.items[c->known.count - 1];
  return STATUS_OK;
}

status sextans_lists_check(sextans_lists_checker *c, const sextans_spmm *in) {
  const sextans_known_lists *l = NULL;
  RETURN_IF_ERROR(find(c, in, &l));
  uint64_t last = in->windows ? sextans_window_rows(&c->im->device.sextans, in->k, in->windows - 1) : 0;
  if (l->row.is_found && l->row.value >= in->m) return place_error(in, &l->row, "row of C", "'m'", in->m);
  if (l->column.is_found && l->column.value >= last) return place_error(in, &l->column, "column", of_window, last);
  return STATUS_OK;
}
