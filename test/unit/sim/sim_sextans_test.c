/* The effect of Sextans' launches, and its faults. */
#include "sim_sextans_fixture.h"

#include <math.h>

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

#define CHECK_BITS(actual, expected) CHECK_INT(bits_of(actual), bits_of(expected))

static device with_distance(int distance) {
  device d;
  device_default(&d, &sextans_machine);
  d.sextans.distance = distance;
  return d;
}

/* Numbers with many digits, so that each order of sums has other bits. */
static float number(uint32_t *seed) {
  *seed = *seed * 1664525 + 1013904223;
  return (float)((double)(*seed >> 8) / (1 << 23) - 1) * 1.7f;
}

static void fill(trial *t, uint32_t seed) {
  const sextans_spmm *in = trial_launch(t);
  for (int64_t n = 0; n < (int64_t)in->n; n++) {
    for (int64_t k = 0; k < (int64_t)in->k; k++) *trial_b(t, k, n) = number(&seed);
    for (int64_t m = 0; m < (int64_t)in->m; m++) *trial_c(t, in->c_in, m, n) = number(&seed);
  }
}

/* Fig. 5 of the paper: rows 0, 1, 2, 3 with columns {0, 2, 3}, {1}, {0, 1, 2}, {0, 2, 3} and D = 4
 * are one list of 11 slots. */
TEST(the_list_of_figure_5_is_executed) {
  static const int slots[11][2] = {{0, 0}, {2, 0},  {3, 0}, {1, 1}, {0, 2}, {2, 1},
                                   {3, 2}, {-1, 0}, {0, 3}, {2, 2}, {3, 3}};
  device d = with_distance(4);
  trial *t = trial_begin(256, 4, 8, 1, (int[]){11}, &d);
  for (int i = 0; i < 11; i++)
    if (slots[i][0] >= 0)
      sextans_program_put(&t->p, 0, i, (uint32_t)slots[i][0], (uint32_t)slots[i][1], (float)(i + 1));
  trial_create(t);
  for (int64_t k = 0; k < 4; k++) *trial_b(t, k, 0) = (float)(k == 0 ? 1 : k == 1 ? 10 : k == 2 ? 100 : 1000);
  trial_run(t);
  uint64_t c = trial_launch(t)->c_out;
  CHECK_NEAR(*trial_c(t, c, 0, 0), 9501, 0);
  CHECK_NEAR(*trial_c(t, c, 64, 0), 40, 0);
  CHECK_NEAR(*trial_c(t, c, 128, 0), 1062, 0);
  CHECK_NEAR(*trial_c(t, c, 192, 0), 11703, 0);
  CHECK_NEAR(*trial_c(t, c, 1, 0), 0, 0);
  trial_end(t);
  d = with_distance(5);
  t = trial_begin(256, 4, 8, 1, (int[]){11}, &d);
  for (int i = 0; i < 11; i++)
    if (slots[i][0] >= 0) sextans_program_put(&t->p, 0, i, (uint32_t)slots[i][0], (uint32_t)slots[i][1], 1);
  CHECK_FAILS(trial_try(t),
              "PE 0, window 0, slot 4 (element at 0x100100): row 0 of the PE (row 0 of C) has a non-zero 4 "
              "slots after slot 0, expected at least 'distance' = 5");
  trial_end(t);
}

