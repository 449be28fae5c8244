/* Loads and stores of buffers work in every form, and no instruction or edge accesses words
 * beyond a buffer: it is a fault. */
#include "isa/graphagile/fp16.h"
#include "sim_execute_fixture.h"

TEST(features_are_loaded_fiber_by_fiber) {
  for (int i = 0; i < 3; i++) {
    pe *x = new_pe(widths[i]);
    uint64_t p = (uint64_t)x->device.width;
    graphagile_insn in = {.op = GRAPHAGILE_OP_memrd,
                          .memrd = {.buffer = GRAPHAGILE_F1, .base = 4, .count = 6, .nfib = 3, .stride = 10}};
    for (uint64_t rows = 5; rows <= 6; rows++) { /* a descriptor may name 5 of the 6 rows */
      uint64_t span = graphagile_execute_span(&in, rows, &x->device);
      CHECK_INT(span, (20 + rows) * p * 4);
      float *ddr = random_words(span / 4), *expected = copy_rows(x, 1);
      for (uint64_t q = 0; q < 3; q++)
        for (uint64_t r = 0; r < rows; r++)
          for (uint64_t c = 0; c < p; c++) expected[(4 + q * 6 + r) * p + c] = ddr[(q * 10 + r) * p + c];
      CHECK_STR_OR_NULL(graphagile_execute_load(&x->buffers, &in, rows, ddr), NULL);
      check_rows(x, 1, expected, 0);
      free(ddr);
      free(expected);
    }
    free_pe(x, NULL);
  }
}

TEST(rows_of_fp16_are_converted_by_loads_and_stores) {
  for (int i = 0; i < 3; i++) {
    pe *x = new_pe(widths[i]);
    uint64_t p = (uint64_t)x->device.width;
    graphagile_insn in = {
        .op = GRAPHAGILE_OP_memrd,
        .memrd = {
            .buffer = GRAPHAGILE_F1, .form = GRAPHAGILE_FORM_half, .base = 4, .count = 6, .nfib = 3, .stride = 10}};
    uint64_t span = graphagile_execute_span(&in, 5, &x->device);
    CHECK_INT(span, 25 * p * 2);
    uint16_t *ddr = malloc(span), *stored = malloc(span);
    float *expected = copy_rows(x, 1);
    for (uint64_t w = 0; w < 25 * p; w++) ddr[w] = (uint16_t)(0x3c00 + w);
    for (uint64_t q = 0; q < 3; q++)
      for (uint64_t r = 0; r < 5; r++)
        for (uint64_t c = 0; c < p; c++)
          expected[(4 + q * 6 + r) * p + c] = graphagile_fp16_load(ddr[(q * 10 + r) * p + c]);
    CHECK_STR_OR_NULL(graphagile_execute_load(&x->buffers, &in, 5, ddr), NULL);
    check_rows(x, 1, expected, 0);
    in = (graphagile_insn){
        .op = GRAPHAGILE_OP_memwr,
        .memwr = {
            .buffer = GRAPHAGILE_F1, .form = GRAPHAGILE_FORM_half, .base = 4, .count = 6, .nfib = 3, .stride = 10}};
    CHECK_INT(graphagile_execute_span(&in, 5, &x->device), 25 * p * 2);
    memset(stored, 0, span);
    CHECK_STR_OR_NULL(graphagile_execute_store(&x->buffers, &in, 5, stored), NULL);
    for (uint64_t w = 0; w < 25 * p; w++) CHECK_INT(stored[w], w / p % 10 < 5 ? ddr[w] : 0);
    free(ddr);
    free(stored);
    free(expected);
    free_pe(x, NULL);
  }
}

TEST(stores_of_fp16_apply_their_activation_first) {
  pe *x = new_pe(4);
  uint16_t stored[4];
  const float words[4] = {-1, 65520, 2049, -8};
  memcpy(x->buffers.feature[0], words, sizeof words);
  graphagile_insn in = {.op = GRAPHAGILE_OP_memwr,
                        .memwr = {.buffer = GRAPHAGILE_F0,
                                  .form = GRAPHAGILE_FORM_half,
                                  .count = 1,
                                  .nfib = 1,
                                  .act = GRAPHAGILE_FUNCTION_leaky_relu,
                                  .param = 1}};
  CHECK_STR_OR_NULL(graphagile_execute_store(&x->buffers, &in, 1, stored), NULL);
  CHECK_INT(stored[0], 0xb400); /* -0.25 */
  CHECK_INT(stored[1], 0x7c00);
  CHECK_INT(stored[2], 0x6800);
  CHECK_INT(stored[3], 0xc000); /* -2 */
  free_pe(x, NULL);
}

