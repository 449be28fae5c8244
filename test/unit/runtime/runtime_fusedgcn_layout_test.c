/* Layouts of FusedGCN: rows and values as bf16, converted as the device says. */
#include "isa/fusedgcn/bf16.h"
#include "runtime/layout.h"
#include "unit.h"

enum { ROWS = 4, WIDTH = 5, STRIDE = 16, WORDS = 256 };

typedef struct fixture {
  device device;
  layout_tensor tensor;
  float user[ROWS * WIDTH], back[ROWS * WIDTH];
  uint16_t memory[WORDS];
} fixture;

static fixture begin(int64_t stride, int64_t memory_rows) {
  fixture f = {.tensor = {.rows = ROWS, .width = WIDTH, .stride = stride, .memory_rows = memory_rows}};
  device_default(&f.device, &fusedgcn_machine);
  for (int i = 0; i < ROWS * WIDTH; i++) f.user[i] = (float)(i + 1);
  return f;
}

/* Moves to memory and back; nothing behind the bytes of the part changes. */
static void move_both(const layout *l, fixture *f) {
  uint64_t bytes = 0;
  f->tensor.device = &f->device;
  CHECK_OK(l->part_bytes(&f->tensor, &bytes));
  memset(f->memory, 0xab, sizeof f->memory);
  l->move(&f->tensor, 0, f->memory, f->user, true);
  for (size_t i = bytes / sizeof *f->memory; i < WORDS; i++) CHECK_INT(f->memory[i], 0xabab);
  l->move(&f->tensor, 0, f->memory, f->back, false);
}

TEST(rows_are_a_stride_apart_and_padded_with_zeros) {
  fixture f = begin(STRIDE, ROWS);
  move_both(&layout_fusedgcn_rows, &f);
  CHECK_NEAR(bf16_load(f.memory[STRIDE + 4]), f.user[WIDTH + 4], 0);
  CHECK_INT(f.memory[STRIDE + 5], 0);
  for (int i = 0; i < ROWS * WIDTH; i++) CHECK_NEAR(f.back[i], f.user[i], 0);
}

TEST(rows_of_memory_are_any_rows_or_none) {
  static const int32_t order[] = {3, -1, 3};
  static const bool is_repeat[] = {false, false, true};
  fixture f = begin(STRIDE, 3);
  f.tensor.order = order;
  f.tensor.is_repeat = is_repeat;
  move_both(&layout_fusedgcn_rows, &f);
  CHECK_NEAR(bf16_load(f.memory[0]), f.user[3 * WIDTH], 0);
  CHECK_INT(f.memory[STRIDE], 0);
  CHECK_NEAR(f.back[3 * WIDTH + 2], 2 * f.user[3 * WIDTH + 2], 0); /* both rows add up */
  CHECK_NEAR(f.back[0], 0, 0);
}

TEST(values_are_numbers_one_behind_the_other) {
  static const int32_t order[] = {19, -1, 0};
  fixture f = begin(-1, 3);
  f.tensor.order = order;
  move_both(&layout_fusedgcn_values, &f);
  CHECK_NEAR(bf16_load(f.memory[0]), f.user[19], 0);
  CHECK_INT(f.memory[1], 0);
  CHECK_NEAR(bf16_load(f.memory[2]), f.user[0], 0);
  CHECK_NEAR(f.back[19], f.user[19], 0);
}

/* 1 + 3 / 256 is between 1 + 2 / 256 and 1 + 4 / 256, and ties go to the even one. */
TEST(numbers_are_rounded_or_cut_off) {
  fixture f = begin(STRIDE, ROWS);
  f.user[0] = 1 + 3.0F / 256;
  f.user[1] = 1 + 3.5F / 256;
  move_both(&layout_fusedgcn_rows, &f);
  CHECK_NEAR(f.back[0], 1 + 4.0F / 256, 0);
  CHECK_NEAR(f.back[1], 1 + 4.0F / 256, 0);
  CHECK_OK(device_edit(&f.device, "conversion=truncate"));
  memset(f.back, 0, sizeof f.back);
  move_both(&layout_fusedgcn_rows, &f);
  CHECK_NEAR(f.back[0], 1 + 2.0F / 256, 0);
  CHECK_NEAR(f.back[1], 1 + 2.0F / 256, 0);
}

TEST(narrow_strides_and_too_many_rows_are_refused) {
  fixture f = begin(WIDTH - 1, ROWS);
  uint64_t bytes;
  f.tensor.device = &f.device;
  CHECK_FAILS(layout_fusedgcn_rows.part_bytes(&f.tensor, &bytes), "'stride' is 4, expected at least the 5 columns");
  f.tensor.stride = INT32_MAX;
  CHECK_FAILS(layout_fusedgcn_rows.part_bytes(&f.tensor, &bytes),
              "4 rows of 2147483647 words are more than the device's memory");
}
