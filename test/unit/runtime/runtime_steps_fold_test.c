/* Places whose layout folds: steps move rows of memory that are any rows of an array, count what
 * they move and add, and refuse places that are broken. The image has two channels' worth of A in
 * .weights, memory in .features, and orders in .gnnc.rows. */
#include "isa/sextans/format.h"
#include "runtime/steps/steps.h"
#include "unit.h"

enum { FEATURES = 65536, FEATURE_WORDS = 1024, WEIGHTS = 131072, ELEMENTS = 64 };

/* Byte offsets of .gnnc.rows: an order that folds, one with a row that the array lacks, and one
 * with a row below -1. */
static const int32_t rows[] = {2, -1, 0, 2, 1, 4, 0, -2};
#define FOLDS "0"
#define TOO_HIGH "20"
#define TOO_LOW "24"

static const float numbers[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

typedef struct fixture {
  arena *memory;
  image image;
  uint64_t a[ELEMENTS];
  program_steps steps;
  steps_state *state;
  sim *sim;
  sim_host_stats stats;
} fixture;

static void begin(fixture *f) {
  *f = (fixture){.memory = arena_create()};
  device_default(&f->image.device, &sextans_machine);
  f->image.device.common.host_gflop_s = 2;
  f->image.device.common.link_gb_s = 4;
  for (int i = 0; i < ELEMENTS; i++) f->a[i] = SEXTANS_BUBBLE;
  for (int i = 0; i < 3; i++) f->a[9 * i] = sextans_element(1, (uint32_t)i, 0);
  f->image.sections[IMAGE_FEATURES] = (image_section){FEATURES, 4 * FEATURE_WORDS, NULL};
  f->image.sections[IMAGE_WEIGHTS] = (image_section){WEIGHTS, sizeof f->a, (const unsigned char *)f->a};
  f->image.sections[IMAGE_ROWS] = (image_section){0, sizeof rows, (const unsigned char *)rows};
  f->image.sections[IMAGE_LISTS] = (image_section){0, sizeof numbers, (const unsigned char *)numbers};
}

static void end(fixture *f) {
  steps_destroy(f->state);
  sim_destroy(f->sim);
  arena_destroy(f->memory);
}

/* Reads these steps, with ' in the place of ". x is 4 x 3, y is as large, v has 3 numbers. */
static status read_steps(fixture *f, const char *steps) {
  char *json = arena_printf(f->memory,
                            "{'arrays': [{'name': 'x', 'rows': 4, 'width': 3, 'data': 0}, "
                            "{'name': 'y', 'rows': 4, 'width': 3}, {'name': 'v', 'rows': 3, 'width': 1}], "
                            "'steps': [%s]}",
                            steps);
  for (char *c = json; *c; c++)
    if (*c == '\'') *c = '"';
  json_t *root = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
  if (!root) unit_fail(__FILE__, __LINE__, "bad JSON: %s", json);
  status s = steps_read(f->memory, &f->image, root, &f->steps);
  json_decref(root);
  return s;
}

static status run(fixture *f, const char *steps) {
  RETURN_IF_ERROR(read_steps(f, steps));
  for (int i = 1; i < 3; i++) f->steps.arrays[i].is_kept = true;
  CHECK_OK(sim_create(&f->image, &f->image.device, &(sim_options){.level = SIM_L1}, &f->sim));
  CHECK_OK(steps_create(&f->steps, &f->state));
  return steps_run(f->state, f->sim, false, &f->stats);
}

#define MOVE(array, place) "{'op': 'relayout', 'name': 'r', " array ", 'place': {" place "}}"
#define PLACE(layout, rows, order) "'layout': 'sextans_" layout "', 'address': 65536, 'rows': " rows ", 'order': " order
#define A_PLACE(address, slots, rows, order)                                                                           \
  "'layout': 'sextans_a', 'address': " address ", 'stride': " slots ", 'rows': " rows ", 'order': " order
#define WEIGHTS_AT "131072"

TEST(rows_go_to_the_device_and_come_back_in_their_order) {
  fixture f;
  static const char *const layouts[] = {"b", "bt", "c", "ct"};
  for (int i = 0; i < 4; i++) {
    begin(&f);
    const char *place =
        arena_printf(f.memory, "'layout': 'sextans_%s', 'address': 65536, 'rows': %d", layouts[i], i % 2 ? 3 : 4);
    CHECK_OK(run(&f, arena_printf(f.memory, MOVE("'in': 0", "%s") ", " MOVE("'out': 1", "%s"), place, place)));
    for (int k = 0; k < 12; k++) CHECK_NEAR(steps_array(f.state, 1)[k], numbers[k], 0);
    CHECK_INT(f.stats.link_bytes, 2 * (i < 2 ? 4 * 64 : 8 * 64));
    CHECK_INT(f.stats.flops, 0);
    end(&f);
  }
}

/* Row 2 lies twice in memory, which makes it twice as large, and row 3 not at all. */
TEST(rows_that_lie_in_memory_several_times_are_added_up_and_counted) {
  fixture f;
  begin(&f);
  CHECK_OK(run(&f, MOVE("'in': 0", PLACE("c", "5", FOLDS)) ", " MOVE("'out': 1", PLACE("c", "5", FOLDS))));
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 3; c++)
      CHECK_NEAR(steps_array(f.state, 1)[3 * r + c], r == 3 ? 0 : numbers[3 * r + c] * (r == 2 ? 2 : 1), 0);
  CHECK_INT(f.stats.link_bytes, 2 * 8 * 64);
  CHECK_NEAR(f.stats.link_ms, 1024 / 4e9 * 1e3, 1e-12);
  CHECK_INT(f.stats.flops, 3); /* one row of three columns, from the device only */
  CHECK_NEAR(f.stats.ms, 3 / 2e9 * 1e3, 1e-12);
  CHECK_INT(f.stats.steps, 0);
  CHECK_INT(f.stats.bytes, 0);
  end(&f);
}

