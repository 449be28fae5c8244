/* Makes random programs (test/fuzz/sim_program.h), writes them as images, and writes the results
 * of the simulator, for
 * graphagile_programs.py:
 *
 *   graphagile_programs 7 DIR      writes DIR/7.bin and DIR/7.features (device memory of
 * .features after the run) */
#include "sim/sim.h"
#include "test/fuzz/sim_program.h"

#include "support/file.h"

#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 700 };

static void fail_if(status s) {
  if (!s) return;
  fprintf(stderr, "graphagile_programs: %s\n", status_message(s));
  exit(1);
}

/* The inputs; graphagile_programs.py has the same numbers. */
static void fill_inputs(sim *s, uint64_t count) {
  float *words = sim_memory(s, PROGRAM_FEATURES_AT, count * 4);
  for (uint64_t i = 0; words && i < count; i++) words[i] = (float)((double)(i * 7919 % 401) / 100 - 2);
}

int main(int argc, char **argv) {
  static uint8_t bytes[BYTES];
  static program p;
  sim *s = NULL;
  sim_options options = {.level = SIM_L1, .max_cycles = 10000000};
  char path[4096];
  if (argc != 3) fail_if(status_error(STATUS_CODE_mismatch, "usage: graphagile_programs NUMBER DIR"));
  uint64_t state = strtoull(argv[1], NULL, 10) * 2862933555777941757u + 3037000493u;
  for (int i = 0; i < BYTES; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    bytes[i] = (uint8_t)(state >> 56);
  }
  program_make(&p, bytes, BYTES);
  snprintf(path, sizeof path, "%s/%s.bin", argv[2], argv[1]);
  fail_if(image_write(&p.image, path));
  fail_if(sim_create(&p.image, &p.device, &options, &s));
  fill_inputs(s, PROGRAM_INPUTS * program_tile_bytes(&p) / 4);
  fail_if(sim_run(s));
  uint64_t size = p.image.sections[IMAGE_FEATURES].size;
  snprintf(path, sizeof path, "%s/%s.features", argv[2], argv[1]);
  fail_if(file_write(path, sim_memory(s, PROGRAM_FEATURES_AT, size), size));
  sim_destroy(s);
  return 0;
}
