/* Runs an image on the simulator and writes the device memory of .features after the run, for
 * tests that have no manifest:
 *
 *   simulate PROGRAM LEVEL OUT [IN]     IN: the bytes of .features before the run, else zeros
 *
 * The output is the number of cycles; the exit status is 1 after a message where the program is
 * refused or has a fault. */
#include "sim/sim.h"

#include "support/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail_if(status s) {
  if (!s) return;
  fprintf(stderr, "simulate: %s\n", status_message(s));
  exit(1);
}

static void read_features(const char *path, void *to, uint64_t size) {
  FILE *file = fopen(path, "rb");
  if (!file || fread(to, 1, size, file) != size)
    fail_if(status_error(STATUS_CODE_io, "%s does not have %" PRIu64 " bytes", path, size));
  fclose(file);
}

int main(int argc, char **argv) {
  if (argc < 4) fail_if(status_error(STATUS_CODE_mismatch, "usage: simulate PROGRAM LEVEL OUT [IN]"));
  sim_options options = {.level = (sim_level)strtol(argv[2], NULL, 10), .max_cycles = UINT64_C(1) << 40};
  arena *memory = arena_create();
  image im;
  sim *s = NULL;
  fail_if(image_open(memory, argv[1], &im));
  fail_if(sim_create(&im, &im.device, &options, &s));
  const image_section *features = &im.sections[IMAGE_FEATURES];
  void *bytes = features->size ? sim_memory(s, features->address, features->size) : NULL;
  if (argc > 4 && bytes) read_features(argv[4], bytes, features->size);
  fail_if(sim_run(s));
  fail_if(file_write(argv[3], bytes ? bytes : "", features->size));
  printf("%" PRIu64 "\n", sim_statistics(s)->cycles);
  sim_destroy(s);
  image_close(&im);
  arena_destroy(memory);
  return 0;
}
