/* Each instruction agrees with scalar code for the instruction table, on random blocks, with
 * rows of 4, 8 and 16 words. */
#include "sim_execute_fixture.h"

TEST(gemm_multiplies_a_block_in_the_order_of_k) {
  for (int i = 0; i < 150; i++) {
    pe *x = new_pe(widths[i % 3]);
    uint64_t p = (uint64_t)x->device.width;
    graphagile_gemm g = {.acc = i & 1, .in = below(3), .w = below(2), .rows = 1 + below(9), .len = 1 + below(40)};
    g.out = (g.in + 1 + below(2)) % 3;
    g.gfib = 1 + below(3);
    g.in_stride = g.rows + below(3);
    g.out_stride = g.rows + below(3);
    g.in_base = below(5);
    g.out_base = below(5);
    g.w_base = below(5);
    float *expected = copy_rows(x, g.out);
    for (uint64_t r = 0; r < g.rows; r++)
      for (uint64_t o = 0; o < g.gfib * p; o++) {
        float *to = &expected[(g.out_base + o / p * g.out_stride + r) * p + o % p], sum = g.acc ? *to : 0;
        for (uint64_t k = 0; k < g.len; k++)
          sum += x->buffers.feature[g.in][(g.in_base + k / p * g.in_stride + r) * p + k % p] *
                 x->buffers.weight[g.w][(g.w_base + k * g.gfib + o / p) * p + o % p];
        *to = sum;
      }
    graphagile_insn in = {.op = GRAPHAGILE_OP_gemm, .gemm = g};
    CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), NULL);
    check_rows(x, g.out, expected, 0);
    free_pe(x, expected);
  }
}

/* Rows of 4, 8, 16 and 32 words. */
TEST(gemm_with_skip_does_not_see_what_meets_a_zero) {
  static const int32_t each[] = {4, 8, 16, 32};
  for (int i = 0; i < 8; i++) {
    pe *x = new_pe(each[i % 4]);
    uint64_t p = (uint64_t)x->device.width;
    graphagile_gemm g = {
        .skip = i < 4, .in = 0, .out = 1, .w = 0, .rows = 3, .len = 3, .gfib = 1, .in_stride = 3, .out_stride = 3};
    float *in = x->buffers.feature[0], *weights = x->buffers.weight[0], *out = x->buffers.feature[1];
    for (uint64_t k = 0; k < 3; k++)
      for (uint64_t c = 0; c < p; c++) weights[k * p + c] = c % 3 == k ? 2 : c % 2 ? 0.0f : -0.0f;
    for (uint64_t r = 0; r < 3; r++) {
      in[r * p] = NAN;
      in[r * p + 1] = -INFINITY;
      in[r * p + 2] = 5;
    }
    graphagile_insn insn = {.op = GRAPHAGILE_OP_gemm, .gemm = g};
    CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &insn), NULL);
    for (uint64_t c = 0; c < p; c++) {
      if (!g.skip || c % 3 == 0) CHECK(isnan(out[p + c]));
      if (g.skip && c % 3 == 1) CHECK(isinf(out[p + c]));
      if (g.skip && c % 3 == 2) CHECK_NEAR(out[p + c], 10, 0);
    }
    free_pe(x, NULL);
  }
}

static float reduce(float old, float v, uint64_t how) {
  if (how == GRAPHAGILE_REDUCE_sum) return old + v;
  if (is_unset_word(old)) return v;
  if (isnan(old) || isnan(v)) return NAN;
  return how == GRAPHAGILE_REDUCE_max ? (old > v ? old : v) : (old < v ? old : v);
}

TEST(spdmm_reduces_rows_of_sources_into_rows_of_destinations) {
  for (int i = 0; i < 300; i++) {
    pe *x = new_pe(widths[i % 3]);
    uint64_t p = (uint64_t)x->device.width, rows = 2 + below(20);
    graphagile_spdmm s = {
        .reduce = below(3), .weighted = below(2), .edge_only = below(4) == 0, .e = below(2), .in = below(3)};
    s.out = (s.in + 1 + below(2)) % 3;
    s.nfib = 1 + below(3);
    s.in_stride = rows + below(3);
    s.out_stride = rows + below(3);
    s.in_base = below(5);
    s.out_base = below(5);
    s.num_edges = 1 + below(100);
    s.lanes = below(2) ? (1u << p) - 1 : 1 + below((1u << p) - 1);
    make_edges(x, s.e, s.num_edges, rows, rows);
    if (s.reduce != GRAPHAGILE_REDUCE_sum && below(2)) fill_unset(x, s.out);
    float *expected = copy_rows(x, s.out);
    for (uint64_t e = 0; e < s.num_edges; e++)
      for (uint64_t q = 0; q < s.nfib; q++)
        for (uint64_t c = 0; c < p; c++) {
          if (!(s.lanes >> c & 1)) continue;
          float v = x->buffers.feature[s.in][(s.in_base + q * s.in_stride + x->buffers.edge_src[s.e][e]) * p + c];
          float *to = &expected[(s.out_base + q * s.out_stride + x->buffers.edge_dst[s.e][e]) * p + c];
          if (s.edge_only) v = 1;
          if (s.weighted) v *= x->buffers.edge_weight[s.e][e];
          *to = reduce(*to, v, s.reduce);
        }
    graphagile_insn in = {.op = GRAPHAGILE_OP_spdmm, .spdmm = s};
    CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), NULL);
    check_rows(x, s.out, expected, 0);
    free_pe(x, expected);
  }
}

