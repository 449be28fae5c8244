/* Instructions take the cycles of the table in docs/devices/graphagile.md, "Cycles", and the edges
 * of a piece those of levels L1 and L2. */
#include "sim/graphagile/cycles.h"
#include "sim_fixture.h"

/* Cycles of one instruction without edges, on a device of p columns. */
static uint64_t cycles_at(int32_t width, graphagile_insn insn) {
  device d;
  device_default(&d, machine_default());
  d.graphagile.width = width;
  graphagile_cycles_table *table = graphagile_cycles_create(&d.graphagile, SIM_L0, NULL);
  graphagile_cycles_lost lost;
  uint64_t cycles = graphagile_cycles_of(table, &insn, NULL, &lost);
  graphagile_cycles_destroy(table);
  return cycles;
}

#define CYCLES(width, name_, ...)                                                                                      \
  cycles_at(width, (graphagile_insn){.op = GRAPHAGILE_OP_##name_, .name_ = {__VA_ARGS__}})

TEST(the_table_of_cycles) {
  CHECK_INT(CYCLES(16, gemm, .rows = 100, .len = 64, .gfib = 3), 7 * 3 * 64);
  CHECK_INT(CYCLES(16, gemm, .rows = 16, .len = 3, .gfib = 1), 16); /* at least the cycles of draining */
  CHECK_INT(CYCLES(4, gemm, .rows = 10, .len = 3, .gfib = 1), 3 * 4);
  CHECK_INT(CYCLES(16, spdmm, .num_edges = 81, .nfib = 3), 11 * 3);
  CHECK_INT(CYCLES(4, spdmm, .num_edges = 81, .nfib = 3), 41 * 3);
  CHECK_INT(CYCLES(16, sddmm, .num_edges = 80, .nfib = 2), 20);
  CHECK_INT(CYCLES(16, vadd, .rows = 81, .nfib = 2), 22);
  CHECK_INT(CYCLES(16, vadd, .rows = 81, .nfib = 1, .on_edges = 1), 6);
  CHECK_INT(CYCLES(16, vadd, .function = GRAPHAGILE_VECTOR_div, .rows = 81, .nfib = 2), 162);
  CHECK_INT(CYCLES(16, vadd, .function = GRAPHAGILE_VECTOR_div, .rows = 81, .nfib = 1, .on_edges = 1), 6);
  CHECK_INT(CYCLES(16, post, .buffer = GRAPHAGILE_F1, .rows = 81, .nfib = 2), 162);
  CHECK_INT(CYCLES(16, post, .buffer = GRAPHAGILE_E1, .rows = 81, .nfib = 1), 6);
  CHECK_INT(CYCLES(16, init, .rows = 81, .nfib = 2), 12);
}

TEST(products_are_counted_over_the_lanes_that_take_part) {
  device d;
  device_default(&d, machine_default());
  CHECK_INT(graphagile_cycles_multiply_adds(
                &(graphagile_insn){.op = GRAPHAGILE_OP_gemm, .gemm = {.rows = 5, .len = 7, .gfib = 2}}, &d.graphagile),
            5 * 7 * 32);
  CHECK_INT(graphagile_cycles_multiply_adds(
                &(graphagile_insn){.op = GRAPHAGILE_OP_spdmm, .spdmm = {.num_edges = 9, .nfib = 2, .lanes = 0x00ff}},
                &d.graphagile),
            9 * 2 * 8);
}

/* A program of one SpDMM or SDDMM over a piece, timed at a level. */
static program *piece_program(const program_edge *edges, uint32_t n, uint64_t nfib, sim_level level, bool is_sddmm) {
  program *p = program_begin();
  p->options.level = level;
  program_piece(p, edges, n, 0, 256);
  program_layer(p, GRAPHAGILE_LAYER_spdmm, 1);
  EMIT(p, init, .buffer = 2, .rows = 256, .nfib = nfib, .stride = 256);
  EMIT(p, loop, .count = 1, .body_len = 3);
  EMIT(p, memrd, .buffer = GRAPHAGILE_E0, .wait = 1, .lock = 1, .ind = 1, .count = 1, .nfib = 1, .addr = AT_EDGES / 4,
       .kind = GRAPHAGILE_KIND_edges);
  EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .wait = 1, .lock = 1, .ind = 1, .count = 256, .nfib = nfib, .stride = 256,
       .addr = AT_FEATURES / 4);
  if (is_sddmm)
    EMIT(p, sddmm, .e = 0, .src = 0, .dst = 2, .num_edges = 1, .nfib = nfib, .src_stride = 256, .dst_stride = 256,
         .lanes = 0xffff, .ind = 1, .unlock_e = 1, .unlock_src = 1);
  else
    EMIT(p, spdmm, .e = 0, .in = 0, .out = 2, .num_edges = 1, .nfib = nfib, .in_stride = 256, .out_stride = 256,
         .lanes = 0xffff, .ind = 1, .unlock_e = 1, .unlock_f = 1);
  program_store(p, GRAPHAGILE_F2, 4096, 256, true);
  return p;
}

/* The cycles of the SpDMM or SDDMM: those of the ACK less INIT and the fill. */
static uint64_t piece_cycles(const program_edge *edges, uint32_t n, uint32_t nfib, sim_level level, bool is_sddmm) {
  program *p = piece_program(edges, n, nfib, level, is_sddmm);
  const sim_stats *stats = program_run(p);
  const uint64_t *in = stats->units[0].in;
  uint64_t cycles = in[GRAPHAGILE_ENGINE_STATE_compute] + in[GRAPHAGILE_ENGINE_STATE_conflict] +
                    in[GRAPHAGILE_ENGINE_STATE_hub_row] - 16 * nfib;
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_edges], (n * 12 + 63) / 64 * 64);
  CHECK_INT(stats->layers[0].bytes_read[SIM_KINDS - 1], 16 * 7 + 16);
  CHECK_INT(stats->layers[0].multiply_adds, n * nfib * 16);
  program_end(p);
  return cycles;
}

