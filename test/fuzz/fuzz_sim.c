/* room: sim. The simulator runs three kinds of programs, which the first byte chooses: any bytes
 * as an image; correct programs, which must run, and whose results must not depend on parameters
 * of timing; correct programs with a few bits changed, which are refused, fault, deadlock (with
 * a message) or run. */
#include "test/fuzz/sim_program.h"
#include "test/fuzz/sim_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
