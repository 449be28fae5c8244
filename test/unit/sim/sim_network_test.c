/* The networks of level L2 have the throughputs of an independent simulation, for uniform and
 * skewed edges in four orders, every depth of switch and two latencies. Throughputs are edges
 * per cycle over 60,000 edges; the peak is 8. */
#include "sim/graphagile/network.h"
#include "unit.h"

enum { EDGES = 60000, ROWS = 16384, WINDOW = 64 };

static uint64_t random_state;
static uint32_t random_number(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 16);
}

typedef struct edges {
  uint32_t src[EDGES], dst[EDGES];
} edges;
static edges original, ordered;

/* A few rows have most of the edges. */
static uint32_t skewed_row(int shift) {
  double u = (double)(random_number() % 1000000 + 1) / 1e6;
  int row = (int)((double)ROWS * u * u * u) % ROWS;
  return (uint32_t)(((unsigned)row * 2654435761u >> shift) % ROWS);
}

static void make_edges(bool is_skewed) {
  for (int i = 0; i < EDGES; i++) {
    if (is_skewed) {
      original.dst[i] = skewed_row(7);
      original.src[i] = skewed_row(9);
    } else {
      original.src[i] = random_number() % ROWS;
      original.dst[i] = random_number() % ROWS;
    }
  }
}

static int compare_by_dst(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  if (original.dst[*x] != original.dst[*y]) return original.dst[*x] < original.dst[*y] ? -1 : 1;
  return (original.src[*x] > original.src[*y]) - (original.src[*x] < original.src[*y]);
}

static void take(int position, uint32_t edge) {
  ordered.src[position] = original.src[edge];
  ordered.dst[position] = original.dst[edge];
}

static void order_by_dst(void) {
  static uint32_t order[EDGES];
  for (uint32_t i = 0; i < EDGES; i++) order[i] = i;
  qsort(order, EDGES, sizeof *order, compare_by_dst);
  for (int i = 0; i < EDGES; i++) take(i, order[i]);
}

/* Takes one edge of each pipeline in turn. With distinct banks it takes the first edge of the
 * window whose bank the round has not used yet. */
static void order_round_robin(bool has_distinct_banks) {
  static uint32_t of_unit[8][EDGES];
  static bool is_taken[8][EDGES];
  int count[8] = {0}, first[8] = {0}, n = 0;
  memset(is_taken, 0, sizeof is_taken);
  for (uint32_t i = 0; i < EDGES; i++) {
    unsigned u = (original.dst[i] & 15) / 2;
    of_unit[u][count[u]++] = i;
  }
  while (n < EDGES) {
    unsigned used = 0;
    for (int u = 0; u < 8; u++) {
      while (first[u] < count[u] && is_taken[u][first[u]]) first[u]++;
      if (first[u] == count[u]) continue;
      int chosen = first[u];
      for (int k = first[u], seen = 0; has_distinct_banks && k < count[u] && seen < WINDOW; k++) {
        if (is_taken[u][k]) continue;
        seen++;
        if (used >> (original.src[of_unit[u][k]] & 15) & 1) continue;
        chosen = k;
        break;
      }
      is_taken[u][chosen] = true;
      used |= 1u << (original.src[of_unit[u][chosen]] & 15);
      take(n++, of_unit[u][chosen]);
    }
  }
}

/* Cycles of the edges in new networks; is_inner: of inner products, where src or dst may be
 * NULL. */
static uint64_t cycles_of(graphagile_network_config config, bool is_inner, const uint32_t *src, const uint32_t *dst,
                          int64_t n, int32_t nfib) {
  graphagile_network *network = graphagile_network_create(&config);
  int32_t latency = graphagile_network_latency(&config, nfib);
  uint64_t cycles =
      is_inner ? graphagile_network_inner(network, src, dst, n) : graphagile_network_sum(network, src, dst, n, latency);
  graphagile_network_destroy(network);
  return (uint64_t)nfib * cycles;
}

static const graphagile_network_config usual = {.width = 16, .depth = 8, .accumulator_latency = 9, .reorder = 16};

static double throughput(const edges *e, int depth, int latency) {
  graphagile_network_config config = {.width = 16, .depth = depth, .accumulator_latency = latency, .reorder = 16};
  return (double)EDGES / (double)cycles_of(config, false, e->src, e->dst, EDGES, 1);
}

/* [depth][latency][order: as drawn, by destination, round robin over pipelines, the same over
 * distinct banks] */
static void check_throughputs(const double expected[4][2][4]) {
  static const int depths[] = {2, 4, 8, 32}, latencies[] = {1, 9};
  for (int order = 0; order < 4; order++) {
    if (order == 1) order_by_dst();
    if (order > 1) order_round_robin(order == 3);
    for (int d = 0; d < 4; d++)
      for (int l = 0; l < 2; l++)
        CHECK_NEAR(throughput(order ? &ordered : &original, depths[d], latencies[l]), expected[d][l][order], 0.02);
  }
}

TEST(uniform_and_skewed_edges_flow_as_fast_as_in_an_independent_simulation) {
  static const double uniform[4][2][4] = {{{4.25, 4.23, 4.22, 4.37}, {4.25, 4.21, 4.22, 4.37}},
                                          {{4.89, 4.88, 4.86, 4.93}, {4.89, 4.86, 4.86, 4.93}},
                                          {{5.35, 5.33, 5.33, 5.31}, {5.35, 5.31, 5.33, 5.31}},
                                          {{5.79, 5.80, 5.73, 5.78}, {5.79, 5.79, 5.73, 5.78}}};
  static const double skewed[4][2][4] = {{{4.17, 2.67, 3.75, 3.90}, {2.81, 0.61, 2.81, 2.81}},
                                         {{4.79, 3.28, 4.18, 4.25}, {2.81, 0.73, 2.81, 2.81}},
                                         {{5.10, 3.90, 4.41, 4.44}, {2.81, 0.93, 2.81, 2.81}},
                                         {{5.23, 4.55, 4.55, 4.56}, {2.81, 1.18, 2.81, 2.81}}};
  random_state = 88172645463325252u;
  make_edges(false);
  check_throughputs(uniform);
  make_edges(true);
  check_throughputs(skewed);
}