TEST(max_and_min_keep_nan_and_replace_the_unset_word) {
  for (uint64_t how = GRAPHAGILE_REDUCE_max; how <= GRAPHAGILE_REDUCE_min; how++) {
    pe *x = new_pe(4);
    float words[4] = {-3, NAN, 5, -0.0f};
    graphagile_insn in = {
        .op = GRAPHAGILE_OP_spdmm,
        .spdmm = {
            .reduce = how, .in = 0, .out = 1, .num_edges = 3, .nfib = 1, .in_stride = 1, .out_stride = 1, .lanes = 1}};
    fill_unset(x, 1);
    for (uint32_t e = 0; e < 3; e++) {
      x->buffers.edge_src[0][e] = e;
      x->buffers.edge_dst[0][e] = e ? 1 : 0;
      x->buffers.feature[0][4 * e] = words[e];
    }
    CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), NULL);
    CHECK_NEAR(x->buffers.feature[1][0], -3, 0);
    CHECK(isnan(x->buffers.feature[1][4]) && !is_unset_word(x->buffers.feature[1][4]));
    CHECK(is_unset_word(x->buffers.feature[1][1]));
    CHECK(is_unset_word(x->buffers.feature[1][8]));
    graphagile_insn settle = {
        .op = GRAPHAGILE_OP_post,
        .post = {.function = GRAPHAGILE_FUNCTION_settle, .buffer = GRAPHAGILE_F1, .rows = 3, .nfib = 1, .stride = 1}};
    CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &settle), NULL);
    CHECK_NEAR(x->buffers.feature[1][0], -3, 0);
    CHECK_NEAR(x->buffers.feature[1][1], 0, 0);
    CHECK_NEAR(x->buffers.feature[1][8], 0, 0);
    CHECK(isnan(x->buffers.feature[1][4]));
    free_pe(x, NULL);
  }
}

TEST(a_nan_that_looks_unset_stays_a_nan) {
  pe *x = new_pe(4);
  graphagile_insn in = {.op = GRAPHAGILE_OP_spdmm,
                        .spdmm = {.reduce = GRAPHAGILE_REDUCE_max,
                                  .in = 0,
                                  .out = 1,
                                  .num_edges = 2,
                                  .nfib = 1,
                                  .in_stride = 1,
                                  .out_stride = 1,
                                  .lanes = 1}};
  fill_unset(x, 0);
  fill_unset(x, 1);
  x->buffers.feature[0][4] = 7;
  for (uint32_t e = 0; e < 2; e++) {
    x->buffers.edge_src[0][e] = e;
    x->buffers.edge_dst[0][e] = 0;
  }
  CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), NULL);
  CHECK(isnan(x->buffers.feature[1][0]) && !is_unset_word(x->buffers.feature[1][0]));
  free_pe(x, NULL);
}

static float combine(float w, float r, uint64_t how) {
  const float all[] = {r, w + r, w - r, w * r, w / r, w > r ? w : r, w < r ? w : r};
  return all[how];
}

