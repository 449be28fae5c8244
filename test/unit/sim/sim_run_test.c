/* Programs compute the right numbers: alternation, rotation, descriptors and increments lead to
 * the right buffers and addresses. */
#include "sim_fixture.h"

static float *rows_at(program *p, unsigned row, unsigned rows) {
  float *data = sim_memory(p->sim, AT_FEATURES + row * 64, rows * 64);
  if (!data) abort();
  return data;
}

/* Makes the simulator and fills the features: word c of row r is r + c / 16. */
static void prepare(program *p) {
  p->options.is_timing_only = false;
  p->options.max_cycles = 1; /* this run only makes the image */
  program_try(p);
  status_free(p->problem);
  p->problem = STATUS_OK;
  p->options.max_cycles = 0;
  sim_destroy(p->sim);
  CHECK_OK(sim_create(&p->im, &p->device, &p->options, &p->sim));
  float *data = rows_at(p, 0, 4096);
  for (int i = 0; i < 4096 * 16; i++) data[i] = (float)(i / 16) + (float)(i % 16) / 16;
}

TEST(blocks_copy_rows_through_rotating_buffers) {
  enum { BLOCKS = 7 };
  program *p = program_begin();
  p->device.graphagile.num_pes = 2;
  program_layer(p, GRAPHAGILE_LAYER_post, BLOCKS);
  for (unsigned i = 0; i < BLOCKS; i++) {
    program_load(p, GRAPHAGILE_F0 + i % 3, 64 * i, 64, 1);
    EMIT(p, post, .function = GRAPHAGILE_FUNCTION_negate, .buffer = GRAPHAGILE_F0 + i % 3, .rows = 64, .nfib = 1,
         .stride = 64);
    program_store(p, GRAPHAGILE_F0 + i % 3, 8192 + 64 * i, 64, true);
  }
  prepare(p);
  CHECK_OK(sim_run(p->sim));
  const float *from = rows_at(p, 0, 64 * BLOCKS), *to = rows_at(p, 8192, 64 * BLOCKS);
  int wrong = 0;
  for (int i = 0; i < 64 * BLOCKS * 16; i++) wrong += to[i] != -from[i];
  CHECK_INT(wrong, 0);
  program_end(p);
}

TEST(loops_sum_what_descriptors_and_increments_name) {
  static const program_edge first[3] = {{0, 1}, {1, 1}, {3, 0}}, second[2] = {{2, 3}, {0, 1}};
  program *p = program_begin();
  program_piece(p, first, 3, 100, 4);
  program_piece(p, second, 2, 200, 3);
  program_layer(p, GRAPHAGILE_LAYER_spdmm, 2);
  for (unsigned block = 0; block < 2; block++) {
    EMIT(p, init, .buffer = 2, .rows = 4, .nfib = 1, .stride = 4);
    EMIT(p, loop, .count = 2, .body_len = 3, .desc_start = 0);
    EMIT(p, memrd, .buffer = GRAPHAGILE_E0, .wait = 1, .lock = 1, .ind = 1, .alt = 1, .count = 1, .nfib = 1,
         .addr = AT_EDGES / 4);
    EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .wait = 1, .lock = 1, .ind = 1, .alt = 1, .count = 4, .nfib = 1,
         .stride = 16, .addr = AT_FEATURES / 4);
    EMIT(p, spdmm, .e = 0, .in = 0, .out = 2, .num_edges = 1, .nfib = 1, .in_stride = 4, .out_stride = 4,
         .lanes = 0xffff, .weighted = 1, .ind = 1, .alt = 1, .unlock_e = 1, .unlock_f = 1);
    program_store(p, GRAPHAGILE_F2, 8192 + 16 * block, 4, true);
  }
  prepare(p);
  CHECK_OK(sim_run(p->sim));
  for (unsigned block = 0; block < 2; block++) {
    const float *out = rows_at(p, 8192 + 16 * block, 4);
    CHECK_NEAR(out[0], 103, 0);
    CHECK_NEAR(out[16], 100 + 101 + 200, 0);
    CHECK_NEAR(out[16 + 8], 100 + 101 + 200 + 1.5, 0);
    CHECK_NEAR(out[32], 0, 0);
    CHECK_NEAR(out[48], 202, 0);
  }
  program_end(p);
}

