/* The results of AGILE's nodes. */
#include "sim_agile_fixture.h"

#include <math.h>

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

#define CHECK_BITS(actual, expected) CHECK_INT(bits_of(actual), bits_of(expected))

static void fill(trial *t, uint32_t seed) {
  uint64_t f = t->p.reg[AGILE_REGISTER_in_features], o = t->p.reg[AGILE_REGISTER_out_features];
  for (uint64_t i = 0; i < o; i++)
    for (uint64_t k = 0; k < f; k++) *agile_program_weight(&t->p, k, i) = trial_number(&seed);
  trial_create(t);
  for (uint64_t r = 0; r < t->p.messages; r++)
    for (uint64_t k = 0; k < f; k++) trial_message(t, r)[k] = trial_number(&seed);
}

/* A node in the order of its list, each product and each sum rounded. */
static void compute(trial *t, agile_desc d, float *out) {
  uint64_t f = t->p.reg[AGILE_REGISTER_in_features], o = t->p.reg[AGILE_REGISTER_out_features];
  uint64_t row = agile_row_bytes(f), at = d.list * (uint64_t)AGILE_BEAT_WORDS;
  float sums[1024] = {0};
  for (uint32_t n = 0; n < d.count; n++)
    for (uint64_t k = 0; k < f; k++) {
      float scale;
      memcpy(&scale, &t->p.lists[AGILE_FIXTURE_WORDS + at + n], sizeof scale);
      volatile float product = scale * trial_message(t, t->p.lists[at + n] / row)[k];
      sums[k] = n ? sums[k] + product : product;
    }
  for (uint64_t i = 0; i < o; i++) {
    out[i] = 0;
    for (uint64_t k = 0; k < f; k++) {
      volatile float product = sums[k] * *agile_program_weight(&t->p, k, i);
      out[i] += product;
    }
  }
}

/* A hub of some degree, and leaves that have it as neighbour; wrong numbers are counted. */
static void check_degree(uint32_t degree, uint64_t f, uint64_t o) {
  uint32_t seed = degree;
  trial *t = trial_begin(degree + 2, degree + 1, f, o);
  agile_program_node(&t->p, 0, degree, AGILE_PRECISION_float_32);
  for (uint32_t k = 0; k < degree; k++) agile_program_put(&t->p, 0, k, degree - k, trial_number(&seed));
  for (uint32_t i = 1; i <= degree; i++) {
    agile_program_node(&t->p, i, 1, AGILE_PRECISION_float_32);
    agile_program_put(&t->p, i, 0, 0, trial_number(&seed));
  }
  fill(t, seed);
  for (uint64_t i = 0; i < agile_row_bytes(o) / sizeof(float); i++) trial_result(t, degree + 1)[i] = 77;
  for (uint64_t i = 0; i < agile_row_bytes(o) / sizeof(float); i++) trial_result(t, degree)[i] = 77;
  trial_run(t);
  int wrong = 0;
  for (uint32_t node = 0; node <= degree; node++) {
    float out[1024];
    agile_desc d = agile_desc_unpack(t->p.descs[node]);
    if (!agile_desc_runs(d)) continue;
    compute(t, d, out);
    for (uint64_t i = 0; i < o; i++) wrong += bits_of(trial_result(t, node)[i]) != bits_of(out[i]);
    for (uint64_t i = o; i < agile_row_bytes(o) / sizeof(float); i++) wrong += bits_of(trial_result(t, node)[i]) != 0;
  }
  CHECK_INT(wrong, 0);
  CHECK_NEAR(trial_result(t, degree + 1)[0], 77, 0); /* it has no neighbours */
  CHECK_INT(trial_counter(t, "nodes"), degree ? degree + 1 : 0);
  trial_end(t);
}

TEST(nodes_of_any_degree_and_any_number_of_features_are_sums_in_list_order) {
  check_degree(0, 16, 16);
  check_degree(1, 16, 16);
  check_degree(16, 16, 16);
  check_degree(17, 17, 1);
  check_degree(256, 1, 17);
  check_degree(257, 33, 16);
  check_degree(2000, 16, 31);
}

