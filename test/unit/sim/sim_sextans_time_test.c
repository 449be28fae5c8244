/* The cycles and statistics of Sextans' launches, worked out by hand, and against a plain loop over
 * passes and windows. */
#include "isa/sextans/timing.h"
#include "sim_sextans_fixture.h"

#include <math.h>

/* Windows of 16 rows; a cycle is 1 ns. */
static device small_device(void) {
  device d;
  device_default(&d, &sextans_machine);
  d.sextans.window = 16;
  d.sextans.distance = 1;
  d.sextans.clock_mhz = 1000;
  d.sextans.cycle_ns = 1;
  return d;
}

/* 65 rows are 2 cycles of zeros and 5 beats of C; windows of 16 and 4 rows are 2 and 1 beats of B;
 * 9 columns are 2 passes. Four non-zeros. */
static trial *small(const device *d) {
  trial *t = trial_begin(65, 20, 9, 2, (int[]){3, 5}, d);
  sextans_program_put(&t->p, 0, 0, 0, 15, 1);
  sextans_program_put(&t->p, 0, 1, 1, 0, 1);
  sextans_program_put(&t->p, 9, 2, 0, 0, 1);
  sextans_program_put(&t->p, 0, 7, 0, 3, 1);
  return t;
}

TEST(level_1_counts_the_streams_of_b_and_the_slots) {
  device d = small_device();
  trial *t = small(&d);
  /* Pass 0: B at 2, C cleared at 2, slots 2 .. 5; B at 6, slots 6 .. 11, C written at 16.
   * Pass 1: B at 13, C cleared at 18, slots 18 .. 21; B at 22, slots 22 .. 27, C written at 32. */
  CHECK_INT(trial_cycles(t, SIM_L1), 32);
  const sim_stats *s = sim_statistics(t->sim);
  CHECK_INT(s->num_layers, 1);
  const sim_layer *l = &s->layers[0];
  CHECK_INT(l->cycles, 32);
  CHECK_INT(l->multiply_adds, 4 * 16);
  CHECK_INT(l->in[0], 4 * 2);           /* compute */
  CHECK_INT(l->in[1], 64 * 16 - 4 * 2); /* bubble */
  CHECK_INT(l->in[2], 0);               /* wait_a */
  CHECK_INT(l->in[3], 64 * 2);          /* wait_b */
  CHECK_INT(l->in[4], 64 * 4);          /* clear_c */
  CHECK_INT(l->in[5], 64 * 10);         /* write_c */
  CHECK_INT(l->in[6], 0);               /* drain */
  CHECK_INT(l->busy_most, 6);
  CHECK_INT(s->units[0].in[0], 6);
  CHECK_INT(s->units[9].in[0], 2);
  CHECK_INT(s->units[9].in[1], 14);
  CHECK_INT(s->units[63].in[0], 0);
  CHECK_NEAR(l->peak, 512, 0);
  CHECK_STR(l->type, "spmm");
  CHECK_INT(l->instructions, 1);
  CHECK_INT(l->blocks, 2);
  trial_end(t);
}

TEST(bytes_are_those_of_the_beats) {
  device d = small_device();
  trial *t = small(&d);
  const sim_layer *l = &trial_run(t)->layers[0];
  CHECK_INT(l->bytes_read[0], 2 * 512 * 8);
  CHECK_INT(l->bytes_read[1], 2 * 256 * 3);
  CHECK_INT(l->bytes_read[2], 2 * 512 * 5);
  CHECK_INT(l->bytes_read[3], 2 * 12);
  CHECK_INT(l->bytes_written[4], 2 * 512 * 5);
  trial_launch(t)->no_c = 1;
  trial_launch(t)->c_in = 0;
  trial_create(t);
  l = &trial_run(t)->layers[0];
  CHECK_INT(l->bytes_read[2], 0);
  CHECK_INT(l->bytes_written[4], 2 * 512 * 5);
  trial_end(t);
}

/* (20 / 8 + 4 / 64 + 65 / 16) * 2 = 13.25 */
TEST(level_0_is_equation_10_rounded_up) {
  device d = small_device();
  trial *t = small(&d);
  CHECK_INT(trial_cycles(t, SIM_L0), 14);
  const sim_layer *l = &sim_statistics(t->sim)->layers[0];
  CHECK_INT(l->multiply_adds, 64);
  CHECK_INT(l->in[3], 64 * 5);
  CHECK_INT(l->in[5], 64 * 8);
  trial_end(t);
  t = trial_begin(16, 8, 8, 1, (int[]){1}, &d); /* 1 + 0 + 1 */
  CHECK_INT(trial_cycles(t, SIM_L0), 2);
  sextans_program_put(&t->p, 0, 0, 0, 0, 1);
  CHECK_INT(trial_cycles(t, SIM_L0), 3);
  trial_end(t);
}