/* Iterations move on by rows of 4 bytes, as descriptors do, and transfers have that many bytes. */
TEST(rows_of_one_number_take_4_bytes_each) {
  static const program_edge edge = {2, 1};
  program *p = program_begin();
  p->device.graphagile.has_compact_columns = true;
  program_piece(p, &edge, 1, 100, 30);
  program_piece(p, &edge, 1, 50, 30);
  program_layer(p, GRAPHAGILE_LAYER_spdmm, 1);
  EMIT(p, init, .buffer = 2, .rows = 4, .nfib = 1, .stride = 4);
  EMIT(p, loop, .count = 2, .body_len = 4, .desc_start = 0);
  EMIT(p, memrd, .buffer = GRAPHAGILE_E0, .wait = 1, .lock = 1, .ind = 1, .alt = 1, .count = 1, .nfib = 1,
       .addr = AT_EDGES / 4);
  EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .wait = 1, .lock = 1, .ind = 1, .alt = 1, .form = GRAPHAGILE_FORM_value,
       .count = 30, .nfib = 1, .addr = AT_FEATURES / 4);
  EMIT(p, spdmm, .e = 0, .in = 0, .out = 2, .num_edges = 1, .nfib = 1, .in_stride = 30, .out_stride = 4,
       .lanes = 0xffff, .ind = 1, .alt = 1, .unlock_e = 1, .unlock_f = 1);
  EMIT(p, memwr, .buffer = GRAPHAGILE_F2, .inc = 1, .form = GRAPHAGILE_FORM_value, .count = 4, .nfib = 1, .stride = 4,
       .addr = (AT_FEATURES + 8192 * 64) / 4);
  program_store(p, GRAPHAGILE_F2, 8200, 4, true);
  prepare(p);
  for (int i = 0; i < 4096; i++) rows_at(p, 0, 1)[i] = (float)i;
  CHECK_OK(sim_run(p->sim));
  const float *out = rows_at(p, 8192, 1);
  for (int i = 0; i < 8; i++) CHECK_NEAR(out[i], i == 1 ? 102 : i == 5 ? 102 + 52 : 0, 0);
  CHECK_NEAR(rows_at(p, 8200, 2)[16 + 15], 102 + 52, 0); /* all columns had the numbers */
  CHECK_INT(sim_statistics(p->sim)->layers[0].bytes_read[GRAPHAGILE_KIND_input], 2 * (64 + 128));
  CHECK_INT(sim_statistics(p->sim)->layers[0].bytes_written[GRAPHAGILE_KIND_input], 2 * 64);
  program_end(p);
}

