/* The check of FusedGCN's programs: at each limit it accepts the last valid number and refuses the
 * first invalid one, and the message has both. */
#include "isa_fusedgcn_fixture.h"
#include "unit.h"

typedef struct trial {
  arena *memory;
  fusedgcn_program p;
} trial;

static trial *begin(uint64_t n, uint64_t h_rows, uint64_t i, uint64_t o, const int *nonzeros) {
  trial *t = calloc(1, sizeof *t);
  if (!t) abort();
  t->memory = arena_create();
  fusedgcn_program_begin(&t->p, t->memory, NULL, n, h_rows, i, o, nonzeros);
  return t;
}

/* Three rows with three non-zeros, 20 columns of H and 17 of OUT: 2 x 2 tiles. */
static trial *begin_small(void) {
  return begin(3, 2, 20, 17, (int[]){2, 0, 1});
}

static void end(trial *t) {
  arena_destroy(t->memory);
  free(t);
}

static fusedgcn_layer *layer(trial *t) {
  return fusedgcn_program_layer(&t->p);
}

static status checked(trial *t) {
  fusedgcn_program_pack(&t->p);
  return image_check(&t->p.image);
}

/* The check with one field of a record changed. */
#define WITH_LAYER(t, field, value) with(t, 1, offsetof(fusedgcn_insn, layer.field), value)
#define WITH_LOADW(t, field, value) with(t, 0, offsetof(fusedgcn_insn, loadw.field), value)
#define WITH_RUN(t, field, value) with(t, 2, offsetof(fusedgcn_insn, run.field), value)
static status with(trial *t, int record, size_t field, uint64_t value) {
  fusedgcn_insn kept = t->p.insns[record];
  memcpy((char *)&t->p.insns[record] + field, &value, sizeof value);
  status s = checked(t);
  t->p.insns[record] = kept;
  return s;
}

/* ---- the device ---- */

TEST(devices_and_programs_are_described_in_a_line) {
  trial *t = begin_small();
  text out = {0};
  fusedgcn_machine.print_device(&t->p.image.device, &out);
  text_append(&out, "; ");
  fusedgcn_machine.print_size(&t->p.image, &out);
  CHECK_STR(text_str(&out), "16 x 16 PEs, 512 weights each; 1 run, 4 tiles of weights");
  text_free(&out);
  end(t);
}

TEST(the_length_of_a_cycle_follows_the_clock) {
  device d;
  device_default(&d, &fusedgcn_machine);
  CHECK_NEAR(d.fusedgcn.cycle_ns, 2, 0);
  CHECK_OK(device_set(&d, "clock_mhz", "800"));
  CHECK_NEAR(d.fusedgcn.cycle_ns, 1.25, 0);
}

TEST(parameters_have_limits_and_names) {
  device d;
  device_default(&d, &fusedgcn_machine);
  CHECK_OK(device_set(&d, "rows", "1024"));
  CHECK_FAILS(device_set(&d, "rows", "1025"), "'rows' is 1025, expected a whole number from 1 to 1024");
  CHECK_FAILS(device_set(&d, "columns", "0"), "'columns' is 0, expected a whole number from 1 to 1024");
  CHECK_OK(device_set(&d, "mem", "65535"));
  CHECK_FAILS(device_set(&d, "mem", "65536"), "'mem' is 65536, expected a whole number from 1 to 65535");
  CHECK_OK(device_set(&d, "memory", "shared:77"));
  CHECK_OK(device_set(&d, "conversion", "truncate"));
  CHECK_FAILS(device_set(&d, "conversion", "floor"), "'conversion' is 'floor', expected nearest or truncate");
}

/* ---- numbers ---- */

