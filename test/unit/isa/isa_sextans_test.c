/* The check of Sextans' programs: at each limit it accepts the last valid number and refuses the
 * first invalid one, and the message has both. */
#include "isa_sextans_fixture.h"
#include "unit.h"

typedef struct trial {
  arena *memory;
  sextans_program p;
} trial;

static trial *begin(uint64_t m, uint64_t k, uint64_t n, int windows, const int *slots) {
  trial *t = calloc(1, sizeof *t);
  if (!t) abort();
  t->memory = arena_create();
  sextans_program_begin(&t->p, t->memory, m, k, n, windows, slots);
  return t;
}

static void end(trial *t) {
  arena_destroy(t->memory);
  free(t);
}

static sextans_spmm *launch(trial *t) {
  return sextans_program_launch(&t->p);
}

static status checked(trial *t) {
  sextans_program_pack(&t->p);
  return image_check(&t->p.image);
}

/* The check with one field of the launch changed. */
#define WITH(t, field, value) with(t, offsetof(sextans_spmm, field), value)
static status with(trial *t, size_t field, uint64_t value) {
  sextans_spmm kept = *launch(t);
  memcpy((char *)launch(t) + field, &value, sizeof value);
  status s = checked(t);
  *launch(t) = kept;
  return s;
}

/* ---- the device ---- */

TEST(a_window_is_a_whole_number_of_beats_and_of_halves_with_two_buffers) {
  device d;
  device_default(&d, &sextans_machine);
  CHECK_OK(device_set(&d, "window", "16"));
  CHECK_OK(device_set(&d, "window", "16384"));
  CHECK_FAILS(device_set(&d, "window", "24"), "'window' is 24, expected a multiple of 16");
  CHECK_FAILS(device_set(&d, "window", "16385"), "'window' is 16385, expected a whole number from 16 to 16384");
  CHECK_OK(device_set(&d, "depth", "131072"));
  CHECK_FAILS(device_set(&d, "depth", "131073"), "'depth' is 131073, expected a whole number from 1 to 131072");
  CHECK_OK(device_set(&d, "window", "48"));
  CHECK_OK(device_set(&d, "has_two_b", "true"));
  CHECK_INT(sextans_window(&d.sextans), 24);
}

TEST(the_length_of_a_cycle_follows_the_clock) {
  device d;
  device_default(&d, &sextans_machine);
  CHECK_NEAR(d.sextans.cycle_ns, 1000 / 189.0, 1e-12);
  CHECK_OK(device_set(&d, "clock_mhz", "350"));
  CHECK_NEAR(d.sextans.cycle_ns, 1000 / 350.0, 1e-12);
  CHECK_OK(device_set(&d, "cycle_ns", "3"));
  CHECK_NEAR(d.sextans.cycle_ns, 3, 0);
}

TEST(devices_and_programs_are_described_in_a_line) {
  trial *t = begin(64, 16, 8, 1, (int[]){1});
  text out = {0};
  sextans_machine.print_device(&t->p.image.device, &out);
  text_append(&out, "; ");
  sextans_machine.print_size(&t->p.image, &out);
  sextans_program_add(&t->p);
  sextans_program_pack(&t->p);
  t->p.image.device.sextans.has_two_b = true;
  text_append(&out, "; ");
  sextans_machine.print_device(&t->p.image.device, &out);
  text_append(&out, "; ");
  sextans_machine.print_size(&t->p.image, &out);
  CHECK_STR(text_str(&out), "64 PEs of 8 columns, windows of 4096 rows of B, 12288 rows of C each; 1 launch; "
                            "64 PEs of 8 columns, two windows of 2048 rows of B, 12288 rows of C each; 2 launches");
  text_free(&out);
  end(t);
}

/* ---- sizes ---- */

TEST(columns_are_1_to_65535) {
  trial *t = begin(1, 1, 65535, 1, (int[]){1});
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH(t, n, 65536), "record at 0x0: 65536 columns, expected 1 to 65535");
  CHECK_FAILS(WITH(t, n, 0), "record at 0x0: 0 columns, expected 1 to 65535");
  CHECK_OK(WITH(t, n, 1));
  end(t);
}

