/* The orders of rows that the overlay's compiler tries: rows are dealt out to shards, pipelines and banks by their
 * edges, and edges that are spread evenly are recognised. */
#include "codegen/graphagile/permute/permute_cells.h"
#include "codegen/graphagile/permute/permute_deal.h"
#include "codegen/graphagile/permute/permute_sample.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 1000, HEIGHT = 160, SHARDS = 7, EDGES = 40000, LANES = 16 };

/* Edges of a graph; `skew` makes small numbers frequent. */
typedef struct edges {
  int32_t src[EDGES], dst[EDGES];
  uint32_t in[ROWS], out[ROWS];
  program_edge_list list;
} edges;

static int32_t draw(unsigned *state, int skew) {
  double x = 1;
  for (int i = 0; i <= skew; i++) {
    *state = *state * 1664525u + 1013904223u;
    x *= (double)(*state >> 8) / (1 << 24);
  }
  return (int32_t)(x * (double)ROWS);
}

static edges *edges_make(int skew) {
  edges *e = calloc(1, sizeof *e);
  unsigned state = 7;
  if (!e) abort();
  for (int i = 0; i < EDGES; i++) {
    e->src[i] = draw(&state, skew);
    e->dst[i] = draw(&state, skew);
    e->out[e->src[i]]++;
    e->in[e->dst[i]]++;
  }
  e->list = (program_edge_list){.from_rows = ROWS, .to_rows = ROWS, .edges = EDGES, .src = e->src, .dst = e->dst};
  return e;
}

static graphagile_permute_degrees degrees_of(arena *a, const edges *e, int64_t hub_rows) {
  graphagile_permute_degrees d = {
      .rows = ROWS, .height = HEIGHT, .hub_rows = hub_rows, .lanes = LANES, .in = e->in, .out = e->out};
  graphagile_permute_sort(a, &d);
  return d;
}

static void check_permutation(const int32_t *place) {
  char seen[ROWS] = {0};
  for (int i = 0; i < ROWS; i++) {
    CHECK(place[i] >= 0 && place[i] < ROWS && !seen[place[i]]);
    seen[place[i]] = 1;
  }
}

/* The largest sum of edges of a shard, over the mean. */
static double imbalance(const edges *e, const int32_t *place) {
  double sums[SHARDS] = {0}, largest = 0;
  for (int i = 0; i < ROWS; i++) sums[(place ? place[i] : i) / HEIGHT] += e->in[i];
  for (int s = 0; s < SHARDS; s++) largest = sums[s] > largest ? sums[s] : largest;
  return largest / ((double)EDGES * (double)HEIGHT / (double)ROWS);
}

TEST(degrees_are_dealt_out_evenly) {
  arena *a = arena_create();
  edges *e = edges_make(1);
  int32_t place[ROWS];
  for (int64_t hub_rows = 0; hub_rows <= 2; hub_rows += 2) {
    graphagile_permute_degrees d = degrees_of(a, e, hub_rows);
    graphagile_permute_deal(a, &d, false, place);
    check_permutation(place);
    CHECK(imbalance(e, NULL) > 2.5);
    CHECK(imbalance(e, place) < 1.1);
  }
  free(e);
  arena_destroy(a);
}

TEST(rows_may_stay_in_their_shard) {
  arena *a = arena_create();
  edges *e = edges_make(1);
  int32_t place[ROWS];
  for (int64_t hub_rows = 0; hub_rows <= 2; hub_rows += 2) {
    graphagile_permute_degrees d = degrees_of(a, e, hub_rows);
    graphagile_permute_deal(a, &d, true, place);
    check_permutation(place);
    for (int i = 0; i < ROWS; i++) CHECK_INT(place[i] / HEIGHT, i / HEIGHT);
  }
  free(e);
  arena_destroy(a);
}

/* The first rows of each shard are for the rows with the most edges. */
TEST(hubs_come_first) {
  arena *a = arena_create();
  edges *e = edges_make(2);
  int32_t place[ROWS];
  graphagile_permute_degrees d = degrees_of(a, e, 2);
  graphagile_permute_deal(a, &d, false, place);
  uint32_t least = UINT32_MAX, most = 0;
  for (int i = 0; i < ROWS; i++) {
    bool is_hub = place[i] % HEIGHT < 2;
    if (is_hub && e->in[i] < least) least = e->in[i];
    if (!is_hub && e->in[i] > most) most = e->in[i];
  }
  CHECK(least >= most);
  free(e);
  arena_destroy(a);
}

