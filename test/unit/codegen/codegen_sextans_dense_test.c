/* The lists of dense matrices have every number once, at its row and column, with rows far enough
 * apart, in as many slots as the PE with most rows needs. */
#include "codegen/sextans/lists.h"
#include "isa/machine.h"
#include "unit.h"

static device small_device(int32_t window, int32_t depth, int32_t distance) {
  device d;
  device_default(&d, machine_find("sextans", NULL));
  d.sextans.window = window;
  d.sextans.depth = depth;
  d.sextans.distance = distance;
  return d;
}

/* Decodes a block and marks the entries that it finds. */
static void check_block(const device *d, const sextans_lists *l, int64_t cols, int32_t *found) {
  int64_t at = 0, window = d->sextans.window;
  for (int c = 0; c < SEXTANS_A_CHANNELS; c++)
    for (int64_t i = 0; i < l->slots * SEXTANS_LANES; i++) {
      uint64_t element = l->a[c * l->slots * SEXTANS_LANES + i];
      if (sextans_is_bubble(element)) continue;
      int64_t slot = i / SEXTANS_LANES, w = 0, pe = c + SEXTANS_A_CHANNELS * sextans_lane((int)(i % SEXTANS_LANES));
      while (slot >= l->q[w + 1]) w++;
      int64_t row = l->row_of[pe + SEXTANS_PES * sextans_element_row(element)];
      int64_t column = w * window + sextans_element_column(element);
      CHECK(sextans_element_column(element) < window && column < cols);
      CHECK_INT(l->entry_of[at], row * cols + column);
      found[l->entry_of[at++]]++;
    }
  CHECK_INT(at, l->count);
}

static void check_distance(const sextans_lists *l, int64_t pe, int64_t distance) {
  int64_t last[64];
  for (int i = 0; i < 64; i++) last[i] = -distance;
  for (int64_t t = 0; t < l->slots; t++) {
    uint64_t element = l->a[pe % SEXTANS_A_CHANNELS * l->slots * SEXTANS_LANES + sextans_a_index(t, (int)pe)];
    if (sextans_is_bubble(element)) continue;
    CHECK(t - last[sextans_element_row(element)] >= distance);
    last[sextans_element_row(element)] = t;
  }
}

static void check(int64_t rows, int64_t cols, device d, int64_t blocks, thread_pool *pool) {
  arena *a = arena_create();
  sextans_lists_options o = {.n = 8, .pool = pool};
  sextans_lists *l;
  int64_t count;
  int32_t *found = arena_alloc_array(a, (size_t)(rows * cols), sizeof *found);
  CHECK_OK(sextans_lists_build_dense(a, &d.sextans, rows, cols, &o, &l, &count));
  CHECK_INT(count, blocks);
  for (int64_t i = 0; i < count; i++) {
    check_block(&d, &l[i], cols, found);
    for (int64_t pe = 0; pe < SEXTANS_PES; pe++) check_distance(&l[i], pe, d.sextans.distance);
    CHECK_INT(l[i].slots, sextans_ceil(l[i].rows, SEXTANS_PES) * cols);
    CHECK_INT(l[i].q[l[i].windows], l[i].slots);
    CHECK(l[i].rows <= SEXTANS_PES * d.sextans.depth);
  }
  for (int64_t i = 0; i < rows * cols; i++) CHECK_INT(found[i], 1);
  arena_destroy(a);
}

TEST(every_number_has_a_slot_and_rows_are_far_apart) {
  thread_pool *pool = thread_pool_create(2);
  check(128, 16, small_device(16, 4, 2), 1, NULL);
  check(129, 17, small_device(16, 4, 3), 1, pool);
  check(200, 33, small_device(16, 4, 3), 1, pool);
  check(256, 5, small_device(16, 4, 4), 1, NULL);
  thread_pool_destroy(pool);
}

TEST(rows_beyond_the_depth_make_blocks) {
  check(257, 5, small_device(16, 4, 2), 2, NULL);
  check(700, 20, small_device(16, 4, 2), 3, NULL);
}

TEST(only_pes_with_enough_rows_suit) {
  device d = small_device(16, 4, 3);
  CHECK(!sextans_lists_suits_dense(&d.sextans, 2 * SEXTANS_PES));
  CHECK(sextans_lists_suits_dense(&d.sextans, 2 * SEXTANS_PES + 1));
  CHECK(sextans_lists_suits_dense(&d.sextans, 4 * SEXTANS_PES));
  CHECK(!sextans_lists_suits_dense(&d.sextans, 4 * SEXTANS_PES + 1)); /* two blocks of 128 and 129 rows */
  CHECK(sextans_lists_suits_dense(&d.sextans, 4 * SEXTANS_PES + 2));
  CHECK(!sextans_lists_suits_dense(&d.sextans, 0));
}

TEST(more_than_2_31_numbers_are_refused) {
  device d = small_device(16, 131072, 3);
  arena *a = arena_create();
  sextans_lists_options o = {.n = 8};
  sextans_lists *l;
  int64_t count;
  CHECK_FAILS(sextans_lists_build_dense(a, &d.sextans, INT64_C(1) << 20, INT64_C(1) << 11, &o, &l, &count),
              "a matrix of 1048576 x 2048 numbers, expected at most 2^31");
  arena_destroy(a);
}
