/* Cycles and statistics of FusedGCN's programs. */
#include "sim_fusedgcn_fixture.h"

/* Cycles of the weights of the fixture, which are loaded first. */
static uint64_t load_cycles(const trial *t) {
  const fusedgcn_loadw *w = &t->p.insns[0].loadw;
  return fusedgcn_load_cycles(&t->p.image.device.fusedgcn, w->tiles, w->biases);
}

/* ---- the formula ---- */

static void check_formula(int rows, int columns, uint64_t n, uint64_t i, uint64_t o) {
  device d = array_of(rows, columns);
  for (uint64_t order = 0; order < 2; order++) {
    int nonzeros[12];
    for (uint64_t row = 0; row < n; row++) nonzeros[row] = (int)((row * 7 + i) % 5 + 1);
    trial *t = trial_begin(&d, n, 5, i, o, nonzeros);
    fusedgcn_layer *in = trial_layer(t);
    in->order = order;
    uint64_t kt = (i + (uint64_t)rows - 1) / (uint64_t)rows, rt = (o + (uint64_t)columns - 1) / (uint64_t)columns;
    uint64_t expected = in->nnz * kt * rt + (uint64_t)rows + 1;
    CHECK_INT(trial_cycles(t, SIM_L0), expected);
    CHECK_INT(trial_cycles(t, SIM_L1), expected + load_cycles(t));
    CHECK_INT(trial_cycles(t, SIM_L2), expected + load_cycles(t));
    t->options.is_timing_only = true;
    CHECK_INT(trial_cycles(t, SIM_L1), expected + load_cycles(t));
    CHECK_INT(trial_cycles(t, SIM_L2), expected + load_cycles(t));
    trial_end(t);
  }
}

TEST(the_registers_of_the_array_take_the_cycles_of_the_formula) {
  check_formula(3, 2, 6, 3, 2);
  check_formula(3, 3, 6, 9, 6);
  check_formula(4, 3, 5, 7, 5);
  check_formula(16, 8, 12, 16, 8);
  check_formula(4, 4, 9, 10, 1);
  check_formula(1, 1, 4, 1, 1);
}

TEST(a_run_without_non_zeros_takes_the_way_through_the_array) {
  trial *t = trial_begin(NULL, 2, 1, 20, 1, (int[]){0, 0});
  CHECK_INT(trial_cycles(t, SIM_L1), load_cycles(t) + 17);
  CHECK_INT(trial_cycles(t, SIM_L2), load_cycles(t) + 17);
  fusedgcn_program_run(&t->p)->hi = 0;
  CHECK_INT(trial_cycles(t, SIM_L2), load_cycles(t) + 17);
  trial_end(t);
}

TEST(rows_without_non_zeros_take_no_cycle) {
  trial *t = trial_begin(NULL, 5, 3, 20, 1, (int[]){0, 3, 0, 0, 1});
  CHECK_INT(trial_cycles(t, SIM_L1), load_cycles(t) + 8 + 17);
  CHECK_INT(trial_cycles(t, SIM_L2), load_cycles(t) + 8 + 17);
  const sim_stats *s = sim_statistics(t->sim);
  CHECK_STR(s->counters[2].name, "empty_rows");
  CHECK_INT(s->counters[2].value, 3);
  trial_end(t);
}

TEST(loads_have_a_channel_per_row_of_pes) {
  device d;
  device_default(&d, &fusedgcn_machine);
  CHECK_INT(fusedgcn_load_cycles(&d.fusedgcn, 90, 1), 1441);
  CHECK_INT(fusedgcn_load_cycles(&d.fusedgcn, 0, 17), 17);
  d = array_of(4, 6);
  CHECK_INT(fusedgcn_load_cycles(&d.fusedgcn, 2, 1), 14);
  CHECK_INT(fusedgcn_load_cycles(&d.fusedgcn, 2, 2), 15);
}

/* ---- records side by side ---- */

/* Two layers of one tile each: RUNs of 100 + 17 cycles, loads of 17. Weights of the second layer go
 * to place `first`. */