/* The sources of such a piece are loaded, which takes time and bytes; the results do not change. */
TEST(a_piece_without_edges_costs_its_loads) {
  static const program_edge edge = {1, 1};
  uint64_t cycles[2], bytes[2];
  for (int empty = 0; empty < 2; empty++) {
    program *p = program_begin();
    program_piece(p, &edge, 1, 100, 4);
    if (empty) program_piece(p, &edge, 0, 200, 1000);
    program_layer(p, GRAPHAGILE_LAYER_spdmm, 1);
    EMIT(p, init, .buffer = 2, .rows = 4, .nfib = 1, .stride = 4);
    EMIT(p, loop, .count = 1 + (uint64_t)empty, .body_len = 3, .desc_start = 0);
    EMIT(p, memrd, .buffer = GRAPHAGILE_E0, .wait = 1, .lock = 1, .ind = 1, .alt = 1, .count = 1, .nfib = 1,
         .addr = AT_EDGES / 4);
    EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .wait = 1, .lock = 1, .ind = 1, .alt = 1, .count = 4, .nfib = 1,
         .stride = 16, .addr = AT_FEATURES / 4);
    EMIT(p, spdmm, .e = 0, .in = 0, .out = 2, .num_edges = 1, .nfib = 1, .in_stride = 4, .out_stride = 4,
         .lanes = 0xffff, .ind = 1, .alt = 1, .unlock_e = 1, .unlock_f = 1);
    program_store(p, GRAPHAGILE_F2, 8192, 4, true);
    prepare(p);
    CHECK_OK(sim_run(p->sim));
    CHECK_NEAR(rows_at(p, 8192, 4)[16], 101, 0);
    CHECK_NEAR(rows_at(p, 8192, 4)[32], 0, 0);
    cycles[empty] = sim_statistics(p->sim)->cycles;
    bytes[empty] = 0;
    for (int k = 0; k < SIM_KINDS; k++) bytes[empty] += sim_statistics(p->sim)->layers[0].bytes_read[k];
    program_end(p);
  }
  CHECK(cycles[1] > cycles[0]);
  CHECK_INT(bytes[1] - bytes[0], 1000 * 64 + 16); /* the rows and a descriptor */
}

/* Sets the bits of a descriptor that choose the tile of its edges and say whether its rows are
 * in the buffer. */
static void mark(program *p, uint32_t piece, bool second, bool reuse) {
  p->desc[piece * GRAPHAGILE_DESCRIPTOR_BYTES + 7] |= (unsigned char)(second << 6 | reuse << 7);
}

/* Five pieces, of rows 100, 100, 200, 300, 300. The edge of piece i leads from its first row to
 * destination i. */
static void five_pieces(program *p) {
  static const uint32_t rows[5] = {100, 100, 200, 300, 300};
  for (uint32_t i = 0; i < 5; i++) {
    const program_edge edge = {0, i};
    program_piece(p, &edge, 1, rows[i], 4);
  }
}

static void sum_pieces(program *p, bool is_single, uint64_t first, uint64_t count) {
  EMIT(p, loop, .count = count, .body_len = 3, .desc_start = first);
  EMIT(p, memrd, .buffer = GRAPHAGILE_E0, .wait = 1, .lock = 1, .ind = 1, .alt = 1, .count = 1, .nfib = 1,
       .addr = AT_EDGES / 4);
  EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .wait = 1, .lock = 1, .ind = 1, .alt = !is_single, .count = 4, .nfib = 1,
       .stride = 16, .addr = AT_FEATURES / 4);
  EMIT(p, spdmm, .e = 0, .in = 0, .out = 2, .out2 = is_single ? 1 : 2, .single = is_single, .num_edges = 1, .nfib = 1,
       .in_stride = 4, .out_stride = 8, .lanes = 0xffff, .ind = 1, .alt = 1, .unlock_e = 1, .unlock_f = 1);
}

static void check_rows(program *p, unsigned at, const float expected[5]) {
  const float *out = rows_at(p, at, 8);
  for (int i = 0; i < 5; i++) CHECK_NEAR(out[i * 16], expected[i], 0);
}

TEST(two_tiles_share_the_rows_in_one_buffer) {
  program *p = program_begin();
  five_pieces(p);
  for (uint32_t i = 0; i < 5; i++) mark(p, i, i == 1 || i == 3, i == 1 || i == 4);
  program_layer(p, GRAPHAGILE_LAYER_spdmm, 2);
  for (unsigned block = 0; block < 2; block++) {
    EMIT(p, init, .buffer = 2, .rows = 8, .nfib = 1, .stride = 8);
    EMIT(p, init, .buffer = 1, .rows = 8, .nfib = 1, .stride = 8);
    sum_pieces(p, true, 0, 5);
    program_store(p, GRAPHAGILE_F2, 8192 + 32 * block, 8, false);
    program_store(p, GRAPHAGILE_F1, 8208 + 32 * block, 8, true);
  }
  prepare(p);
  CHECK_OK(sim_run(p->sim));
  for (unsigned block = 0; block < 2; block++) {
    check_rows(p, 8192 + 32 * block, (const float[5]){100, 0, 200, 0, 300});
    check_rows(p, 8208 + 32 * block, (const float[5]){0, 100, 0, 300, 0});
  }
  CHECK_INT(sim_statistics(p->sim)->layers[0].bytes_read[GRAPHAGILE_KIND_input], 2 * (3 * 4 * 64 + 5 * 64));
  program_end(p);
}