TEST(rows_are_at_most_those_of_all_pes) {
  trial *t = begin(786432, 1, 1, 1, (int[]){1});
  sextans_program_put(&t->p, 63, 0, 12287, 0, 1);
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH(t, m, 786433),
              "786433 rows, the device holds 64 * 12288 = 786432; expected several launches with some of the rows "
              "each");
  t->p.image.device.sextans.depth = 12289;
  sextans_program_put(&t->p, 0, 0, 12288, 0, 1);
  launch(t)->m = 786433;
  sextans_program_place(&t->p);
  CHECK_OK(checked(t));
  end(t);
}

TEST(windows_are_those_of_the_columns) {
  trial *t = begin(1, 4096, 1, 1, (int[]){1});
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH(t, k, 4097), "1 windows, expected 2: 4097 rows of B, 4096 in a window");
  CHECK_FAILS(WITH(t, windows, 2), "2 windows, expected 1: 4096 rows of B, 4096 in a window");
  CHECK_FAILS(WITH(t, k, 0), "1 windows, expected 0: 0 rows of B, 4096 in a window");
  t->p.image.device.sextans.has_two_b = true;
  CHECK_FAILS(checked(t), "1 windows, expected 2: 4096 rows of B, 2048 in a window");
  end(t);
  t = begin(3, 0, 1, 0, NULL);
  CHECK_OK(checked(t));
  end(t);
  t = begin(0, 5, 1, 1, (int[]){2});
  CHECK_OK(checked(t));
  end(t);
}

/* ---- Q ---- */

TEST(q_begins_with_0_and_rises_to_the_number_of_slots) {
  trial *t = begin(1, 8193, 1, 3, (int[]){2, 0, 1});
  CHECK_OK(checked(t));
  t->p.q[0] = 1;
  CHECK_FAILS(checked(t), "record at 0x0: 'q': number 0 is 1, expected 0");
  t->p.q[0] = 0;
  t->p.q[2] = 1;
  CHECK_FAILS(checked(t), "'q': number 2 is 1, expected at least 2");
  t->p.q[2] = 4;
  CHECK_FAILS(checked(t), "'q': number 3 is 3, expected at least 4");
  t->p.q[2] = 2;
  CHECK_FAILS(WITH(t, slots, 2), "'q' ends with 3, expected 'slots' = 2");
  CHECK_FAILS(WITH(t, slots, UINT64_C(1) << 31), "2147483648 slots, the largest number in Q is 2147483647");
  end(t);
}

TEST(q_lies_in_edges_which_are_in_the_file) {
  trial *t = begin(1, 4096 * 15, 1, 15, (int[15]){1});
  uint64_t last = SEXTANS_AT_EDGES + sizeof t->p.q - 64;
  memcpy(t->p.q + SEXTANS_FIXTURE_Q - 16, t->p.q, 16 * sizeof *t->p.q);
  CHECK_OK(WITH(t, q, last));
  CHECK_FAILS(WITH(t, q, last + 64), "'q': 1 channel of 64 bytes from 0x14000 on");
  CHECK_FAILS(WITH(t, q, SEXTANS_AT_EDGES - 64), "do not lie in '.edges'; '.edges' is 0x10000 to 0x14000");
  CHECK_FAILS(WITH(t, q, UINT64_MAX - 63), "'q': 1 channel of 64 bytes from 0xffffffffffffffc0 on");
  CHECK_FAILS(WITH(t, q, SEXTANS_AT_EDGES + 4), "'q' is 0x10004, expected a multiple of 64");
  t->p.image.sections[IMAGE_EDGES].data = NULL;
  CHECK_FAILS(checked(t), "'q' has no data: section '.edges' is not in the file");
  end(t);
}

/* ---- places ---- */