TEST(folds_are_counted_in_timing_only_mode) {
  fixture f;
  begin(&f);
  CHECK_OK(read_steps(&f, MOVE("'in': 0", PLACE("c", "5", FOLDS)) ", " MOVE("'out': 1", PLACE("c", "5", FOLDS))));
  CHECK_OK(sim_create(&f.image, &f.image.device, &(sim_options){.is_timing_only = true}, &f.sim));
  CHECK_OK(steps_create(&f.steps, &f.state));
  CHECK_OK(steps_run(f.state, f.sim, true, &f.stats));
  CHECK_INT(f.stats.link_bytes, 2 * 8 * 64);
  CHECK_INT(f.stats.flops, 3);
  end(&f);
}

TEST(a_place_without_rows_makes_zeros) {
  fixture f;
  begin(&f);
  CHECK_OK(run(&f, MOVE("'in': 0", PLACE("b", "4", "null")) ", " MOVE("'out': 1", PLACE("b", "4", "null")) ", " MOVE(
                       "'out': 1", PLACE("b", "0", FOLDS))));
  for (int k = 0; k < 12; k++) CHECK_NEAR(steps_array(f.state, 1)[k], 0, 0);
  end(&f);
}

TEST(values_of_elements_are_written_in_weights) {
  fixture f;
  begin(&f);
  CHECK_OK(run(&f, MOVE("'in': 0", A_PLACE(WEIGHTS_AT, "1", "3", "8")) ", " MOVE(
                       "'out': 2", A_PLACE(WEIGHTS_AT, "1", "3", "null"))));
  CHECK_NEAR(steps_array(f.state, 2)[0], 1, 0); /* numbers 0, 2 and 1 of x */
  CHECK_NEAR(steps_array(f.state, 2)[1], 3, 0);
  CHECK_NEAR(steps_array(f.state, 2)[2], 2, 0);
  CHECK_INT(f.stats.link_bytes, 2 * 512);
  end(&f);
}

static void expect(bool is_read, const char *steps, const char *part) {
  fixture f;
  begin(&f);
  CHECK_FAILS(is_read ? read_steps(&f, steps) : run(&f, steps), part);
  end(&f);
}
#define REFUSED(step, part) expect(true, step, part)

TEST(values_of_more_or_fewer_elements_are_no_move) {
  expect(false, MOVE("'in': 0", A_PLACE(WEIGHTS_AT, "1", "2", "8")),
         "step 0: 'r': A has 3 non-zeros, its place has 2 rows");
  expect(false, MOVE("'in': 0", A_PLACE(WEIGHTS_AT, "1", "5", FOLDS)),
         "step 0: 'r': A has 3 non-zeros, its place has 5 rows");
}

