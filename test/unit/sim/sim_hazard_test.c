/* The simulator refuses programs whose mutexes do not fit, that load what was not stored, or
 * whose blocks leave buffers behind, and programs that deadlock. The message says where and
 * when. */
#include "sim_fixture.h"

/* Runs the program, which must end in a fault whose message has this part. */
static void check_fault(program *p, const char *part) {
  program_try(p);
  CHECK_HAS(status_message(p->problem), part);
}

TEST(a_source_that_nobody_loads_is_a_fault_that_says_where) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_gemm, 1);
  program_load(p, GRAPHAGILE_F0, 0, 16, 1);
  program_gemm(p, 0, 1, 2, 16, 16, false);
  program_store(p, GRAPHAGILE_F2, 0, 16, true);
  check_fault(p, "layer 0 (gemm), block 0, PE 0, instruction 1 `gemm in=F0");
  CHECK_HAS(status_message(p->problem), "cycle 34: source W1 is EMPTY");
  program_end(p);
}

TEST(an_accumulator_must_be_full) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_gemm, 1);
  program_load(p, GRAPHAGILE_F0, 0, 16, 1);
  program_load(p, GRAPHAGILE_W0, 0, 16, 1);
  program_gemm(p, 0, 0, 2, 16, 16, true);
  program_store(p, GRAPHAGILE_F2, 0, 16, true);
  check_fault(p, "source F2 is EMPTY");
  program_end(p);
}

TEST(a_destination_may_not_be_loading) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  program_load(p, GRAPHAGILE_F0, 0, 16, 1);
  EMIT(p, init, .buffer = 0, .rows = 16, .nfib = 1, .stride = 16);
  program_store(p, GRAPHAGILE_F0, 0, 16, true);
  check_fault(p, "destination F0 is being loaded");
  program_end(p);
}

TEST(a_load_without_wait_adds_to_what_is_there) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .wait = 1, .count = 16, .nfib = 1, .stride = 16, .addr = AT_FEATURES / 4);
  EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .base = 16, .count = 16, .nfib = 1, .stride = 16,
       .addr = AT_FEATURES / 4);
  program_store(p, GRAPHAGILE_F0, 0, 32, true);
  CHECK_INT(program_run(p)->cycles, 33 + 64 + 64 + 60 + 8);
  program_end(p);
  p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .count = 16, .nfib = 1, .stride = 16, .addr = AT_FEATURES / 4);
  program_store(p, GRAPHAGILE_F0, 0, 16, true);
  check_fault(p, "F0 is EMPTY, and a load without wait");
  program_end(p);
}

TEST(what_is_stored_must_be_there) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  program_store(p, GRAPHAGILE_F1, 0, 16, true);
  check_fault(p, "F1 is EMPTY when it is stored");
  program_end(p);
}

TEST(a_block_leaves_its_buffers_empty) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 2);
  program_block(p, 16);
  program_load(p, GRAPHAGILE_F1, 0, 16, 1);
  EMIT(p, post, .buffer = GRAPHAGILE_F1, .rows = 16, .nfib = 1, .stride = 16, .eot = 1);
  check_fault(p, "block 1, cycle");
  CHECK_HAS(status_message(p->problem), "F1 of PE 1 is FULL at the end of the block");
  program_end(p);
}

TEST(loads_and_stores_stay_in_the_sections) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .wait = 1, .lock = 1, .count = 16, .nfib = 1, .stride = 16,
       .addr = (AT_FEATURES + BYTES_FEATURES - 64) / 4);
  program_store(p, GRAPHAGILE_F0, 0, 16, true);
  check_fault(p, "1024 bytes from address 0x27fffc0 on are in no section");
  program_end(p);
}

/* A block that copies rows through F0. */
static void copy_rows(program *p, unsigned from, unsigned to, unsigned rows) {
  program_load(p, GRAPHAGILE_F0, from, rows, 1);
  program_store(p, GRAPHAGILE_F0, to, rows, true);
}

TEST(a_block_may_not_load_what_another_block_of_the_layer_stores) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 3);
  copy_rows(p, 0, 1000, 16);
  copy_rows(p, 2000, 3000, 16);
  copy_rows(p, 1015, 4000, 16); /* its first row is the last one that block 0 stores */
  check_fault(p, "layer 0 (post), block 2, cycle");
  CHECK_HAS(status_message(p->problem),
            "instruction 0 loads 1024 bytes from address 0x80fdc0 on, of which block 0 stores some in the same layer "
            "(instruction 1): blocks of a layer have no order");
  program_end(p);
}

/* The hazard is found in any order of the blocks, even where another block loads the same rows
 * correctly. */