TEST(channels_of_a_lie_in_weights) {
  trial *t = begin(1, 1, 1, 1, (int[]){3});
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH(t, a, SEXTANS_AT_WEIGHTS + 64), "'a': 8 channels of 192 bytes from 0x100040 on, 0xc0 bytes apart");
  CHECK_FAILS(WITH(t, a, SEXTANS_AT_WEIGHTS - 64), "do not lie in '.weights'; '.weights' is 0x100000 to 0x100600");
  CHECK_FAILS(WITH(t, a, 8), "'a' is 0x8, expected a multiple of 64");
  CHECK_FAILS(WITH(t, a_stride, 200), "'a_stride' is 0xc8, expected a multiple of 64");
  CHECK_FAILS(WITH(t, a_stride, 128), "'a_stride' is 128, expected at least the 192 bytes of a channel");
  CHECK_FAILS(WITH(t, a_stride, 256), "do not lie in '.weights'");
  CHECK_FAILS(WITH(t, a_stride, UINT64_C(1) << 61), "do not lie in '.weights'"); /* 8 strides are 0 in 64 bits */
  CHECK_FAILS(WITH(t, a_stride, UINT64_MAX - 63), "do not lie in '.weights'");
  end(t);
}

TEST(channels_of_b_and_c_lie_in_features) {
  trial *t = begin(17, 9, 9, 1, (int[]){1});
  uint64_t b = launch(t)->b, c = launch(t)->c_out;
  CHECK_INT(launch(t)->b_stride, 256);
  CHECK_INT(launch(t)->c_stride, 256);
  CHECK_OK(checked(t));
  CHECK_FAILS(WITH(t, b, b - 64), "'b': 4 channels of 256 bytes from 0xfffffc0 on, 0x100 bytes apart");
  CHECK_FAILS(WITH(t, b, SEXTANS_AT_WEIGHTS), "do not lie in '.features' or '.weights'; '.features' is 0x10000000 to ");
  CHECK_FAILS(WITH(t, b_stride, 192), "'b_stride' is 192, expected at least the 256 bytes of a channel");
  CHECK_FAILS(WITH(t, b_stride, 257), "'b_stride' is 0x101, expected a multiple of 64");
  CHECK_FAILS(WITH(t, c_out, c + 64), "'c_out': 8 channels of 256 bytes");
  CHECK_FAILS(WITH(t, c_in, c + 64), "'c_in': 8 channels of 256 bytes");
  CHECK_FAILS(WITH(t, c_stride, 192), "'c_stride' is 192, expected at least the 256 bytes of a channel");
  CHECK_FAILS(WITH(t, c_stride, 320), "do not lie in '.features'");
  end(t);
}

/* Constants that launches only read are part of the file. */
TEST(b_and_c_in_may_lie_in_weights) {
  trial *t = begin(9, 1, 1, 1, (int[]){3});
  uint64_t end_of_weights = SEXTANS_AT_WEIGHTS + 1536;
  CHECK_OK(WITH(t, b, end_of_weights - 256));
  CHECK_FAILS(WITH(t, b, end_of_weights - 192), "do not lie in '.features' or '.weights'");
  CHECK_OK(WITH(t, c_in, end_of_weights - 512));
  CHECK_FAILS(WITH(t, c_in, end_of_weights - 448), "do not lie in '.features' or '.weights'");
  CHECK_FAILS(WITH(t, c_in, SEXTANS_AT_EDGES), "do not lie in '.features' or '.weights'");
  CHECK_FAILS(WITH(t, c_out, end_of_weights - 512), "do not lie in '.features'; '.features' is 0x10000000 to ");
  end(t);
}

