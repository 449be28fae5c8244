/* Layouts of Sextans: every number lies once in the channels of its array, at the place that the
 * published host program gives it, rows of memory may be any rows of the tensor, and the values of
 * A lie in the elements that are no bubbles. */
#include "isa/sextans/format.h"
#include "runtime/layout.h"
#include "unit.h"

#include <stdlib.h>

enum { MOST = 4096 };

static const int sizes[][2] = {{13, 8}, {64, 16}, {9, 24}, {1, 1}, {17, 3}};

typedef struct dense_layout {
  const layout *layout;
  bool is_b, is_transposed;
} dense_layout;

static const dense_layout dense[] = {{&layout_sextans_b, true, false},
                                     {&layout_sextans_bt, true, true},
                                     {&layout_sextans_c, false, false},
                                     {&layout_sextans_ct, false, true}};

typedef struct fixture {
  device device;
  layout_tensor tensor;
  float user[MOST], back[MOST], memory[MOST];
  uint64_t bytes;
} fixture;

/* A matrix of rows x columns in memory; the tensor is as large, or transposed. */
static fixture *begin(const dense_layout *l, int64_t rows, int64_t columns) {
  fixture *f = calloc(1, sizeof *f);
  device_default(&f->device, &sextans_machine);
  f->tensor = (layout_tensor){.device = &f->device,
                              .rows = l->is_transposed ? columns : rows,
                              .width = l->is_transposed ? rows : columns,
                              .memory_rows = rows};
  for (int i = 0; i < MOST; i++) f->user[i] = (float)(i + 1);
  memset(f->memory, 0xff, sizeof f->memory);
  CHECK_OK(l->layout->part_bytes(&f->tensor, &f->bytes));
  CHECK(f->bytes < sizeof f->memory);
  return f;
}

/* The index in memory of the number in a row and column of a matrix, as the publication's host
 * program computes it. */
static int64_t place_of(const dense_layout *l, const layout_tensor *t, int64_t r, int64_t n) {
  int64_t rows = t->memory_rows, columns = l->is_transposed ? t->rows : t->width, tiles = (columns + 7) / 8;
  int64_t b = (rows + 7) / 8 * 16, c = (rows + 15) / 16 * 16;
  if (l->is_b) return n / 2 % 4 * b * tiles + r / 8 * 16 + n % 2 * 8 + r % 8 + b * (n / 8);
  return r % 8 * c * tiles + c * (n / 8) + r / 8 * 8 + n % 8;
}

static float *user_at(const dense_layout *l, const layout_tensor *t, float *user, int64_t r, int64_t n) {
  return l->is_transposed ? &user[n * t->width + r] : &user[r * t->width + n];
}

static void check_matrix(const dense_layout *l, int64_t rows, int64_t columns) {
  fixture *f = begin(l, rows, columns);
  int64_t words = (int64_t)(f->bytes / sizeof(float)), zeros = 0;
  CHECK_INT(l->layout->count_parts(&f->tensor), 1);
  l->layout->move(&f->tensor, 0, f->memory, f->user, true);
  for (int64_t r = 0; r < rows; r++)
    for (int64_t n = 0; n < columns; n++)
      CHECK_NEAR(f->memory[place_of(l, &f->tensor, r, n)], *user_at(l, &f->tensor, f->user, r, n), 0);
  for (int64_t i = 0; i < words; i++) zeros += f->memory[i] == 0;
  CHECK_INT(zeros, words - rows * columns); /* each number lies once; rows and columns beyond are 0 */
  for (int64_t i = words; i < MOST; i++) CHECK(isnan(f->memory[i]));
  l->layout->move(&f->tensor, 0, f->memory, f->back, false);
  for (int64_t i = 0; i < MOST; i++) CHECK_NEAR(f->back[i], i < rows * columns ? f->user[i] : 0, 0);
  free(f);
}

TEST(every_number_lies_once_at_its_published_place_and_comes_back) {
  for (size_t l = 0; l < sizeof dense / sizeof *dense; l++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) check_matrix(&dense[l], sizes[i][0], sizes[i][1]);
}

TEST(channels_are_multiples_of_64_bytes) {
  fixture *f = begin(&dense[0], 9, 24);
  CHECK_INT(f->bytes, 4 * (3 * 32 * 4));
  free(f);
  f = begin(&dense[2], 17, 9);
  CHECK_INT(f->bytes, 8 * (2 * 32 * 4));
  free(f);
}

/* Rows 2, none, 0, 2 and 1 of a tensor that has 4; row 3 is nowhere. */
static const int32_t order[] = {2, -1, 0, 2, 1};
static const bool is_repeat[] = {false, false, false, true, false};

TEST(rows_of_memory_are_any_rows_of_the_tensor_or_zeros) {
  for (size_t i = 0; i < sizeof dense / sizeof *dense; i++) {
    const dense_layout *l = &dense[i];
    fixture *f = begin(l, 5, 3);
    *(l->is_transposed ? &f->tensor.width : &f->tensor.rows) = 4;
    f->tensor.order = order;
    f->tensor.is_repeat = is_repeat;
    l->layout->move(&f->tensor, 0, f->memory, f->user, true);
    for (int64_t r = 0; r < 5; r++)
      for (int64_t n = 0; n < 3; n++)
        CHECK_NEAR(f->memory[place_of(l, &f->tensor, r, n)],
                   order[r] < 0 ? 0 : *user_at(l, &f->tensor, f->user, order[r], n), 0);
    free(f);
  }
}

