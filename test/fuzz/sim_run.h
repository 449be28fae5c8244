/* Runs an image in a fuzzer: with the same small numbers as inputs each time, and its statistics
 * printed. */
#ifndef GNNC_TEST_FUZZ_SIM_RUN_H
#define GNNC_TEST_FUZZ_SIM_RUN_H

#include "sim/common/report.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CYCLES = 200000 };

static inline void fail(const char *what, status s) {
  fprintf(stderr, "%s: %s\n", what, status_message(s));
  abort();
}

/* The inputs of every program: small numbers, the same in each run. */
static inline void fill_inputs(sim *s, const image *im) {
  const image_section *features = &im->sections[IMAGE_FEATURES];
  uint64_t count = features->size / 4 < 4096 ? features->size / 4 : 4096;
  float *words = sim_memory(s, features->address, count * 4);
  for (uint64_t i = 0; words && i < count; i++) words[i] = (float)((double)(i * 7919 % 401) / 100 - 2);
}

/* Runs the program and returns the contents of .features afterwards, NULL if the run failed. A
 * failure must have a message. */
static inline unsigned char *run(const image *im, const device *machine, sim_level level, bool must_succeed) {
  sim *s = NULL;
  sim_options options = {.level = level, .max_cycles = MOST_CYCLES};
  unsigned char *features = NULL;
  status failure = sim_create(im, machine, &options, &s);
  if (!failure) {
    fill_inputs(s, im);
    failure = sim_run(s);
  }
  if (!failure) {
    char *json = NULL;
    uint64_t bytes = im->sections[IMAGE_FEATURES].size;
    const void *memory = bytes ? sim_memory(s, im->sections[IMAGE_FEATURES].address, bytes) : NULL;
    features = calloc(1, bytes + 1);
    if (memory) memcpy(features, memory, bytes);
    failure = report_json(sim_statistics(s), NULL, im, machine, NULL, &json);
    free(json);
  }
  if (failure && (must_succeed || !*status_message(failure))) fail("run", failure);
  status_free(failure);
  sim_destroy(s);
  return features;
}

#endif