TEST(the_order_of_blocks_does_not_hide_a_hazard) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 2);
  copy_rows(p, 0, 0, 16);
  copy_rows(p, 0, 1000, 16);
  check_fault(p, "layer 0 (post), block 1, cycle");
  program_end(p);
  p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 2);
  copy_rows(p, 0, 1000, 16);
  copy_rows(p, 0, 0, 16);
  check_fault(p, "layer 0 (post), block 0, cycle");
  program_end(p);
}

TEST(fibers_of_one_tensor_may_lie_between_those_of_another) {
  for (unsigned row = 15; row <= 17; row++) {
    program *p = program_begin();
    program_layer(p, GRAPHAGILE_LAYER_post, 2);
    EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .wait = 1, .count = 16, .nfib = 4, .stride = 32,
         .addr = AT_FEATURES / 4);
    program_store(p, GRAPHAGILE_F0, 65536, 64, true);
    copy_rows(p, 4096, 64 + row, 15); /* 15 rows, where 16 are free from row 16 of a fiber on */
    program_try(p);
    CHECK((p->problem == STATUS_OK) == (row != 15));
    program_end(p);
  }
}

TEST(a_layer_may_load_what_the_layer_before_stored_and_a_block_what_it_stores) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 2);
  copy_rows(p, 0, 0, 16);
  copy_rows(p, 16, 16, 16);
  program_layer(p, GRAPHAGILE_LAYER_post, 2);
  copy_rows(p, 16, 1000, 16);
  copy_rows(p, 0, 2000, 16);
  program_run(p);
  program_end(p);
}

TEST(a_block_loads_what_it_stored_when_the_store_is_over) {
  for (unsigned buffer = GRAPHAGILE_F0; buffer <= GRAPHAGILE_F1; buffer++) {
    program *p = program_begin();
    program_layer(p, GRAPHAGILE_LAYER_post, 1);
    program_load(p, GRAPHAGILE_F0, 0, 16, 1);
    program_store(p, GRAPHAGILE_F0, 1000, 16, false);
    program_load(p, buffer, 1000, 16, 1); /* F1 does not wait for the store of F0 */
    program_store(p, buffer, 2000, 16, true);
    if (buffer == GRAPHAGILE_F0)
      program_run(p);
    else
      check_fault(p, "instruction 2 `memrd F1, ");
    if (buffer != GRAPHAGILE_F0)
      CHECK_HAS(status_message(p->problem), "what instruction 1 stores is loaded before the store is over");
    program_end(p);
  }
}

TEST(a_block_stores_over_what_it_loads_when_the_load_is_over) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, init, .buffer = 2, .rows = 16, .nfib = 1, .stride = 16);
  program_load(p, GRAPHAGILE_F0, 0, 16384, 1);
  program_store(p, GRAPHAGILE_F2, 16000, 16, false);
  program_store(p, GRAPHAGILE_F0, 65536, 16384, true);
  check_fault(p, "what instruction 1 loads is stored before the load is over");
  program_end(p);
}

TEST(descriptors_are_read_in_loops_and_fit_the_buffers) {
  static const program_edge edge[1] = {{0, 0}};
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_spdmm, 1);
  EMIT(p, memrd, .buffer = GRAPHAGILE_E0, .wait = 1, .lock = 1, .ind = 1, .count = 1, .nfib = 1, .addr = AT_EDGES / 4);
  EMIT(p, nop, .eot = 1);
  check_fault(p, "ind outside of a loop");
  program_end(p);
  p = program_begin();
  program_piece(p, edge, 1, 0, 1);
  program_layer(p, GRAPHAGILE_LAYER_spdmm, 1);
  EMIT(p, loop, .count = 2, .body_len = 2);
  EMIT(p, memrd, .buffer = GRAPHAGILE_E0, .wait = 1, .lock = 1, .ind = 1, .count = 1, .nfib = 1, .addr = AT_EDGES / 4);
  EMIT(p, post, .buffer = GRAPHAGILE_E0, .rows = 1, .nfib = 1, .stride = 1, .ind = 1);
  EMIT(p, nop, .eot = 1);
  check_fault(p, "iteration 1, cycle");
  CHECK_HAS(status_message(p->problem), "descriptor 1 at 0x40010 is in no section");
  program_end(p);
}

TEST(loops_lie_inside_of_their_block) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, loop, .count = 2, .body_len = 1);
  EMIT(p, nop, .eot = 1);
  check_fault(p, "the body of 1 instructions is not followed by one");
  program_end(p);
  p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, loop, .count = 2, .body_len = 3);
  EMIT(p, nop, 0);
  EMIT(p, loop, .count = 2, .body_len = 1);
  EMIT(p, nop, 0);
  EMIT(p, nop, .eot = 1);
  check_fault(p, "instruction 2 is a loop inside of a loop");
  program_end(p);
}

