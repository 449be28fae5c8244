/* Makes lists of a matrix and checks them by their definition: each element is decoded from the
 * channels, and the elements are the entries of the matrix, keep the distance, and give the product
 * that plain loops give.
 *
 *   lists_case c = lists_begin(rows, columns);
 *   lists_add(&c, 3, 7, 2);            an entry: row 3, column 7, value 2
 *   lists_build(&c);  lists_check(&c);  lists_end(&c);
 *
 * Values are whole numbers, so that sums are exact in any order. */
#ifndef GNNC_TEST_UNIT_CODEGEN_CODEGEN_SEXTANS_LISTS_FIXTURE_H
#define GNNC_TEST_UNIT_CODEGEN_CODEGEN_SEXTANS_LISTS_FIXTURE_H

#include "codegen/sextans/lists.h"
#include "unit.h"

enum { LISTS_ROOM = 20000 };

typedef struct lists_case {
  sextans_device device;
  sextans_matrix matrix;
  sextans_lists_options options;
  int32_t row[LISTS_ROOM], col[LISTS_ROOM];
  float value[LISTS_ROOM];
  bool has_no_values;
  arena *arena;
  sextans_lists *blocks;
  int64_t num_blocks;
} lists_case;

/* An element of A: its place, and what it says. */
typedef struct lists_element {
  int64_t row, col; /* of the matrix */
  uint32_t value;
} lists_element;

static lists_case *lists_begin(int64_t rows, int64_t cols) {
  lists_case *c = calloc(1, sizeof *c);
  if (!c) abort();
  c->device = (sextans_device){.window = 64, .depth = 100, .distance = 10, .has_no_c = true};
  c->matrix = (sextans_matrix){.rows = rows, .cols = cols, .row = c->row, .col = c->col};
  c->options.n = 8;
  return c;
}

static void lists_add(lists_case *c, int64_t row, int64_t col, float value) {
  if (c->matrix.count == LISTS_ROOM) abort();
  c->row[c->matrix.count] = (int32_t)row;
  c->col[c->matrix.count] = (int32_t)col;
  c->value[c->matrix.count++] = value;
}

static uint32_t lists_random(uint32_t *seed, uint32_t below) {
  *seed = *seed * 1664525 + 1013904223;
  return (uint32_t)((uint64_t)(*seed >> 8) * below >> 24);
}

/* Adds entries at random places; some rows get many. */
static inline void lists_add_random(lists_case *c, int64_t count, uint32_t seed) {
  for (int64_t i = 0; i < count; i++) {
    uint32_t row = lists_random(&seed, (uint32_t)c->matrix.rows), col = lists_random(&seed, (uint32_t)c->matrix.cols);
    if (i % 4 == 0) row = row * row / (uint32_t)c->matrix.rows / 8;
    lists_add(c, row, col, (float)lists_random(&seed, 15) - 7.0F + 0.5F);
  }
}

static status lists_try_build(lists_case *c) {
  if (c->arena) arena_destroy(c->arena);
  c->arena = arena_create();
  c->matrix.value = c->has_no_values ? NULL : c->value;
  return sextans_lists_build(c->arena, &c->device, &c->matrix, &c->options, &c->blocks, &c->num_blocks);
}

static void lists_build(lists_case *c) {
  CHECK_OK(lists_try_build(c));
}

static inline void lists_end(lists_case *c) {
  if (c->arena) arena_destroy(c->arena);
  free(c);
}

/* ---- decoding ---- */

static uint64_t lists_word(const sextans_lists *l, int64_t slot, int pe) {
  return l->a[pe % SEXTANS_A_CHANNELS * l->slots * SEXTANS_LANES + sextans_a_index(slot, pe)];
}

static int64_t lists_row_of(const sextans_lists *l, int64_t row) {
  return l->row_of ? l->row_of[row] : row;
}

static int64_t lists_column_of(const sextans_lists *l, int64_t col) {
  return l->column_of ? l->column_of[col] : col;
}

/* Decodes the elements of a window of a PE, checks them, and returns their number. */
static int64_t lists_decode(const lists_case *c, const sextans_lists *l, int64_t window, int pe, lists_element *out) {
  int64_t count = 0, first = window * sextans_window(&c->device);
  int64_t *last = malloc(((size_t)c->device.depth + 1) * sizeof *last);
  for (int64_t i = 0; last && i < c->device.depth; i++) last[i] = -c->device.distance;
  for (int64_t slot = l->q[window]; last && slot < l->q[window + 1]; slot++) {
    uint64_t word = lists_word(l, slot, pe);
    if (word == SEXTANS_BUBBLE) continue;
    int64_t local = sextans_element_row(word), col = first + sextans_element_column(word);
    bool is_inside = !sextans_is_bubble(word) && local < c->device.depth && local * SEXTANS_PES + pe < l->rows &&
                     sextans_element_column(word) < sextans_window(&c->device) && col < l->cols;
    CHECK(is_inside);
    if (!is_inside) continue;
    if (slot - last[local] < c->device.distance)
      unit_fail(__FILE__, __LINE__, "slots %lld and %lld of PE %d have the same row", (long long)last[local],
                (long long)slot, pe);
    last[local] = slot;
    out[count++] = (lists_element){lists_row_of(l, local * SEXTANS_PES + pe), lists_column_of(l, col), (uint32_t)word};
  }
  free(last);
  return count;
}

/* ---- checks ---- */

static int lists_compare(const void *a, const void *b) {
  const lists_element *x = a, *y = b;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  if (x->col != y->col) return x->col < y->col ? -1 : 1;
  return (x->value > y->value) - (x->value < y->value);
}

