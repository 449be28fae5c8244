/* The cycles of one PE are exact (docs/devices/graphagile.md, "Timing"): reading a CSI takes 16
 * cycles, handing over a block takes 16, its first instruction leaves the decoder one cycle later.
 * A request takes 60 cycles and moves 256 2/3 bytes per cycle; the ACK fills its pipelines in 48
 * cycles. */
#include "sim_fixture.h"

enum { FIRST = 16 + 16 + 1 }; /* cycle of the first instruction */

TEST(a_program_without_layers_takes_no_time) {
  program *p = program_begin();
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->cycles, 0);
  CHECK_INT(stats->num_layers, 0);
  program_end(p);
}

TEST(a_layer_without_blocks_takes_the_time_of_its_csi) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_gemm, 0);
  program_layer(p, GRAPHAGILE_LAYER_post, 0);
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->cycles, 32);
  CHECK_INT(stats->layers[1].begin, 16);
  program_end(p);
}

TEST(a_nop_takes_a_decoder_cycle) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, nop, 0);
  EMIT(p, nop, .eot = 1);
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->cycles, FIRST + 1);
  CHECK_INT(stats->layers[0].instructions, 2);
  program_end(p);
}

TEST(a_block_of_two_loads_a_product_and_a_store) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_gemm, 1);
  program_block(p, 16);
  const sim_stats *stats = program_run(p);
  /* Loads of 1024 bytes flow from cycles 93 and 94 on and end at 100.98. The product takes 48
   * cycles of fill and 16 more, until 165; the store ends at 165 + 60 + 3.99. */
  CHECK_INT(stats->cycles, 229);
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_fill], 48);
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_compute], 16);
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_wait_block], FIRST + 2); /* until the product is in the queue */
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_wait_ddr], 101 - FIRST - 2);
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_wait_store], 229 - 165);
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_hidden], 1024);
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_weights], 1024);
  CHECK_INT(stats->layers[0].bytes_read[SIM_KINDS - 1], 16 * 5);
  CHECK_INT(stats->layers[0].bytes_written[GRAPHAGILE_KIND_output], 1024);
  CHECK_INT(stats->layers[0].multiply_adds, 16 * 16 * 16);
  CHECK_INT(stats->layers[0].blocks, 1);
  program_end(p);
}

/* The cycles of INIT and k iterations of load and product, over alternating buffers if alt. */
static uint64_t ping_pong(unsigned k, unsigned rows, bool alt) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_gemm, 1);
  EMIT(p, init, .buffer = 2, .rows = rows, .nfib = 1, .stride = rows);
  EMIT(p, loop, .count = k, .body_len = 3);
  EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .wait = 1, .alt = alt, .inc = 1, .step = 1, .count = rows,
       .nfib = 1, .stride = rows, .kind = GRAPHAGILE_KIND_input, .addr = AT_FEATURES / 4);
  EMIT(p, memrd, .buffer = GRAPHAGILE_W0, .lock = 1, .wait = 1, .alt = alt, .count = 16, .nfib = 1, .stride = 16,
       .addr = AT_WEIGHTS / 4, .kind = GRAPHAGILE_KIND_weights);
  EMIT(p, gemm, .in = 0, .w = 0, .out = 2, .rows = rows, .len = 16, .gfib = 1, .in_stride = rows, .out_stride = rows,
       .acc = 1, .unlock_f = 1, .unlock_w = 1, .alt = alt);
  program_store(p, GRAPHAGILE_F2, 65536, rows, true);
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->layers[0].instructions, 3 + 3 * k);
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_input], 64 * rows * k);
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_compute], k * rows + rows / 16);
  uint64_t cycles = stats->cycles;
  program_end(p);
  return cycles;
}

TEST(double_buffers_hide_loads_behind_products) {
  enum { K = 20, ROWS = 4096 };
  uint64_t load = 60 + (ROWS * 64 + 16 * 64) * 3 / 770 + 1, store = 60 + ROWS * 64 * 3 / 770 + 1;
  uint64_t overlapped = ping_pong(K, ROWS, true);
  /* Products hide all loads but the first. */
  CHECK(overlapped >= K * ROWS + load + store);
  CHECK(overlapped < K * ROWS + load + store + 400); /* INIT, fill, dispatch */
  /* With one buffer, loads and products alternate. */
  uint64_t serial = ping_pong(K, ROWS, false);
  CHECK(serial >= K * (ROWS + load));
  CHECK(serial < K * (ROWS + load + 60) + store + 400);
}

TEST(products_that_follow_one_another_fill_the_pipelines_once) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_gemm, 1);
  program_load(p, GRAPHAGILE_F0, 0, 64, 1);
  program_load(p, GRAPHAGILE_W0, 0, 16, 1);
  for (int i = 0; i < 3; i++)
    EMIT(p, gemm, .in = 0, .w = 0, .out = 2, .rows = 64, .len = 16, .gfib = 1, .in_stride = 64, .out_stride = 64,
         .unlock_f = i == 2, .unlock_w = i == 2);
  EMIT(p, vadd, .a = 2, .b = 2, .out = 2, .rows = 64, .nfib = 1, .stride = 64);
  EMIT(p, post, .buffer = GRAPHAGILE_F2, .rows = 64, .nfib = 1, .stride = 64);
  EMIT(p, vadd, .a = 2, .b = 2, .out = 2, .rows = 64, .nfib = 1, .stride = 64);
  program_store(p, GRAPHAGILE_F2, 4096, 64, true);
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_fill], 48 + 49); /* post needs no change of mode */
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_compute], 3 * 64 + 8 + 64 + 8);
  program_end(p);
}

