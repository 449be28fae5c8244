/* Kernels over rows give the right results on small arrays. */
#include "kernels/gemm.h"
#include "kernels/last_axis.h"
#include "kernels/rows.h"
#include "kernels/sddmm.h"
#include "kernels/spmm.h"
#include "unit.h"

#include <math.h>
#include <string.h>

#define CHECK_FLOATS(found, ...)                                                                                       \
  do {                                                                                                                 \
    const float wanted_[] = {__VA_ARGS__};                                                                             \
    for (size_t at_ = 0; at_ < sizeof wanted_ / sizeof *wanted_; at_++) CHECK_NEAR((found)[at_], wanted_[at_], 0);     \
  } while (0)

TEST(a_product_is_the_same_with_the_matrix_transposed) {
  const float x[] = {1, 2, 3, 4, 5, 6}, w[] = {1, 0, 2, 1, 0, 3}, turned[] = {1, 2, 0, 0, 1, 3};
  float out[4];
  kernel_gemm(2, x, &(kernel_matrix){.data = w, .k = 3, .n = 2}, out);
  CHECK_FLOATS(out, 5, 11, 14, 23);
  kernel_gemm(2, x, &(kernel_matrix){.data = turned, .k = 3, .n = 2, .is_transposed = true}, out);
  CHECK_FLOATS(out, 5, 11, 14, 23);
}

TEST(columns_with_zeros_do_not_spread_infinity) {
  const float x[] = {INFINITY, 2}, w[] = {0, 1, 1, 0};
  float out[2];
  kernel_gemm(1, x, &(kernel_matrix){.data = w, .k = 2, .n = 2}, out);
  CHECK(isnan(out[0]));
  for (int t = 0; t < 2; t++) {
    kernel_gemm(1, x, &(kernel_matrix){.data = w, .k = 2, .n = 2, .is_transposed = t, .skips_zeros = true}, out);
    CHECK(out[0] == 2 && isinf(out[1]));
  }
}

TEST(each_segment_meets_its_own_matrix_and_bias) {
  const float x[] = {1, 2, 3}, w[] = {10, 100}, bias[] = {1, 2};
  const int64_t offsets[] = {0, 1, 3};
  float out[3];
  kernel_gemm_segments(2, offsets, x, &(kernel_matrix){.data = w, .k = 1, .n = 1}, bias, out);
  CHECK_FLOATS(out, 11, 202, 302);
}

TEST(rows_without_entries_are_zero_whatever_is_reduced) {
  const int32_t from[] = {0, 1, 1}, to[] = {0, 0, 2};
  const float value[] = {-1, -2, -3, -4}, weight[] = {1, 2, 3};
  int32_t counts[3];
  float out[6];
  kernel_spmm s = {.entries = 3, .rows = 3, .width = 2, .from = from, .to = to, .value = value};
  kernel_spmm_run(&s, counts, out);
  CHECK_FLOATS(out, -4, -6, 0, 0, -3, -4);
  s.reduction = KERNEL_MEAN;
  kernel_spmm_run(&s, counts, out);
  CHECK_FLOATS(out, -2, -3, 0, 0, -3, -4);
  s.reduction = KERNEL_MAX;
  s.weight = weight;
  s.weight_width = 1;
  kernel_spmm_run(&s, counts, out);
  CHECK_FLOATS(out, -1, -2, 0, 0, -9, -12);
  s.reduction = KERNEL_MIN;
  kernel_spmm_run(&s, counts, out);
  CHECK_FLOATS(out, -6, -8, 0, 0, -9, -12);
}

TEST(heads_weigh_their_own_columns) {
  const int32_t from[] = {0}, to[] = {0};
  const float value[] = {1, 2, 3, 4}, weight[] = {10, 100};
  int32_t counts[1];
  float out[4];
  kernel_spmm s = {
      .entries = 1, .rows = 1, .width = 4, .from = from, .to = to, .value = value, .weight = weight, .weight_width = 2};
  kernel_spmm_run(&s, counts, out);
  CHECK_FLOATS(out, 10, 20, 300, 400);
}

TEST(an_edge_sees_both_ends_or_one) {
  const int32_t src[] = {0, 1}, dst[] = {1, 1};
  const float rows[] = {1, 2, 3, 4}, values[] = {10, 20, 30, 40};
  float out[4];
  kernel_sddmm s = {.edges = 2,
                    .heads = 2,
                    .width = 2,
                    .src = src,
                    .dst = dst,
                    .src_rows = rows,
                    .dst_rows = rows,
                    .combine = BINARY_none};
  kernel_sddmm_run(&s, out);
  CHECK_FLOATS(out, 3, 8, 9, 16);
  s.heads = 1;
  s.inner = KERNEL_INNER_add;
  kernel_sddmm_run(&s, out);
  CHECK_FLOATS(out, 10, 14);
  s.inner = KERNEL_INNER_src;
  s.combine = BINARY_sub;
  s.values = values;
  kernel_sddmm_run(&s, out);
  CHECK_FLOATS(out, 7, 13);
  s.inner = KERNEL_INNER_dst;
  s.combine = BINARY_div;
  kernel_sddmm_run(&s, out);
  CHECK_FLOATS(out, 10.0f / 7, 20.0f / 7);
}