/* Edges per cycle of SDDMM. */
static double inner_throughput(const uint32_t *src, const uint32_t *dst, int64_t n, int depth) {
  graphagile_network_config config = {.width = 16, .depth = depth, .accumulator_latency = 9, .reorder = 16};
  return (double)n / (double)cycles_of(config, true, src, dst, n, 1);
}

TEST(ends_of_edges_flow_as_fast_as_in_an_independent_simulation) {
  static const int depths[] = {2, 8, 32};
  static const double drawn[] = {3.68, 5.09, 5.69}, sources[] = {4.24, 5.33, 5.78}, sorted[] = {3.01, 5.12, 5.72};
  random_state = 88172645463325252u;
  make_edges(false);
  order_by_dst();
  for (int d = 0; d < 3; d++) {
    CHECK_NEAR(inner_throughput(original.src, original.dst, EDGES, depths[d]), drawn[d], 0.03);
    CHECK_NEAR(inner_throughput(original.src, NULL, EDGES, depths[d]), sources[d], 0.03);
    CHECK_NEAR(inner_throughput(ordered.src, ordered.dst, EDGES, depths[d]), sorted[d], 0.06);
  }
}

TEST(ends_in_one_bank_pass_one_by_one_and_apart_at_the_peak) {
  static uint32_t one[4096], src[4096], dst[4096];
  for (uint32_t i = 0; i < 4096; i++) {
    one[i] = 16 * i;
    src[i] = 2 * i % 16;
    dst[i] = src[i] + 1;
  }
  CHECK_NEAR(inner_throughput(one, NULL, 4096, 8), 1, 0.01);
  CHECK_NEAR(inner_throughput(NULL, one, 4096, 8), 1, 0.01);
  CHECK_NEAR(inner_throughput(one, one, 4096, 8), 0.5, 0.01);
  CHECK_NEAR(inner_throughput(src, dst, 4096, 8), 8, 0.2);
  CHECK_INT(cycles_of(usual, true, src, dst, 4096, 3), 3 * cycles_of(usual, true, src, dst, 4096, 1));
  CHECK_INT(cycles_of(usual, true, src, dst, 0, 3), 0);
}

/* A network can be used again for the next piece. */
TEST(a_run_knows_nothing_of_the_runs_before) {
  graphagile_network *network = graphagile_network_create(&usual);
  random_state = 5;
  make_edges(true);
  for (int32_t latency = 9; latency; latency--)
    for (int64_t n = 1; n <= 1000; n *= 10) {
      graphagile_network_config config = usual;
      config.accumulator_latency = latency;
      CHECK_INT(graphagile_network_sum(network, original.src, original.dst, n, latency),
                cycles_of(config, false, original.src, original.dst, n, 1));
      CHECK_INT(graphagile_network_inner(network, original.src, original.dst, n),
                cycles_of(config, true, original.src, original.dst, n, 1));
    }
  graphagile_network_destroy(network);
}

TEST(no_edges_take_no_cycles) {
  CHECK_INT(cycles_of(usual, false, NULL, NULL, 0, 4), 0);
}

TEST(edges_into_one_row_wait_for_the_accumulator_unless_fibers_hide_it) {
  static uint32_t src[1000], dst[1000];
  for (uint32_t i = 0; i < 1000; i++) {
    src[i] = i;
    dst[i] = 3;
  }
  uint64_t one = cycles_of(usual, false, src, dst, 1000, 1), nine = cycles_of(usual, false, src, dst, 1000, 9);
  CHECK(one >= 999 * 9 && one < 999 * 9 + 40);
  CHECK(nine >= 999 * 9 && nine < 9 * (999 + 40));
  CHECK_INT(cycles_of(usual, false, src, dst, 1000, 3) / 3, (999 * 3) + (int)(one - 999 * 9));
}

TEST(values_of_edges_read_no_bank) {
  static uint32_t crowded[1024], dst[1024];
  for (uint32_t i = 0; i < 1024; i++) {
    crowded[i] = 16 * i; /* all edges in one bank */
    dst[i] = i;
  }
  uint64_t values = cycles_of(usual, false, NULL, dst, 1024, 1);
  CHECK(cycles_of(usual, false, crowded, dst, 1024, 1) >= 1024);
  CHECK(values >= 1024 / 8 && values < 1024 / 8 + 64);
  for (uint32_t i = 0; i < 1024; i++) dst[i] = 16 * i; /* all edges in one pipeline */
  CHECK(cycles_of(usual, false, NULL, dst, 1024, 1) >= 1024);
}

TEST(small_devices_have_small_networks) {
  static uint32_t src[4096], dst[4096];
  random_state = 1;
  for (int i = 0; i < 4096; i++) {
    src[i] = random_number() % 64;
    dst[i] = random_number() % 64;
  }
  for (int width = 4; width <= 8; width *= 2) {
    graphagile_network_config config = {.width = width, .depth = 8, .accumulator_latency = 1, .reorder = 16};
    double rate = 4096 / (double)cycles_of(config, false, src, dst, 4096, 1);
    CHECK(rate > 0.55 * width / 2 && rate <= width / 2.0);
  }
}
