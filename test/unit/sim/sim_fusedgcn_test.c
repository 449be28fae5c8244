/* The effect of FusedGCN's records: at level 1, which leaves products with 0 out, and at level 2,
 * which moves numbers through the registers, the bits are those of a plain reading in double. */
#include "sim_fusedgcn_fixture.h"

/* ---- a plain reading ---- */

/* Rounds by way of frexp, not of bits. */
static double rounded(double x) {
  int exponent;
  if (!isfinite(x)) return x;
  double part = frexp(x, &exponent), y = ldexp(nearbyint(part * 256), exponent - 8);
  return fabs(y) > 0x1.fep127 ? copysign(INFINITY, x) : fabs(y) < 0x1p-126 ? 0 : y;
}

static double number_of(uint16_t bits) {
  double x = number_of_bits((uint32_t)bits << 16);
  return fabs(x) < 0x1p-126 ? 0 : x;
}

static uint16_t bits_of(double x) {
  return isnan(x) ? BF16_NAN : (uint16_t)(number_bits((float)x) >> 16);
}

/* A sum in the order of the layer. */
static double sum_of(trial *t, uint64_t row, uint64_t column, double sum) {
  const fusedgcn_layer *in = trial_layer(t);
  uint64_t rows = (uint64_t)t->p.image.device.fusedgcn.rows, begin = (uint64_t)t->p.pos[row];
  uint64_t count = (uint64_t)t->p.pos[row + 1] - begin;
  for (uint64_t step = 0; step < count * in->kt; step++) {
    bool is_krj = in->order == FUSEDGCN_ORDER_krj;
    uint64_t j = begin + (is_krj ? step % count : step / in->kt), k = is_krj ? step / count : step % in->kt;
    double part = 0;
    for (uint64_t p = k * rows; p < (k + 1) * rows; p++) {
      double h = p < in->i ? number_of(*trial_h(t, (uint64_t)t->p.col[j], p)) : 0;
      double x = rounded(number_of(t->p.val[j]) * h);
      part = rounded(part + rounded(x * number_of(*fusedgcn_program_weight(&t->p, p, column))));
    }
    sum = rounded(sum + part);
  }
  return in->bias ? rounded(sum + number_of(*fusedgcn_program_bias(&t->p, column))) : sum;
}

/* The bits of a row; `old` are those that OUT has. */
static void read_row(trial *t, uint64_t row, const uint16_t *old, uint16_t *out) {
  const fusedgcn_layer *in = trial_layer(t);
  double y[80], most = -65280;
  for (uint64_t q = 0; q < in->o; q++) {
    y[q] = sum_of(t, row, q, in->acc_in ? number_of(old[q]) : 0);
    if (y[q] > most) most = y[q];
  }
  for (uint64_t q = 0; q < in->o; q++) {
    if (in->act == FUSEDGCN_ACT_relu && y[q] < 0) y[q] = 0;
    if (in->act == FUSEDGCN_ACT_hardmax) y[q] = y[q] == most;
    out[q] = bits_of(y[q]);
  }
}

/* ---- random programs ---- */

static uint32_t next(uint32_t *seed) {
  *seed = *seed * 1664525 + 1013904223;
  return *seed >> 8;
}

/* Numbers of similar size; some zeros, and with `is_wild` numbers at the ends of the range. */
static uint16_t number(uint32_t *seed, bool is_wild) {
  static const uint16_t wild[] = {0x7f80, 0xff80, 0x7fc1, 0x7f7f, 0xff7f, 0x0080, 0x8080, 0x0001, 0x8000, 0xffff};
  uint32_t choice = next(seed) % 32;
  if (choice < 3) return 0;
  if (is_wild && choice == 3) return wild[next(seed) % 10];
  return (uint16_t)((next(seed) & 1) << 15 | (0x3c + next(seed) % 5) << 8 | (next(seed) & 0xff));
}

typedef struct shape {
  int rows, columns, n, h_rows, i, o;
} shape;

static void fill(trial *t, bool is_wild, uint32_t *seed) {
  fusedgcn_layer *in = trial_layer(t);
  for (uint64_t j = 0; j < in->nnz; j++) {
    t->p.val[j] = number(seed, is_wild);
    t->p.col[j] = (int32_t)(next(seed) % in->h_rows);
  }
  for (uint64_t p = 0; p < in->i; p++)
    for (uint64_t q = 0; q < in->o; q++) *fusedgcn_program_weight(&t->p, p, q) = number(seed, is_wild);
  for (uint64_t q = 0; q < in->o; q++) *fusedgcn_program_bias(&t->p, q) = number(seed, is_wild);
}

