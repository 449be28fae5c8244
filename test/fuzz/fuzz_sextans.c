/* room: sim. Programs of Sextans, of three kinds, which the first byte chooses: correct programs,
 * whose results must not depend on parameters of timing; such programs with a few bits of records, Q
 * and A changed, which are refused, stop at a fault (with a message) or run; and their files with
 * bytes changed. */
#include "test/fuzz/machine_run.h"
#include "test/unit/isa/isa_sextans_fixture.h"

enum { MOST_WINDOWS = 4, MOST_SLOTS = 12 };

/* Puts non-zeros into the slots of a PE, rows in turn, so that they are far enough apart. */
static void make_list(sextans_program *p, input *in, int pe) {
  const sextans_spmm *l = sextans_program_launch(p);
  uint32_t rows = (uint32_t)(l->m > (uint64_t)pe ? (l->m - (uint64_t)pe + SEXTANS_PES - 1) / SEXTANS_PES : 0);
  uint32_t distance = (uint32_t)p->image.device.sextans.distance,
           window = (uint32_t)sextans_window(&p->image.device.sextans);
  for (uint32_t j = 0; j < l->windows; j++) {
    uint32_t columns = (uint32_t)l->k - j * window < window ? (uint32_t)l->k - j * window : window;
    for (int32_t i = p->q[j]; i < p->q[j + 1] && rows && in->size; i++) {
      uint32_t turn = (uint32_t)(i - p->q[j]) % distance;
      if (turn < rows) sextans_program_put(p, pe, i, turn, take(in, columns), (float)take(in, 200) / 16 - 6);
    }
  }
}

static void make_program(sextans_program *p, arena *a, input *in) {
  int slots[MOST_WINDOWS], windows = (int)take(in, MOST_WINDOWS + 1);
  bool has_two_b = take(in, 2);
  uint32_t k = windows ? 16 * (uint32_t)windows - take(in, 16) : 0;
  for (int j = 0; j < windows; j++) slots[j] = (int)take(in, MOST_SLOTS);
  uint32_t m = take(in, 200), n = 1 + take(in, 20);
  sextans_program_begin(p, a, m, k, n, windows, slots);
  sextans_device *d = &p->image.device.sextans;
  d->has_two_b = has_two_b;
  d->window = has_two_b ? 32 : 16;
  d->depth = 4;
  d->distance = 1 + (int32_t)take(in, 12);
  for (int pe = 0; pe < SEXTANS_PES; pe++) make_list(p, in, pe);
  sextans_spmm *l = sextans_program_launch(p);
  if (take(in, 2)) l->c_out = l->c_in;
  l->alpha = sextans_program_bits((float)take(in, 9) - 4);
  l->beta = sextans_program_bits((float)take(in, 9) - 4);
  if (take(in, 2)) sextans_program_add(p)->layer = take(in, 3);
  sextans_program_pack(p);
}

static void check_program(sextans_program *p) {
  device other = p->image.device;
  other.sextans.memory = SEXTANS_MEMORY_shared;
  other.sextans.ddr_gb_s = 3;
  other.sextans.drain = 1;
  check_results(&p->image, &other, SIM_L2);
}

static void spoil(sextans_program *p, input *in) {
  for (int i = 0; i < 4 && in->size; i++) {
    uint32_t what = take(in, 3);
    if (what == 0) {
      flip((unsigned char *)(uintptr_t)p->image.sections[IMAGE_TEXT].data, p->image.sections[IMAGE_TEXT].size, in);
    } else if (what == 1) {
      p->q[take(in, MOST_WINDOWS + 2)] += (int32_t)take(in, 5) - 2;
    } else {
      flip((unsigned char *)p->elements, p->image.sections[IMAGE_WEIGHTS].size, in);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1) return 0;
  static sextans_program p;
  input in, changes;
  program_kind kind = split_input(data, size, &in, &changes);
  arena *a = arena_create();
  make_program(&p, a, &in);
  switch (kind) {
  case KIND_correct: check_program(&p); break;
  case KIND_bits_changed:
    spoil(&p, &changes);
    check_and_run(&p.image);
    break;
  default: check_file(a, &p.image, &changes);
  }
  arena_destroy(a);
  return 0;
}
