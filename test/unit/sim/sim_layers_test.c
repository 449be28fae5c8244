/* Programs on several PEs: the distribution of blocks, layers that wait for one another, the
 * shared memory, and transfers that serve several PEs. */
#include "sim_fixture.h"

TEST(blocks_go_to_the_lowest_numbered_pe_that_can_take_one) {
  program *p = program_begin();
  p->device.graphagile.num_pes = 3;
  p->device.graphagile.queue_blocks = 1;
  program_layer(p, GRAPHAGILE_LAYER_post, 5);
  for (unsigned i = 0; i < 5; i++) {
    EMIT(p, init, .buffer = 0, .rows = i == 0 ? 16000 : 16, .nfib = 1, .stride = 16000);
    program_store(p, GRAPHAGILE_F0, 1024 * i, 16, true);
  }
  const sim_stats *stats = program_run(p);
  /* PE 0 fills 16000 rows; PEs 1 and 2 execute the other blocks in turn. */
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_compute], 1000);
  CHECK_INT(stats->units[1].in[GRAPHAGILE_ENGINE_STATE_compute], 2);
  CHECK_INT(stats->units[2].in[GRAPHAGILE_ENGINE_STATE_compute], 2);
  CHECK_INT(stats->cycles, 33 + 1000 + 64);
  program_end(p);
}

TEST(a_layer_waits_for_all_blocks_of_the_one_before) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_gemm, 2);
  program_block(p, 16);
  program_block(p, 1600);
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, init, .buffer = 0, .rows = 16, .nfib = 1, .stride = 16);
  program_store(p, GRAPHAGILE_F0, 0, 16, true);
  const sim_stats *stats = program_run(p);
  CHECK(stats->layers[0].cycles > 1600 + 48);
  CHECK_INT(stats->layers[1].begin, stats->layers[0].cycles);
  CHECK_INT(stats->layers[1].cycles, 33 + 1 + 64);
  CHECK_INT(stats->cycles, stats->layers[0].cycles + stats->layers[1].cycles);
  CHECK_STR(stats->layers[0].type, "gemm");
  CHECK_STR(stats->layers[1].type, "post");
  /* PE 1 does nothing in the second layer, so none of its cycles is counted there. */
  const sim_unit *one = &stats->units[1];
  uint64_t known = 0;
  for (int k = 0; k < GRAPHAGILE_ENGINE_STATES; k++) known += one->in[k];
  CHECK_INT(known, stats->layers[0].cycles);
  program_end(p);
}

/* Cycles of a layer of n blocks, each of which loads 16384 rows (1 MiB). */
static uint64_t load_all(unsigned blocks, const char *kind) {
  program *p = program_begin();
  if (kind) CHECK_OK(device_set(&p->device, "memory", kind));
  program_layer(p, GRAPHAGILE_LAYER_post, blocks);
  for (unsigned i = 0; i < blocks; i++) {
    program_load(p, GRAPHAGILE_F0, 16384 * i, 16384, 1);
    EMIT(p, post, .buffer = GRAPHAGILE_F0, .rows = 1, .nfib = 1, .stride = 1);
    program_store(p, GRAPHAGILE_F0, 262144, 1, true);
  }
  p->symbols[0] = (image_symbol){.name = "h", .section = IMAGE_FEATURES, .address = AT_FEATURES, .size = 9 << 20};
  uint64_t cycles = program_run(p)->cycles;
  program_end(p);
  return cycles;
}

TEST(pes_share_the_bandwidth) {
  double one = (1 << 20) * 3 / 770.0, fixed = 33 + 60 + 1 + 61;
  CHECK_NEAR(load_all(1, NULL), fixed + one, 2);
  CHECK_NEAR(load_all(4, NULL), fixed + 4 * one, 4);
  CHECK_NEAR(load_all(8, NULL), fixed + 8 * one, 6);
  CHECK_NEAR(load_all(8, "shared:308"), fixed + 2 * one, 6);
}

TEST(the_papers_memory_is_private_and_charges_large_hidden_tensors_alone) {
  double reload = (1 << 20) / 291.0;
  CHECK_NEAR(load_all(1, "paper"), 33 + 1 + reload, 2);
  CHECK_NEAR(load_all(8, "paper"), 33 + 1 + reload, 2);
  program *p = program_begin();
  CHECK_OK(device_set(&p->device, "memory", "paper"));
  p->symbols[0] = (image_symbol){.name = "h", .section = IMAGE_FEATURES, .address = AT_FEATURES, .size = 8 << 20};
  program_layer(p, GRAPHAGILE_LAYER_gemm, 1);
  program_block(p, 16);
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->cycles, 33 + 2 + 48 + 16); /* a tensor of at most 8 MiB costs nothing */
  CHECK_NEAR(stats->ms, (double)stats->cycles * 3.3e-6, 1e-12);
  program_end(p);
}