TEST(rows_alternate_with_their_loads_and_reuse_ends_with_the_loop) {
  program *p = program_begin();
  five_pieces(p);
  mark(p, 1, false, true);
  mark(p, 4, false, true);
  program_layer(p, GRAPHAGILE_LAYER_spdmm, 1);
  EMIT(p, init, .buffer = 2, .rows = 8, .nfib = 1, .stride = 8);
  sum_pieces(p, false, 1, 3); /* begins with a reuse that has no rows yet */
  sum_pieces(p, false, 0, 5);
  program_store(p, GRAPHAGILE_F2, 8192, 8, true);
  prepare(p);
  CHECK_OK(sim_run(p->sim));
  check_rows(p, 8192, (const float[5]){100, 200, 400, 600, 300});
  CHECK_INT(sim_statistics(p->sim)->layers[0].bytes_read[GRAPHAGILE_KIND_input], 6 * 4 * 64 + 8 * 64);
  program_end(p);
}

TEST(an_edge_beyond_the_buffer_is_a_fault_of_the_run) {
  static const program_edge edges[1] = {{16383, 0}};
  program *p = program_begin();
  program_piece(p, edges, 1, 0, 16);
  program_layer(p, GRAPHAGILE_LAYER_spdmm, 1);
  EMIT(p, init, .buffer = 2, .rows = 4, .nfib = 1, .stride = 4);
  program_load(p, GRAPHAGILE_E0, 0, 1, 1);
  program_load(p, GRAPHAGILE_F0, 0, 16, 1);
  EMIT(p, spdmm, .e = 0, .in = 0, .out = 2, .num_edges = 1, .nfib = 1, .in_stride = 16, .out_stride = 4, .in_base = 8,
       .lanes = 0xffff, .unlock_e = 1, .unlock_f = 1);
  program_store(p, GRAPHAGILE_F2, 8192, 4, true);
  prepare(p);
  CHECK_FAILS(sim_run(p->sim), "instruction 3 `spdmm");
  program_end(p);
}

TEST(memory_of_a_timing_run_does_not_exist) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 0);
  program_run(p);
  CHECK(sim_memory(p->sim, AT_FEATURES, 64) == NULL);
  program_end(p);
  p = program_begin();
  p->options.is_timing_only = false;
  program_layer(p, GRAPHAGILE_LAYER_post, 0);
  program_run(p);
  CHECK(sim_memory(p->sim, AT_FEATURES, 64) != NULL);
  CHECK(sim_memory(p->sim, AT_FEATURES + BYTES_FEATURES - 32, 64) == NULL);
  CHECK(sim_memory(p->sim, 0, 16) == NULL); /* the image holds the instructions */
  program_end(p);
}

TEST(units_of_a_run_are_tracks_of_its_trace) {
  program *p = program_begin();
  char *json = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&json, &size);
  if (!file) abort();
  p->options.trace = file;
  program_layer(p, GRAPHAGILE_LAYER_gemm, 1);
  program_block(p, 16);
  program_run(p);
  fclose(file);
  CHECK_HAS(json, "gemm");
  CHECK_HAS(json, "block 0");
  CHECK_HAS(json, "layer 0");
  CHECK_HAS(json, "W0");
  CHECK_HAS(json, "\"bytes\": 2048");
  free(json);
  program_end(p);
}