TEST(level_2_adds_the_drain_of_each_window_and_the_latency_of_each_launch) {
  device d = small_device();
  trial *t = small(&d);
  sextans_program_add(&t->p);
  CHECK_INT(trial_cycles(t, SIM_L2), 2 * (32 + 4 * 15 + 100));
  const sim_layer *l = &sim_statistics(t->sim)->layers[0];
  CHECK_INT(l->in[6], 2 * 64 * 4 * 15);
  uint64_t known = 0;
  for (int k = 0; k < SIM_STATES; k++) known += l->in[k];
  CHECK_INT(64 * l->cycles - known, 2 * 64 * 100);
  t->p.image.device.sextans.drain = 0;
  CHECK_INT(trial_cycles(t, SIM_L2), 2 * (32 + 100));
  t->p.image.device.sextans.drain = 1;
  CHECK_INT(trial_cycles(t, SIM_L2), 2 * (32 + 4 + 100));
  t->p.image.device.sextans.ddr_latency = 0;
  CHECK_INT(trial_cycles(t, SIM_L2), 2 * (32 + 4));
  t->p.image.device.sextans.ddr_latency = 1;
  CHECK_INT(trial_cycles(t, SIM_L2), 2 * (32 + 4 + 1));
  CHECK_INT(trial_cycles(t, SIM_L1), 2 * 32);
  trial_end(t);
}

TEST(with_two_buffers_the_next_window_is_loaded_while_one_is_in_use) {
  device d = small_device();
  d.sextans.window = 32;
  d.sextans.has_two_b = true;
  trial *t = small(&d);
  /* Pass 0: B at 2 and 3, slots 2 .. 5 and 5 .. 10, C written at 15.
   * Pass 1: B at 7 and 11, C cleared at 17, slots 17 .. 20 and 20 .. 25, C written at 30. */
  CHECK_INT(trial_cycles(t, SIM_L1), 30);
  CHECK_INT(sim_statistics(t->sim)->layers[0].in[3], 0);
  trial_end(t);
}

/* 128 bytes per cycle: a beat of B takes 2 cycles, a slot 4, a beat of C 8, Q 1. */
TEST(a_shared_memory_limits_each_phase) {
  device d = small_device();
  d.sextans.memory = SEXTANS_MEMORY_shared;
  d.sextans.ddr_gb_s = 128;
  trial *t = small(&d);
  /* Pass 0: Q at 1, B at 5, slots 5 .. 17; B at 19, slots 19 .. 39, C written at 79.
   * Pass 1: Q at 40, B at 44, C cleared at 81, slots 81 .. 93; B at 95, slots 95 .. 115, C written at 155.
   * B of pass 1 came while C was written, and all 2 * 9996 bytes take 157 cycles. */
  CHECK_INT(trial_cycles(t, SIM_L1), 157);
  const sim_layer *l = &sim_statistics(t->sim)->layers[0];
  CHECK_INT(l->in[2], 64 * 2 * (9 + 15));
  CHECK_INT(l->in[3], 64 * (3 + 2 + 2));
  CHECK_INT(l->in[5], 64 * 80);
  CHECK_INT(trial_cycles(t, SIM_L0), 14);
  trial_launch(t)->no_c = 1; /* a beat of C takes 4 cycles */
  trial_launch(t)->c_in = 0;
  CHECK_INT(trial_cycles(t, SIM_L1), 117); /* 2 * 7436 bytes */
  /* From 1024 bytes per cycle on, only Q is to be seen. */
  trial_launch(t)->no_c = 0;
  trial_launch(t)->c_in = trial_launch(t)->c_out;
  t->p.image.device.sextans.ddr_gb_s = 1024;
  CHECK_INT(trial_cycles(t, SIM_L1), 33);
  t->p.image.device.sextans.ddr_gb_s = 1023.9;
  CHECK_INT(trial_cycles(t, SIM_L1), 33 + 2);
  trial_end(t);
}