TEST(descriptors_that_are_not_valid_keep_the_old_result) {
  trial *t = trial_begin(2, 1, 16, 16);
  agile_program_node(&t->p, 0, 1, AGILE_PRECISION_float_32);
  agile_program_node(&t->p, 1, 1, AGILE_PRECISION_float_32);
  t->p.descs[0] &= UINT64_MAX >> 1;
  fill(t, 3);
  trial_result(t, 0)[0] = trial_result(t, 1)[0] = 77;
  trial_run(t);
  CHECK_NEAR(trial_result(t, 0)[0], 77, 0);
  CHECK(trial_result(t, 1)[0] < 76);
  trial_end(t);
}

/* A node with one output: scale * message * weight, for lists of two. */
static float one_node(uint64_t aggregation, uint64_t activation, float bias, float alpha, float first, float second) {
  trial *t = trial_begin(1, 2, 1, 1);
  agile_program_node(&t->p, 0, 2, AGILE_PRECISION_float_32);
  agile_program_put(&t->p, 0, 0, 0, 2);
  agile_program_put(&t->p, 0, 1, 1, -1);
  t->p.reg[AGILE_REGISTER_aggregation] = aggregation;
  t->p.reg[AGILE_REGISTER_activation] = activation;
  t->p.reg[AGILE_REGISTER_bias] = agile_program_bits(bias);
  t->p.reg[AGILE_REGISTER_alpha] = agile_program_bits(alpha);
  *agile_program_weight(&t->p, 0, 0) = 3;
  trial_create(t);
  trial_message(t, 0)[0] = first;
  trial_message(t, 1)[0] = second;
  trial_run(t);
  float y = trial_result(t, 0)[0];
  trial_end(t);
  return y;
}

TEST(means_biases_and_activations_follow_the_sum) {
  CHECK_BITS(one_node(AGILE_AGGREGATION_sum, AGILE_ACTIVATION_none, 0, 0, 5, 4), 18.0f);
  CHECK_BITS(one_node(AGILE_AGGREGATION_weighted_sum, AGILE_ACTIVATION_none, 0, 0, 5, 4), 18.0f);
  CHECK_BITS(one_node(AGILE_AGGREGATION_mean, AGILE_ACTIVATION_none, 0.5f, 0, 5, 4), 9.5f);
  CHECK_BITS(one_node(AGILE_AGGREGATION_sum, AGILE_ACTIVATION_relu, -20, 0, 5, 4), 0.0f);
  CHECK_BITS(one_node(AGILE_AGGREGATION_sum, AGILE_ACTIVATION_leaky_relu, -20, 0.25f, 5, 4), -0.5f);
  CHECK_BITS(one_node(AGILE_AGGREGATION_sum, AGILE_ACTIVATION_leaky_relu, 2, 0.25f, 5, 4), 20.0f);
  CHECK(isnan(one_node(AGILE_AGGREGATION_sum, AGILE_ACTIVATION_relu, 0, 0, NAN, 4)));
}

TEST(an_output_has_a_bias_of_its_own_with_the_extension) {
  trial *t = trial_begin(1, 1, 1, 3);
  agile_program_node(&t->p, 0, 1, AGILE_PRECISION_float_32);
  trial_device(t)->has_vector_bias = true;
  t->p.reg[AGILE_REGISTER_bias_address] = AGILE_AT_WEIGHTS; /* the weights of all outputs are 10 */
  for (uint64_t i = 0; i < 3; i++) *agile_program_weight(&t->p, 0, i) = 10;
  t->p.weights[1] = 20;
  t->p.weights[2] = 30;
  trial_create(t);
  trial_message(t, 0)[0] = 1;
  trial_run(t);
  for (int i = 0; i < 3; i++) CHECK_NEAR(trial_result(t, 0)[i], 20 + 10 * i, 0);
  trial_end(t);
}

static double clamp(double steps, int bits) {
  double most = ldexp(1, bits - 1) - 1;
  return steps > most ? most : steps < -most - 1 ? -most - 1 : steps;
}

static double steps_of(float value, float step, int bits) {
  return clamp(floor((double)value / (double)step + 0.5), bits);
}

