/* Random correct programs (test/fuzz/sim_program.h) run without a fault, and their results do
 * not depend on parameters of timing: memory, latencies, queues, level, number of PEs. */
#include "sim/sim.h"
#include "test/fuzz/sim_program.h"
#include "unit.h"

enum { BYTES = 1500 };

static uint8_t bytes[BYTES];
static program made;

static void draw_bytes(uint64_t seed) {
  uint64_t state = seed * 2862933555777941757u + 3037000493u;
  for (int i = 0; i < BYTES; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    bytes[i] = (uint8_t)(state >> 56);
  }
}

static void fill_inputs(sim *s) {
  uint64_t count = PROGRAM_INPUTS * program_tile_bytes(&made) / 4;
  float *words = sim_memory(s, PROGRAM_FEATURES_AT, count * 4);
  for (uint64_t i = 0; words && i < count; i++) words[i] = (float)((double)(i * 7919 % 401) / 100 - 2);
}

/* The contents of .features after a run; NULL after a failure, which is reported. */
static unsigned char *run(const device *runs_on, sim_level level, uint64_t *cycles) {
  sim *s = NULL;
  sim_options options = {.level = level, .max_cycles = 10000000};
  uint64_t size = made.image.sections[IMAGE_FEATURES].size;
  unsigned char *features = NULL;
  status failure = sim_create(&made.image, runs_on, &options, &s);
  if (!failure) {
    fill_inputs(s);
    failure = sim_run(s);
  }
  CHECK_STR(status_message(failure), "");
  if (!failure) {
    const void *memory = sim_memory(s, PROGRAM_FEATURES_AT, size);
    features = malloc(size);
    memcpy(features, memory, size);
    *cycles = sim_statistics(s)->cycles;
  }
  status_free(failure);
  sim_destroy(s);
  return features;
}

static void check_same(unsigned char *expected, unsigned char *actual) {
  if (expected && actual) CHECK(memcmp(expected, actual, made.image.sections[IMAGE_FEATURES].size) == 0);
  free(actual);
}

TEST(what_a_program_computes_does_not_depend_on_what_only_times) {
  for (uint64_t seed = 1; seed <= 200 && !unit_failures; seed++) {
    uint64_t cycles, cycles_again;
    draw_bytes(seed);
    program_make(&made, bytes, BYTES);
    CHECK_OK(image_check(&made.image));
    device runs_on = made.device;
    unsigned char *expected = run(&runs_on, SIM_L1, &cycles);
    check_same(expected, run(&runs_on, SIM_L1, &cycles_again));
    CHECK_INT(cycles_again, cycles);
    check_same(expected, run(&runs_on, SIM_L2, &cycles));
    runs_on.graphagile.queue_blocks = 3 - runs_on.graphagile.queue_blocks;
    runs_on.graphagile.ddr_gb_s = 3;
    check_same(expected, run(&runs_on, SIM_L0, &cycles));
    runs_on.graphagile.ddr_latency = runs_on.graphagile.fill = runs_on.graphagile.dispatch = 0;
    runs_on.graphagile.ddr_gb_s = 1e5;
    check_same(expected, run(&runs_on, SIM_L1, &cycles));
    CHECK_OK(device_set(&runs_on, "memory", "paper"));
    check_same(expected, run(&runs_on, SIM_L0, &cycles));
    made.image.device.graphagile.num_pes = runs_on.graphagile.num_pes = 5;
    check_same(expected, run(&runs_on, SIM_L0, &cycles));
    if (unit_failures) printf("program %llu\n", (unsigned long long)seed);
    free(expected);
  }
}