TEST(a_compute_waits_while_its_destination_is_stored) {
  program *p = program_begin();
  p->device.graphagile.queue_blocks = 1;
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, init, .buffer = 0, .rows = 16, .nfib = 1, .stride = 16);
  EMIT(p, memwr, .buffer = GRAPHAGILE_F0, .count = 16, .nfib = 1, .stride = 16, .addr = AT_FEATURES / 4);
  EMIT(p, init, .buffer = 0, .rows = 32, .nfib = 1, .stride = 32);
  EMIT(p, memwr, .buffer = GRAPHAGILE_F0, .count = 16, .nfib = 1, .stride = 16, .addr = AT_FEATURES / 4, .unlock = 1,
       .eot = 1);
  const sim_stats *stats = program_run(p);
  uint64_t first_store = FIRST + 1 + 64; /* of 1024 bytes */
  CHECK_INT(stats->cycles, first_store + 2 + 64);
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_compute], 3);
  program_end(p);
}

/* The cycles of two blocks on one PE: the loads of the second pass the store of the first where
 * a PE holds two blocks. */
static uint64_t two_blocks(int32_t queue_blocks) {
  program *p = program_begin();
  p->device.graphagile.num_pes = 1;
  p->device.graphagile.queue_blocks = queue_blocks;
  program_layer(p, GRAPHAGILE_LAYER_gemm, 2);
  program_block(p, 1024);
  program_block(p, 1024);
  uint64_t cycles = program_run(p)->cycles;
  program_end(p);
  return cycles;
}

TEST(a_pe_that_holds_two_blocks_overlaps_store_and_load) {
  uint64_t flow = 256, fill = 48, compute = 1024, dispatch = 16;
  CHECK_NEAR(two_blocks(1), 32 + 2 * (60 + flow + fill + compute + 60 + flow) + dispatch, 20);
  /* The features of the second block load while the first computes; its weights wait for W0,
   * which does not alternate. */
  CHECK_NEAR(two_blocks(2), 32 + 60 + flow + fill + compute + 64 + fill + compute + 60 + flow, 20);
}

TEST(the_queue_of_the_ack_holds_four_computes) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, init, .buffer = 2, .rows = 16384, .nfib = 1, .stride = 16384); /* takes 1024 cycles */
  for (int i = 0; i < 5; i++) EMIT(p, post, .buffer = GRAPHAGILE_F2, .rows = 1, .nfib = 1, .stride = 16);
  program_load(p, GRAPHAGILE_F0, 0, 16, 1); /* waits for the fifth post to enter the queue */
  EMIT(p, post, .buffer = GRAPHAGILE_F0, .rows = 16, .nfib = 1, .stride = 16);
  EMIT(p, vadd, .a = 2, .b = 0, .out = 2, .rows = 16, .nfib = 1, .stride = 16, .unlock_b = 1);
  program_store(p, GRAPHAGILE_F2, 4096, 16, true);
  const sim_stats *stats = program_run(p);
  /* The load starts when the first post has left the queue, at FIRST + 1024, and the fifth has
   * entered it. */
  uint64_t loaded = FIRST + 1024 + 1 + 60 + 4;
  CHECK_INT(stats->cycles, loaded + 16 + 48 + 2 + 64);
  program_end(p);
}

TEST(loads_of_one_class_come_one_after_another) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_vadd, 1);
  program_load(p, GRAPHAGILE_F0, 0, 4096, 1); /* takes 1021.3 cycles, as the next */
  program_load(p, GRAPHAGILE_F1, 0, 4096, 1);
  EMIT(p, post, .buffer = GRAPHAGILE_F0, .rows = 1, .nfib = 1, .stride = 1); /* after the first load */
  EMIT(p, vadd, .a = 0, .b = 1, .out = 0, .rows = 16, .nfib = 1, .stride = 16, .unlock_b = 1);
  program_store(p, GRAPHAGILE_F0, 0, 16, true);
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_wait_ddr],
            60 + 1022 - 2 + 1022 - 1); /* for F0 from the post on, then for F1 */
  CHECK_INT(stats->cycles, FIRST + 60 + 2 * 1022 + 48 + 2 + 64);
  program_end(p);
}

TEST(small_devices_have_small_rows) {
  program *p = program_begin();
  p->device.graphagile.width = 4;
  p->device.graphagile.feature_rows = 64;
  program_layer(p, GRAPHAGILE_LAYER_gemm, 1);
  program_load(p, GRAPHAGILE_F0, 0, 10, 2);
  program_load(p, GRAPHAGILE_W0, 0, 8, 1);
  program_gemm(p, 0, 0, 2, 10, 8, false);
  program_store(p, GRAPHAGILE_F2, 4096, 10, true);
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_hidden], 2 * 192); /* 160 bytes per fiber, rounded up to 64 */
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_compute], 3 * 8);
  CHECK_INT(stats->layers[0].multiply_adds, 10 * 8 * 4);
  program_end(p);
}