TEST(a_program_that_does_not_end_is_refused) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, nop, 0);
  check_fault(p, "the program leaves it at");
  CHECK(p->sim == NULL);
  program_end(p);
  p = program_begin();
  EMIT(p, csi, .num_blocks = 0, .tb_base = 0);
  check_fault(p, "begin before their csi ends");
  program_end(p);
}

TEST(a_deadlock_says_who_waits_for_what_since_when) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_gemm, 1);
  program_load(p, GRAPHAGILE_F0, 0, 16, 1);
  program_load(p, GRAPHAGILE_F0, 0, 16, 1); /* nothing empties F0 */
  program_load(p, GRAPHAGILE_W0, 0, 16, 1);
  program_gemm(p, 0, 0, 2, 16, 16, false);
  program_store(p, GRAPHAGILE_F2, 0, 16, true);
  check_fault(p, "deadlock");
  CHECK_HAS(status_message(p->problem), "PE 0: the decoder is at block 0, instruction 1 `memrd F0");
  CHECK_HAS(status_message(p->problem), "since cycle 34, which waits for an EMPTY buffer: F0 is FULL since cycle 97");
  program_end(p);
}

TEST(a_deadlock_names_what_the_ack_waits_for) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_gemm, 1);
  EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .wait = 1, .count = 16, .nfib = 1, .stride = 16,
       .addr = AT_FEATURES / 4); /* without lock */
  program_load(p, GRAPHAGILE_W0, 0, 16, 1);
  program_gemm(p, 0, 0, 2, 16, 16, false);
  program_store(p, GRAPHAGILE_F2, 0, 16, true);
  check_fault(p, "the ACK waits with block 0, instruction 2 `gemm in=F0");
  CHECK_HAS(status_message(p->problem),
            "issued at cycle 35: W0 is FULL since cycle 101 (named by 1 queued), F0 is PENDING since cycle 33");
  CHECK_HAS(status_message(p->problem), "the store port waits");
  program_end(p);
}

TEST(a_deadlock_says_that_too_few_share_a_load) {
  program *p = program_begin();
  p->device.graphagile.has_broadcast = true;
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, memrd, .buffer = GRAPHAGILE_F0, .lock = 1, .wait = 1, .bcast = 1, .share = 3, .count = 16, .nfib = 1,
       .stride = 16, .addr = AT_FEATURES / 4);
  program_store(p, GRAPHAGILE_F0, 65536, 16, true);
  check_fault(p, "deadlock");
  CHECK_HAS(status_message(p->problem), "PE 0: a load of block 0, instruction 0 `memrd F0");
  CHECK_HAS(status_message(p->problem), "issued at cycle 33: it is shared by 3 PEs, and 1 have asked");
  program_end(p);
}

TEST(a_run_has_a_limit_of_cycles) {
  program *p = program_begin();
  p->options.max_cycles = 200;
  program_layer(p, GRAPHAGILE_LAYER_gemm, 1);
  program_block(p, 16);
  check_fault(p, "more than 200 cycles");
  program_end(p);
}

TEST(a_run_of_days_is_refused_before_its_cycles_cannot_be_counted) {
  program *p = program_begin();
  p->device.graphagile.ddr_gb_s = 0.001;
  p->device.graphagile.clock_mhz = 1e6; /* 2^-16 bytes per cycle, so a load takes 2^36 cycles */
  program_layer(p, GRAPHAGILE_LAYER_post, 1);
  EMIT(p, loop, .count = 5000, .body_len = 2);
  program_load(p, GRAPHAGILE_F0, 0, 16384, 1);
  EMIT(p, memwr, .buffer = GRAPHAGILE_F0, .count = 1, .nfib = 1, .stride = 1, .addr = AT_FEATURES / 4, .unlock = 1);
  EMIT(p, nop, .eot = 1);
  check_fault(p, "the run takes more than 70368744177663 cycles");
  program_end(p);
}

TEST(another_device_is_refused_and_another_clock_is_not) {
  program *p = program_begin();
  program_layer(p, GRAPHAGILE_LAYER_post, 0);
  program_run(p);
  device other = p->device;
  sim *s = NULL;
  other.graphagile.width = 8;
  CHECK_FAILS(sim_create(&p->im, &other, &p->options, &s), "width");
  other = p->device;
  other.graphagile.clock_mhz = 200;
  CHECK_OK(sim_create(&p->im, &other, &p->options, &s));
  CHECK_OK(sim_run(s));
  CHECK_OK(sim_run(s));
  CHECK_INT(sim_statistics(s)->cycles, 16);
  sim_destroy(s);
  program_end(p);
}