/* The rule of level 1 as a plain loop. */
static uint64_t plain_cycles(uint64_t m, uint64_t k, uint64_t n, int windows, const int *slots, bool has_two_b) {
  uint64_t load = 0, used[2] = {0, 0}, now = 0, turn = 0;
  for (uint64_t pass = 0; pass < (n + 7) / 8; pass++) {
    now += (m + 63) / 64;
    for (int j = 0; j < windows; j++, turn++) {
      uint64_t rest = k - 16 * (uint64_t)j, beats = ((rest < 16 ? rest : 16) + 7) / 8;
      uint64_t *buffer = &used[has_two_b ? turn % 2 : 0];
      load = (load > *buffer ? load : *buffer) + beats;
      now = (load > now ? load : now) + (uint64_t)slots[j];
      *buffer = now;
    }
    now += (m + 15) / 16;
  }
  return now;
}

TEST(many_passes_take_as_long_as_in_a_plain_loop) {
  uint32_t seed = 1;
  for (int i = 0; i < 300; i++) {
    int slots[9], windows = i % 10;
    for (int j = 0; j < windows; j++) {
      seed = seed * 1664525 + 1013904223;
      slots[j] = (int)(seed >> 28) % (i % 3 ? 4 : 16);
    }
    uint64_t m = seed % 400, k = windows ? 16 * (uint64_t)(windows - 1) + 1 + seed % 16 : 0;
    uint64_t n = 1 + (seed >> 8) % (i % 4 ? 60 : 4000);
    device d = small_device();
    d.sextans.has_two_b = i & 1;
    if (i & 1) d.sextans.window = 32;
    trial *t = trial_begin(m, k, n, windows, slots, &d);
    t->options.is_timing_only = true;
    CHECK_INT(trial_cycles(t, SIM_L1), plain_cycles(m, k, n, windows, slots, i & 1));
    CHECK_INT(sextans_launch_cycles(&d.sextans, (int64_t)m, (int64_t)k, (int64_t)n, windows, t->p.q),
              sim_statistics(t->sim)->cycles);
    uint64_t known = 0;
    for (int s = 0; s < SIM_STATES; s++) known += sim_statistics(t->sim)->units[5].in[s];
    CHECK_INT(known, sim_statistics(t->sim)->cycles);
    trial_end(t);
  }
}

TEST(launches_of_a_layer_are_added_up) {
  device d = small_device();
  trial *t = small(&d);
  t->p.insns[0].spmm.layer = 2;
  sextans_program_add(&t->p);
  sextans_program_add(&t->p)->layer = 0;
  const sim_stats *s = trial_run(t);
  CHECK_INT(s->cycles, 3 * 32);
  CHECK_INT(s->num_layers, 3);
  CHECK_INT(s->layers[2].cycles, 64);
  CHECK_INT(s->layers[2].begin, 0);
  CHECK_INT(s->layers[2].instructions, 2);
  CHECK_INT(s->layers[0].cycles, 32);
  CHECK_INT(s->layers[0].begin, 64);
  CHECK_INT(s->layers[1].cycles, 0);
  CHECK_INT(s->num_counters, 3);
  CHECK_STR(s->counters[0].name, "passes");
  CHECK_INT(s->counters[0].value, 6);
  CHECK_STR(s->counters[1].name, "slots");
  CHECK_INT(s->counters[1].value, 6 * 8);
  CHECK_STR(s->counters[2].name, "bubbles");
  CHECK_INT(s->counters[2].value, 6 * (64 * 8 - 4));
  CHECK_NEAR(s->ms, 96e-6, 1e-12);
  CHECK_NEAR(s->bandwidth_gb_s, 460, 0);
  trial_run(t);
  CHECK_INT(s->cycles, 3 * 32);
  CHECK_INT(s->counters[0].value, 6);
  trial_end(t);
}

TEST(a_run_longer_than_allowed_is_a_fault) {
  device d = small_device();
  trial *t = small(&d);
  sextans_program_add(&t->p);
  for (int level = SIM_L0; level <= SIM_L2; level++) {
    t->options.max_cycles = 0;
    uint64_t cycles = trial_cycles(t, (sim_level)level);
    t->options.max_cycles = cycles;
    CHECK_INT(trial_cycles(t, (sim_level)level), cycles);
    t->options.max_cycles = cycles - 1;
    trial_create(t);
    char expected[128];
    snprintf(expected, sizeof expected, "layer 0, record at 0x80, cycle %d: the run takes more than %d cycles",
             (int)cycles / 2, (int)cycles - 1);
    CHECK_FAILS(trial_try(t), expected);
  }
  trial_end(t);
}

