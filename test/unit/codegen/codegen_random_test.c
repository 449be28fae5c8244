/* Random numbers of generated C: the known answers of Philox4x32-10 from Random123, first values of weights, and
 * factors of dropout. */
#include "runtime/gnnc/abi.h"
#include "unit.h"

#include <stdint.h>

#pragma GCC diagnostic ignored "-Wunused-function"
typedef float real;
#include "codegen/c/prelude/random.h"

TEST(philox_gives_the_known_answers) {
  static const struct {
    uint64_t key;
    uint32_t counter[4], words[4];
  } known[] = {
      {0, {0, 0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {UINT64_MAX, {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {UINT64_C(0x299f31d0a4093822),
       {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    uint32_t words[4];
    random_block made;
    memcpy(&made, known[i].counter, sizeof made);
    made = random_words(known[i].key, made);
    memcpy(words, &made, sizeof words);
    for (int k = 0; k < 4; k++) CHECK_INT(words[k], known[i].words[k]);
  }
}

TEST(uniform_numbers_fill_their_interval_and_differ_by_site_and_seed) {
  enum { COUNT = 100003 };
  static float a[COUNT], b[COUNT];
  fill_uniform(7, 2, COUNT, 0.5, a);
  double sum = 0, squares = 0;
  for (int i = 0; i < COUNT; i++) {
    CHECK(a[i] >= -0.5f && a[i] <= 0.5f);
    sum += (double)a[i];
    squares += (double)a[i] * (double)a[i];
  }
  CHECK_NEAR(sum / (double)COUNT, 0, 0.004);
  CHECK_NEAR(squares / (double)COUNT, 1 / 12.0, 0.002);
  fill_uniform(7, 3, COUNT, 0.5, b);
  CHECK(memcmp(a, b, sizeof a) != 0);
  fill_uniform(8, 2, COUNT, 0.5, b);
  CHECK(memcmp(a, b, sizeof a) != 0);
  fill_uniform(7, 2, COUNT - 2, 0.5, b); /* the count changes no number */
  CHECK(!memcmp(a, b, (COUNT - 2) * sizeof *a));
}

TEST(normal_numbers_have_their_deviation) {
  enum { COUNT = 100002 };
  static float a[COUNT];
  fill_normal(1, 0, COUNT, 2, a);
  double sum = 0, squares = 0, far = 0;
  for (int i = 0; i < COUNT; i++) {
    sum += (double)a[i];
    squares += (double)a[i] * (double)a[i];
    far += fabs((double)a[i]) > 4;
  }
  CHECK_NEAR(sum / (double)COUNT, 0, 0.03);
  CHECK_NEAR(squares / (double)COUNT, 4, 0.06);
  CHECK_NEAR(far / (double)COUNT, 0.0455, 0.003);
}

TEST(factors_of_dropout_depend_on_seed_step_site_row_and_column) {
  const random_step step = {UINT64_C(0x123456789abcdef0), 17, {NULL, NULL, 0}};
  for (int64_t count = 1; count < 40; count++) {
    float keep[40];
    keep_row(&step, 3, 1000, count, 1u << 30, 4.0f / 3, keep);
    for (int64_t j = 0; j < count; j++) {
      const random_block made = random_words(step.seed, (random_block){1000, (uint32_t)(j / 4), 17, 3});
      uint32_t words[4];
      memcpy(words, &made, sizeof words);
      CHECK(keep[j] == (words[j % 4] >= 1u << 30 ? 4.0f / 3 : 0));
    }
  }
}

TEST(a_context_of_an_earlier_version_has_no_step) {
  const gnnc_step step = {5, 6};
  gnnc_context context = {.size = sizeof context, .step = &step};
  CHECK_INT(context_step(&context).number, 6);
  context.size = offsetof(gnnc_context, step);
  CHECK_INT(context_step(&context).seed, 0);
  CHECK_INT(context_step(NULL).number, 0);
}

TEST(rows_of_a_part_have_the_numbers_of_the_whole) {
  const int32_t nodes[] = {7, 3}, edges[] = {10, 40, 20};
  const gnnc_part part = {nodes, edges, 100};
  gnnc_context context = {.size = sizeof context, .part = &part};
  const random_step step = context_step(&context);
  CHECK_INT(node_number(&step, 1), 3);
  CHECK_INT(edge_number(&step, 2), 20);
  CHECK_INT(loop_number(&step, 3, 0), 107);
  context.size = offsetof(gnnc_context, part);
  const random_step whole = context_step(&context);
  CHECK_INT(node_number(&whole, 1), 1);
  CHECK_INT(edge_number(&whole, 2), 2);
  CHECK_INT(loop_number(&whole, 3, 1), 4);
}