/* Each block loads the same `count` tensors of 1024 rows in a loop, and adds them up. */
static program *same_loads(unsigned blocks, unsigned count, bool bcast) {
  program *p = program_begin();
  p->device.graphagile.has_broadcast = true;
  program_layer(p, GRAPHAGILE_LAYER_vadd, blocks);
  for (unsigned i = 0; i < blocks; i++) {
    EMIT(p, init, .buffer = 2, .rows = 1024, .nfib = 1, .stride = 1024);
    EMIT(p, loop, .count = count, .body_len = 2);
    EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .wait = 1, .alt = 1, .inc = 1, .step = 1, .bcast = bcast,
         .count = 1024, .nfib = 1, .stride = 1024, .addr = AT_FEATURES / 4, .kind = GRAPHAGILE_KIND_hidden);
    EMIT(p, vadd, .a = 2, .b = 0, .out = 2, .rows = 1024, .nfib = 1, .stride = 1024, .unlock_b = 1, .alt = 1);
    program_store(p, GRAPHAGILE_F2, 65536, 1024, true);
  }
  return p;
}

TEST(a_broadcast_serves_all_pes_with_one_transfer) {
  program *p = same_loads(8, 10, false);
  const sim_stats *stats = program_run(p);
  uint64_t apart = stats->cycles, bytes = 65536 * 10;
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_hidden], 8 * bytes);
  CHECK_INT(stats->layers[0].bytes_shared, 0);
  program_end(p);
  p = same_loads(8, 10, true);
  stats = program_run(p);
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_hidden], bytes);
  CHECK_INT(stats->layers[0].bytes_shared, 7 * bytes);
  CHECK(stats->cycles * 2 < apart);
  program_end(p);
}

TEST(pes_that_ask_for_something_else_are_served_in_turn) {
  program *p = same_loads(3, 1, true);
  uint32_t other = 1; /* the first block loads other rows */
  p->num_insns = 0;
  p->num_layers = 0;
  program_layer(p, GRAPHAGILE_LAYER_post, 3);
  for (unsigned i = 0; i < 3; i++) {
    EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .wait = 1, .bcast = 1, .count = 1024, .nfib = 1, .stride = 1024,
         .addr = AT_FEATURES / 4 + (i == 0 ? other * 16384 : 0), .kind = GRAPHAGILE_KIND_hidden);
    program_store(p, GRAPHAGILE_F0, 65536, 1, true);
  }
  const sim_stats *stats = program_run(p);
  /* Outside of loops a load waits for no other PE, so all are served at once. */
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_hidden], 2 * 65536);
  CHECK_INT(stats->layers[0].bytes_shared, 65536);
  CHECK(stats->cycles < 33 + 60 + 2 * 256 + 62 + 4);
  program_end(p);
}

TEST(loads_that_say_how_many_share_them_wait_for_these_alone) {
  program *p = program_begin();
  p->device.graphagile.has_broadcast = true;
  program_layer(p, GRAPHAGILE_LAYER_post, 4);
  for (unsigned i = 0; i < 4; i++) { /* two pairs outside of loops; a pair does not wait for the other */
    if (i > 1) EMIT(p, init, .buffer = 0, .rows = 16384, .nfib = 1, .stride = 16384);
    if (i > 1) program_store(p, GRAPHAGILE_F0, 65536 * (i + 1), 16, false);
    EMIT(p, memrd, .buffer = i > 1 ? GRAPHAGILE_F1 : GRAPHAGILE_F0, .lock = 1, .wait = 1, .bcast = 1, .share = 2,
         .count = 1024, .nfib = 1, .stride = 1024, .addr = AT_FEATURES / 4 + i / 2 * 16384,
         .kind = GRAPHAGILE_KIND_hidden);
    program_store(p, i > 1 ? GRAPHAGILE_F1 : GRAPHAGILE_F0, 65536, 1, true);
  }
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_hidden], 2 * 65536);
  CHECK_INT(stats->layers[0].bytes_shared, 2 * 65536);
  program_end(p);
}

TEST(groups_that_share_the_same_rows_do_not_take_each_others_members) {
  /* Two pairs load the same rows. With some delays three PEs ask at once: two are served, the
   * third waits for the fourth. */
  for (unsigned delay = 0; delay < 48; delay++) {
    program *p = program_begin();
    p->device.graphagile.has_broadcast = true;
    program_layer(p, GRAPHAGILE_LAYER_post, 4);
    for (unsigned i = 0; i < 4; i++) {
      unsigned nops = i == 3 ? 4000 : (2 - i) * delay;
      for (unsigned k = 0; k < nops; k++) EMIT(p, nop, .eot = 0);
      EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .wait = 1, .bcast = 1, .share = 2, .count = 1024, .nfib = 1,
           .stride = 1024, .addr = AT_FEATURES / 4, .kind = GRAPHAGILE_KIND_hidden);
      program_store(p, GRAPHAGILE_F0, 65536 * (i + 1), 1, true);
    }
    const sim_stats *stats = program_run(p);
    CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_hidden], 2 * 65536);
    CHECK_INT(stats->layers[0].bytes_shared, 2 * 65536);
    program_end(p);
  }
}

