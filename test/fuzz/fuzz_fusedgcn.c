/* room: sim. Programs of FusedGCN, of three kinds, which the first byte chooses: correct programs,
 * whose results at level 2 must be those of level 1 on another memory; such programs with a few bits
 * of records and S changed, which are refused, stop at a fault (with a message) or run; and their
 * files with bytes changed. */
#include "isa/text/listing.h"
#include "test/fuzz/sim_run.h"
#include "test/unit/isa/isa_fusedgcn_fixture.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_ROWS = 6 };

typedef struct input {
  const uint8_t *bytes;
  size_t size;
} input;

static uint32_t take(input *in, uint32_t limit) {
  uint32_t value = 0;
  for (int i = 0; i < 2 && in->size; i++, in->bytes++, in->size--) value = value * 256 + *in->bytes;
  return value % limit;
}

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
  status s = image_check(&p->image);
  if (s) fail("check", s);
  unsigned char *first = run(&p->image, &p->image.device, SIM_L1, true), *second = run(&p->image, &other, SIM_L2, true);
  if (memcmp(first, second, p->image.sections[IMAGE_FEATURES].size) != 0) fail("results differ", STATUS_OK);
  free(first);
  free(second);
}

/* Listings are made of any program, also of one that the check refuses. */
static void list(const image *im) {
  text out = {0};
  status_free(listing_print(im, &out));
  status_free(listing_print_layer(im, 0, &out));
  status_free(listing_print_assembly(im, &out));
  text_free(&out);
}

/* The loaded sections are small, so that every RUN that passes the check is. */
static void check_and_run(const image *im) {
  uint64_t bytes = 0;
  for (int kind = 0; kind < IMAGE_SECTIONS; kind++) bytes += im->sections[kind].size;
  status s = image_check(im);
  if (s && !*status_message(s)) abort();
  if (bytes <= 1 << 20) list(im);
  if (!s && bytes <= 1 << 20) free(run(im, &im->device, SIM_L1, false));
  status_free(s);
}

static void flip(unsigned char *bytes, size_t size, input *in) {
  size_t at = size ? (size_t)take(in, 65536) * 256 % size + take(in, 256) : 0;
  if (size) bytes[at % size] ^= (unsigned char)(1u << take(in, 8));
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

/* Changes bytes of the program's file, and reads it. */
static void check_file(arena *a, fusedgcn_program *p, input *in) {
  unsigned char *bytes = NULL;
  size_t size = 0;
  image im;
  status s = image_write_memory(&p->image, &bytes, &size);
  if (s) fail("write", s);
  for (int i = 0; i < 6 && in->size; i++) flip(bytes, size, in);
  s = image_read(a, "input", bytes, size, &im);
  if (s && !*status_message(s)) abort();
  if (!s) check_and_run(&im);
  status_free(s);
  free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1) return 0;
  static fusedgcn_program p;
  size_t kept = data[0] % 3 && size > 40 ? 24 : 0; /* bytes for changes */
  input in = {data + 1, size - 1 - kept}, changes = {data + size - kept, kept};
  arena *a = arena_create();
  make_program(&p, a, &in);
  switch (data[0] % 3) {
  case 0: check_program(&p); break;
  case 1:
    spoil(&p, &changes);
    check_and_run(&p.image);
    break;
  default: check_file(a, &p, &changes);
  }
  arena_destroy(a);
  return 0;
}