static uint32_t lists_bits(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* The elements are the entries, each once; +0.0 is left out unless the options keep it. */
static void lists_check_entries(const lists_case *c, lists_element *found, int64_t count) {
  lists_element *expected = malloc(LISTS_ROOM * sizeof *expected);
  int64_t kept = 0;
  for (int64_t i = 0; expected && i < c->matrix.count; i++) {
    uint32_t bits = c->has_no_values ? 0 : lists_bits(c->value[i]);
    if (bits || c->options.keeps_zeros || c->has_no_values)
      expected[kept++] = (lists_element){c->row[i], c->col[i], bits};
  }
  CHECK_INT(count, kept);
  if (expected && count == kept) {
    qsort(found, (size_t)count, sizeof *found, lists_compare);
    qsort(expected, (size_t)count, sizeof *found, lists_compare);
    for (int64_t i = 0; i < count; i++)
      if (lists_compare(&found[i], &expected[i]) != 0) {
        unit_fail(__FILE__, __LINE__, "element (%lld, %lld), expected (%lld, %lld)", (long long)found[i].row,
                  (long long)found[i].col, (long long)expected[i].row, (long long)expected[i].col);
        break;
      }
  }
  free(expected);
}

/* The product with a vector; the pieces of a row are added up. */
static void lists_check_product(const lists_case *c, const lists_element *found, int64_t count) {
  double *got = calloc((size_t)c->matrix.rows + 1, sizeof *got);
  double *expected = calloc((size_t)c->matrix.rows + 1, sizeof *expected);
  if (!got || !expected) abort();
  for (int64_t i = 0; i < count; i++) {
    float value;
    memcpy(&value, &found[i].value, sizeof value);
    got[found[i].row] += (double)value * (double)(found[i].col % 13 - 6);
  }
  for (int64_t i = 0; i < c->matrix.count && !c->has_no_values; i++)
    expected[c->row[i]] += (double)c->value[i] * (double)(c->col[i] % 13 - 6);
  for (int64_t r = 0; r < c->matrix.rows; r++) CHECK_NEAR(got[r], expected[r], 0);
  free(got);
  free(expected);
}

/* entry_of names the entry of each element in the order of memory. */
static void lists_check_order(const lists_case *c, const sextans_lists *l) {
  int64_t at = 0, elements = SEXTANS_A_CHANNELS * SEXTANS_LANES * l->slots;
  if (!l->entry_of) return;
  for (int64_t i = 0; i < elements; i++) {
    if (sextans_is_bubble(l->a[i])) continue;
    int64_t channel = i / (l->slots * SEXTANS_LANES), slot = i / SEXTANS_LANES % l->slots, window = 0;
    int64_t pe = sextans_lane((int)(i % SEXTANS_LANES)) * SEXTANS_A_CHANNELS + channel;
    while (l->q[window + 1] <= slot) window++;
    int64_t col = window * sextans_window(&c->device) + sextans_element_column(l->a[i]);
    int32_t entry = l->entry_of[at++];
    CHECK_INT(lists_row_of(l, (int64_t)sextans_element_row(l->a[i]) * SEXTANS_PES + pe), c->row[entry]);
    CHECK_INT(lists_column_of(l, col), c->col[entry]);
  }
  CHECK_INT(at, l->count);
}

static void lists_check_sizes(const lists_case *c, const sextans_lists *l) {
  int64_t extra = 0, window = sextans_window(&c->device);
  unsigned char *is_known = calloc((size_t)c->matrix.rows + 1, 1);
  CHECK_INT(l->windows, sextans_ceil(l->cols, window));
  CHECK_INT(l->q[0], 0);
  CHECK_INT(l->q[l->windows], l->slots);
  for (int64_t w = 0; w < l->windows; w++) CHECK(l->q[w] <= l->q[w + 1]);
  CHECK(l->slots >= l->ideal);
  CHECK(l->rows <= (int64_t)SEXTANS_PES * c->device.depth);
  for (int64_t r = 0; is_known && r < l->rows; r++) {
    int64_t row = lists_row_of(l, r);
    if (row < 0) continue;
    extra += is_known[row];
    is_known[row] = 1;
  }
  CHECK_INT(l->extra_rows, extra);
  CHECK((l->piece > 0) == (extra > 0));
  free(is_known);
}

/* Checks all blocks. */
static void lists_check(const lists_case *c) {
  lists_element *found = malloc(LISTS_ROOM * sizeof *found);
  int64_t count = 0;
  for (int64_t b = 0; found && b < c->num_blocks; b++) {
    const sextans_lists *l = &c->blocks[b];
    int64_t before = count;
    lists_check_sizes(c, l);
    lists_check_order(c, l);
    CHECK((l->entry_of != NULL) == c->has_no_values);
    for (int64_t w = 0; w < l->windows; w++)
      for (int pe = 0; pe < SEXTANS_PES; pe++) count += lists_decode(c, l, w, pe, found + count);
    CHECK_INT(l->count, count - before);
  }
  lists_check_product(c, found, count);
  lists_check_entries(c, found, count);
  free(found);
}

/* Builds and checks with both rules, with and without values. */
static inline void lists_run(lists_case *c) {
  for (int i = 0; i < 4; i++) {
    c->options.rule = i % 2 ? SEXTANS_RULE_published : SEXTANS_RULE_best;
    c->has_no_values = i / 2;
    lists_build(c);
    lists_check(c);
  }
}

#endif