static trial *begin_two(uint64_t first, bool has_sync) {
  trial *t = trial_begin(NULL, 1, 100, 1, 1, (int[]){100});
  fusedgcn_layer layer = *trial_layer(t);
  if (has_sync) fusedgcn_program_add(&t->p, FUSEDGCN_OP_sync);
  fusedgcn_loadw *w = &fusedgcn_program_add(&t->p, FUSEDGCN_OP_loadw)->loadw;
  *w = *fusedgcn_program_loadw(&t->p);
  w->first = first;
  w->layer = 1;
  layer.layer = 1;
  fusedgcn_program_add(&t->p, FUSEDGCN_OP_layer)->layer = layer;
  fusedgcn_run *run = &fusedgcn_program_add(&t->p, FUSEDGCN_OP_run)->run;
  *run = (fusedgcn_run){.layer = 1, .hi = 1, .first = first};
  return t;
}

static void check_two(uint64_t first, bool has_sync, uint64_t cycles, uint64_t waits) {
  trial *t = begin_two(first, has_sync);
  CHECK_INT(trial_cycles(t, SIM_L0), 2 * 117);
  CHECK_INT(trial_cycles(t, SIM_L2), cycles);
  CHECK_INT(trial_cycles(t, SIM_L1), cycles);
  const sim_stats *s = sim_statistics(t->sim);
  CHECK_INT(s->units[0].in[0], 200);
  CHECK_INT(s->units[0].in[1], waits);
  CHECK_INT(s->units[0].in[2], 0);
  CHECK_INT(s->units[0].in[3], 34);
  CHECK_INT(s->layers[0].cycles, 134);
  CHECK_INT(s->layers[1].cycles, cycles - 134);
  CHECK_INT(s->layers[1].begin, first && !has_sync ? 17 : 134);
  trial_end(t);
}

TEST(weights_are_loaded_while_the_array_runs) {
  check_two(1, false, 17 + 117 + 117, 17);
  check_two(0, false, 17 + 117 + 17 + 117, 34); /* into places that are in use */
  check_two(1, true, 17 + 117 + 17 + 117, 34);
}

TEST(each_part_of_a_program_begins_when_the_one_before_is_done) {
  trial *t = begin_two(1, false);
  trial_create(t);
  sim_begin(t->sim);
  CHECK_OK(sim_run_records(t->sim, 0, 3));
  CHECK_INT(sim_statistics(t->sim)->cycles, 134);
  CHECK_OK(sim_run_records(t->sim, 3, 6));
  CHECK_INT(sim_statistics(t->sim)->cycles, 268);
  CHECK_INT(sim_statistics(t->sim)->layers[1].begin, 134);
  CHECK_INT(sim_statistics(t->sim)->layers[1].cycles, 134);
  CHECK_OK(sim_end(t->sim));
  sim_begin(t->sim);
  CHECK_OK(sim_run_records(t->sim, 3, 4)); /* weights alone */
  CHECK_INT(sim_statistics(t->sim)->cycles, 17);
  CHECK_INT(sim_statistics(t->sim)->layers[1].cycles, 17);
  CHECK_OK(sim_end(t->sim));
  trial_end(t);
}

/* ---- a shared memory ---- */

/* The cycles of the RUN alone, with a memory of so many bytes per cycle and no latency. */
static uint64_t shared_cycles(trial *t, double bytes_per_cycle, int32_t latency) {
  fusedgcn_device *d = &t->p.image.device.fusedgcn;
  d->memory = FUSEDGCN_MEMORY_shared;
  d->ddr_gb_s = bytes_per_cycle / d->cycle_ns;
  d->ddr_latency = latency;
  trial_cycles(t, SIM_L1);
  const sim_unit *u = sim_statistics(t->sim)->units;
  return u->in[0] + u->in[2] + u->in[3];
}