TEST(edges_that_spread_evenly_take_no_longer_at_l1) {
  program_edge edges[256];
  for (uint32_t i = 0; i < 256; i++) edges[i].src = edges[i].dst = i;
  CHECK_INT(piece_cycles(edges, 256, 1, SIM_L0, false), 32);
  CHECK_INT(piece_cycles(edges, 256, 1, SIM_L1, false), 32);
  CHECK_INT(piece_cycles(edges, 256, 3, SIM_L1, false), 96);
  CHECK(piece_cycles(edges, 256, 1, SIM_L2, false) >= 32);
}

TEST(sources_in_one_bank_take_turns) {
  program_edge edges[256];
  for (uint32_t i = 0; i < 256; i++) edges[i].src = i % 16 * 16, edges[i].dst = i;
  CHECK_INT(piece_cycles(edges, 256, 1, SIM_L1, false), 256);
  CHECK_INT(piece_cycles(edges, 256, 2, SIM_L1, false), 512);
  CHECK_INT(piece_cycles(edges, 256, 1, SIM_L1, true), 256);
  /* Sources and destinations share the ports: 256 + 16 ends lie in bank 0, and the networks add
   * the depth of their pipeline. */
  uint64_t cycles = piece_cycles(edges, 256, 1, SIM_L2, true);
  CHECK(cycles >= 272 && cycles < 272 + 32);
  CHECK_INT(piece_cycles(edges, 256, 3, SIM_L2, true), 3 * cycles);
}

TEST(destinations_of_one_pipeline_take_turns) {
  program_edge edges[256];
  for (uint32_t i = 0; i < 256; i++) edges[i].src = i, edges[i].dst = i % 32 / 2 * 16 + i % 2; /* banks 0 and 1 */
  CHECK_INT(piece_cycles(edges, 256, 1, SIM_L0, false), 32);
  CHECK_INT(piece_cycles(edges, 256, 1, SIM_L1, false), 256);
  CHECK_INT(piece_cycles(edges, 256, 1, SIM_L1, true), 128); /* only banks count */
}

TEST(edges_of_one_destination_wait_for_the_accumulator) {
  program_edge edges[64];
  for (uint32_t i = 0; i < 64; i++) edges[i].src = i, edges[i].dst = 5;
  CHECK_INT(piece_cycles(edges, 64, 1, SIM_L1, false), 64 * 9);
  CHECK_INT(piece_cycles(edges, 64, 9, SIM_L1, false), 64 * 9);
  CHECK_INT(piece_cycles(edges, 64, 12, SIM_L1, false), 64 * 12);
  CHECK(piece_cycles(edges, 64, 1, SIM_L2, false) >= 63 * 9);
}

static void check_lost(const program_edge *edges, uint32_t n, uint64_t nfib, sim_level level, uint64_t conflict,
                       uint64_t hub_row) {
  program *p = piece_program(edges, n, nfib, level, false);
  const uint64_t *in = program_run(p)->units[0].in;
  CHECK_INT(in[GRAPHAGILE_ENGINE_STATE_compute], 16 * nfib + nfib * ((n + 7) / 8));
  CHECK_INT(in[GRAPHAGILE_ENGINE_STATE_conflict], conflict);
  CHECK_INT(in[GRAPHAGILE_ENGINE_STATE_hub_row], hub_row);
  program_end(p);
}