TEST(rows_from_the_device_are_sums_of_the_rows_of_memory_in_their_order) {
  for (size_t i = 0; i < sizeof dense / sizeof *dense; i++) {
    const dense_layout *l = &dense[i];
    fixture *f = begin(l, 5, 3);
    *(l->is_transposed ? &f->tensor.width : &f->tensor.rows) = 4;
    f->tensor.order = order;
    f->tensor.is_repeat = is_repeat;
    for (int64_t r = 0; r < 5; r++)
      for (int64_t n = 0; n < 3; n++) f->memory[place_of(l, &f->tensor, r, n)] = (float)(100 * r + n);
    f->memory[place_of(l, &f->tensor, 2, 1)] = -0.0f;
    l->layout->move(&f->tensor, 0, f->memory, f->back, false);
    for (int64_t n = 0; n < 3; n++) {
      CHECK_NEAR(*user_at(l, &f->tensor, f->back, 2, n), 300 + 2 * n, 0);
      CHECK_NEAR(*user_at(l, &f->tensor, f->back, 1, n), 400 + n, 0);
      CHECK_NEAR(*user_at(l, &f->tensor, f->back, 3, n), 0, 0); /* no row of memory is row 3 */
    }
    CHECK(signbit(*user_at(l, &f->tensor, f->back, 0, 1))); /* a single row keeps its bits */
    free(f);
  }
}

TEST(matrices_beyond_the_memory_are_refused) {
  device d;
  uint64_t bytes;
  device_default(&d, &sextans_machine);
  layout_tensor t = {.device = &d, .rows = INT32_MAX, .width = 4, .memory_rows = INT32_MAX};
  for (size_t i = 0; i < sizeof dense / sizeof *dense; i++)
    CHECK_FAILS(dense[i].layout->part_bytes(&t, &bytes), " words are more than the device's memory");
  t = (layout_tensor){.device = &d, .rows = 0, .width = 4, .memory_rows = 4};
  CHECK_OK(layout_sextans_ct.part_bytes(&t, &bytes));
  CHECK_INT(bytes, 0);
}

/* ---- A ---- */

enum { SLOTS = 2, ELEMENTS = SLOTS * 64 };

/* Two slots with non-zeros in elements 3, 16 and 127; the others are bubbles. */
static void fill_elements(uint64_t *a) {
  for (int i = 0; i < ELEMENTS; i++) a[i] = SEXTANS_BUBBLE;
  a[3] = sextans_element(131071, 16383, 1);
  a[16] = sextans_element(0, 0, 2);
  a[127] = sextans_element(7, 9, 3);
}

TEST(numbers_go_into_elements_that_are_no_bubbles_and_change_nothing_else) {
  device d;
  uint64_t a[ELEMENTS], bytes;
  static const int32_t numbers[] = {5, -1, 0};
  float user[6] = {10, 11, 12, 13, 14, 15}, back[6] = {0};
  device_default(&d, &sextans_machine);
  layout_tensor t = {.device = &d, .rows = 3, .width = 2, .stride = SLOTS, .memory_rows = 3, .order = numbers};
  fill_elements(a);
  CHECK_OK(layout_sextans_a.part_bytes(&t, &bytes));
  CHECK_INT(bytes, sizeof a);
  CHECK_OK(layout_sextans_a.check_memory(&t, a));
  layout_sextans_a.move(&t, 0, a, user, true);
  CHECK(a[3] == sextans_element(131071, 16383, 15));
  CHECK(a[16] == sextans_element(0, 0, 0));
  CHECK(a[127] == sextans_element(7, 9, 10));
  for (int i = 0; i < ELEMENTS; i++) CHECK(i == 3 || i == 16 || i == 127 || a[i] == SEXTANS_BUBBLE);
  layout_sextans_a.move(&t, 0, a, back, false);
  for (int i = 0; i < 6; i++) CHECK_NEAR(back[i], i == 5 ? 15 : i == 0 ? 10 : 0, 0);
}

TEST(numbers_of_several_elements_add_up) {
  device d;
  uint64_t a[ELEMENTS];
  static const int32_t numbers[] = {1, 0, 1};
  static const bool repeats[] = {false, false, true};
  float back[2] = {0};
  device_default(&d, &sextans_machine);
  layout_tensor t = {
      .device = &d, .rows = 2, .width = 1, .stride = SLOTS, .memory_rows = 3, .order = numbers, .is_repeat = repeats};
  fill_elements(a);
  layout_sextans_a.move(&t, 0, a, back, false);
  CHECK_NEAR(back[0], 2, 0);
  CHECK_NEAR(back[1], 4, 0);
}

TEST(elements_must_be_as_many_as_rows_of_the_place) {
  device d;
  uint64_t a[ELEMENTS], bytes;
  device_default(&d, &sextans_machine);
  layout_tensor t = {.device = &d, .rows = 2, .width = 1, .stride = SLOTS, .memory_rows = 2};
  fill_elements(a);
  CHECK_FAILS(layout_sextans_a.check_memory(&t, a), "A has 3 non-zeros, its place has 2 rows");
  t.memory_rows = 4;
  CHECK_FAILS(layout_sextans_a.check_memory(&t, a), "A has 3 non-zeros, its place has 4 rows");
  t.memory_rows = ELEMENTS + 1;
  CHECK_FAILS(layout_sextans_a.part_bytes(&t, &bytes), "'rows' is 129, but 2 slots have 128 elements");
}