/* Random lists: each PE adds its products in the order of its slots, product and sum rounded. */
static void check_random(uint64_t m, uint64_t k, uint64_t n, bool has_two_b, bool no_c, bool in_place, uint32_t seed) {
  enum { SLOTS = 7 };
  device d = with_distance(1);
  d.sextans.window = has_two_b ? 32 : 16;
  d.sextans.has_two_b = has_two_b;
  int windows = (int)((k + 15) / 16), slots[8] = {SLOTS, 0, SLOTS - 2, 1, SLOTS, SLOTS, SLOTS, SLOTS};
  trial *t = trial_begin(m, k, n, windows, slots, &d);
  sextans_spmm *in = trial_launch(t);
  float (*sums)[32] = calloc(m, sizeof *sums);
  in->alpha = sextans_program_bits(0.85f);
  in->beta = sextans_program_bits(-2.06f);
  in->no_c = no_c;
  if (no_c) in->c_in = 0;
  if (in_place) in->c_out = in->c_in;
  for (int pe = 0; pe < SEXTANS_PES; pe++)
    for (int j = 0; j < windows; j++)
      for (int i = t->p.q[j]; i < t->p.q[j + 1]; i++) {
        uint32_t row = seed % 3, column = seed % 5;
        float value = number(&seed);
        if ((uint64_t)pe + 64 * row < m && 16 * (uint64_t)j + column < k)
          sextans_program_put(&t->p, pe, i, row, column, value);
      }
  trial_create(t);
  if (no_c) in->c_in = in->c_out; /* for fill: it becomes the old contents of C_out */
  fill(t, seed);
  for (int pe = 0; pe < SEXTANS_PES; pe++)
    for (int j = 0; j < windows; j++)
      for (int i = t->p.q[j]; i < t->p.q[j + 1]; i++) {
        uint64_t e = *sextans_program_element(&t->p, pe, i);
        if (sextans_is_bubble(e)) continue;
        float *sum = sums[(uint64_t)pe + 64 * sextans_element_row(e)];
        for (int64_t c = 0; c < (int64_t)n; c++) {
          volatile float product = sextans_element_value(e) * *trial_b(t, 16 * j + (int)sextans_element_column(e), c);
          sum[c] += product;
        }
      }
  for (int64_t r = 0; r < (int64_t)m; r++)
    for (int64_t c = 0; c < (int64_t)n; c++) {
      volatile float one = 0.85f * sums[r][c], other = -2.06f * *trial_c(t, in->c_in, r, c);
      sums[r][c] = no_c ? one : one + other;
    }
  trial_run(t);
  int wrong = 0;
  for (int64_t r = 0; r < (int64_t)m; r++)
    for (int64_t c = 0; c < (int64_t)n; c++) wrong += bits_of(*trial_c(t, in->c_out, r, c)) != bits_of(sums[r][c]);
  CHECK_INT(wrong, 0);
  free(sums);
  trial_end(t);
}

TEST(random_launches_compute_the_same_bits_as_a_sequential_reading) {
  check_random(1, 1, 1, false, false, false, 1);
  check_random(64, 16, 8, false, false, false, 2);
  check_random(65, 17, 9, false, false, true, 3);
  check_random(130, 50, 9, false, true, false, 4);
  check_random(192, 100, 17, true, false, false, 5);
  check_random(193, 101, 32, true, true, false, 6);
}

TEST(c_in_is_multiplied_also_by_zero_unless_it_is_not_read) {
  trial *t = trial_begin(2, 1, 2, 1, (int[]){1}, NULL);
  sextans_program_put(&t->p, 0, 0, 0, 0, -0.0f);
  trial_create(t);
  sextans_spmm *in = trial_launch(t);
  uint64_t c_in = in->c_in;
  *trial_c(t, c_in, 0, 0) = NAN;
  *trial_c(t, c_in, 0, 1) = -INFINITY;
  *trial_c(t, c_in, 1, 0) = -3;
  trial_run(t);
  CHECK(isnan(*trial_c(t, in->c_out, 0, 0)));
  CHECK(isnan(*trial_c(t, in->c_out, 0, 1)));
  CHECK_BITS(*trial_c(t, in->c_out, 1, 0), 0.0f);
  in->no_c = 1;
  in->c_in = 0;
  trial_create(t);
  *trial_c(t, c_in, 0, 0) = NAN;
  trial_run(t);
  CHECK_BITS(*trial_c(t, in->c_out, 0, 0), 0.0f); /* 0 + -0 * 0 */
  in->alpha = sextans_program_bits(-1);
  trial_create(t);
  trial_run(t);
  CHECK_BITS(*trial_c(t, in->c_out, 0, 0), -0.0f);
  trial_end(t);
}

