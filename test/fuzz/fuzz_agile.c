/* room: sim. Programs of AGILE, of three kinds, which the first byte chooses: correct programs, whose
 * results must not depend on parameters of timing; such programs with a few bits of records,
 * descriptors and lists changed, which are refused, stop at a fault (with a message) or run; and
 * their files with bytes changed. */
#include "test/fuzz/machine_run.h"
#include "test/unit/isa/isa_agile_fixture.h"

enum { MOST_NODES = 24, MOST_DEGREE = 40 };

static void make_device(agile_device *d, input *in) {
  d->nodeslots = 1 + (int32_t)take(in, 9);
  d->read_masters = 1 + (int32_t)take(in, 4);
  d->masters = (int32_t)take(in, 2);
  d->allocation = (int32_t)take(in, 2);
  d->admission = (int32_t)take(in, 2);
  d->address_queue = 16 * (1 + (int32_t)take(in, 3));
  d->message_queue_beats = 4 + (int32_t)take(in, 9);
  d->rows = 1 + (int32_t)take(in, 4);
  d->meshes = 1 + (int32_t)take(in, 2);
  d->buffer_slots = 1 + (int32_t)take(in, 6);
  d->fte_rows = 1 + (int32_t)take(in, 6);
  d->outstanding = 1 + (int32_t)take(in, 2);
  d->has_packed_messages = take(in, 2);
}

static void make_program(agile_program *p, arena *a, input *in) {
  uint32_t nodes = 1 + take(in, MOST_NODES), messages = 1 + take(in, 20);
  agile_program_begin(p, a, nodes, messages, 1 + take(in, 64), 1 + take(in, 40));
  make_device(&p->image.device.agile, in);
  for (int reg = AGILE_REGISTER_x_scale_fixed_8; reg <= AGILE_REGISTER_s_scale; reg++)
    p->reg[reg] = agile_program_bits((float)(1 + take(in, 9)) / 64);
  p->reg[AGILE_REGISTER_precisions] = 15;
  p->reg[AGILE_REGISTER_activation] = take(in, 3);
  p->reg[AGILE_REGISTER_aggregation] = take(in, 3);
  p->reg[AGILE_REGISTER_bias] = agile_program_bits((float)take(in, 5) - 2);
  p->reg[AGILE_REGISTER_alpha] = agile_program_bits((float)take(in, 5) / 4);
  for (uint32_t node = 0; node < nodes && in->size; node++) {
    uint32_t count = take(in, MOST_DEGREE);
    agile_program_node(p, node, count, (int)take(in, AGILE_PRECISIONS));
    for (uint32_t k = 0; k < count && in->size; k++)
      agile_program_put(p, node, k, take(in, messages), (float)take(in, 200) / 16 - 6);
  }
  for (uint64_t i = 0; i < p->image.sections[IMAGE_WEIGHTS].size / sizeof(float); i++)
    p->weights[i] = (float)(i * 31 % 17) - 8;
  agile_program_pack(p);
}

static void check_program(agile_program *p) {
  device other = p->image.device;
  other.agile.nodeslots = 64;
  other.agile.admission = AGILE_ADMISSION_events;
  other.agile.read_masters = 7;
  other.agile.ddr_latency = 3;
  other.agile.message_queue_beats = 1000;
  check_results(&p->image, &other, SIM_L0);
}

static void spoil(agile_program *p, input *in) {
  for (int i = 0; i < 4 && in->size; i++) {
    uint32_t what = take(in, 4);
    if (what == 0)
      flip((unsigned char *)(uintptr_t)p->image.sections[IMAGE_TEXT].data, p->image.sections[IMAGE_TEXT].size, in);
    else if (what == 1)
      flip((unsigned char *)p->descs, p->nodes * sizeof *p->descs, in);
    else if (what == 2)
      flip((unsigned char *)p->lists, p->words * sizeof *p->lists, in);
    else
      p->image.sections[IMAGE_EDGES].data = NULL;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1) return 0;
  static agile_program p;
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