TEST(sddmm_makes_a_number_per_edge) {
  for (int i = 0; i < 300; i++) {
    pe *x = new_pe(widths[i % 3]);
    uint64_t p = (uint64_t)x->device.width, rows = 2 + below(20);
    graphagile_sddmm s = {.inner = below(4), .combine = below(7), .e = below(2), .src = below(3), .dst = below(3)};
    s.act = below(4);
    s.param = below(3);
    s.nfib = 1 + below(3);
    s.src_stride = rows + below(3);
    s.dst_stride = rows + below(3);
    s.src_base = below(5);
    s.dst_base = below(5);
    s.num_edges = 1 + below(100);
    s.lanes = below(2) ? (1u << p) - 1 : 1 + below((1u << p) - 1);
    make_edges(x, s.e, s.num_edges, rows, rows);
    double *expected = calloc(s.num_edges, sizeof *expected), *scale = calloc(s.num_edges, sizeof *scale);
    for (uint64_t e = 0; e < s.num_edges; e++) {
      double sum = 0, size = 1;
      for (uint64_t q = 0; q < s.nfib; q++)
        for (uint64_t c = 0; c < p; c++) {
          if (!(s.lanes >> c & 1)) continue;
          double a = x->buffers.feature[s.src][(s.src_base + q * s.src_stride + x->buffers.edge_src[s.e][e]) * p + c];
          double b = x->buffers.feature[s.dst][(s.dst_base + q * s.dst_stride + x->buffers.edge_dst[s.e][e]) * p + c];
          double term = s.inner == GRAPHAGILE_INNER_dot   ? a * b
                        : s.inner == GRAPHAGILE_INNER_add ? a + b
                        : s.inner == GRAPHAGILE_INNER_src ? a
                                                          : b;
          sum += term;
          size += fabs(term);
        }
      expected[e] = combine(x->buffers.edge_weight[s.e][e], (float)sum, s.combine);
      scale[e] =
          s.combine == GRAPHAGILE_COMBINE_div ? size * (1 + fabs(expected[e])) / fmax(fabs(sum), 1e-6) : size * 4;
    }
    graphagile_insn in = {.op = GRAPHAGILE_OP_sddmm, .sddmm = s};
    CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), NULL);
    for (uint64_t e = 0; e < s.num_edges; e++) {
      float before = (float)expected[e], slope = x->buffers.constants[s.param];
      const float acts[] = {before, before > 0 ? before : 0, before > 0 ? before : slope * before, expf(before)};
      double size = s.act == GRAPHAGILE_ACT_exp ? acts[3] * scale[e] : scale[e];
      if (isfinite(acts[3])) CHECK_NEAR(x->buffers.edge_weight[s.e][e], acts[s.act], 1e-5 * size);
    }
    free(expected);
    free(scale);
    free_pe(x, NULL);
  }
}

static float vector(float a, float b, float old, uint64_t function) {
  const float all[] = {a + b,  a - b,  a * b,  a / b,           a > b ? a : b, a < b ? a : b, a<b, a <= b, a> b,
                       a >= b, a == b, a != b, old != 0 ? a : b};
  return all[function];
}

TEST(vadd_combines_rows_element_by_element) {
  for (int i = 0; i < 400; i++) {
    pe *x = new_pe(widths[i % 3]);
    uint64_t p = (uint64_t)x->device.width;
    graphagile_vadd v = {.function = below(13), .a = below(3), .b = below(3), .out = below(3), .scale = below(3)};
    v.bcast_b = below(2);
    v.lane = below(p);
    v.rows = 1 + below(12);
    v.nfib = 1 + below(3);
    v.stride = v.rows + below(3);
    v.a_base = v.b_base = v.out_base = below(5);
    if (v.function == GRAPHAGILE_VECTOR_select) /* 'out' is read before it is written */
      for (uint64_t w = 0; w < FEATURE_ROWS * p; w++)
        if (below(2)) x->buffers.feature[v.out][w] = 0;
    float *expected = copy_rows(x, v.out);
    for (uint64_t q = 0; q < v.nfib; q++)
      for (uint64_t r = 0; r < v.rows; r++)
        for (uint64_t c = 0; c < p; c++) {
          uint64_t at = (v.a_base + q * v.stride + r) * p + c;
          float b = x->buffers.feature[v.b][v.bcast_b ? (v.b_base + r) * p + v.lane : at];
          expected[at] =
              vector(x->buffers.feature[v.a][at], x->buffers.constants[v.scale] * b, expected[at], v.function);
        }
    graphagile_insn in = {.op = GRAPHAGILE_OP_vadd, .vadd = v};
    CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), NULL);
    check_rows(x, v.out, expected, 0);
    free_pe(x, expected);
  }
}

TEST(vadd_combines_weights_of_edges) {
  for (uint64_t function = 0; function < GRAPHAGILE_VECTOR_select; function++) {
    pe *x = new_pe(8);
    float expected[50];
    make_edges(x, 0, 50, 9, 9);
    make_edges(x, 1, 50, 9, 9);
    for (int e = 0; e < 50; e++)
      expected[e] =
          vector(x->buffers.edge_weight[0][e], x->buffers.constants[2] * x->buffers.edge_weight[1][e], 0, function);
    graphagile_insn in = {.op = GRAPHAGILE_OP_vadd,
                          .vadd = {.function = function,
                                   .on_edges = 1,
                                   .a = 0,
                                   .b = 1,
                                   .out = 0,
                                   .rows = 50,
                                   .nfib = 1,
                                   .stride = 1,
                                   .scale = 2}};
    CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), NULL);
    for (int e = 0; e < 50; e++) CHECK_NEAR(x->buffers.edge_weight[0][e], expected[e], 0);
    free_pe(x, NULL);
  }
}