TEST(c_out_overlaps_neither_b_nor_part_of_c_in) {
  trial *t = begin(17, 9, 9, 1, (int[]){1});
  uint64_t b = launch(t)->b, c_in = launch(t)->c_in, c_out = launch(t)->c_out;
  CHECK_OK(WITH(t, c_out, c_in));
  CHECK_FAILS(WITH(t, c_out, c_in + 64),
              "'c_out' = 0x10000440 overlaps 'c_in' = 0x10000400, expected the same address");
  CHECK_FAILS(WITH(t, c_in, c_out - 64), "overlaps 'c_in'");
  launch(t)->c_in = c_out;
  CHECK_FAILS(WITH(t, b, c_out + 64), "'c_out' = 0x10000c00 overlaps 'b' = 0x10000c40");
  CHECK_OK(WITH(t, b, c_out - 4 * 256));
  CHECK_FAILS(WITH(t, b, c_out - 4 * 256 + 64), "overlaps 'b'");
  launch(t)->c_in = c_in;
  /* Channels of one array may lie between those of another. */
  t->p.image.sections[IMAGE_FEATURES].size = 16 * 512;
  launch(t)->c_stride = 512;
  launch(t)->b_stride = 512;
  launch(t)->c_in = launch(t)->c_out = b + 256;
  CHECK_OK(checked(t));
  launch(t)->c_in = launch(t)->c_out = b + 192;
  CHECK_FAILS(checked(t), "overlaps 'b'");
  end(t);
}

TEST(no_c_needs_a_device_that_has_it_and_no_address) {
  trial *t = begin(1, 1, 1, 1, (int[]){1});
  launch(t)->no_c = 1;
  CHECK_FAILS(checked(t), "'c_in' is 0x10000100, expected 0 with 'no_c'");
  launch(t)->c_in = 0;
  CHECK_OK(checked(t));
  t->p.image.device.sextans.has_no_c = false;
  CHECK_FAILS(checked(t), "'no_c' is set, the device has no 'has_no_c'");
  launch(t)->no_c = 0;
  CHECK_FAILS(checked(t), "'c_in': 8 channels of 64 bytes from 0x0 on");
  end(t);
}

/* ---- elements of A ---- */

TEST(elements_have_rows_of_c) {
  trial *t = begin(66, 5, 1, 1, (int[]){3});
  sextans_program_put(&t->p, 1, 2, 1, 4, 1);
  CHECK_OK(checked(t));
  sextans_program_put(&t->p, 2, 1, 1, 0, 1);
  CHECK_FAILS(checked(t),
              "record at 0x0: 'a': element at 0x1001c0 (window 0, slot 1, PE 2) has row of C 66, expected less "
              "than 'm' = 66");
  sextans_program_put(&t->p, 2, 1, 0, 0, 1);
  CHECK_OK(checked(t));
  sextans_program_put(&t->p, 0, 0, (1 << SEXTANS_ROW_BITS) - 1, 0, 1);
  CHECK_FAILS(checked(t), "has row of C 8388544, expected less than 'm' = 66");
  end(t);
}

TEST(elements_have_columns_of_their_window) {
  trial *t = begin(1, 4096 + 5, 1, 2, (int[]){1, 1});
  sextans_program_put(&t->p, 0, 0, 0, 4095, 1);
  sextans_program_put(&t->p, 0, 1, 0, 4, 1);
  CHECK_OK(checked(t));
  sextans_program_put(&t->p, 0, 0, 0, 4096, 1);
  CHECK_FAILS(checked(t), "(window 0, slot 0, PE 0) has column 4096, expected less than the rows of its window = 4096");
  sextans_program_put(&t->p, 0, 0, 0, 0, 1);
  sextans_program_put(&t->p, 0, 1, 0, 5, 1);
  CHECK_FAILS(checked(t), "(window 1, slot 1, PE 0) has column 5, expected less than the rows of its window = 5");
  end(t);
}

TEST(bit_49_alone_marks_a_bubble) {
  trial *t = begin(1, 1, 1, 1, (int[]){1});
  *sextans_program_element(&t->p, 5, 0) = UINT64_MAX;
  CHECK_OK(checked(t));
  *sextans_program_element(&t->p, 5, 0) = UINT64_MAX >> 14 & ~SEXTANS_BUBBLE_FLAG;
  CHECK_FAILS(checked(t), "PE 5) has row of C 8388549, expected less than 'm' = 1");
  end(t);
}

