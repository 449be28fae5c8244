/* The cycles of AGILE: single nodes by hand, and what must hold between devices. test/e2e compares
 * whole graphs with an independent model. */
#include "sim_agile_fixture.h"

static trial *begin_nodes(uint32_t nodes, uint32_t degree, uint64_t f, uint64_t o) {
  trial *t = trial_begin(nodes, nodes, f, o);
  for (uint32_t i = 0; i < nodes; i++) agile_program_node(&t->p, i, degree, AGILE_PRECISION_float_32);
  return t;
}

/* One node on HEAD, F = O = 16. Until it is in its nodeslot 42 cycles; the adjacency list 1 + 43 + n, the scale
 * factors 1 + 43, messages 1 + n 44 (n <= 16); the aggregation 1, allocation 5, 6 for each message; its last 10.5 and
 * requests 5; to the buffer 11.5 and to the manager 9.5; the pass 2 + 3 * 32 + 128 + 4, 64 shifts and a row of 12. */
TEST(a_node_alone_takes_the_sum_of_its_parts) {
  for (uint32_t n = 1; n <= 16; n += 5) {
    trial *t = begin_nodes(1, n, 16, 16);
    CHECK_INT(trial_cycles(t), 42 + 44 + n + 44 + 1 + 44 * n + 1 + 5 + 6 * n + 36 + 230 + 64 + 12);
    trial_end(t);
  }
}

TEST(weights_are_fetched_row_by_row_in_each_precision) {
  trial *t = begin_nodes(1, 1, 17, 3);
  uint64_t alone = trial_cycles(t), cycles = sim_statistics(t->sim)->cycles;
  CHECK_INT(cycles - alone, 3 * (42 + 2 * 17));
  t->p.reg[AGILE_REGISTER_precisions] = 3;
  t->p.reg[AGILE_REGISTER_w_scale_fixed_8] = t->p.reg[AGILE_REGISTER_x_scale_fixed_8] =
      t->p.reg[AGILE_REGISTER_s_scale] = agile_program_bits(1);
  trial_create(t);
  CHECK_INT(trial_run(t)->cycles, cycles + 3 * (42 + 2 * 17));
  CHECK_INT(trial_run(t)->cycles, cycles + 3 * (42 + 2 * 17));
  trial_end(t);
}

/* The hub of a star has more messages than its queue holds; it does not hold up the others. */
TEST(a_full_message_queue_gives_a_partial_response) {
  trial *t = trial_begin(100, 1, 64, 16);
  agile_program_node(&t->p, 0, 2000, AGILE_PRECISION_float_32);
  for (uint32_t i = 1; i < 100; i++) agile_program_node(&t->p, i, 1, AGILE_PRECISION_float_32);
  trial_cycles(t);
  CHECK_INT(trial_counter(t, "partial_responses"), 0);
  trial_device(t)->message_queue_beats = 1024;
  trial_cycles(t);
  CHECK_INT(trial_counter(t, "partial_responses"), 1);
  CHECK_INT(trial_counter(t, "nodes"), 100);
  trial_end(t);
}

TEST(more_masters_and_wider_flits_never_cost_cycles) {
  trial *t = begin_nodes(200, 5, 64, 16);
  uint64_t last = UINT64_MAX;
  for (int32_t n = 1; n <= 32; n *= 2) {
    trial_device(t)->read_masters = n;
    uint64_t cycles = trial_cycles(t);
    CHECK(cycles <= last);
    last = cycles;
  }
  last = UINT64_MAX;
  for (int32_t bits = 16; bits <= 512; bits *= 2) {
    trial_device(t)->flit_bits = bits;
    uint64_t cycles = trial_cycles(t);
    CHECK(cycles <= last);
    last = cycles;
  }
  trial_end(t);
}

TEST(extensions_are_not_slower) {
  trial *t = begin_nodes(200, 5, 64, 64);
  trial_device(t)->read_masters = 2;
  uint64_t plain = trial_cycles(t);
  trial_device(t)->outstanding = 2;
  uint64_t outstanding = trial_cycles(t);
  CHECK(outstanding < plain);
  trial_device(t)->read_masters = 32;
  plain = trial_cycles(t);
  trial_device(t)->write_outstanding = 4;
  CHECK(trial_cycles(t) < plain);
  trial_end(t);
}

TEST(packed_messages_take_fewer_beats_in_fixed_precisions_alone) {
  enum { MESSAGES = 3 };
  trial *t = trial_begin(2, 2, 64, 16);
  t->p.reg[AGILE_REGISTER_precisions] = 3;
  t->p.reg[AGILE_REGISTER_w_scale_fixed_8] = t->p.reg[AGILE_REGISTER_x_scale_fixed_8] =
      t->p.reg[AGILE_REGISTER_s_scale] = agile_program_bits(1);
  agile_program_node(&t->p, 0, 5, AGILE_PRECISION_float_32);
  agile_program_node(&t->p, 1, 5, AGILE_PRECISION_fixed_8);
  CHECK_INT(trial_run(t)->layers[0].bytes_read[MESSAGES], 2 * 5 * 256);
  trial_device(t)->has_packed_messages = true;
  trial_create(t);
  CHECK_INT(trial_run(t)->layers[0].bytes_read[MESSAGES], 5 * 256 + 5 * 64);
  trial_end(t);
}