/* Sums of steps are whole numbers below 2^53 here, so that doubles are exact. */
static void check_fixed(int precision, int x_scale, int w_scale, uint32_t seed) {
  enum { COUNT = 40, F = 19, O = 18 };
  int bits = agile_precision_bits(precision);
  float sx = (float)ldexp(1.7, 1 - bits), sw = (float)ldexp(1.3, 1 - bits), ss = 1.5f / 32767;
  trial *t = trial_begin(2, COUNT, F, O);
  t->p.reg[x_scale] = agile_program_bits(sx);
  t->p.reg[w_scale] = agile_program_bits(sw);
  t->p.reg[AGILE_REGISTER_s_scale] = agile_program_bits(ss);
  t->p.reg[AGILE_REGISTER_precisions] = UINT64_C(1) << precision | 1;
  t->p.reg[AGILE_REGISTER_bias] = agile_program_bits(0.25f);
  for (uint32_t node = 0; node < 2; node++) {
    agile_program_node(&t->p, node, COUNT, node ? AGILE_PRECISION_float_32 : precision);
    for (uint32_t k = 0; k < COUNT; k++) agile_program_put(&t->p, node, k, k, trial_number(&seed));
  }
  fill(t, seed);
  trial_message(t, 3)[4] = 1e30f;
  trial_message(t, 4)[5] = -INFINITY;
  trial_run(t);
  int wrong = 0;
  for (uint64_t i = 0; i < O; i++) {
    double sum = 0;
    for (uint64_t k = 0; k < F; k++) {
      double part = 0;
      for (uint32_t n = 0; n < COUNT; n++) {
        float scale;
        memcpy(&scale, &t->p.lists[AGILE_FIXTURE_WORDS + n], sizeof scale);
        part += steps_of(scale, ss, 16) * steps_of(trial_message(t, n)[k], sx, bits);
      }
      sum += part * steps_of(*agile_program_weight(&t->p, k, i), sw, bits);
    }
    wrong += trial_result(t, 0)[i] != (float)(sum * ((double)sx * (double)ss * (double)sw)) + 0.25f;
  }
  CHECK_INT(wrong, 0);
  trial_end(t);
}

TEST(fixed_point_nodes_are_exact_sums_of_steps) {
  check_fixed(AGILE_PRECISION_fixed_8, AGILE_REGISTER_x_scale_fixed_8, AGILE_REGISTER_w_scale_fixed_8, 5);
  check_fixed(AGILE_PRECISION_fixed_16, AGILE_REGISTER_x_scale_fixed_16, AGILE_REGISTER_w_scale_fixed_16, 6);
  check_fixed(AGILE_PRECISION_fixed_4, AGILE_REGISTER_x_scale_fixed_4, AGILE_REGISTER_w_scale_fixed_4, 7);
}

TEST(a_layer_knows_the_largest_numbers_that_it_read) {
  enum { SCALES = 2, MESSAGES = 3, WEIGHTS = 4 }; /* kinds of traffic */
  trial *t = trial_begin(1, 2, 2, 1);
  agile_program_node(&t->p, 0, 1, AGILE_PRECISION_float_32);
  agile_program_put(&t->p, 0, 0, 1, -5);
  *agile_program_weight(&t->p, 1, 0) = -0.5f;
  trial_create(t);
  trial_message(t, 0)[0] = 9; /* no node reads it */
  trial_message(t, 1)[1] = -3;
  const sim_layer *l = trial_run(t)->layers;
  CHECK_NEAR(l->largest[SCALES], 5, 0);
  CHECK_NEAR(l->largest[MESSAGES], 3, 0);
  CHECK_NEAR(l->largest[WEIGHTS], 0.5, 0);
  trial_end(t);
}

/* Lists that are not in the file are checked when the device reads them. */
TEST(lists_of_images_without_data_are_checked_at_run_time) {
  trial *t = trial_begin(1, 1, 1, 1);
  agile_program_node(&t->p, 0, 1, AGILE_PRECISION_float_32);
  t->p.image.sections[IMAGE_EDGES].data = NULL;
  trial_create(t);
  CHECK_OK(trial_try(t));
  uint32_t *offset = sim_memory(t->sim, AGILE_AT_EDGES, sizeof *offset);
  *offset = 64;
  CHECK_FAILS(trial_try(t), "layer 0, record at 0x");
  CHECK_FAILS(trial_try(t), "node 0: node 0, neighbour 0: message: 0x10000040 to 0x10000044 overlap the results");
  trial_end(t);
}