TEST(rows_of_a_place_are_a_number_that_fits) {
  REFUSED(MOVE("'in': 0", "'layout': 'sextans_b', 'address': 65536"), "'rows' is missing or no whole number");
  REFUSED(MOVE("'in': 0", PLACE("b", "-1", "null")), "'rows' is -1, expected 0 to 2147483647");
  REFUSED(MOVE("'in': 0", PLACE("b", "2147483648", "null")), "'rows' is 2147483648, expected 0 to");
  REFUSED(MOVE("'in': 0", PLACE("b", "5", "null")), "'rows' is 5, expected 4 without an 'order'");
  REFUSED(MOVE("'in': 0", PLACE("ct", "4", "null")), "'rows' is 4, expected 3 without an 'order'");
  REFUSED(MOVE("'in': 0", A_PLACE(WEIGHTS_AT, "1", "3", "null")), "'rows' is 3, expected 12 without an 'order'");
  REFUSED(MOVE("'in': 0", PLACE("b", "9", FOLDS)), "'order' is 36 bytes at 0 of '.gnnc.rows', which has 32");
  REFUSED(MOVE("'in': 0", PLACE("b", "2147483647", FOLDS)), "'order' is 8589934588 bytes at 0 of '.gnnc.rows'");
}

TEST(indices_of_a_place_are_rows_columns_or_numbers_of_its_array) {
  REFUSED(MOVE("'in': 0", PLACE("b", "1", TOO_HIGH)), "row 0 of 'order' is 4, expected -1 to 3");
  REFUSED(MOVE("'in': 0", PLACE("bt", "4", "8")), "row 3 of 'order' is 4, expected -1 to 2");
  REFUSED(MOVE("'in': 0", PLACE("c", "2", TOO_LOW)), "row 1 of 'order' is -2, expected -1 to 3");
  REFUSED(MOVE("'out': 2", A_PLACE(WEIGHTS_AT, "1", "4", "8")), "row 3 of 'order' is 4, expected -1 to 2");
  fixture f;
  begin(&f);
  CHECK_OK(read_steps(&f, MOVE("'in': 0", A_PLACE(WEIGHTS_AT, "1", "4", "8")))); /* x has 12 numbers */
  end(&f);
}

/* Two places share an order but not the array: the second has fewer rows. */
TEST(an_order_is_checked_for_each_array) {
  REFUSED(MOVE("'in': 0", PLACE("c", "1", TOO_HIGH)), "row 0 of 'order' is 4, expected -1 to 3");
  REFUSED(MOVE("'in': 0", A_PLACE(WEIGHTS_AT, "1", "1", TOO_HIGH)) ", " MOVE("'in': 0", PLACE("c", "1", TOO_HIGH)),
          "step 1: row 0 of 'order' is 4, expected -1 to 3");
}

TEST(orders_that_overlap_too_often_are_refused) {
  enum { WORDS = 1 << 17, PLACES = 26 };
  fixture f;
  begin(&f);
  f.image.sections[IMAGE_ROWS] =
      (image_section){0, 4 * WORDS, arena_alloc_array(f.memory, WORDS, sizeof(int32_t))}; /* zeros */
  const char *steps = MOVE("'out': 1", PLACE("b", "1", "0"));
  for (int i = 0; i < PLACES; i++)
    steps = arena_printf(f.memory,
                         "%s, " MOVE("'out': 2", "'layout': 'sextans_a', 'address': 131072, 'stride': 2048, "
                                                 "'rows': %d, 'order': %d"),
                         steps, WORDS - 64, 4 * i);
  f.image.sections[IMAGE_WEIGHTS].size = 1 << 20;
  CHECK_FAILS(read_steps(&f, steps), "orders of rows overlap in '.gnnc.rows': they have more than 3145728 rows");
  end(&f);
}

TEST(places_lie_within_sections_at_multiples_of_64_bytes) {
  REFUSED(MOVE("'in': 0", "'layout': 'sextans_b', 'address': 65540, 'rows': 4"),
          "address 0x10004 is no multiple of 64");
  REFUSED(MOVE("'in': 0", "'layout': 'sextans_c', 'address': 69568, 'rows': 4"),
          "512 bytes at 0x10fc0 do not lie in '.features'");
  REFUSED(MOVE("'in': 0", "'layout': 'sextans_b', 'address': 131072, 'rows': 4"),
          "256 bytes at 0x20000 do not lie in '.features'"); /* only values of elements go to .weights */
  REFUSED(MOVE("'in': 0", A_PLACE(WEIGHTS_AT, "2", "4", "8")),
          "1024 bytes at 0x20000 do not lie in '.features' or '.weights'");
  REFUSED(MOVE("'in': 0", A_PLACE(WEIGHTS_AT, "0", "4", "8")), "'rows' is 4, but 0 slots have 0 elements");
  REFUSED(MOVE("'in': 0", A_PLACE(WEIGHTS_AT, "-1", "4", "8")), "'stride' is -1, expected 0 to 2147483647");
  REFUSED(
      MOVE("'in': 0", "'layout': 'fibers', 'address': 65536, 'stride': 4"),
      "'layout' is 'fibers', expected sextans_a, sextans_b, sextans_bt, sextans_c, sextans_ct of machine 'sextans'");
}