TEST(an_issue_takes_as_long_as_its_bytes) {
  /* 16 x 16 PEs: 32 bytes for a segment of H, 6 for a non-zero, 4 for a row, 32 for a segment of OUT */
  trial *t = trial_begin(NULL, 1, 3, 1, 1, (int[]){3});
  CHECK_INT(shared_cycles(t, 1024, 0), 3 + 17);
  CHECK_INT(shared_cycles(t, 1, 0), 4 + 3 * 38 + 32 + 17);
  CHECK_INT(shared_cycles(t, 38, 0), 2 /* 42 + 38 + 70 bytes in 1.1, 1 and 1.8 cycles */ + 2 + 17);
  CHECK_INT(shared_cycles(t, 1, 60), 60 + 4 + 3 * 38 + 32 + 17);
  trial_layer(t)->acc_in = 1;
  CHECK_INT(shared_cycles(t, 1, 0), 4 + 3 * 38 + 64 + 17);
  trial_end(t);
  /* 2 x 2 tiles: the order decides how often H is read. OUT leaves with the last issue of a row, which is a cycle of its
   * own where it reads no segment. */
  t = trial_begin(NULL, 3, 3, 17, 17, (int[]){3, 1, 0});
  CHECK_INT(shared_cycles(t, 1, 0), 3 * 68 + 4 * (6 + 64 + 2) - 2 + 17);
  trial_layer(t)->order = FUSEDGCN_ORDER_krj;
  CHECK_INT(shared_cycles(t, 1, 0), 3 * 68 + 3 * (6 + 128) + (6 + 64 + 2) - 1 + 17);
  CHECK_INT(sim_statistics(t->sim)->layers[0].bytes_read[1], 3 * 128 + 64);
  trial_end(t);
}

TEST(the_memory_serves_the_loader_or_the_array) {
  trial *t = begin_two(1, false);
  fusedgcn_device *d = &t->p.image.device.fusedgcn;
  d->memory = FUSEDGCN_MEMORY_shared;
  d->ddr_gb_s = 1024 / d->cycle_ns;
  d->ddr_latency = 10;
  CHECK_INT(trial_cycles(t, SIM_L1), 2 * (10 + 17) + 2 * (10 + 117));
  CHECK_INT(trial_cycles(t, SIM_L2), 2 * (10 + 17) + 2 * (10 + 117));
  CHECK_INT(trial_cycles(t, SIM_L0), 2 * 117);
  d->ddr_gb_s = 16 / d->cycle_ns; /* a tile and 16 biases have 544 bytes */
  trial_cycles(t, SIM_L1);
  CHECK_INT(sim_statistics(t->sim)->layers[1].bytes_read[2], 544);
  CHECK_INT(sim_statistics(t->sim)->units[0].in[1], 2 * (10 + 34));
  trial_end(t);
}

/* ---- statistics ---- */

TEST(statistics_count_issues_bytes_and_useful_products) {
  trial *t = trial_begin(NULL, 3, 3, 17, 33, (int[]){3, 1, 0});
  trial_layer(t)->acc_in = 1;
  trial_run(t);
  const sim_stats *s = sim_statistics(t->sim);
  const sim_layer *l = &s->layers[0];
  CHECK_INT(s->num_layers, 1);
  CHECK_INT(s->counters[0].value, 4 * 6);
  CHECK_INT(s->counters[1].value, 6);
  CHECK_INT(s->counters[3].value, 4 * 17 * 33);
  CHECK_INT(l->multiply_adds, 4 * 6 * 256);
  CHECK_NEAR(l->peak, 256, 0);
  CHECK_INT(l->bytes_read[0], 3 * 4 + 4 * 6);
  CHECK_INT(l->bytes_read[1], 4 * 2 * 32);
  CHECK_INT(l->bytes_read[2], 6 * 512 + 3 * 32);
  CHECK_INT(l->bytes_written[3], 3 * 3 * 32);
  CHECK_INT(l->bytes_read[4], 3 * 3 * 32);
  CHECK_INT(l->blocks, 1);
  CHECK_INT(l->instructions, 2);
  trial_end(t);
}