/* The lists are looked at once, their extremes are compared with each launch. */
TEST(launches_that_share_lists_are_all_checked) {
  trial *t = begin(66, 5, 1, 1, (int[]){1});
  sextans_program_put(&t->p, 1, 0, 1, 4, 1);
  sextans_program_add(&t->p);
  CHECK_OK(checked(t));
  t->p.insns[1].spmm.m = 65;
  CHECK_FAILS(checked(t), "record at 0x80: 'a': element at 0x100040 (window 0, slot 0, PE 1) has row of C 65, expected "
                          "less than 'm' = 65");
  t->p.insns[1].spmm.m = 66;
  t->p.insns[1].spmm.k = 4;
  CHECK_FAILS(checked(t),
              "record at 0x80: 'a': element at 0x100040 (window 0, slot 0, PE 1) has column 4, expected less "
              "than the rows of its window = 4");
  end(t);
}

TEST(lists_that_are_not_in_the_file_pass) {
  trial *t = begin(1, 1, 1, 1, (int[]){1});
  sextans_program_put(&t->p, 1, 0, 1, 4, 1);
  CHECK_FAILS(checked(t), "has row of C 65");
  t->p.image.sections[IMAGE_WEIGHTS].data = NULL;
  CHECK_OK(checked(t));
  end(t);
}

TEST(a_small_file_cannot_ask_for_endless_looks) {
  trial *t = begin(1, 1, 1, 1, (int[]){200});
  for (int i = 1; i < 64; i++) {
    memcpy(t->p.q + 16 * i, t->p.q, 2 * sizeof *t->p.q);
    sextans_program_add(&t->p)->q += 64 * (uint64_t)i;
  }
  CHECK_OK(checked(t));
  for (int i = 64; i < SEXTANS_FIXTURE_RECORDS - 2; i++) {
    memcpy(t->p.q + 16 * i, t->p.q, 2 * sizeof *t->p.q);
    sextans_program_add(&t->p)->q += 64 * (uint64_t)i;
  }
  t->p.image.sections[IMAGE_EDGES].size = 64 * SEXTANS_FIXTURE_RECORDS;
  CHECK_FAILS(checked(t),
              "arrays of A and Q overlap so much that their elements would be looked at more than 64 times");
  end(t);
}

/* ---- records ---- */

TEST(halt_is_the_last_record) {
  trial *t = begin(1, 1, 1, 1, (int[]){1});
  CHECK_OK(checked(t));
  t->p.image.sections[IMAGE_TEXT].size -= SEXTANS_INSN_BYTES;
  CHECK_FAILS(image_check(&t->p.image), "record at 0x0: spmm is the last record, expected halt");
  t->p.image.sections[IMAGE_TEXT].size = 0;
  CHECK_OK(image_check(&t->p.image)); /* all work is the host's */
  sextans_program_add(&t->p);
  t->p.insns[0] = (sextans_insn){.op = SEXTANS_OP_halt};
  CHECK_FAILS(checked(t), "record at 0x0: halt before the last record, 256 bytes follow");
  t->p.num_insns = 0;
  CHECK_OK(checked(t));
  end(t);
}

TEST(records_have_known_opcodes_and_no_reserved_bits) {
  trial *t = begin(1, 1, 1, 1, (int[]){1});
  unsigned char *code = (unsigned char *)(uintptr_t)t->p.image.sections[IMAGE_TEXT].data;
  code[127] = 1;
  CHECK_FAILS(image_check(&t->p.image), "record at 0x0: spmm: bit 1016 is set, but reserved");
  code[127] = 0;
  code[SEXTANS_INSN_BYTES] = 3;
  CHECK_FAILS(image_check(&t->p.image), "record at 0x80: no instruction has the opcode 0x03");
  end(t);
}

TEST(runs_are_ranges_of_records) {
  trial *t = begin(1, 1, 1, 1, (int[]){1});
  CHECK_OK(sextans_machine.check_run(&t->p.image, 0, 2));
  CHECK_OK(sextans_machine.check_run(&t->p.image, 1, 1));
  CHECK_FAILS(sextans_machine.check_run(&t->p.image, 0, 3), "records 0 to 3, '.text' has 2");
  CHECK_FAILS(sextans_machine.check_run(&t->p.image, 1, 0), "records 1 to 0, '.text' has 2");
  end(t);
}
