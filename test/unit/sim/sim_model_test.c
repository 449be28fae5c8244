/* Cycles of whole layers differ by at most half a percent from those of an independent event-
 * driven model of the same machine. The model has floating-point times, one block per PE at a
 * time, no LOOP and no cycles for decoding; INIT, load ports and the rule for filling pipelines
 * are those of the simulator. */
#include "sim_fixture.h"

/* Expected cycles at 77, 308 and 616 GB/s. */
typedef struct expectation {
  uint64_t cycles[3];
} expectation;

static const char *const memories[3] = {"shared:77", "shared:308", "shared:616"};

static void check(program *p, expectation e, double tolerance) {
  for (int i = 0; i < 3; i++) {
    CHECK_OK(device_set(&p->device, "memory", memories[i]));
    double cycles = (double)program_run(p)->cycles, expected = (double)e.cycles[i];
    if (fabs(cycles / expected - 1) > tolerance)
      unit_fail(__FILE__, __LINE__, "%s: %.0f cycles, the model has %.0f", memories[i], cycles, expected);
  }
  program_end(p);
}

/* A Linear layer has a block for each n1 rows, which sums over the fibers of its input. */
static program *linear(unsigned rows, unsigned n1, unsigned fibers) {
  program *p = program_begin();
  p->device.graphagile.queue_blocks = 1;
  program_layer(p, GRAPHAGILE_LAYER_gemm, (rows + n1 - 1) / n1);
  for (unsigned first = 0; first < rows; first += n1) {
    unsigned r = rows - first < n1 ? rows - first : n1;
    for (unsigned k = 0; k < fibers; k++) {
      program_load(p, GRAPHAGILE_F0 + k % 2, first, r, 1);
      program_load(p, GRAPHAGILE_W0 + k % 2, 16 * k, 16, 1);
      program_gemm(p, k % 2, k % 2, 2, r, 16, k > 0);
    }
    program_store(p, GRAPHAGILE_F2, first, r, true);
  }
  return p;
}

/* An Aggregate layer has a block for each fiber and shard of n1 rows, which goes over `shards`
 * pieces of this many edges. */
static program *aggregate(unsigned shards, unsigned n1, unsigned edges, unsigned fibers) {
  program *p = program_begin();
  p->device.graphagile.queue_blocks = 1;
  program_layer(p, GRAPHAGILE_LAYER_spdmm, shards * fibers);
  for (unsigned block = 0; block < shards * fibers; block++) {
    EMIT(p, init, .buffer = 2, .rows = n1, .nfib = 1, .stride = n1);
    for (unsigned k = 0; k < shards; k++) {
      program_load(p, GRAPHAGILE_E0 + k % 2, 0, edges, 1);
      program_load(p, GRAPHAGILE_F0 + k % 2, k * n1, n1, 1);
      EMIT(p, spdmm, .e = k % 2, .in = k % 2, .out = 2, .num_edges = edges, .nfib = 1, .in_stride = n1,
           .out_stride = n1, .lanes = 0xffff, .unlock_e = 1, .unlock_f = 1);
    }
    program_store(p, GRAPHAGILE_F2, 131072 + block % shards * n1, n1, true);
  }
  return p;
}

TEST(linear_layers_take_the_cycles_of_the_model) {
  check(linear(3327, 416, 40), (expectation){{35820, 17254, 17039}}, 0.005);
  check(linear(2708, 352, 90), (expectation){{64856, 32209, 32037}}, 0.005);
}

TEST(aggregate_layers_take_the_cycles_of_the_model) {
  check(aggregate(4, 1024, 1500, 8), (expectation){{51342, 13952, 7882}}, 0.005);
  check(aggregate(6, 2048, 9000, 4), (expectation){{150330, 40528, 25398}}, 0.005);
  check(aggregate(12, 1024, 300, 2), (expectation){{84424, 21605, 11136}}, 0.005);
}