static double function_of(double x, double c, uint64_t function) {
  switch (function) {
  case GRAPHAGILE_FUNCTION_relu: return x > 0 ? x : 0;
  case GRAPHAGILE_FUNCTION_leaky_relu: return x > 0 ? x : c * x;
  case GRAPHAGILE_FUNCTION_elu: return x > 0 ? x : c * (exp(x) - 1);
  case GRAPHAGILE_FUNCTION_sigmoid: return 1 / (1 + exp(-x));
  case GRAPHAGILE_FUNCTION_swish: return x / (1 + exp(-x));
  case GRAPHAGILE_FUNCTION_gelu: return x * (1 + erf(x / sqrt(2))) / 2;
  case GRAPHAGILE_FUNCTION_tanh: return tanh(x);
  case GRAPHAGILE_FUNCTION_exp: return exp(x);
  case GRAPHAGILE_FUNCTION_log: return log(x);
  case GRAPHAGILE_FUNCTION_sqrt: return sqrt(x);
  case GRAPHAGILE_FUNCTION_rsqrt: return 1 / sqrt(x);
  case GRAPHAGILE_FUNCTION_negate: return -x;
  case GRAPHAGILE_FUNCTION_reciprocal: return 1 / x;
  case GRAPHAGILE_FUNCTION_abs: return fabs(x);
  case GRAPHAGILE_FUNCTION_add_constant: return x + c;
  case GRAPHAGILE_FUNCTION_mul_constant: return x * c;
  default: return x;
  }
}

TEST(post_applies_each_function_in_place) {
  for (uint64_t function = GRAPHAGILE_FUNCTION_none; function <= GRAPHAGILE_FUNCTION_settle; function++)
    for (int i = 0; i < 6; i++) {
      pe *x = new_pe(widths[i % 3]);
      uint64_t p = (uint64_t)x->device.width;
      bool is_on_edges = i >= 3;
      graphagile_post f = {.function = function,
                           .buffer = is_on_edges ? GRAPHAGILE_E1 : GRAPHAGILE_F2,
                           .base = 3,
                           .rows = 5,
                           .nfib = 2,
                           .stride = 7,
                           .param = 1};
      if (is_on_edges) f.nfib = 1;
      float *values = is_on_edges ? x->buffers.edge_weight[1] : x->buffers.feature[2];
      bool is_partial = function == GRAPHAGILE_FUNCTION_log || function == GRAPHAGILE_FUNCTION_sqrt ||
                        function == GRAPHAGILE_FUNCTION_rsqrt;
      if (is_on_edges) make_edges(x, 1, 20, 5, 5);
      for (uint64_t w = 0; is_partial && w < (is_on_edges ? EDGES : FEATURE_ROWS * p); w++)
        values[w] = 0.01f + fabsf(values[w]);
      uint64_t size = is_on_edges ? EDGES : FEATURE_ROWS * p, unit = is_on_edges ? 1 : p;
      float *before = malloc(size * sizeof *before);
      memcpy(before, values, size * sizeof *before);
      graphagile_insn in = {.op = GRAPHAGILE_OP_post, .post = f};
      CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), NULL);
      for (uint64_t w = 0; w < size; w++) {
        uint64_t row = w / unit;
        bool is_touched =
            row >= f.base && row < f.base + (f.nfib - 1) * f.stride + f.rows && (row - f.base) % f.stride < f.rows;
        double expected = is_touched ? function_of(before[w], x->buffers.constants[1], function) : before[w];
        CHECK_NEAR(values[w], expected, is_touched ? 2e-6 * (1 + fabs(expected)) : 0);
      }
      free(before);
      free_pe(x, NULL);
    }
}

TEST(init_fills_rows) {
  for (int i = 0; i < 24; i++) {
    pe *x = new_pe(widths[i % 3]);
    uint64_t p = (uint64_t)x->device.width;
    graphagile_init f = {.fill = (uint64_t)i % 4,
                         .w = 1,
                         .buffer = 1,
                         .w_base = 3,
                         .base = 2,
                         .rows = 4,
                         .nfib = 3,
                         .stride = 6,
                         .param = 2};
    float *expected = copy_rows(x, 1);
    for (uint64_t q = 0; q < f.nfib; q++)
      for (uint64_t r = 0; r < f.rows; r++)
        for (uint64_t c = 0; c < p; c++) {
          float *to = &expected[(f.base + q * f.stride + r) * p + c];
          if (f.fill == GRAPHAGILE_FILL_zero) *to = 0;
          if (f.fill == GRAPHAGILE_FILL_unset) *to = unset_word();
          if (f.fill == GRAPHAGILE_FILL_row) *to = x->buffers.weight[1][(f.w_base + q) * p + c];
          if (f.fill == GRAPHAGILE_FILL_constant) *to = x->buffers.constants[2];
        }
    graphagile_insn in = {.op = GRAPHAGILE_OP_init, .init = f};
    CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), NULL);
    check_rows(x, 1, expected, 0);
    free_pe(x, expected);
  }
}