TEST(rows_of_one_number_are_repeated_by_loads_and_stored_from_the_first_column) {
  for (int i = 0; i < 3; i++) {
    pe *x = new_pe(widths[i]);
    uint64_t p = (uint64_t)x->device.width;
    graphagile_insn in = {
        .op = GRAPHAGILE_OP_memrd,
        .memrd = {
            .buffer = GRAPHAGILE_F1, .form = GRAPHAGILE_FORM_value, .base = 4, .count = 6, .nfib = 3, .stride = 10}};
    CHECK_INT(graphagile_execute_span(&in, 5, &x->device), 25 * 4);
    float *ddr = random_words(25), *expected = copy_rows(x, 1), stored[25] = {0};
    for (uint64_t q = 0; q < 3; q++)
      for (uint64_t r = 0; r < 5; r++)
        for (uint64_t c = 0; c < p; c++) expected[(4 + q * 6 + r) * p + c] = ddr[q * 10 + r];
    CHECK_STR_OR_NULL(graphagile_execute_load(&x->buffers, &in, 5, ddr), NULL);
    check_rows(x, 1, expected, 0);
    in = (graphagile_insn){.op = GRAPHAGILE_OP_memwr,
                           .memwr = {.buffer = GRAPHAGILE_F1,
                                     .form = GRAPHAGILE_FORM_value,
                                     .base = 4,
                                     .count = 6,
                                     .nfib = 3,
                                     .stride = 10,
                                     .act = GRAPHAGILE_FUNCTION_relu}};
    CHECK_INT(graphagile_execute_span(&in, 5, &x->device), 25 * 4);
    for (uint64_t w = 0; w < 18 * p; w++)
      if (w % p) x->buffers.feature[1][4 * p + w] = 99; /* only the first column counts */
    CHECK_STR_OR_NULL(graphagile_execute_store(&x->buffers, &in, 5, stored), NULL);
    for (uint64_t w = 0; w < 25; w++) CHECK_NEAR(stored[w], w % 10 < 5 && ddr[w] > 0 ? ddr[w] : 0, 0);
    free(ddr);
    free(expected);
    free_pe(x, NULL);
  }
}

TEST(weights_are_loaded_in_sequence) {
  pe *x = new_pe(8);
  graphagile_insn in = {.op = GRAPHAGILE_OP_memrd,
                        .memrd = {.buffer = GRAPHAGILE_W1, .base = 7, .count = 20, .nfib = 1}};
  float *ddr = random_words(20 * 8);
  CHECK_INT(graphagile_execute_span(&in, 20, &x->device), 20 * 8 * 4);
  CHECK_STR_OR_NULL(graphagile_execute_load(&x->buffers, &in, 20, ddr), NULL);
  for (int i = 0; i < 20 * 8; i++) CHECK_NEAR(x->buffers.weight[1][7 * 8 + i], ddr[i], 0);
  free(ddr);
  free_pe(x, NULL);
}