TEST(softmax_and_its_kin_go_along_stretches) {
  const float x[] = {0, 0, 1, 3};
  float out[4];
  kernel_softmax(false, 2, 2, x, out);
  CHECK_FLOATS(out, 0.5f, 0.5f);
  CHECK_NEAR(out[2] + out[3], 1, 1e-6);
  kernel_softmax(true, 1, 2, x, out);
  CHECK_NEAR(out[0], -0.69314718, 1e-6);
  kernel_argmax(2, 2, x, out);
  CHECK_FLOATS(out, 0, 1);
  kernel_normalize(2, 2, x, out);
  CHECK_FLOATS(out, 0, 0, 0.25f, 0.75f);
  kernel_reduce_last(KERNEL_MEAN, 2, 2, x, out);
  CHECK_FLOATS(out, 0, 2);
}

TEST(rows_and_columns_move) {
  const float x[] = {1, 2, 3, 4, 5, 6};
  const int32_t index[] = {1, 0};
  float out[8] = {0};
  kernel_copy_columns(2, 2, x, 3, 1, out, 4, 2);
  CHECK_FLOATS(out, 0, 0, 2, 3, 0, 0, 5, 6);
  kernel_transpose(1, 2, 3, x, out);
  CHECK_FLOATS(out, 1, 4, 2, 5, 3, 6);
  kernel_gather(2, 3, x, index, 0, out);
  CHECK_FLOATS(out, 4, 5, 6, 1, 2, 3);
  kernel_gather(1, 3, x, NULL, 1, out);
  CHECK_FLOATS(out, 4, 5, 6);
  kernel_scatter(2, 3, x, index, out);
  CHECK_FLOATS(out, 4, 5, 6, 1, 2, 3);
}

TEST(an_index_picks_a_row_and_stops_at_the_first_outside) {
  const float index[] = {2, 0, 9, 1}, table[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  float out[4] = {0};
  kernel_lookup k = {2, 2, 3, index, 1, -INFINITY, INFINITY, table, 0};
  CHECK_INT(kernel_lookup_run(&k, out), -1);
  CHECK_FLOATS(out, 5, 6, 1, 2);
  k.stride = 6; /* the second row has the table behind */
  CHECK_INT(kernel_lookup_run(&k, out), -1);
  CHECK_FLOATS(out, 5, 6, 7, 8);
  k = (kernel_lookup){2, 2, 6, index + 1, 2, 1, 3, table, 0}; /* 0 and 1, at least 1 */
  CHECK_INT(kernel_lookup_run(&k, out), -1);
  CHECK_FLOATS(out, 3, 4, 3, 4);
  k = (kernel_lookup){2, 2, 3, index + 1, 1, -INFINITY, INFINITY, table, 0};
  out[2] = -1;
  CHECK_INT(kernel_lookup_run(&k, out), 1);
  CHECK_FLOATS(out, 1, 2, -1);
}

/* Neither a number below 0 nor one that is no number is an index. */
TEST(an_index_is_a_number_from_0) {
  const float table[] = {1, 2, 3}, wrong[] = {-1, NAN, INFINITY, -INFINITY, 3};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    float out = 0;
    kernel_lookup k = {1, 1, 3, wrong + i, 1, -INFINITY, INFINITY, table, 0};
    CHECK_INT(kernel_lookup_run(&k, &out), 0);
  }
}

TEST(a_view_selects_repeats_and_permutes) {
  const float x[] = {1, 2, 3, 4, 5, 6};
  float out[12];
  kernel_view(2, (const int64_t[]){3, 2}, (const int64_t[]){1, 3}, 0, x, out);
  CHECK_FLOATS(out, 1, 4, 2, 5, 3, 6);
  kernel_view(3, (const int64_t[]){2, 1, 2}, (const int64_t[]){0, 7, -2}, 5, x, out);
  CHECK_FLOATS(out, 6, 4, 6, 4);
  kernel_view(0, NULL, NULL, 2, x, out);
  CHECK_FLOATS(out, 3);
}

TEST(pieces_of_a_row_are_folded_into_it) {
  const float x[] = {1, 2, 3, 4, 5, 6};
  const int32_t index[] = {0, 2, 0};
  float out[6];
  kernel_fold(3, 2, x, index, 3, out);
  CHECK_FLOATS(out, 6, 8, 0, 0, 3, 4);
}

TEST(values_go_to_their_places_and_come_back) {
  const float values[] = {1, 2, 3, 4};
  const int32_t place[] = {2, 0};
  float slots[3] = {0}, back[4] = {0};
  kernel_put_values(2, 2, 1, values, place, slots);
  CHECK_FLOATS(slots, 4, 0, 2);
  kernel_get_values(2, 2, 1, slots, place, back);
  CHECK_FLOATS(back, 0, 2, 0, 4);
}