TEST(b_and_c_in_are_read_from_weights_too) {
  trial *t = trial_begin(1, 1, 1, 1, (int[]){1}, NULL);
  sextans_spmm *in = trial_launch(t);
  sextans_program_put(&t->p, 0, 0, 0, 0, 3);
  in->beta = sextans_program_bits(1);
  uint64_t kept = t->p.image.sections[IMAGE_WEIGHTS].size;
  t->p.image.sections[IMAGE_WEIGHTS].data = NULL; /* the host writes all of it */
  t->p.image.sections[IMAGE_WEIGHTS].size = kept + 4 * 64 + 8 * 64;
  in->b = SEXTANS_AT_WEIGHTS + kept;
  in->c_in = in->b + 256;
  trial_create(t);
  memcpy(sim_memory(t->sim, SEXTANS_AT_WEIGHTS, kept), t->p.elements, kept);
  *trial_b(t, 0, 0) = 5;
  *trial_c(t, in->c_in, 0, 0) = 7;
  trial_run(t);
  CHECK_BITS(*trial_c(t, in->c_out, 0, 0), 22.0f);
  trial_end(t);
}

TEST(infinity_and_nan_of_a_and_b_reach_their_row_alone) {
  trial *t = trial_begin(3, 2, 1, 1, (int[]){1}, NULL);
  sextans_program_put(&t->p, 0, 0, 0, 1, INFINITY);
  sextans_program_put(&t->p, 1, 0, 0, 0, 2);
  sextans_program_put(&t->p, 2, 0, 0, 1, 1);
  trial_create(t);
  *trial_b(t, 0, 0) = NAN;
  *trial_b(t, 1, 0) = -4;
  trial_run(t);
  uint64_t c = trial_launch(t)->c_out;
  CHECK_BITS(*trial_c(t, c, 0, 0), -INFINITY);
  CHECK(isnan(*trial_c(t, c, 1, 0)));
  CHECK_BITS(*trial_c(t, c, 2, 0), -4.0f);
  trial_end(t);
}

/* Rows that pad the beats of C keep what is in memory. */
TEST(only_the_rows_of_c_are_written) {
  trial *t = trial_begin(9, 1, 1, 1, (int[]){1}, NULL);
  trial_create(t);
  const sextans_spmm *in = trial_launch(t);
  float *pad = trial_c(t, in->c_out, 15, 0), *row = trial_c(t, in->c_out, 8, 0);
  *pad = *row = 5;
  trial_run(t);
  CHECK_BITS(*pad, 5.0f);
  CHECK_BITS(*row, 0.0f);
  trial_end(t);
}

TEST(launches_without_rows_columns_of_a_or_slots_run) {
  trial *t = trial_begin(0, 5, 3, 1, (int[]){2}, NULL);
  CHECK_INT(trial_cycles(t, SIM_L1), 1 + 2);
  trial_end(t);
  t = trial_begin(2, 0, 3, 0, NULL, NULL);
  trial_create(t);
  trial_launch(t)->beta = sextans_program_bits(2);
  trial_create(t);
  *trial_c(t, trial_launch(t)->c_in, 1, 2) = 4;
  CHECK_INT(trial_run(t)->cycles, 1 + 1);
  CHECK_BITS(*trial_c(t, trial_launch(t)->c_out, 1, 2), 8.0f);
  trial_end(t);
}

/* ---- faults ---- */

static status run_two(int distance, int second, int pe, uint32_t row) {
  device d = with_distance(distance);
  d.sextans.window = 16;
  trial *t = trial_begin(200, 32, 1, 2, (int[]){10, 10}, &d);
  sextans_program_put(&t->p, 3, 5, 1, 0, 1);
  sextans_program_put(&t->p, pe, second, row, 0, 1);
  status s = trial_try(t);
  trial_end(t);
  return s;
}