TEST(edges_are_loaded_as_records_as_values_packed_and_with_8_bytes) {
  pe *x = new_pe(16);
  uint32_t records[9], packed[3];
  float values[3] = {-1, -2, -3};
  for (uint32_t e = 0; e < 3; e++) {
    float weight = 0.5f + (float)e;
    records[3 * e] = 10 + e;
    records[3 * e + 1] = 20 + e;
    memcpy(&records[3 * e + 2], &weight, 4);
    packed[e] = (16383 - e) | (16000 + e) << 14;
  }
  graphagile_insn in = {
      .op = GRAPHAGILE_OP_memrd,
      .memrd = {.buffer = GRAPHAGILE_E1, .base = 5, .count = 3, .nfib = 1, .form = GRAPHAGILE_FORM_record}};
  CHECK_INT(graphagile_execute_span(&in, 3, &x->device), 36);
  CHECK_STR_OR_NULL(graphagile_execute_load(&x->buffers, &in, 3, records), NULL);
  for (uint32_t e = 0; e < 3; e++) {
    CHECK_INT(x->buffers.edge_src[1][5 + e], 10 + e);
    CHECK_INT(x->buffers.edge_dst[1][5 + e], 20 + e);
    CHECK_NEAR(x->buffers.edge_weight[1][5 + e], 0.5 + e, 0);
  }
  in.memrd.form = GRAPHAGILE_FORM_value;
  CHECK_INT(graphagile_execute_span(&in, 2, &x->device), 8);
  CHECK_STR_OR_NULL(graphagile_execute_load(&x->buffers, &in, 2, values), NULL);
  CHECK_INT(x->buffers.edge_src[1][5], 10);
  CHECK_NEAR(x->buffers.edge_weight[1][6], -2, 0);
  CHECK_NEAR(x->buffers.edge_weight[1][7], 2.5, 0);
  in.memrd.form = GRAPHAGILE_FORM_packed;
  CHECK_INT(graphagile_execute_span(&in, 3, &x->device), 12);
  CHECK_STR_OR_NULL(graphagile_execute_load(&x->buffers, &in, 3, packed), NULL);
  CHECK_INT(x->buffers.edge_src[1][7], 16381);
  CHECK_INT(x->buffers.edge_dst[1][7], 16002);
  CHECK_NEAR(x->buffers.edge_weight[1][7], 1, 0);
  uint32_t halves[6];
  for (uint32_t e = 0; e < 3; e++) {
    halves[2 * e] = (16000 + e) | (16383 - e) << 14;
    memcpy(&halves[2 * e + 1], &values[e], 4);
  }
  in.memrd.form = GRAPHAGILE_FORM_half;
  CHECK_INT(graphagile_execute_span(&in, 3, &x->device), 24);
  CHECK_STR_OR_NULL(graphagile_execute_load(&x->buffers, &in, 3, halves), NULL);
  CHECK_INT(x->buffers.edge_src[1][7], 16002);
  CHECK_INT(x->buffers.edge_dst[1][7], 16381);
  CHECK_NEAR(x->buffers.edge_weight[1][7], -3, 0);
  free_pe(x, NULL);
}

TEST(stores_apply_their_activation_and_leave_gaps_alone) {
  static const uint64_t acts[] = {GRAPHAGILE_FUNCTION_none, GRAPHAGILE_FUNCTION_relu, GRAPHAGILE_FUNCTION_leaky_relu};
  for (int i = 0; i < 9; i++) {
    pe *x = new_pe(widths[i % 3]);
    uint64_t p = (uint64_t)x->device.width;
    graphagile_insn in = {
        .op = GRAPHAGILE_OP_memwr,
        .memwr = {
            .buffer = GRAPHAGILE_F2, .base = 1, .count = 4, .nfib = 2, .stride = 6, .act = acts[i / 3], .param = 1}};
    uint64_t span = graphagile_execute_span(&in, 4, &x->device);
    CHECK_INT(span, 10 * p * 4);
    float *ddr = random_words(span / 4), *before = malloc(span);
    memcpy(before, ddr, span);
    CHECK_STR_OR_NULL(graphagile_execute_store(&x->buffers, &in, 4, ddr), NULL);
    for (uint64_t w = 0; w < span / 4; w++) {
      uint64_t q = w / p / 6, r = w / p % 6;
      float v = r < 4 ? x->buffers.feature[2][(1 + q * 4 + r) * p + w % p] : before[w];
      if (r < 4 && v < 0 && i / 3) v *= i / 3 == 1 ? 0 : 0.25f;
      CHECK_NEAR(ddr[w], v, 0);
    }
    free(ddr);
    free(before);
    free_pe(x, NULL);
  }
}

TEST(stores_of_edges_are_their_weights) {
  pe *x = new_pe(4);
  float ddr[5];
  make_edges(x, 0, 40, 9, 9);
  graphagile_insn in = {
      .op = GRAPHAGILE_OP_memwr,
      .memwr = {.buffer = GRAPHAGILE_E0, .base = 2, .count = 5, .nfib = 1, .form = GRAPHAGILE_FORM_value}};
  CHECK_INT(graphagile_execute_span(&in, 5, &x->device), 20);
  CHECK_STR_OR_NULL(graphagile_execute_store(&x->buffers, &in, 5, ddr), NULL);
  for (int e = 0; e < 5; e++) CHECK_NEAR(ddr[e], x->buffers.edge_weight[0][2 + e], 0);
  free_pe(x, NULL);
}

