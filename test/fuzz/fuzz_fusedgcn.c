/* room: sim. Programs of FusedGCN, of three kinds, which the first byte chooses: correct programs,
 * whose results at level 2 must be those of level 1 on another memory; such programs with a few bits
 * of records and S changed, which are refused, stop at a fault (with a message) or run; and their
 * files with bytes changed. */
#include "test/fuzz/machine_run.h"
#include "test/unit/isa/isa_fusedgcn_fixture.h"

enum { MOST_ROWS = 6 };

/* Adds a RUN of some rows, and perhaps a LOADW of the same weights to another place before it. */
static void add_run(fusedgcn_program *p, input *in) {
  uint32_t first = take(in, 3);
  if (take(in, 2)) fusedgcn_program_add(p, FUSEDGCN_OP_sync);
  if (first) {
    fusedgcn_loadw *w = &fusedgcn_program_add(p, FUSEDGCN_OP_loadw)->loadw;
    *w = *fusedgcn_program_loadw(p);
    w->first = first;
  }
  fusedgcn_run *run = &fusedgcn_program_add(p, FUSEDGCN_OP_run)->run;
  run->first = first;
  run->hi = take(in, (uint32_t)fusedgcn_program_layer(p)->n + 1);
  run->lo = take(in, (uint32_t)run->hi + 1);
}

static void make_program(fusedgcn_program *p, arena *a, input *in) {
  device d;
  int nonzeros[MOST_ROWS];
  uint32_t n = take(in, MOST_ROWS + 1), h_rows = 1 + take(in, 6);
  device_default(&d, &fusedgcn_machine);
  d.fusedgcn.rows = 1 + (int32_t)take(in, 6);
  d.fusedgcn.columns = 1 + (int32_t)take(in, 20);
  d.fusedgcn.mem = 1024;
  for (uint32_t row = 0; row < n; row++) nonzeros[row] = (int)take(in, 5);
  fusedgcn_program_begin(p, a, &d, n, h_rows, 1 + take(in, 14), 1 + take(in, 40), nonzeros);
  fusedgcn_layer *l = fusedgcn_program_layer(p);
  l->act = take(in, 3);
  l->order = take(in, 2);
  l->bias = take(in, 2);
  l->acc_in = take(in, 2);
  for (uint64_t j = 0; j < l->nnz; j++) {
    p->col[j] = (int32_t)take(in, h_rows);
    p->val[j] = (uint16_t)take(in, 65536);
  }
  uint64_t words = p->image.sections[IMAGE_WEIGHTS].size / sizeof *p->w;
  for (uint64_t i = 0; i < words; i++) p->w[i] = (uint16_t)(0x3e00 + i * 7919 % 0x300 + (i & 1) * 0x8000);
  for (int i = 0; i < 4 && in->size; i++) p->w[take(in, 65536) % words] = (uint16_t)take(in, 65536);
  for (uint32_t runs = take(in, 4); runs; runs--) add_run(p, in);
  fusedgcn_program_pack(p);
}

static void check_program(fusedgcn_program *p) {
  device other = p->image.device;
  other.fusedgcn.memory = FUSEDGCN_MEMORY_shared;
  other.fusedgcn.ddr_gb_s = 3;
  check_results(&p->image, &other, SIM_L2);
}

static void spoil(fusedgcn_program *p, input *in) {
  for (int i = 0; i < 4 && in->size; i++) {
    const image_section *text = &p->image.sections[IMAGE_TEXT], *edges = &p->image.sections[IMAGE_EDGES];
    if (take(in, 2))
      flip((unsigned char *)(uintptr_t)text->data, text->size, in);
    else
      flip((unsigned char *)p->pos, edges->size, in);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1) return 0;
  static fusedgcn_program p;
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
