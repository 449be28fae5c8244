/* Layouts of AGILE: rows in parts of whole beats, and scale factors. */
#include "isa/agile/format.h"
#include "runtime/layout.h"
#include "unit.h"

enum { ROWS = 5, WIDTH = 40, MOST = 1024 };

typedef struct fixture {
  device device;
  layout_tensor tensor;
  float user[ROWS * WIDTH], back[ROWS * WIDTH], memory[MOST];
} fixture;

static fixture begin(int64_t width, int64_t stride, int64_t memory_rows) {
  fixture f = {.tensor = {.rows = ROWS, .width = width, .stride = stride, .memory_rows = memory_rows}};
  device_default(&f.device, &agile_machine);
  for (int i = 0; i < ROWS * WIDTH; i++) f.user[i] = (float)(i + 1);
  memset(f.memory, 0xff, sizeof f.memory);
  return f;
}

/* Moves a part to memory and back; nothing behind its bytes changes. */
static void move_both(const layout *l, fixture *f, int64_t part) {
  uint64_t bytes = 0;
  f->tensor.device = &f->device;
  CHECK_OK(l->part_bytes(&f->tensor, &bytes));
  memset(f->memory, 0xff, sizeof f->memory);
  l->move(&f->tensor, part, f->memory, f->user, true);
  for (size_t i = bytes / sizeof(float); i < MOST; i++) CHECK(isnan(f->memory[i]));
  l->move(&f->tensor, part, f->memory, f->back, false);
}

TEST(parts_have_their_columns_in_whole_beats) {
  fixture f = begin(WIDTH, 32, ROWS);
  uint64_t bytes;
  f.tensor.device = &f.device;
  CHECK_INT(layout_agile_rows.count_parts(&f.tensor), 2);
  CHECK_OK(layout_agile_rows.part_bytes(&f.tensor, &bytes));
  CHECK_INT(bytes, ROWS * 32 * 4);
  move_both(&layout_agile_rows, &f, 0);
  CHECK_NEAR(f.memory[32 + 31], f.user[WIDTH + 31], 0);
  move_both(&layout_agile_rows, &f, 1); /* 8 columns, a beat per row */
  CHECK_NEAR(f.memory[16 + 7], f.user[WIDTH + 39], 0);
  CHECK_NEAR(f.memory[16 + 8], 0, 0);
  CHECK(isnan(f.memory[ROWS * 16]));
  for (int i = 0; i < ROWS * WIDTH; i++) CHECK_NEAR(f.back[i], f.user[i], 0);
}

/* The column behind the rows is 0: it meets the row of weights that is a bias. */
TEST(a_single_part_may_have_a_column_more) {
  fixture f = begin(16, 17, ROWS);
  f.tensor.device = &f.device;
  CHECK_INT(layout_agile_rows.count_parts(&f.tensor), 1);
  move_both(&layout_agile_rows, &f, 0);
  CHECK_NEAR(f.memory[32 + 15], f.user[16 + 15], 0);
  CHECK_NEAR(f.memory[32 + 16], 0, 0);
  for (int i = 0; i < ROWS * 16; i++) CHECK_NEAR(f.back[i], f.user[i], 0);
}

TEST(rows_of_memory_are_any_rows_or_none) {
  static const int32_t order[] = {4, -1, 0, 4};
  static const bool is_repeat[] = {false, false, false, true};
  fixture f = begin(16, 16, 4);
  f.tensor.order = order;
  f.tensor.is_repeat = is_repeat;
  move_both(&layout_agile_rows, &f, 0);
  CHECK_NEAR(f.memory[0], f.user[4 * 16], 0);
  CHECK_NEAR(f.memory[16], 0, 0);
  CHECK_NEAR(f.memory[32], f.user[0], 0);
  CHECK_NEAR(f.back[4 * 16 + 3], 2 * f.user[4 * 16 + 3], 0); /* both rows add up */
  CHECK_NEAR(f.back[16], 0, 0);
}

TEST(scale_factors_are_numbers_or_zeros) {
  static const int32_t order[] = {7, -1, 2};
  fixture f = begin(2, 0, 3);
  f.tensor.order = order;
  f.tensor.device = &f.device;
  CHECK_INT(layout_agile_scales.count_parts(&f.tensor), 1);
  move_both(&layout_agile_scales, &f, 0);
  CHECK_NEAR(f.memory[0], f.user[7], 0);
  CHECK_NEAR(f.memory[1], 0, 0);
  CHECK_NEAR(f.memory[2], f.user[2], 0);
  CHECK_NEAR(f.back[7], f.user[7], 0);
  CHECK_NEAR(f.back[0], 0, 0);
}

TEST(parts_without_columns_and_too_many_rows_are_refused) {
  fixture f = begin(WIDTH, 0, ROWS);
  uint64_t bytes;
  f.tensor.device = &f.device;
  CHECK_FAILS(layout_agile_rows.part_bytes(&f.tensor, &bytes), "'stride' is 0, expected the columns of a part");
  f.tensor.stride = INT32_MAX;
  CHECK_FAILS(layout_agile_rows.part_bytes(&f.tensor, &bytes),
              "5 rows of 8589934592 bytes are more than the device's memory");
}
