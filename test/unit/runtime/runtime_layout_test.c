/* Layouts of device memory: rows come back from the device unchanged, and lie where the layout
 * says. */
#include "runtime/layout.h"
#include "unit.h"

enum { ROWS = 5, WIDTH = 6, STRIDE = 7, WORDS = 4, MOST_MEMORY = 256 };

static const int32_t order[ROWS] = {3, 0, 4, 1, 2};

static device small_device(void) {
  device d;
  device_default(&d, &graphagile_machine);
  d.graphagile.width = WORDS;
  return d;
}

static void fill(float *user) {
  for (int i = 0; i < ROWS * WIDTH; i++) user[i] = (float)(i + 1);
}

static void check_round_trip(const layout *l, const layout_tensor *t) {
  float user[ROWS * WIDTH], back[ROWS * WIDTH] = {0}, memory[MOST_MEMORY];
  uint64_t bytes = 0;
  CHECK_OK(l->part_bytes(t, &bytes));
  CHECK(bytes <= sizeof memory);
  fill(user);
  for (int64_t part = 0; part < l->count_parts(t); part++) {
    memset(memory, 0xff, sizeof memory);
    l->move(t, part, memory, user, true);
    for (size_t i = bytes / sizeof(float); i < MOST_MEMORY; i++) CHECK(isnan(memory[i])); /* nothing lies behind it */
    l->move(t, part, memory, back, false);
  }
  for (int i = 0; i < ROWS * WIDTH; i++)
    if (back[i] != user[i])
      unit_fail(__FILE__, __LINE__, "%s: number %d is %g, expected %g", l->name, i, (double)back[i], (double)user[i]);
}

TEST(every_layout_of_the_overlay_takes_rows_there_and_back_in_any_order) {
  device d = small_device();
  for (const layout *const *l = layout_table; *l; l++) {
    layout_tensor t = {.device = &d, .rows = ROWS, .width = WIDTH, .stride = STRIDE};
    if ((*l)->machine != &graphagile_machine) continue;
    check_round_trip(*l, &t);
    t.order = order;
    check_round_trip(*l, &t);
  }
}

TEST(fibers_are_columns_of_all_rows_a_stride_apart) {
  device d = small_device();
  float user[ROWS * WIDTH], memory[MOST_MEMORY] = {0};
  layout_tensor t = {.device = &d, .rows = ROWS, .width = WIDTH, .stride = STRIDE, .order = order};
  uint64_t bytes;
  fill(user);
  CHECK_INT(layout_fibers.count_parts(&t), 1);
  CHECK_OK(layout_fibers.part_bytes(&t, &bytes));
  CHECK_INT(bytes, (STRIDE + ROWS) * WORDS * 4);
  layout_fibers.move(&t, 0, memory, user, true);
  CHECK_NEAR(memory[0], user[3 * WIDTH], 0);
  CHECK_NEAR(memory[1 * WORDS + 2], user[0 * WIDTH + 2], 0);
  CHECK_NEAR(memory[(STRIDE + 4) * WORDS + 1], user[2 * WIDTH + 5], 0);
  CHECK_NEAR(memory[(STRIDE + 4) * WORDS + 2], 0, 0); /* there is no column 6 */
}

TEST(fibers16_have_two_bytes_per_number) {
  device d = small_device();
  float user[ROWS * WIDTH], back[ROWS * WIDTH];
  uint16_t memory[MOST_MEMORY] = {0};
  layout_tensor t = {.device = &d, .rows = ROWS, .width = WIDTH, .stride = STRIDE, .order = order};
  uint64_t bytes;
  fill(user);
  user[0] = 2049;                  /* between 2048 and 2050: to even */
  user[1] = 1e-8f, user[2] = 1e6f; /* too small and too large */
  CHECK_OK(layout_fibers16.part_bytes(&t, &bytes));
  CHECK_INT(bytes, (STRIDE + ROWS) * WORDS * 2);
  layout_fibers16.move(&t, 0, memory, user, true);
  CHECK_INT(memory[1 * WORDS], 0x6800);                /* 2048: row 1 is the user's row 0 */
  CHECK_INT(memory[(STRIDE + 4) * WORDS + 1], 0x4c80); /* 18, the user's row 2, column 5 */
  CHECK_INT(memory[(STRIDE + 4) * WORDS + 2], 0);      /* there is no column 6 */
  layout_fibers16.move(&t, 0, memory, back, false);
  CHECK_NEAR(back[0], 2048, 0);
  CHECK_NEAR(back[1], 0, 0);
  CHECK(isinf(back[2]));
  for (int i = 3; i < ROWS * WIDTH; i++) CHECK_NEAR(back[i], user[i], 0);
}

TEST(values_are_an_array_per_head) {
  device d = small_device();
  float user[ROWS * WIDTH], memory[ROWS];
  layout_tensor t = {.device = &d, .rows = ROWS, .width = WIDTH, .order = order};
  uint64_t bytes;
  fill(user);
  CHECK_INT(layout_values.count_parts(&t), WIDTH);
  CHECK_OK(layout_values.part_bytes(&t, &bytes));
  CHECK_INT(bytes, ROWS * 4);
  layout_values.move(&t, 2, memory, user, true);
  for (int e = 0; e < ROWS; e++) CHECK_NEAR(memory[e], user[order[e] * WIDTH + 2], 0);
}

TEST(no_rows_take_no_memory_and_too_many_are_refused) {
  device d = small_device();
  layout_tensor t = {.device = &d, .rows = 0, .width = WIDTH, .stride = STRIDE};
  uint64_t bytes = 1;
  CHECK_OK(layout_fibers.part_bytes(&t, &bytes));
  CHECK_INT(bytes, 0);
  t = (layout_tensor){.device = &d, .rows = INT32_MAX, .width = INT32_MAX, .stride = INT32_MAX};
  CHECK_FAILS(layout_fibers.part_bytes(&t, &bytes),
              "1152921504069976064 rows of 16 bytes are more than the device's memory");
}

TEST(layouts_are_found_by_name) {
  CHECK(layout_find("fibers") == &layout_fibers);
  CHECK(layout_find("fibers16") == &layout_fibers16);
  CHECK(layout_find("values") == &layout_values);
  CHECK(!layout_find("fiber"));
}