TEST(numbers_are_rounded_to_even_or_cut_off) {
  CHECK_INT(bf16_nearest(1.00390625f), 0x3f80);
  CHECK_INT(bf16_nearest(1.01171875f), 0x3f82);
  CHECK_INT(bf16_nearest(1.0039063692092896f), 0x3f81);
  CHECK_INT(bf16_truncate(1.01171875f), 0x3f81);
  CHECK_INT(bf16_truncate(-1.9999999f), 0xbfff);
  CHECK_INT(bf16_nearest(-1.9999999f), 0xc000);
  CHECK_INT(bf16_nearest(3.4e38f), 0x7f80);
  CHECK_INT(bf16_truncate(3.4028235e38f), 0x7f7f);
  CHECK_INT(bf16_nearest(-INFINITY), 0xff80);
  CHECK_INT(bf16_convert(FUSEDGCN_CONVERSION_nearest, 1.01171875f), 0x3f82);
  CHECK_INT(bf16_convert(FUSEDGCN_CONVERSION_truncate, 1.01171875f), 0x3f81);
}

TEST(what_is_not_normal_is_zero_and_nan_is_one_number) {
  CHECK_INT(bf16_nearest(-0.0f), 0);
  CHECK_INT(bf16_nearest(0x1p-127f), 0);
  CHECK_INT(bf16_nearest(0x1.ffffp-127f), 0x0080);
  CHECK_INT(bf16_truncate(0x1.ffffp-127f), 0);
  CHECK_INT(bf16_nearest(number_of_bits(0x7f800001)), BF16_NAN);
  CHECK_INT(bf16_truncate(number_of_bits(0xffffffff)), BF16_NAN);
  CHECK_INT(bf16_store(bf16_load(0x7fff)), BF16_NAN);
  CHECK_INT(number_bits(bf16_load(0x807f)), 0);
  CHECK_INT(number_bits(bf16_load(0x8080)), 0x80800000);
  CHECK_INT(bf16_store(bf16_round(bf16_load(0x7fff))), BF16_NAN);
}

/* ---- LAYER ---- */

TEST(tiles_are_those_of_the_columns) {
  trial *t = begin_small();
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH_LAYER(t, kt, 1), "record at 0x80: 'kt' is 1, expected 2: 20 columns in tiles of 16");
  CHECK_FAILS(WITH_LAYER(t, rt, 3), "record at 0x80: 'rt' is 3, expected 2: 17 columns in tiles of 16");
  CHECK_OK(WITH_LAYER(t, i, 17));
  CHECK_FAILS(WITH_LAYER(t, i, 16), "'kt' is 2, expected 1: 16 columns in tiles of 16");
  CHECK_FAILS(WITH_LAYER(t, i, 0), "'i' is 0, expected at least 1");
  CHECK_FAILS(WITH_LAYER(t, o, 0), "'o' is 0, expected at least 1");
  end(t);
}

TEST(tiles_fit_the_pes) {
  trial *t = begin(1, 1, 256 * 16, 17, (int[]){1});
  CHECK_OK(checked(t));
  end(t);
  t = begin(1, 1, 256 * 16 + 1, 17, (int[]){1});
  fusedgcn_program_loadw(&t->p)->tiles = 512;
  CHECK_FAILS(checked(t), "record at 0x80: 257 * 2 = 514 tiles, the PEs hold 512; expected several layers with some of "
                          "the columns of H or OUT each");
  end(t);
}

TEST(s_pos_rises_from_0_to_the_number_of_non_zeros) {
  trial *t = begin_small();
  t->p.pos[0] = 1;
  CHECK_FAILS(checked(t), "record at 0x80: 's_pos': number 0 is 1, expected 0");
  t->p.pos[0] = 0;
  t->p.pos[2] = 1;
  CHECK_FAILS(checked(t), "'s_pos': number 2 is 1, expected at least 2");
  t->p.pos[2] = 3;
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH_LAYER(t, nnz, 2), "'s_pos' ends with 3, expected 'nnz' = 2");
  CHECK_FAILS(WITH_LAYER(t, nnz, UINT64_C(1) << 31), "2147483648 non-zeros, the largest number in S_pos is 2147483647");
  CHECK_FAILS(WITH_LAYER(t, n, 1), "'s_pos' ends with 2, expected 'nnz' = 3");
  end(t);
}