/* Rows of a shard whose degrees are alike are in all banks. */
TEST(pipelines_get_equal_parts) {
  arena *a = arena_create();
  edges *e = edges_make(1);
  int32_t place[ROWS];
  double before[LANES / 2] = {0}, after[LANES / 2] = {0};
  for (int i = 0; i < ROWS; i++)
    if (i % LANES >= 2) e->in[i] = e->out[i] = 0;
  graphagile_permute_degrees d = degrees_of(a, e, 0);
  graphagile_permute_deal(a, &d, true, place);
  for (int i = 0; i < HEIGHT; i++) {
    before[i % LANES / 2] += e->in[i];
    after[place[i] % LANES / 2] += e->in[i];
  }
  CHECK(before[1] == 0);
  for (int k = 0; k < LANES / 2; k++) CHECK(after[k] > before[0] / 8 * 0.5 && after[k] < before[0] / 8 * 1.7);
  free(e);
  arena_destroy(a);
}

static graphagile_permute_cells count(arena *a, const edges *e, graphagile_partition_shape shape,
                                      const graphagile_permute_hubs *hubs) {
  return graphagile_permute_count(a, &e->list, EDGES, shape, LANES, hubs);
}

TEST(random_edges_are_even_and_hubs_are_not) {
  const graphagile_partition_shape shape = {.src_rows = 320, .dst_rows = HEIGHT, .max_edges = 65536};
  arena *a = arena_create();
  for (int skew = 0; skew <= 1; skew++) {
    edges *e = edges_make(skew);
    graphagile_permute_cells c = count(a, e, shape, NULL);
    CHECK(graphagile_permute_is_even(&c) == !skew);
    double sum = 0;
    for (int64_t s = 0; s < c.shards; s++)
      for (int64_t t = 0; t < c.tiles; t++) sum += graphagile_permute_cell_of(&c, s, t).edges;
    CHECK(sum == (double)EDGES);
    free(e);
  }
  arena_destroy(a);
}

TEST(the_places_of_a_hub_share_its_edges) {
  graphagile_partition_shape shape = {.src_rows = ROWS, .dst_rows = ROWS, .max_edges = 65536};
  arena *a = arena_create();
  edges *e = edges_make(2);
  graphagile_permute_hubs hubs = graphagile_permute_find_hubs(a, e->in, ROWS);
  CHECK(hubs.count > 0 && hubs.count <= 256);
  graphagile_permute_cells c = count(a, e, shape, &hubs);
  double alone = graphagile_permute_cell_of(&c, 0, 0).row, fullest = graphagile_permute_cell_of(&c, 0, 0).fullest;
  CHECK(alone == e->in[0]);
  shape.hub_rows = 2;
  shape.hub_places = 8;
  c = count(a, e, shape, &hubs);
  CHECK(graphagile_permute_cell_of(&c, 0, 0).row == e->in[2]); /* rows 0 and 1 have an eighth each */
  CHECK(graphagile_permute_cell_of(&c, 0, 0).fullest <= fullest);
  free(e);
  arena_destroy(a);
}

/* Edges 0, 1, 2, ... of a hub take its places in turns; other rows have one place. */
TEST(edges_take_the_places_in_turns) {
  const graphagile_partition_shape shape = {.dst_rows = 100, .hub_rows = 2, .hub_places = 4};
  const int32_t wanted[] = {1, 101, 103, 105, 1};
  for (int i = 0; i < 5; i++) {
    CHECK_INT(graphagile_partition_place_sum(&shape, i, 1), wanted[i]);
    CHECK_INT(graphagile_partition_place_sum(&shape, i, 2), 2);
  }
  CHECK_INT(graphagile_partition_sums(&shape), 106);
  const graphagile_partition_shape plain = {.dst_rows = 100};
  CHECK_INT(graphagile_partition_place_sum(&plain, 3, 0), 0);
  CHECK_INT(graphagile_partition_sums(&plain), 100);
}

TEST(a_sample_has_every_nth_edge) {
  arena *a = arena_create();
  edges *e = edges_make(0);
  program_edge_list all = graphagile_permute_sample(a, &e->list, EDGES);
  CHECK(all.src == e->list.src && all.edges == EDGES);
  program_edge_list some = graphagile_permute_sample(a, &e->list, EDGES / 3);
  CHECK_INT(some.edges, EDGES / 4);
  for (int64_t i = 0; i < some.edges; i++) CHECK(some.src[i] == e->src[4 * i] && some.dst[i] == e->dst[4 * i]);
  free(e);
  arena_destroy(a);
}
