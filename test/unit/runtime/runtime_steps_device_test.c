/* Steps between host and device: rows move in the layout and order of their place, and each run
 * of the device is a number of whole layers. The image is the fixture's, with two layers: y[n]
 * is the sum of weight * x[source] over the edges of n, and z = 2 y. */
#include "runtime/steps/steps.h"
#include "test/unit/isa/isa_image_fixture.h"
#include "unit.h"

typedef struct device_fixture {
  arena *memory;
  image_fixture made;
  program_steps steps;
} device_fixture;

#define X_AT "20480"
#define Z_AT "20736"
#define ARRAYS                                                                                                         \
  "{\"arrays\": [{\"name\": \"x\", \"rows\": 8, \"width\": 4, \"data\": 0}, {\"name\": \"z\", \"rows\": 8, "           \
  "\"width\": 4}, {\"name\": \"v\", \"rows\": 8, \"width\": 2}], \"steps\": ["
#define MOVE(array, place) "{\"op\": \"relayout\", " array ", \"place\": {" place "}}"
#define FIBERS(address, stride, order)                                                                                 \
  "\"layout\": \"fibers\", \"address\": " address ", \"stride\": " stride ", \"order\": " order
#define TO_X "\"in\": 0"
#define FROM_Z "\"out\": 1"

static void begin(device_fixture *f, const float *x) {
  *f = (device_fixture){.memory = arena_create()};
  image_fixture_init(&f->made, f->memory);
  f->made.image.sections[IMAGE_LISTS] = (image_section){0, sizeof(float[8][4]), (const void *)x};
}

static status read_steps(device_fixture *f, const char *words) {
  json_error_t error;
  json_t *root = json_loads(words, 0, &error);
  if (!root) unit_fail(__FILE__, __LINE__, "%s: %s", error.text, words);
  status s = steps_read(f->memory, &f->made.image, root, &f->steps);
  json_decref(root);
  return s;
}

static const float x[8][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}, {17}, {18}, {19}, {20}};

static void expect_z(bool is_reversed, const char *words) {
  device_fixture f;
  sim *on = NULL;
  steps_state *state = NULL;
  sim_host_stats stats;
  float expected[8][4] = {{0}};
  begin(&f, &x[0][0]);
  CHECK_OK(read_steps(&f, words));
  f.steps.arrays[1].is_kept = true;
  CHECK_OK(sim_create(&f.made.image, &f.made.image.device, &(sim_options){.level = SIM_L1}, &on));
  CHECK_OK(steps_create(&f.steps, &state));
  CHECK_OK(steps_run(state, on, false, &stats));
  for (int e = 0; e < FIXTURE_EDGES; e++) {
    const graphagile_descriptor *piece = &f.made.descriptors[e >= 3];
    uint32_t src = (uint32_t)piece->src_row + f.made.records[3 * e], dst = f.made.records[3 * e + 1];
    for (int c = 0; c < 4; c++)
      expected[is_reversed ? 7 - dst : dst][c] += 2 * (1 + (float)e) * x[is_reversed ? 7 - src : src][c];
  }
  for (int i = 0; i < 32; i++) CHECK_NEAR(steps_array(state, 1)[i], (&expected[0][0])[i], 1e-5);
  steps_destroy(state);
  sim_destroy(on);
  arena_destroy(f.memory);
}

TEST(rows_go_to_the_device_and_come_back) {
  expect_z(false, ARRAYS MOVE(TO_X, FIBERS(X_AT, "8", "null")) ", {\"run\": [0, 12]}, " MOVE(
                      FROM_Z, FIBERS(Z_AT, "8", "null")) "]}");
}

/* Section .gnnc.rows of the fixture is 7, 6, ... 0. */
TEST(an_order_is_the_place_of_each_row_of_the_device_among_those_of_the_host) {
  expect_z(true, ARRAYS MOVE(TO_X, FIBERS(X_AT, "8", "0")) ", {\"run\": [0, 12]}, " MOVE(FROM_Z,
                                                                                         FIBERS(Z_AT, "8", "0")) "]}");
}

TEST(layers_run_apart_and_again) {
  expect_z(false, ARRAYS MOVE(TO_X, FIBERS(X_AT, "8", "null")) ", {\"run\": [0, 7]}, {\"run\": [7, 12]}, "
                                                               "{\"run\": [0, 7]}, {\"run\": [7, 7]}, " MOVE(
                                                                   FROM_Z, FIBERS(Z_AT, "8", "null")) "]}");
}