TEST(a_pass_waits_for_nodes_of_its_precision) {
  trial *t = trial_begin(8, 8, 16, 16);
  t->p.reg[AGILE_REGISTER_precisions] = 3;
  t->p.reg[AGILE_REGISTER_w_scale_fixed_8] = t->p.reg[AGILE_REGISTER_x_scale_fixed_8] =
      t->p.reg[AGILE_REGISTER_s_scale] = agile_program_bits(1);
  for (uint32_t i = 0; i < 8; i++) agile_program_node(&t->p, i, 1, i % 2 ? AGILE_PRECISION_fixed_8 : 0);
  trial_cycles(t);
  CHECK_INT(trial_counter(t, "passes"), 2);
  t->p.reg[AGILE_REGISTER_wait_count] = 1;
  trial_cycles(t);
  CHECK(trial_counter(t, "passes") > 2);
  trial_end(t);
}

/* 20 nodes, and a device with 8 nodeslots for a program that waits for 16. */
TEST(a_transformation_that_waits_for_ever_is_a_deadlock_or_ends_with_the_time_out) {
  trial *t = begin_nodes(20, 1, 16, 16);
  t->p.reg[AGILE_REGISTER_wait_count] = 16;
  t->runs_on = t->p.image.device;
  t->runs_on.agile.nodeslots = 8;
  trial_create(t);
  trial_run(t);
  CHECK_INT(trial_counter(t, "time_outs"), 2);
  CHECK(sim_statistics(t->sim)->cycles > 2 * 5120);
  t->runs_on.agile.wait_timeout = 0;
  trial_create(t);
  CHECK_FAILS(trial_try(t), "deadlock: 0 of 20 nodes are done, and wait for ever: nodeslot 0 (node 0) for the "
                            "transformation, which waits for 16 nodes of its precision and has 8, nodeslot 1 (node 1)");
  CHECK_FAILS(trial_try(t), ", and 4 others");
  trial_end(t);
}

TEST(a_message_queue_that_is_too_small_is_a_deadlock) {
  trial *t = begin_nodes(1, 1, 64, 16);
  t->runs_on = t->p.image.device;
  t->runs_on.agile.message_queue_beats = 3;
  CHECK_FAILS(trial_try(t), "nodeslot 0 (node 0) for message 0 of 1, of 4 beats in a message queue of 3");
  trial_end(t);
}

TEST(level_0_is_a_bound_and_level_2_is_level_1) {
  trial *t = begin_nodes(300, 7, 64, 16);
  uint64_t events = trial_cycles(t);
  t->options.level = SIM_L0;
  uint64_t bound = trial_cycles(t);
  CHECK(bound < events && 2 * bound > events);
  t->options.level = SIM_L2;
  CHECK_INT(trial_cycles(t), events);
  trial_end(t);
}

TEST(cycles_and_work_are_counted) {
  trial *t = begin_nodes(70, 3, 16, 16);
  uint64_t cycles = trial_cycles(t) + 16 * (42 + 17);
  const sim_stats *s = sim_statistics(t->sim);
  const sim_layer *l = &s->layers[0];
  CHECK_INT(s->num_units, 256);
  CHECK_INT(s->cycles, cycles);
  CHECK_INT(l->cycles, cycles);
  CHECK_INT(l->multiply_adds, 70 * (3 * 16 + 16 * 16));
  CHECK_NEAR(l->peak, 64 * 64 / 3.0, 1e-9);
  CHECK_INT(l->blocks, 70);
  CHECK_INT(l->bytes_read[0], 9 * 64);
  CHECK_INT(l->bytes_read[1], 70 * 64);
  CHECK_INT(l->bytes_read[2], 70 * 64);
  CHECK_INT(l->bytes_read[3], 70 * 3 * 64);
  CHECK_INT(l->bytes_read[4], 16 * 64);
  CHECK_INT(l->bytes_written[5], 70 * 64);
  CHECK(trial_counter(t, "master_cycles") <= 32 * cycles && trial_counter(t, "engine_cycles") <= cycles);
  for (int i = 0; i < 70; i++) {
    uint64_t all = 0;
    for (int k = 0; k < SIM_STATES; k++) all += s->units[i].in[k];
    CHECK(all > 300 && all <= cycles);
  }
  trial_end(t);
}

TEST(a_run_over_the_limit_is_a_fault) {
  trial *t = begin_nodes(70, 3, 16, 16);
  uint64_t cycles = trial_run(t)->cycles;
  t->options.max_cycles = cycles;
  trial_create(t);
  CHECK_OK(trial_try(t));
  t->options.max_cycles = cycles - 1;
  trial_create(t);
  CHECK_FAILS(trial_try(t), "the run takes more than");
  t->options.max_cycles = 3;
  trial_create(t);
  CHECK_FAILS(trial_try(t), "the run takes more than 3 cycles");
  trial_end(t);
}

TEST(layers_add_up_and_a_later_layer_runs_alone) {
  trial *t = begin_nodes(5, 3, 16, 16);
  agile_program *p = &t->p;
  p->num_insns = 0;
  agile_program_layer(p, 0);
  uint64_t second = (uint64_t)p->num_insns;
  agile_program_layer(p, 2);
  agile_program_start(p); /* once more, with the weights that are there */
  agile_program_encode(p);
  CHECK_OK(image_check(&p->image));
  CHECK_OK(sim_create(&p->image, &p->image.device, &t->options, &t->sim));
  const sim_stats *s = trial_run(t);
  CHECK_INT(s->num_layers, 3);
  CHECK_INT(s->layers[0].cycles + s->layers[2].cycles, s->cycles);
  CHECK_INT(s->layers[2].begin, s->layers[0].cycles);
  CHECK_INT(s->layers[2].cycles, 2 * s->layers[0].cycles - 16 * (42 + 17));
  uint64_t cycles = s->layers[2].cycles;
  sim_begin(t->sim);
  CHECK_OK(sim_run_records(t->sim, second, (uint64_t)p->num_insns));
  CHECK_OK(sim_end(t->sim));
  CHECK_INT(s->cycles, cycles);
  trial_end(t);
}