TEST(an_edge_beyond_its_rows_is_a_fault_that_names_it) {
  pe *x = new_pe(8);
  graphagile_insn in = {.op = GRAPHAGILE_OP_spdmm,
                        .spdmm = {.in = 0,
                                  .out = 1,
                                  .num_edges = 10,
                                  .nfib = 1,
                                  .in_stride = 1,
                                  .out_stride = 1,
                                  .out_base = 90,
                                  .lanes = 255}};
  make_edges(x, 0, 10, 6, 6);
  CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), NULL);
  x->buffers.edge_dst[0][7] = 6;
  CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), "edge 7 has row 6 of out, which has 6");
  x->buffers.edge_dst[0][7] = 0;
  x->buffers.edge_src[0][3] = 0xffffffff;
  CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), "edge 3 has row 4294967295 of in, which has 96");
  in.spdmm.edge_only = 1;
  CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &in), NULL);
  in.spdmm.nfib = 2;
  in.spdmm.out_base = 0;
  in.spdmm.out_stride = 4;
  x->buffers.edge_dst[0][0] = 4;
  CHECK_HAS(graphagile_execute_compute(&x->buffers, &in), "of out, which has 4");
  graphagile_insn sd = {
      .op = GRAPHAGILE_OP_sddmm,
      .sddmm = {
          .inner = GRAPHAGILE_INNER_dst, .num_edges = 10, .nfib = 1, .src_stride = 1, .dst_stride = 1, .lanes = 255}};
  CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &sd), NULL);
  sd.sddmm.inner = GRAPHAGILE_INNER_add;
  CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &sd), "edge 3 has row 4294967295 of src, which has 96");
  free_pe(x, NULL);
}

TEST(regions_beyond_a_buffer_are_faults) {
  pe *x = new_pe(4);
  float ddr[4096] = {0};
  graphagile_insn load = {.op = GRAPHAGILE_OP_memrd,
                          .memrd = {.buffer = GRAPHAGILE_F0, .base = 90, .count = 6, .nfib = 1, .stride = 6}};
  CHECK_STR_OR_NULL(graphagile_execute_load(&x->buffers, &load, 6, ddr), NULL);
  CHECK_HAS(graphagile_execute_load(&x->buffers, &load, 7, ddr), "ends at row 97, a feature buffer has 96 rows");
  load.memrd.buffer = GRAPHAGILE_W0;
  load.memrd.base = 160;
  CHECK_HAS(graphagile_execute_load(&x->buffers, &load, 1, ddr),
            "weights end at row 161, a weight buffer has 160 rows");
  load.memrd.buffer = GRAPHAGILE_E0;
  load.memrd.base = 127;
  CHECK_HAS(graphagile_execute_load(&x->buffers, &load, 2, ddr), "edges end at 129, an edge buffer has 128");
  graphagile_insn gemm = {
      .op = GRAPHAGILE_OP_gemm,
      .gemm = {.in = 0, .out = 1, .rows = 8, .len = 160, .gfib = 1, .in_stride = 8, .out_stride = 8}};
  CHECK_HAS(graphagile_execute_compute(&x->buffers, &gemm), "in ends at row 320");
  gemm.gemm.len = 48;
  CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &gemm), NULL);
  gemm.gemm.gfib = 4;
  CHECK_HAS(graphagile_execute_compute(&x->buffers, &gemm), "weights end at row 192");
  gemm.gemm.gfib = 2;
  gemm.gemm.out_stride = 7;
  CHECK_HAS(graphagile_execute_compute(&x->buffers, &gemm), "out has 8 rows per fiber, but fibers are 7 rows apart");
  graphagile_insn post = {.op = GRAPHAGILE_OP_post,
                          .post = {.buffer = GRAPHAGILE_F0, .rows = 1, .nfib = 1, .stride = 1, .param = 3}};
  CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &post), "constant 3 of 3");
  graphagile_insn halt = {.op = GRAPHAGILE_OP_halt};
  CHECK_STR_OR_NULL(graphagile_execute_compute(&x->buffers, &halt), "not a compute instruction");
  free_pe(x, NULL);
}