TEST(transfers_and_launches_are_counted_beside_the_device) {
  device_fixture f;
  sim *on = NULL;
  steps_state *state = NULL;
  sim_host_stats stats, timed;
  begin(&f, &x[0][0]);
  f.made.image.device.common.link_gb_s = 2;
  f.made.image.device.common.launch_us = 5;
  CHECK_OK(read_steps(&f, ARRAYS MOVE(TO_X, FIBERS(X_AT, "8", "null")) ", {\"run\": [0, 7]}, {\"run\": [7, 12]}, " MOVE(
                              FROM_Z, FIBERS(Z_AT, "8", "null")) "]}"));
  CHECK_OK(sim_create(&f.made.image, &f.made.image.device, &(sim_options){.level = SIM_L1}, &on));
  CHECK_OK(steps_create(&f.steps, &state));
  CHECK_OK(steps_run(state, on, false, &stats));
  CHECK_INT(stats.steps, 0);
  CHECK_INT(stats.launches, 2);
  CHECK_INT(stats.link_bytes, 2 * 8 * 4 * 4);
  CHECK_NEAR(stats.link_ms, 256 / 2e9 * 1e3, 1e-12);
  CHECK_NEAR(stats.launch_ms, 0.01, 1e-12);
  CHECK_INT(sim_statistics(on)->runs, 2);
  CHECK_OK(steps_run(state, on, true, &timed));
  CHECK_INT(timed.link_bytes, stats.link_bytes);
  CHECK_INT(timed.launches, 2);
  steps_destroy(state);
  sim_destroy(on);
  arena_destroy(f.memory);
}

static void expect_refused(const char *words, const char *part) {
  device_fixture f;
  begin(&f, &x[0][0]);
  CHECK_FAILS(read_steps(&f, words), part);
  arena_destroy(f.memory);
}

#define REFUSED(step, part) expect_refused(ARRAYS step "]}", part)

TEST(runs_are_whole_layers_forwards) {
  REFUSED("{\"run\": [0, 14]}", "step 0: 'run' is 14, expected 0 to 13");
  REFUSED("{\"run\": [-1, 12]}", "step 0: 'run' is -1, expected 0 to 13");
  REFUSED("{\"run\": [7, 0]}", "step 0: 'run' is 0, expected 7 to 13");
  REFUSED("{\"run\": [0]}", "step 0: 'run' is missing or no pair of records");
  REFUSED("{\"run\": 0}", "step 0: 'run' is missing or no pair of records");
  REFUSED("{\"run\": [0, \"7\"]}", "step 0: 'run' is missing or no whole number");
  REFUSED("{\"run\": [0, 6]}", "step 0: records 0 to 6 of '.text' are not whole layers");
  REFUSED("{\"run\": [1, 7]}", "step 0: records 1 to 7 of '.text' are not whole layers");
  REFUSED("{\"run\": [0, 13]}", "step 0: records 0 to 13 of '.text' are not whole layers");
}

TEST(places_have_a_layout_of_the_machine_within_its_memory) {
  REFUSED(MOVE(TO_X, "\"address\": 20480, \"stride\": 8"), "step 0: 'layout' is missing or no text");
  REFUSED(MOVE(TO_X, "\"layout\": \"rows\", \"address\": 20480, \"stride\": 8"),
          "step 0: 'layout' is 'rows', expected fibers, fibers16, values of machine 'graphagile'");
  REFUSED(MOVE(TO_X, FIBERS(X_AT, "7", "null")), "step 0: 'stride' is 7, expected 8 to 2147483647");
  REFUSED(MOVE(TO_X, "\"layout\": \"fibers\", \"stride\": 8"), "step 0: 'address' is missing or no whole number");
  REFUSED(MOVE(TO_X, FIBERS("16384", "8", "null")), "step 0: 128 bytes at 0x4000 do not lie in '.features'");
  REFUSED(MOVE(FROM_Z, FIBERS("20780", "8", "null")),
          "step 0: 128 bytes at 0x512c do not lie in '.features' or '.weights'");
  REFUSED(MOVE(TO_X, FIBERS("20482", "8", "null")), "step 0: address 0x5002 is no multiple of 4");
  REFUSED(MOVE(TO_X, FIBERS("1048577", "8", "null")), "step 0: 'address' is 1048577, expected 0 to 1048576");
  REFUSED(MOVE("\"out\": 2", "\"layout\": \"values\", \"address\": 20480"),
          "step 0: 'addresses' has 0 entries, expected one per head: 2");
  REFUSED(MOVE("\"out\": 2", "\"layout\": \"values\", \"addresses\": [20480, 20836]"),
          "step 0: 32 bytes at 0x5164 do not lie in '.features'");
  REFUSED(MOVE("\"in\": 0, \"out\": 1", FIBERS(X_AT, "8", "null")), "step 0: it has no array, or it has two");
}

TEST(orders_of_places_are_permutations) {
  REFUSED(MOVE(TO_X, FIBERS(X_AT, "8", "4")), "step 0: 'order' is 32 bytes at 4 of '.gnnc.rows', which has 32");
  REFUSED(MOVE(TO_X, FIBERS(X_AT, "8", "-4")), "step 0: 'order' is -4, expected 0 to");
  REFUSED(MOVE(TO_X, FIBERS(X_AT, "8", "\"0\"")), "step 0: 'order' is missing or no whole number");
  device_fixture f;
  begin(&f, &x[0][0]);
  f.made.rows[2] = 8;
  CHECK_FAILS(read_steps(&f, ARRAYS MOVE(TO_X, FIBERS(X_AT, "8", "0")) "]}"),
              "step 0: row 2 of 'order' is 8, expected 0 to 7");
  f.made.rows[2] = 7;
  CHECK_FAILS(read_steps(&f, ARRAYS MOVE(TO_X, FIBERS(X_AT, "8", "0")) "]}"), "step 0: 'order' has row 7 twice");
  arena_destroy(f.memory);
}