TEST(cycles_that_conflicts_and_hub_rows_add_are_told_apart) {
  program_edge banks[64], hub[64], both[64];
  for (uint32_t i = 0; i < 64; i++) {
    banks[i] = (program_edge){16 * (i % 16), i};
    hub[i] = (program_edge){i, 5};
    both[i] = (program_edge){0, 5};
  }
  check_lost(banks, 64, 1, SIM_L0, 0, 0);
  check_lost(banks, 64, 1, SIM_L1, 64 - 8, 0);
  check_lost(hub, 64, 1, SIM_L1, 64 - 8, 9 * 64 - 64); /* first the pipeline limits, then the row */
  check_lost(hub, 64, 9, SIM_L1, 9 * (64 - 8), 0);     /* the fibers hide the latency */
  check_lost(both, 64, 3, SIM_L1, 3 * (64 - 8), 9 * 64 - 3 * 64);
}

/* An SpDMM that adds values of edges alone reads no rows of sources, so it uses no banks of
 * sources. */
static void check_edge_only(sim_level level, uint64_t least, uint64_t most) {
  program_edge edges[256];
  for (uint32_t i = 0; i < 256; i++) edges[i] = (program_edge){i % 16 * 16, i};
  program *p = program_begin();
  p->options.level = level;
  program_piece(p, edges, 256, 0, 256);
  program_layer(p, GRAPHAGILE_LAYER_spdmm, 1);
  EMIT(p, init, .buffer = 2, .rows = 256, .nfib = 1, .stride = 256);
  EMIT(p, memrd, .buffer = GRAPHAGILE_E0, .lock = 1, .wait = 1, .count = 256, .nfib = 1, .addr = AT_EDGES / 4);
  EMIT(p, spdmm, .e = 0, .out = 2, .num_edges = 256, .nfib = 1, .edge_only = 1, .in_stride = 1, .out_stride = 256,
       .lanes = 0xffff, .unlock_e = 1);
  program_store(p, GRAPHAGILE_F2, 0, 256, true);
  const uint64_t *in = program_run(p)->units[0].in;
  uint64_t cycles = in[GRAPHAGILE_ENGINE_STATE_compute] + in[GRAPHAGILE_ENGINE_STATE_conflict] - 16;
  CHECK(cycles >= least && cycles <= most);
  program_end(p);
}

TEST(values_of_edges_do_not_wait_for_banks_of_their_sources) {
  check_edge_only(SIM_L1, 32, 32);
  check_edge_only(SIM_L2, 32, 64); /* plus the depth of one network */
}

TEST(edges_that_are_loaded_over_others_are_the_ones_that_count) {
  program_edge crowded[64], even[64];
  for (uint32_t i = 0; i < 64; i++) crowded[i] = (program_edge){i, 5}, even[i] = (program_edge){i, i};
  program *p = program_begin();
  p->options.level = SIM_L1;
  program_piece(p, crowded, 64, 0, 64);
  program_piece(p, even, 64, 0, 64);
  program_layer(p, GRAPHAGILE_LAYER_spdmm, 1);
  EMIT(p, init, .buffer = 2, .rows = 64, .nfib = 1, .stride = 64);
  for (uint64_t i = 0; i < 2; i++)
    EMIT(p, memrd, .buffer = GRAPHAGILE_E0, .lock = 1, .wait = i == 0, .count = 64, .nfib = 1,
         .addr = AT_EDGES / 4 + i * 64 * 3);
  EMIT(p, spdmm, .e = 0, .out = 2, .num_edges = 64, .nfib = 1, .edge_only = 1, .in_stride = 1, .out_stride = 64,
       .lanes = 0xffff, .unlock_e = 1);
  program_store(p, GRAPHAGILE_F2, 0, 64, true);
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_compute], 4 + 8);
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_hub_row], 1); /* not 64 latencies of the accumulator */
  program_end(p);
}

TEST(edges_that_are_not_in_the_image_count_as_at_l0) {
  program *p = program_begin();
  p->options.level = SIM_L1;
  program_layer(p, GRAPHAGILE_LAYER_spdmm, 1);
  EMIT(p, init, .buffer = 2, .rows = 16, .nfib = 1, .stride = 16);
  program_load(p, GRAPHAGILE_E0, 0, 800, 1);
  EMIT(p, spdmm, .e = 0, .out = 2, .num_edges = 800, .nfib = 1, .edge_only = 1, .in_stride = 1, .out_stride = 16,
       .lanes = 0xffff, .unlock_e = 1);
  program_store(p, GRAPHAGILE_F2, 0, 16, true);
  CHECK_INT(program_run(p)->units[0].in[GRAPHAGILE_ENGINE_STATE_compute], 1 + 100);
  program_end(p);
}