/* Checks a layer at a level; all of memory around OUT stays as it was. */
static void check_level(trial *t, sim_level level, bool is_wild, uint32_t seed) {
  fusedgcn_layer *in = trial_layer(t);
  uint16_t old[80], expected[80];
  int wrong = 0;
  t->options.level = level;
  trial_create(t);
  uint64_t words = t->p.image.sections[IMAGE_FEATURES].size / 2;
  uint16_t *features = sim_memory(t->sim, FUSEDGCN_AT_FEATURES, 2 * words);
  for (uint64_t w = 0; w < words; w++) features[w] = number(&seed, is_wild);
  uint16_t *before = arena_alloc(t->memory, 2 * words);
  memcpy(before, features, 2 * words);
  trial_run(t);
  for (uint64_t row = 0; row < in->n; row++) {
    uint64_t at = (in->out - FUSEDGCN_AT_FEATURES) / 2 + row * in->out_stride;
    memcpy(old, before + at, in->o * sizeof *old);
    read_row(t, row, old, expected);
    wrong += memcmp(features + at, expected, in->o * sizeof *old) != 0;
    memcpy(features + at, old, in->o * sizeof *old);
  }
  CHECK_INT(wrong, 0);
  CHECK(!memcmp(features, before, 2 * words));
}

static void check_shape(shape s, bool is_wild, uint32_t seed) {
  int nonzeros[32];
  device d = array_of(s.rows, s.columns);
  for (uint32_t variant = 0; variant < 12; variant++) {
    for (int row = 0; row < s.n; row++) nonzeros[row] = next(&seed) % 4 ? (int)(next(&seed) % 5) : 0;
    trial *t = trial_begin(&d, (uint64_t)s.n, (uint64_t)s.h_rows, (uint64_t)s.i, (uint64_t)s.o, nonzeros);
    fusedgcn_layer *in = trial_layer(t);
    in->order = variant & 1;
    in->bias = variant >> 1 & 1;
    in->acc_in = next(&seed) & 1;
    in->act = variant / 4;
    if (variant % 3 == 0) { /* H and OUT are columns of one matrix */
      in->h_stride = in->out_stride = in->i + in->o + 3;
      in->out = in->h + 2 * in->i + 2;
      uint64_t rows = in->n > in->h_rows ? in->n : in->h_rows;
      t->p.image.sections[IMAGE_FEATURES].size = fusedgcn_program_align(2 * rows * in->h_stride);
    }
    fill(t, is_wild, &seed);
    check_level(t, SIM_L1, is_wild, seed);
    check_level(t, SIM_L2, is_wild, seed);
    trial_end(t);
  }
}

TEST(random_layers_have_the_bits_of_a_plain_reading) {
  check_shape((shape){3, 2, 6, 5, 3, 2}, false, 1);
  check_shape((shape){3, 3, 6, 6, 9, 6}, false, 2);
  check_shape((shape){4, 3, 5, 9, 7, 5}, false, 3);
  check_shape((shape){16, 8, 12, 3, 16, 8}, false, 4);
  check_shape((shape){4, 4, 9, 9, 10, 1}, false, 5);
  check_shape((shape){1, 1, 4, 4, 1, 1}, false, 6);
  check_shape((shape){16, 17, 5, 7, 33, 35}, false, 7);
  check_shape((shape){2, 64, 5, 7, 3, 70}, false, 8);
}

TEST(numbers_at_the_ends_of_the_range_have_the_bits_of_a_plain_reading) {
  check_shape((shape){4, 3, 12, 9, 7, 5}, true, 11);
  check_shape((shape){16, 16, 12, 5, 20, 18}, true, 12);
  check_shape((shape){1, 2, 20, 20, 3, 3}, true, 13);
}

/* ---- single rules ---- */

/* One row with one non-zero of value 1, and weights 1, -1, ...: OUT is +-H. */
static trial *begin_copy(uint64_t columns) {
  trial *t = trial_begin(NULL, 1, 1, 1, columns, (int[]){1});
  t->p.val[0] = BF16_ONE;
  for (uint64_t q = 0; q < columns; q++) *fusedgcn_program_weight(&t->p, 0, q) = q % 2 ? 0xbf80 : BF16_ONE;
  return t;
}

static void check_copy(uint64_t act, uint16_t h, uint16_t first, uint16_t second) {
  for (int level = SIM_L1; level <= SIM_L2; level++) {
    trial *t = begin_copy(2);
    trial_layer(t)->act = act;
    t->options.level = (sim_level)level;
    trial_create(t);
    *trial_h(t, 0, 0) = h;
    trial_run(t);
    CHECK_INT(*trial_out(t, 0, 0), first);
    CHECK_INT(*trial_out(t, 0, 1), second);
    trial_end(t);
  }
}

