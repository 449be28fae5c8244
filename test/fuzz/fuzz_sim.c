/* room: sim. The simulator runs three kinds of programs, which the first byte chooses: any bytes
 * as an image; correct programs, which must run, and whose results must not depend on parameters
 * of timing; correct programs with a few bits changed, which are refused, fault, deadlock (with
 * a message) or run. */
#include "sim/common/report.h"
#include "sim/sim.h"
#include "test/fuzz/sim_program.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_CYCLES = 200000 };

static void fail(const char *what, status s) {
  fprintf(stderr, "%s: %s\n", what, status_message(s));
  abort();
}

/* The inputs of every program: small numbers, the same in each run. */
static void fill_inputs(sim *s, const image *im) {
  const image_section *features = &im->sections[IMAGE_FEATURES];
  uint64_t count = features->size / 4 < 4096 ? features->size / 4 : 4096;
  float *words = sim_memory(s, features->address, count * 4);
  for (uint64_t i = 0; words && i < count; i++) words[i] = (float)((double)(i * 7919 % 401) / 100 - 2);
}

/* Runs the program and returns the contents of .features afterwards, NULL if the run failed. A
 * failure must have a message. */
static unsigned char *run(const image *im, const device *machine, sim_level level, bool must_succeed) {
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

/* A device that differs from the program's in parameters of timing only. */
static device other_machine(device d) {
  d.graphagile.queue_blocks = 3 - d.graphagile.queue_blocks;
  d.graphagile.ddr_gb_s = 7;
  d.graphagile.ddr_latency = 3;
  d.graphagile.fill = 0;
  d.graphagile.dispatch = 1;
  d.graphagile.accumulator_latency = 2;
  return d;
}

static void check_program(program *p) {
  device other = other_machine(p->device);
  status s = image_check(&p->image);
  if (s) fail("check", s);
  unsigned char *first = run(&p->image, &p->device, SIM_L1, true);
  unsigned char *second = run(&p->image, &other, SIM_L0, true);
  if (memcmp(first, second, p->image.sections[IMAGE_FEATURES].size) != 0) fail("results differ", STATUS_OK);
  free(first);
  free(second);
}

/* Flips up to four bits of instructions, and now and then one of a descriptor, until the bytes
 * of the input are used up. */
static void spoil(program *p) {
  for (int i = 0; i < 4 && p->size; i++) {
    uint64_t bit = program_take(p, (uint64_t)p->count * 128);
    uint64_t *word = bit % 128 < 64 ? &p->code[bit / 128].low : &p->code[bit / 128].high;
    *word ^= UINT64_C(1) << bit % 64;
    if (program_take(p, 4) == 0) p->descriptors[program_take(p, PROGRAM_DESCRIPTORS)][program_take(p, 16)] ^= 1;
  }
}

/* Whether a device can be simulated in little time and memory. */
static bool is_small(const device *d) {
  const graphagile_device *g = &d->graphagile;
  if (d->machine != &graphagile_machine) return true;
  return g->feature_rows <= 4096 && g->weight_rows <= 4096 && g->edges <= 65536 && g->num_pes <= 16;
}

static void run_if_checked(const image *im, sim_level level) {
  uint64_t bytes = 0;
  for (int kind = 0; kind < IMAGE_SECTIONS; kind++) bytes += im->sections[kind].size;
  if (bytes <= 1 << 24 && is_small(&im->device)) free(run(im, &im->device, level, false));
}

static void read_image(const uint8_t *data, size_t size) {
  arena *a = arena_create();
  image im;
  status s = image_read(a, "input", data, size, &im);
  if (!s) run_if_checked(&im, SIM_L1);
  status_free(s);
  arena_destroy(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static program p;
  if (size < 1) return 0;
  uint8_t mode = data[0] & 3;
  if (mode == 3) {
    read_image(data + 1, size - 1);
    return 0;
  }
  size_t kept = mode == 2 && size > 40 ? 16 : 0; /* bytes for spoil */
  program_make(&p, data + 1, size - 1 - kept);
  if (mode < 2) {
    check_program(&p);
    return 0;
  }
  p.bytes = data + size - kept;
  p.size = kept;
  spoil(&p);
  status s = image_check(&p.image);
  if (!s) run_if_checked(&p.image, SIM_L2);
  status_free(s);
  return 0;
}