TEST(columns_of_s_are_rows_of_h) {
  trial *t = begin_small();
  t->p.col[2] = 1;
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH_LAYER(t, h_rows, 1), "'s_col': number 1 is 1, expected a row of H from 0 to less than 'h_rows' = 1");
  t->p.col[2] = 2;
  CHECK_FAILS(checked(t), "'s_col': number 2 is 2, expected a row of H from 0 to less than 'h_rows' = 2");
  t->p.col[2] = -1;
  CHECK_FAILS(checked(t), "'s_col': number 2 is -1");
  end(t);
  t = begin(2, 0, 1, 1, (int[]){0, 0});
  CHECK_OK(checked(t));
  end(t);
  t = begin(0, 0, 1, 1, NULL);
  CHECK_OK(checked(t));
  end(t);
}

TEST(s_is_in_the_file_but_for_its_values) {
  trial *t = begin_small();
  CHECK_OK(WITH_LAYER(t, s_val, FUSEDGCN_AT_WEIGHTS));
  CHECK_OK(WITH_LAYER(t, s_val, FUSEDGCN_AT_FEATURES + 64));
  CHECK_FAILS(WITH_LAYER(t, s_pos, FUSEDGCN_AT_WEIGHTS), "'s_pos': 16 bytes from 0x1000000 on do not lie in '.edges'");
  CHECK_FAILS(WITH_LAYER(t, s_col, FUSEDGCN_AT_FEATURES),
              "'s_col': 12 bytes from 0x10000000 on do not lie in '.edges'");
  CHECK_FAILS(WITH_LAYER(t, s_val, 0),
              "'s_val': 6 bytes from 0x0 on do not lie in '.edges' or '.weights' or '.features'");
  t->p.image.sections[IMAGE_EDGES].data = NULL;
  CHECK_FAILS(checked(t), "'s_pos' has no data: section '.edges' is not in the file");
  end(t);
}

TEST(arrays_are_aligned_and_inside) {
  trial *t = begin_small();
  uint64_t behind = FUSEDGCN_AT_FEATURES + t->p.image.sections[IMAGE_FEATURES].size;
  CHECK_FAILS(WITH_LAYER(t, s_pos, FUSEDGCN_AT_EDGES + 32), "'s_pos' is 0x100020, expected a multiple of 64");
  CHECK_FAILS(WITH_LAYER(t, h, FUSEDGCN_AT_FEATURES + 1), "'h' is 0x10000001, expected a multiple of 2");
  CHECK_OK(WITH_LAYER(t, out, behind - 3 * 34));
  CHECK_FAILS(WITH_LAYER(t, out, behind - 3 * 34 + 2),
              "'out': 3 rows of 34 bytes from 0x1000009c on, 34 bytes apart, do not lie in '.features'");
  CHECK_FAILS(WITH_LAYER(t, out, FUSEDGCN_AT_WEIGHTS), "do not lie in '.features'");
  CHECK_OK(WITH_LAYER(t, h, FUSEDGCN_AT_WEIGHTS));
  CHECK_FAILS(WITH_LAYER(t, h, FUSEDGCN_AT_EDGES), "do not lie in '.weights' or '.features'");
  CHECK_FAILS(WITH_LAYER(t, h, UINT64_MAX - 1), "do not lie");
  CHECK_FAILS(WITH_LAYER(t, h_stride, 19), "'h_stride' is 19, expected at least 20 columns");
  CHECK_FAILS(WITH_LAYER(t, out_stride, 16), "'out_stride' is 16, expected at least 17 columns");
  CHECK_FAILS(WITH_LAYER(t, h_stride, UINT32_MAX), "do not lie in");
  layer(t)->h_rows = UINT32_MAX;
  CHECK_FAILS(WITH_LAYER(t, h_stride, UINT32_MAX), "'h': 4294967295 rows of 40 bytes");
  end(t);
}