TEST(relu_keeps_nan_and_infinity) {
  check_copy(FUSEDGCN_ACT_relu, 0x4040, 0x4040, 0);
  check_copy(FUSEDGCN_ACT_relu, 0x7f80, 0x7f80, 0);
  check_copy(FUSEDGCN_ACT_relu, 0xffff, BF16_NAN, BF16_NAN);
  check_copy(FUSEDGCN_ACT_none, 0xff80, 0xff80, 0x7f80);
}

TEST(hardmax_begins_with_minus_65280) {
  check_copy(FUSEDGCN_ACT_hardmax, 0x4040, BF16_ONE, 0);
  check_copy(FUSEDGCN_ACT_hardmax, 0, BF16_ONE, BF16_ONE); /* a tie */
  check_copy(FUSEDGCN_ACT_hardmax, 0x7fc0, 0, 0);
  check_copy(FUSEDGCN_ACT_hardmax, 0x7f80, BF16_ONE, 0);
  trial *t = begin_copy(1);
  trial_layer(t)->act = FUSEDGCN_ACT_hardmax;
  trial_create(t);
  *trial_h(t, 0, 0) = 0xc77f; /* -65280 */
  trial_run(t);
  CHECK_INT(*trial_out(t, 0, 0), BF16_ONE);
  *trial_h(t, 0, 0) = 0xc780; /* -65536 */
  trial_run(t);
  CHECK_INT(*trial_out(t, 0, 0), 0);
  trial_end(t);
}

TEST(a_row_without_non_zeros_is_its_bias_or_what_it_was) {
  for (int level = SIM_L1; level <= SIM_L2; level++) {
    trial *t = trial_begin(NULL, 1, 0, 1, 1, (int[]){0});
    *fusedgcn_program_bias(&t->p, 0) = 0xc000;
    t->options.level = (sim_level)level;
    trial_create(t);
    *trial_out(t, 0, 0) = 0x4040;
    trial_run(t);
    CHECK_INT(*trial_out(t, 0, 0), 0);
    trial_layer(t)->bias = 1;
    trial_create(t);
    trial_run(t);
    CHECK_INT(*trial_out(t, 0, 0), 0xc000);
    trial_layer(t)->acc_in = 1;
    trial_create(t);
    *trial_out(t, 0, 0) = 0x4040;
    trial_run(t);
    CHECK_INT(*trial_out(t, 0, 0), 0x3f80); /* 3 - 2 */
    CHECK_INT(trial_run(t)->counters[2].value, 1);
    trial_end(t);
  }
}

TEST(weights_stay_in_the_pes_between_parts_of_a_program) {
  trial *t = begin_copy(1);
  trial_create(t);
  *trial_h(t, 0, 0) = 0x4040;
  sim_begin(t->sim);
  CHECK_FAILS(sim_run_records(t->sim, 1, 4), "layer 0, record at 0x100, cycle 0: no loadw has filled tile 0");
  CHECK_OK(sim_end(t->sim));
  sim_begin(t->sim);
  CHECK_OK(sim_run_records(t->sim, 0, 1));
  CHECK_OK(sim_run_records(t->sim, 1, 4));
  CHECK_OK(sim_end(t->sim));
  CHECK_INT(*trial_out(t, 0, 0), 0x4040);
  sim_begin(t->sim);
  CHECK_FAILS(sim_run_records(t->sim, 1, 4), "no loadw has filled tile 0");
  CHECK_OK(sim_end(t->sim));
  trial_end(t);
}

TEST(values_of_s_may_be_written_by_the_host) {
  trial *t = begin_copy(1);
  trial_layer(t)->s_val = trial_layer(t)->h + 64;
  trial_layer(t)->out = trial_layer(t)->h + 128;
  t->p.image.sections[IMAGE_FEATURES].size = 192;
  trial_create(t);
  *trial_h(t, 0, 0) = 0x4040;
  uint16_t *value = sim_memory(t->sim, trial_layer(t)->s_val, 2);
  *value = 0x4000;
  trial_run(t);
  CHECK_INT(*trial_out(t, 0, 0), 0x40c0);
  trial_end(t);
}

TEST(a_long_run_is_a_fault) {
  trial *t = begin_copy(1);
  t->options.max_cycles = 17;
  CHECK_FAILS(trial_try(t), "layer 0, record at 0x100, cycle 17: the run takes more than 17 cycles");
  trial_end(t);
}
