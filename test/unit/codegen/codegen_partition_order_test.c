/* The order of records inside pieces: the same records, places that follow, the same bytes for any
 * number of threads, and networks that lose little time. */
#include "codegen/graphagile/partition/partition.h"
#include "codegen/graphagile/partition/partition_order.h"
#include "sim/graphagile/network.h"
#include "support/status.h"
#include "unit.h"

enum { RECORD = GRAPHAGILE_RECORD_BYTES, RECORDS_AND_POSITIONS = 3 };

typedef struct edge_source {
  program_edge_list list;
  int32_t *ends;
  float *weight;
} edge_source;

/* A graph with random edges, sorted by destination as matrices with compressed rows are. */
static edge_source make_edges(int64_t rows, int64_t edges, unsigned state) {
  edge_source g = {.list = {.from_rows = rows, .to_rows = rows, .edges = edges}};
  g.ends = malloc((size_t)(2 * edges) * sizeof *g.ends);
  g.weight = malloc((size_t)edges * sizeof *g.weight);
  for (int64_t e = 0; e < edges; e++) {
    state = state * 1664525u + 1013904223u;
    g.ends[e] = (int32_t)((state >> 8) % rows);
    g.ends[edges + e] = (int32_t)(e * rows / edges);
    g.weight[e] = (float)e;
  }
  g.list.src = g.ends;
  g.list.dst = g.ends + edges;
  g.list.weight = g.weight;
  return g;
}

static void free_edges(edge_source *g) {
  free(g->ends);
  free(g->weight);
}

static graphagile_partition partition_of(const edge_source *g, graphagile_partition_shape shape, int what) {
  graphagile_partition p;
  CHECK_OK(graphagile_partition_build(&g->list, shape, what, 1, &p));
  return p;
}

/* Weights number the edges: each edge is once in the piece in which it was, with its own ends, and
 * its position says where. */
static void check_same_records(const graphagile_partition *was, const graphagile_partition *is, int64_t edges) {
  unsigned char *seen = calloc((size_t)edges, 1);
  CHECK_INT(is->num_pieces, was->num_pieces);
  CHECK(!memcmp(is->pieces, was->pieces, (size_t)was->num_pieces * sizeof *was->pieces));
  for (int64_t e = 0; e < edges; e++) {
    const unsigned char *old = was->records + (size_t)was->position[e] * RECORD;
    CHECK(is->position[e] >= 0 && is->position[e] < edges);
    CHECK(!seen[is->position[e]]++);
    CHECK(!memcmp(old, is->records + (size_t)is->position[e] * RECORD, RECORD));
  }
  for (int64_t i = 0; i < was->num_pieces; i++)
    for (uint32_t k = 0; k < was->pieces[i].num_edges; k++) {
      float weight;
      memcpy(&weight, is->records + (was->pieces[i].first_edge + (size_t)k) * RECORD + 8, sizeof weight);
      uint32_t place = (uint32_t)was->position[(int64_t)weight];
      CHECK(place >= was->pieces[i].first_edge && place < was->pieces[i].first_edge + was->pieces[i].num_edges);
    }
  free(seen);
}

TEST(the_records_of_each_piece_are_the_same) {
  static const graphagile_partition_shape shapes[] = {
      {64, 64, 65536, 0, 0}, {16, 48, 5, 0, 0}, {1, 1, 1, 0, 0}, {500, 500, 333, 0, 0}};
  static const int32_t widths[] = {4, 8, 16, 16};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    edge_source g = make_edges(500, 6000, 3u + (unsigned)i);
    graphagile_partition was = partition_of(&g, shapes[i], RECORDS_AND_POSITIONS);
    graphagile_partition is = partition_of(&g, shapes[i], RECORDS_AND_POSITIONS);
    CHECK_OK(graphagile_partition_order(&is, widths[i], NULL));
    check_same_records(&was, &is, g.list.edges);
    graphagile_partition_free(&was);
    graphagile_partition_free(&is);
    free_edges(&g);
  }
}

TEST(the_order_is_the_same_for_any_number_of_threads) {
  edge_source g = make_edges(3000, 200000, 5);
  const graphagile_partition_shape shape = {.src_rows = 1000, .dst_rows = 700, .max_edges = 4096};
  graphagile_partition one = partition_of(&g, shape, RECORDS_AND_POSITIONS);
  CHECK_OK(graphagile_partition_order(&one, 16, NULL));
  for (int workers = 2; workers <= 5; workers++) {
    thread_pool *pool = thread_pool_create(workers);
    graphagile_partition other = partition_of(&g, shape, GRAPHAGILE_PARTITION_RECORDS);
    CHECK_OK(graphagile_partition_order(&other, 16, pool)); /* positions do not matter, either */
    CHECK(!memcmp(other.records, one.records, (size_t)one.edges * RECORD));
    graphagile_partition_free(&other);
    thread_pool_destroy(pool);
  }
  graphagile_partition_free(&one);
  free_edges(&g);
}

/* Cycles of the networks for one piece with all edges. */
static uint64_t cycles_of(const graphagile_partition *p, int32_t width) {
  const graphagile_network_config config = {.width = width, .depth = 8, .accumulator_latency = 9, .reorder = 16};
  uint32_t *ends = malloc((size_t)(2 * p->edges) * sizeof *ends);
  for (int64_t e = 0; e < p->edges; e++) {
    memcpy(&ends[e], p->records + (size_t)e * RECORD, sizeof *ends);
    memcpy(&ends[p->edges + e], p->records + (size_t)e * RECORD + 4, sizeof *ends);
  }
  graphagile_network *n = graphagile_network_create(&config);
  uint64_t cycles = graphagile_network_sum(n, ends, ends + p->edges, p->edges, config.accumulator_latency);
  graphagile_network_destroy(n);
  free(ends);
  return cycles;
}

/* Random edges in random order flow at two thirds of p / 2 per cycle, edges that are sorted by
 * destination at a fraction of that. */
TEST(ordered_records_flow_almost_at_the_peak) {
  static const int32_t widths[] = {4, 8, 16};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    edge_source g = make_edges(2000, 60000, 7);
    graphagile_partition p =
        partition_of(&g, (graphagile_partition_shape){.src_rows = 2000, .dst_rows = 2000, .max_edges = 65536},
                     RECORDS_AND_POSITIONS);
    uint64_t peak = (uint64_t)(p.edges / (widths[i] / 2)), sorted = cycles_of(&p, widths[i]);
    CHECK_OK(graphagile_partition_order(&p, widths[i], NULL));
    uint64_t ordered = cycles_of(&p, widths[i]);
    CHECK(sorted > 2 * peak);
    CHECK(ordered <= peak * 21 / 20);
    graphagile_partition_free(&p);
    free_edges(&g);
  }
}