TEST(groups_that_say_different_numbers_do_not_meet) {
  /* Two pairs load the same rows. One block of each asks at once, the others much later: no pair
   * takes a member of the other. */
  program *p = program_begin();
  p->device.graphagile.has_broadcast = true;
  program_layer(p, GRAPHAGILE_LAYER_post, 4);
  for (unsigned i = 0; i < 4; i++) {
    for (unsigned k = 0; k < (i < 2 ? 1u : 3000u); k++) EMIT(p, nop, .eot = 0);
    EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .wait = 1, .bcast = 1, .share = 2, .step = 1 + i % 2,
         .count = 1024, .nfib = 1, .stride = 1024, .addr = AT_FEATURES / 4, .kind = GRAPHAGILE_KIND_hidden);
    program_store(p, GRAPHAGILE_F0, 65536 * (i + 1), 1, true);
  }
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_hidden], 2 * 65536);
  CHECK_INT(stats->layers[0].bytes_shared, 2 * 65536);
  CHECK(stats->cycles > 3000);
  program_end(p);
}

TEST(a_pe_that_asks_twice_is_one_of_its_group_both_times) {
  /* The first block loads the same rows into both buffers before the second block asks for them. */
  program *p = program_begin();
  p->device.graphagile.has_broadcast = true;
  program_layer(p, GRAPHAGILE_LAYER_post, 2);
  for (unsigned i = 0; i < 2; i++) {
    for (unsigned k = 0; k < (i ? 1000u : 0u); k++) EMIT(p, nop, .eot = 0);
    for (unsigned f = 0; f < 2; f++)
      EMIT(p, memrd, .buffer = GRAPHAGILE_F0 + f, .lock = 1, .wait = 1, .bcast = 1, .share = 2, .count = 1024,
           .nfib = 1, .stride = 1024, .addr = AT_FEATURES / 4, .kind = GRAPHAGILE_KIND_hidden);
    EMIT(p, vadd, .a = 0, .b = 1, .out = 0, .rows = 1024, .nfib = 1, .stride = 1024, .unlock_b = 1);
    program_store(p, GRAPHAGILE_F0, 65536 * (i + 1), 1024, true);
  }
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_hidden], 2 * 65536);
  CHECK_INT(stats->layers[0].bytes_shared, 2 * 65536);
  program_end(p);
}

TEST(a_pe_whose_load_is_held_takes_no_block) {
  /* The decoder of the first block has finished, but its load waits for that of the second
   * block. Another PE must run the second block, because on this PE it would need the buffer. */
  program *p = program_begin();
  p->device.graphagile.has_broadcast = true;
  p->device.graphagile.num_pes = 2;
  program_layer(p, GRAPHAGILE_LAYER_post, 3);
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned k = 0; k < (i == 1 ? 4000u : 0u); k++) EMIT(p, nop, .eot = 0);
    bool is_shared = i != 1;
    EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .wait = 1, .bcast = is_shared, .share = is_shared ? 2 : 0,
         .count = 1024, .nfib = 1, .stride = 1024, .addr = AT_FEATURES / 4, .kind = GRAPHAGILE_KIND_hidden);
    program_store(p, GRAPHAGILE_F0, 65536 * (i + 1), 1, true);
  }
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->layers[0].bytes_shared, 65536);
  CHECK(stats->cycles > 4000);
  program_end(p);
}

TEST(a_transfer_may_serve_two_buffers_of_one_pe) {
  program *p = program_begin();
  p->device.graphagile.has_broadcast = true;
  program_layer(p, GRAPHAGILE_LAYER_vadd, 2);
  EMIT(p, loop, .count = 1, .body_len = 2);
  EMIT(p, nop, 0); /* so that both loads of the other PE wait for this load */
  EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .wait = 1, .bcast = 1, .count = 16, .nfib = 1, .stride = 16,
       .addr = AT_FEATURES / 4);
  program_store(p, GRAPHAGILE_F0, 65536, 16, true);
  for (unsigned f = 0; f < 2; f++)
    EMIT(p, memrd, .buffer = GRAPHAGILE_F0 + f, .lock = 1, .wait = 1, .bcast = 1, .count = 16, .nfib = 1, .stride = 16,
         .addr = AT_FEATURES / 4);
  EMIT(p, vadd, .a = 0, .b = 1, .out = 0, .rows = 16, .nfib = 1, .stride = 16, .unlock_b = 1);
  program_store(p, GRAPHAGILE_F0, 65536, 16, true);
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_input], 1024);
  CHECK_INT(stats->layers[0].bytes_shared, 2 * 1024);
  program_end(p);
}

