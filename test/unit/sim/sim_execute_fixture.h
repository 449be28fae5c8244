/* The buffers of a PE with random contents, for the tests of sim/execute. */
#ifndef GNNC_TEST_UNIT_SIM_SIM_EXECUTE_FIXTURE_H
#define GNNC_TEST_UNIT_SIM_SIM_EXECUTE_FIXTURE_H

#include "sim/graphagile/execute.h"
#include "unit.h"

enum { FEATURE_ROWS = 96, WEIGHT_ROWS = 160, EDGES = 128 };

static const int32_t widths[] = {4, 8, 16};
static const float constants[] = {1, 0.25f, -3};

typedef struct pe {
  graphagile_device device;
  graphagile_sim_buffers buffers;
} pe;

#define CHECK_STR_OR_NULL(actual, expected)                                                                            \
  do {                                                                                                                 \
    const char *text_ = (actual), *wanted_ = (expected);                                                               \
    if (!text_ != !wanted_ || (text_ && strcmp(text_, wanted_) != 0))                                                  \
      unit_fail(__FILE__, __LINE__, "%s is \"%s\", expected \"%s\"", #actual, text_ ? text_ : "(null)",                \
                wanted_ ? wanted_ : "(null)");                                                                         \
  } while (0)

static uint64_t random_state = 1;

__attribute__((unused)) static uint64_t below(uint64_t limit) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (random_state >> 33) % limit;
}

static float random_word(void) {
  return (float)((double)below(4001) / 1000 - 2);
}

static float *random_words(uint64_t n) {
  float *words = malloc(n * sizeof *words);
  for (uint64_t i = 0; i < n; i++) words[i] = random_word();
  return words;
}

__attribute__((unused)) static pe *new_pe(int32_t width) {
  pe *x = calloc(1, sizeof *x);
  x->device.width = width;
  x->device.feature_rows = FEATURE_ROWS;
  x->device.weight_rows = WEIGHT_ROWS;
  x->device.edges = EDGES;
  x->buffers.device = &x->device;
  x->buffers.constants = constants;
  x->buffers.num_constants = 3;
  for (int i = 0; i < 3; i++) x->buffers.feature[i] = random_words((uint64_t)(FEATURE_ROWS * width));
  for (int i = 0; i < 2; i++) {
    x->buffers.weight[i] = random_words((uint64_t)(WEIGHT_ROWS * width));
    x->buffers.edge_src[i] = calloc(EDGES, sizeof *x->buffers.edge_src[i]);
    x->buffers.edge_dst[i] = calloc(EDGES, sizeof *x->buffers.edge_dst[i]);
    x->buffers.edge_weight[i] = calloc(EDGES, sizeof *x->buffers.edge_weight[i]);
  }
  return x;
}

__attribute__((unused)) static void free_pe(pe *x, float *expected) {
  for (int i = 0; i < 3; i++) free(x->buffers.feature[i]);
  for (int i = 0; i < 2; i++) {
    free(x->buffers.weight[i]);
    free(x->buffers.edge_src[i]);
    free(x->buffers.edge_dst[i]);
    free(x->buffers.edge_weight[i]);
  }
  free(expected);
  free(x);
}

/* Random edges between the first rows, without a weight of 0. */
__attribute__((unused)) static void make_edges(pe *x, uint64_t which, uint64_t n, uint64_t src_rows,
                                               uint64_t dst_rows) {
  for (uint64_t e = 0; e < n; e++) {
    x->buffers.edge_src[which][e] = (uint32_t)below(src_rows);
    x->buffers.edge_dst[which][e] = (uint32_t)below(dst_rows);
    x->buffers.edge_weight[which][e] = random_word() + 2.5f;
  }
}

__attribute__((unused)) static float unset_word(void) {
  uint32_t bits = GRAPHAGILE_UNSET;
  float word;
  memcpy(&word, &bits, sizeof word);
  return word;
}

__attribute__((unused)) static bool is_unset_word(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits == GRAPHAGILE_UNSET;
}

__attribute__((unused)) static void fill_unset(pe *x, uint64_t feature) {
  for (int i = 0; i < FEATURE_ROWS * x->device.width; i++) x->buffers.feature[feature][i] = unset_word();
}

__attribute__((unused)) static float *copy_rows(const pe *x, uint64_t feature) {
  size_t bytes = (size_t)(FEATURE_ROWS * x->device.width) * sizeof(float);
  float *copy = malloc(bytes);
  memcpy(copy, x->buffers.feature[feature], bytes);
  return copy;
}

/* The whole buffer is as expected, including the rows that the instruction must not change. */
__attribute__((unused)) static void check_rows(const pe *x, uint64_t feature, const float *expected, double tolerance) {
  const float *actual = x->buffers.feature[feature];
  for (int i = 0; i < FEATURE_ROWS * x->device.width; i++) {
    if (is_unset_word(expected[i]) && is_unset_word(actual[i])) continue;
    if (isnan(expected[i]) && isnan(actual[i])) continue;
    if (isinf(expected[i]) && actual[i] == expected[i]) continue;
    CHECK_NEAR(actual[i], expected[i], tolerance);
  }
}

#endif