TEST(non_zeros_of_a_row_keep_their_distance_within_a_window) {
  CHECK_OK(run_two(4, 9, 3, 1));
  CHECK_FAILS(run_two(4, 8, 3, 1),
              "layer 0, record at 0x0, cycle 0: PE 3, window 0, slot 8 (element at 0x101100): row 1 of "
              "the PE (row 67 of C) has a non-zero 3 slots after slot 5, expected at least "
              "'distance' = 4");
  CHECK_FAILS(run_two(2, 6, 3, 1), "a non-zero 1 slot after slot 5");
  CHECK_OK(run_two(1, 6, 3, 1));
  CHECK_OK(run_two(4, 6, 3, 2));   /* another row */
  CHECK_OK(run_two(4, 6, 4, 1));   /* another PE */
  CHECK_OK(run_two(64, 10, 3, 1)); /* another window */
}

TEST(a_fault_names_layer_record_and_cycle) {
  device d = with_distance(10);
  trial *t = trial_begin(64, 16, 8, 1, (int[]){2}, &d);
  sextans_program_add(&t->p)->layer = 7;
  trial_create(t);
  uint64_t cycles = trial_run(t)->cycles / 2;
  uint64_t *a = sim_memory(t->sim, SEXTANS_AT_WEIGHTS, 16);
  CHECK_OK((sim_begin(t->sim), sim_run_records(t->sim, 0, 1)));
  a[0] = a[8] = sextans_element(0, 0, 1);
  char expected[96];
  snprintf(expected, sizeof expected, "layer 7, record at 0x80, cycle %d: PE 0, window 0, slot 1", (int)cycles);
  CHECK_FAILS(sim_run_records(t->sim, 1, 2), expected);
  CHECK_OK(sim_end(t->sim));
  trial_end(t);
}

/* Elements that are not in the file, or were written by the host, are checked when they are used. */
TEST(elements_in_memory_are_not_trusted) {
  trial *t = trial_begin(66, 5, 1, 1, (int[]){2}, NULL);
  t->p.image.sections[IMAGE_WEIGHTS].data = NULL;
  CHECK_FAILS(trial_try(t),
              "PE 0, window 0, slot 1 (element at 0x100040): row 0 of the PE (row 0 of C) has a non-zero 1 "
              "slot after slot 0");
  uint64_t *a = sim_memory(t->sim, SEXTANS_AT_WEIGHTS, 8 * 128);
  for (int i = 0; i < 128; i++) a[i] = SEXTANS_BUBBLE;
  CHECK_OK(trial_try(t));
  a[16] = sextans_element(1, 4, 1);
  CHECK_OK(trial_try(t));
  a[16] = sextans_element(1, 5, 1);
  CHECK_FAILS(trial_try(t), "PE 1, window 0, slot 0 (element at 0x100080): column 5, the window has 5 rows of B");
  a[16] = sextans_element(2, 4, 1);
  CHECK_FAILS(trial_try(t), "row 2 of the PE is row 129 of C, which has 66");
  a[16] = UINT64_MAX;
  CHECK_OK(trial_try(t));
  trial_end(t);
}

TEST(the_host_writes_values_between_runs) {
  trial *t = trial_begin(1, 1, 1, 1, (int[]){1}, NULL);
  sextans_program_put(&t->p, 0, 0, 0, 0, 1);
  trial_create(t);
  *trial_b(t, 0, 0) = 3;
  trial_run(t);
  float *value = sim_memory(t->sim, SEXTANS_AT_WEIGHTS, 4);
  CHECK_BITS(*value, 1.0f);
  *value = 2;
  trial_run(t);
  CHECK_BITS(*trial_c(t, trial_launch(t)->c_out, 0, 0), 6.0f);
  trial_end(t);
}