TEST(a_load_waits_for_broadcast_no_longer_than_its_patience) {
  program *p = program_begin();
  p->device.graphagile.has_broadcast = true;
  p->device.graphagile.num_pes = 2;
  program_layer(p, GRAPHAGILE_LAYER_post, 2);
  for (unsigned i = 0; i < 2; i++) { /* the second block computes for 12 * 1024 cycles before its load */
    if (i) EMIT(p, init, .buffer = 2, .rows = 16384, .nfib = 1, .stride = 16384);
    EMIT(p, loop, .count = 1, .body_len = i ? 14 : 1);
    for (unsigned k = 0; k < (i ? 13u : 0u); k++)
      EMIT(p, vadd, .a = 2, .b = 2, .out = 2, .rows = 8192, .nfib = 1, .stride = 8192);
    EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .wait = 1, .bcast = 1, .count = 16, .nfib = 1, .stride = 16,
         .addr = AT_FEATURES / 4, .kind = GRAPHAGILE_KIND_hidden);
    program_store(p, GRAPHAGILE_F0, 65536, 16, i == 0);
    if (i) program_store(p, GRAPHAGILE_F2, 65536, 16, true);
  }
  const sim_stats *stats = program_run(p);
  CHECK_INT(stats->layers[0].bytes_read[GRAPHAGILE_KIND_hidden], 2 * 1024);
  CHECK_INT(stats->units[0].in[GRAPHAGILE_ENGINE_STATE_wait_store], 64);
  CHECK_INT(stats->layers[0].bytes_shared, 0);
  program_end(p);
}

/* Two PEs share a load. PE 1 issues it 11 * 1024 cycles later, when only 5 of its 16 INITs are
 * left. */
TEST(waiting_for_others_and_waiting_for_ddr_are_told_apart) {
  program *p = program_begin();
  p->device.graphagile.has_broadcast = true;
  p->device.graphagile.num_pes = 2;
  program_layer(p, GRAPHAGILE_LAYER_post, 2);
  for (unsigned i = 0; i < 2; i++) {
    for (unsigned k = 0; k < (i ? 16u : 0u); k++) EMIT(p, init, .buffer = 2, .rows = 16384, .nfib = 1, .stride = 16384);
    EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .wait = 1, .bcast = 1, .share = 2, .count = 16, .nfib = 1,
         .stride = 16, .addr = AT_FEATURES / 4, .kind = GRAPHAGILE_KIND_hidden);
    program_store(p, GRAPHAGILE_F0, 65536 + 16 * i, 16, i == 0);
    if (i) program_store(p, GRAPHAGILE_F2, 131072, 16, true);
  }
  const sim_stats *stats = program_run(p);
  const uint64_t *zero = stats->units[0].in, *one = stats->units[1].in;
  CHECK(zero[GRAPHAGILE_ENGINE_STATE_wait_broadcast] > 10 * 1024);
  CHECK_INT(zero[GRAPHAGILE_ENGINE_STATE_wait_ddr], 60 + 4);
  CHECK_INT(one[GRAPHAGILE_ENGINE_STATE_wait_broadcast], 0);
  CHECK_INT(one[GRAPHAGILE_ENGINE_STATE_compute], 16 * 1024);
  CHECK_INT(stats->layers[0].busy_most, 16 * 1024);
  for (int k = 0; k < GRAPHAGILE_ENGINE_STATES; k++) CHECK_INT(stats->layers[0].in[k], zero[k] + one[k]);
  program_end(p);
}

static void note_progress(void *user, uint64_t done, uint64_t blocks) {
  uint64_t *seen = user;
  seen[0]++;
  seen[1] = done;
  seen[2] = blocks;
}

TEST(progress_counts_blocks) {
  uint64_t seen[3] = {0};
  program *p = program_begin();
  p->options.progress = note_progress;
  p->options.user = seen;
  program_layer(p, GRAPHAGILE_LAYER_gemm, 3);
  for (int i = 0; i < 3; i++) program_block(p, 16);
  program_layer(p, GRAPHAGILE_LAYER_gemm, 1);
  program_block(p, 16);
  program_run(p);
  CHECK_INT(seen[0], 4);
  CHECK_INT(seen[1], 4);
  CHECK_INT(seen[2], 4);
  program_end(p);
}

TEST(the_same_program_takes_the_same_time_again) {
  program *p = same_loads(8, 10, true);
  uint64_t cycles = program_run(p)->cycles;
  CHECK_OK(sim_run(p->sim));
  CHECK_INT(sim_statistics(p->sim)->cycles, cycles);
  program_end(p);
}