/* With the slowest memory a launch would take more cycles than 64 bits count. */
TEST(the_longest_launch_is_a_fault) {
  device d = small_device();
  d.sextans.memory = SEXTANS_MEMORY_shared;
  d.sextans.ddr_gb_s = 0.001;
  d.sextans.cycle_ns = 0.001;
  d.sextans.ddr_bytes = INT64_C(1) << 40;
  trial *t = trial_begin(786432, 64000, 65535, 4000, (int[4000]){1}, &d);
  t->options.is_timing_only = true;
  CHECK_FAILS(trial_try(t), "the run takes more than 70368744177663 cycles");
  trial_end(t);
}

/* ---- timing without data ---- */

TEST(without_the_data_of_a_every_slot_counts_as_a_non_zero) {
  device d = small_device();
  trial *t = small(&d);
  t->options.is_timing_only = true;
  CHECK_INT(trial_cycles(t, SIM_L1), 32);
  CHECK_INT(sim_statistics(t->sim)->layers[0].multiply_adds, 4 * 16);
  t->p.image.sections[IMAGE_WEIGHTS].data = NULL;
  CHECK_INT(trial_cycles(t, SIM_L1), 32);
  CHECK_INT(sim_statistics(t->sim)->layers[0].multiply_adds, 8 * 64 * 16);
  CHECK_INT(sim_statistics(t->sim)->counters[2].value, 0);
  CHECK_INT(trial_cycles(t, SIM_L0), 30); /* (20 / 8 + 8 + 65 / 16) * 2 = 29.125 */
  trial_end(t);
}

TEST(timing_alone_finds_short_distances_in_the_file) {
  device d = small_device();
  d.sextans.distance = 2;
  trial *t = small(&d);
  t->options.is_timing_only = true;
  CHECK_OK(trial_try(t));
  sextans_program_put(&t->p, 0, 1, 0, 0, 1);
  trial_create(t);
  CHECK_FAILS(trial_try(t), "has a non-zero 1 slot after slot 0");
  t->p.image.sections[IMAGE_WEIGHTS].data = NULL;
  trial_create(t);
  CHECK_OK(trial_try(t));
  trial_end(t);
}

/* ---- progress and traces ---- */

typedef struct steps {
  uint64_t count, done, all;
} steps;

static void note(void *user, uint64_t done, uint64_t all) {
  steps *s = user;
  s->count++;
  s->done = done;
  s->all = all;
}

TEST(progress_counts_passes) {
  device d = small_device();
  trial *t = small(&d);
  steps seen = {0};
  sextans_program_add(&t->p);
  t->options.progress = note;
  t->options.user = &seen;
  trial_run(t);
  CHECK_INT(seen.count, 4);
  CHECK_INT(seen.done, 4);
  CHECK_INT(seen.all, 4);
  trial_run(t);
  CHECK_INT(seen.done, 4);
  trial_end(t);
}

static char *trace_of(trial *t, sim_level level) {
  char *words = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&words, &size);
  t->options.trace = file;
  t->options.level = level;
  trial_create(t);
  trial_run(t);
  fclose(file);
  return words;
}

static int occurrences(const char *words, const char *part) {
  int count = 0;
  for (; (words = strstr(words, part)); words++) count++;
  return count;
}

TEST(traces_have_an_interval_for_each_phase) {
  device d = small_device();
  trial *t = small(&d);
  char *words = trace_of(t, SIM_L1);
  CHECK_INT(occurrences(words, "\"load B\""), 4);
  CHECK_INT(occurrences(words, "\"slots\""), 4);
  CHECK_INT(occurrences(words, "\"clear C\""), 2);
  CHECK_INT(occurrences(words, "\"write C\""), 2);
  CHECK_HAS(words, "{\"name\": \"slots\", \"ph\": \"X\", \"pid\": 0, \"tid\": 1, \"ts\": 0.022000, \"dur\": 0.005000, "
                   "\"args\": {\"pass\": 1, \"window\": 1}}");
  free(words);
  sextans_program_add(&t->p); /* the second launch begins where the first one ends */
  words = trace_of(t, SIM_L1);
  CHECK_HAS(words, "\"tid\": 1, \"ts\": 0.054000, \"dur\": 0.005000");
  free(words);
  words = trace_of(t, SIM_L0);
  CHECK_INT(occurrences(words, "\"launch\""), 2);
  free(words);
  trial_end(t);
}