TEST(out_is_apart_from_h_or_has_other_columns) {
  trial *t = begin(2, 2, 20, 12, (int[]){1, 1});
  fusedgcn_layer *l = layer(t);
  CHECK_FAILS(WITH_LAYER(t, out, l->h + 2), "'out' = 0x10000002 overlaps 'h' = 0x10000000, expected arrays apart, or "
                                            "other columns of rows that are equally far apart");
  t->p.image.sections[IMAGE_FEATURES].size = 4096;
  l->h_stride = l->out_stride = 32;
  l->out = l->h + 40;
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH_LAYER(t, out, l->h + 38), "overlaps 'h'");
  CHECK_FAILS(WITH_LAYER(t, out, l->h + 42), "overlaps 'h'");
  CHECK_FAILS(WITH_LAYER(t, out_stride, 33), "overlaps 'h'");
  CHECK_OK(WITH_LAYER(t, out, l->h + 128));
  l->h = FUSEDGCN_AT_FEATURES + 24;
  l->out = FUSEDGCN_AT_FEATURES;
  CHECK_OK(checked(t));
  l->s_val = FUSEDGCN_AT_FEATURES + 64;
  CHECK_FAILS(checked(t), "'out' = 0x10000000 overlaps 's_val' = 0x10000040");
  l->s_val = FUSEDGCN_AT_FEATURES + 128;
  CHECK_OK(checked(t));
  end(t);
}

TEST(a_small_file_cannot_ask_for_endless_looks) {
  trial *t = begin(1, 1, 1, 1, (int[]){60});
  for (int j = 0; j < 60; j++) t->p.col[j] = 0;
  for (int j = 0; j < 140; j++) fusedgcn_program_add(&t->p, FUSEDGCN_OP_layer)->layer = *layer(t);
  CHECK_OK(checked(t));           /* the same lists are looked at once */
  for (int j = 0; j < 140; j++) { /* each has a place of its own for no columns */
    fusedgcn_layer *l = &t->p.insns[3 + j].layer;
    l->n = 0;
    l->nnz = 0;
    l->s_col = 64 * (uint64_t)j;
  }
  CHECK_OK(checked(t));
  int32_t one = 0;
  t->p.insns[1].op = FUSEDGCN_OP_sync;
  t->p.insns[2].op = FUSEDGCN_OP_sync;
  t->p.image.sections[IMAGE_EDGES] = (image_section){FUSEDGCN_AT_EDGES, 4, (const void *)&one};
  CHECK_FAILS(checked(t),
              "record at 0x2180: lists of S overlap so much that their numbers would be looked at more than "
              "64 times");
  end(t);
}

/* ---- LOADW and RUN ---- */

TEST(weights_are_inside_of_their_section_and_of_the_pes) {
  trial *t = begin_small();
  CHECK_FAILS(WITH_LOADW(t, w, FUSEDGCN_AT_WEIGHTS + 2), "record at 0x0: 'w' is 0x1000002, expected a multiple of 64");
  CHECK_FAILS(WITH_LOADW(t, w, FUSEDGCN_AT_FEATURES), "'w': 2112 bytes from 0x10000000 on do not lie in '.weights'");
  CHECK_FAILS(WITH_LOADW(t, tiles, 5), "'w': 2624 bytes from 0x1000000 on do not lie in '.weights'");
  CHECK_FAILS(WITH_LOADW(t, first, 509),
              "record at 0x0: 4 tiles from place 509 on, expected at most the places of 'mem' = 512");
  CHECK_FAILS(WITH_LOADW(t, first, 508), "record at 0x100: no loadw before has filled tile 0");
  fusedgcn_program_run(&t->p)->first = 508;
  CHECK_OK(WITH_LOADW(t, first, 508));
  fusedgcn_program_run(&t->p)->first = 509;
  CHECK_FAILS(WITH_LOADW(t, first, 508), "record at 0x100: 4 tiles from place 509 on");
  CHECK_FAILS(WITH_LOADW(t, tiles, UINT32_MAX), "4294967295 tiles from place 0 on");
  CHECK_FAILS(WITH_LOADW(t, biases, 513), "513 groups of biases from place 0 on");
  end(t);
}

TEST(a_run_needs_weights_that_were_loaded) {
  trial *t = begin_small();
  CHECK_FAILS(WITH_LOADW(t, tiles, 3), "record at 0x100: no loadw before has filled tile 3");
  CHECK_OK(WITH_LOADW(t, biases, 0));
  layer(t)->bias = 1;
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH_LOADW(t, biases, 1), "record at 0x100: no loadw before has filled group of biases 1");
  fusedgcn_insn *in = fusedgcn_program_add(&t->p, FUSEDGCN_OP_loadw);
  in->loadw = *fusedgcn_program_loadw(&t->p);
  CHECK_FAILS(WITH_LOADW(t, tiles, 3), "no loadw before has filled tile 3");
  end(t);
}

TEST(a_run_has_rows_of_the_layer_before) {
  trial *t = begin_small();
  CHECK_OK(WITH_RUN(t, lo, 3));
  CHECK_FAILS(WITH_RUN(t, lo, 4), "record at 0x100: rows 4 to 3, expected some of 3 rows");
  CHECK_FAILS(WITH_RUN(t, hi, 4), "record at 0x100: rows 0 to 4, expected some of 3 rows");
  CHECK_FAILS(WITH_RUN(t, layer, 1), "record at 0x100: run of layer 1 behind the record of layer 0");
  t->p.insns[1] = (fusedgcn_insn){.op = FUSEDGCN_OP_sync};
  CHECK_FAILS(checked(t), "record at 0x100: run before any layer");
  end(t);
}

/* ---- records ---- */

TEST(halt_is_the_last_record) {
  trial *t = begin_small();
  t->p.image.sections[IMAGE_TEXT].size -= FUSEDGCN_INSN_BYTES;
  CHECK_FAILS(image_check(&t->p.image), "record at 0x100: run is the last record, expected halt");
  t->p.image.sections[IMAGE_TEXT].size = 0;
  CHECK_OK(image_check(&t->p.image)); /* all work is the host's */
  t->p.insns[0] = (fusedgcn_insn){.op = FUSEDGCN_OP_halt};
  CHECK_FAILS(checked(t), "record at 0x0: halt before the last record, 384 bytes follow");
  t->p.num_insns = 0;
  CHECK_OK(checked(t));
  end(t);
}

TEST(records_have_known_opcodes_names_and_no_reserved_bits) {
  trial *t = begin_small();
  unsigned char *code = (unsigned char *)(uintptr_t)t->p.image.sections[IMAGE_TEXT].data;
  code[127] = 1;
  CHECK_FAILS(image_check(&t->p.image), "record at 0x0: loadw: bit 1016 is set, but reserved");
  code[127] = 0;
  code[129] = 3; /* bits 11:8 */
  CHECK_FAILS(image_check(&t->p.image), "record at 0x80: layer: 'act' has the value 3, which means nothing");
  code[128] = 6;
  CHECK_FAILS(image_check(&t->p.image), "record at 0x80: no instruction has the opcode 0x06");
  end(t);
}

TEST(parts_of_a_program_state_their_layers) {
  trial *t = begin_small();
  CHECK_OK(fusedgcn_machine.check_run(&t->p.image, 0, 4));
  CHECK_OK(fusedgcn_machine.check_run(&t->p.image, 1, 3));
  CHECK_OK(fusedgcn_machine.check_run(&t->p.image, 2, 2));
  CHECK_FAILS(fusedgcn_machine.check_run(&t->p.image, 2, 3),
              "records 2 to 3: record 2 is a run, its layer is not among them");
  CHECK_FAILS(fusedgcn_machine.check_run(&t->p.image, 0, 5), "records 0 to 5, '.text' has 4");
  CHECK_FAILS(fusedgcn_machine.check_run(&t->p.image, 1, 0), "records 1 to 0, '.text' has 4");
  end(t);
}
