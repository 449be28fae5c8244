/* Orders of pieces contain every piece of the partition once, handle pairs of shards in one pass
 * over the sources, and reuse sources exactly where the piece before has the same ones. */
#include "codegen/graphagile/partition/partition.h"
#include "codegen/graphagile/plan/plan_order.h"
#include "unit.h"

typedef struct fixture {
  graphagile_plan plan;
  graphagile_options options;
  graphagile_plan_edge_list edges;
  int32_t src[40000], dst[40000];
} fixture;

static fixture *fixture_make(int count, int32_t src_rows, int32_t dst_rows, int32_t max_edges,
                             graphagile_plan_tile tile) {
  enum { ROWS = 100 };
  fixture *f = calloc(1, sizeof *f);
  if (!f) abort();
  unsigned state = (unsigned)(src_rows * dst_rows);
  for (int i = 0; i < count; i++) {
    state = state * 1664525u + 1013904223u;
    f->src[i] = (int32_t)(state >> 8) % ROWS;
    f->dst[i] = (int32_t)(state >> 16) % ROWS;
    if (f->dst[i] / 10 == 4) f->dst[i] = 0; /* leaves one shard empty */
  }
  program_edge_list r = {.from_rows = ROWS, .to_rows = ROWS, .edges = count, .src = f->src, .dst = f->dst};
  f->plan = (graphagile_plan){.arena = arena_create(), .options = &f->options, .device = &f->options.device.graphagile};
  CHECK_OK(graphagile_partition_build(
      &r, (graphagile_partition_shape){.src_rows = src_rows, .dst_rows = dst_rows, .max_edges = max_edges}, 0, 1,
      &f->edges.partition));
  graphagile_plan_layer layer = {.kind = GRAPHAGILE_PLAN_spdmm, .tile = tile, .spdmm.edges = &f->edges};
  layer.spdmm.in = arena_alloc(f->plan.arena, sizeof *layer.spdmm.in);
  VEC_PUSH(f->plan.arena, &f->plan.edges, &f->edges);
  VEC_PUSH(f->plan.arena, &f->plan.layers, layer);
  CHECK(graphagile_plan_order_pieces(&f->plan));
  return f;
}

static fixture *fixture_begin(int32_t src_rows, int32_t dst_rows, int32_t max_edges, int targets) {
  return fixture_make(600, src_rows, dst_rows, max_edges, (graphagile_plan_tile){.targets = targets});
}

static void fixture_end(fixture *f) {
  graphagile_plan_free_pieces(&f->edges);
  graphagile_partition_free(&f->edges.partition);
  arena_destroy(f->plan.arena);
  free(f);
}

/* One shard's pieces in a band of the order are those of the partition. */
static void check_shard(const fixture *f, const graphagile_plan_pieces *o, int64_t band, int64_t shard,
                        bool is_second) {
  const graphagile_partition *p = &f->edges.partition;
  int64_t at = p->shard_begin[shard];
  for (int64_t i = o->band_begin[band]; i < o->band_begin[band + 1]; i++) {
    if (o->pieces[i].second != is_second) continue;
    CHECK(at < p->shard_begin[shard + 1]);
    CHECK_INT(o->pieces[i].first_edge, p->pieces[at].first_edge);
    CHECK_INT(o->pieces[i].num_edges, p->pieces[at].num_edges);
    CHECK_INT(o->pieces[i].src_rows, p->pieces[at].src_rows);
    at++;
  }
  CHECK_INT(at, p->shard_begin[shard + 1]);
}

static void check_order(const fixture *f, int64_t targets) {
  const graphagile_plan_pieces *o = graphagile_plan_pieces_of(&f->plan.layers.items[0]);
  int64_t shards = f->edges.partition.shards;
  CHECK_INT(o->bands, (shards + targets - 1) / targets);
  CHECK_INT(o->band_begin[o->bands], f->edges.partition.num_pieces);
  for (int64_t b = 0; b < o->bands; b++) {
    for (int64_t t = 0; t < targets && b * targets + t < shards; t++) check_shard(f, o, b, b * targets + t, t > 0);
    for (int64_t i = o->band_begin[b]; i < o->band_begin[b + 1]; i++) {
      bool is_same = i > o->band_begin[b] && o->pieces[i].src_row == o->pieces[i - 1].src_row;
      CHECK_INT(o->pieces[i].reuse, is_same);
      CHECK(i == o->band_begin[b] || o->pieces[i].src_row >= o->pieces[i - 1].src_row);
    }
  }
}

TEST(pairs_of_shards_go_over_the_sources_once) {
  static const int32_t rows[] = {3, 10, 16, 33, 50, 100};
  for (size_t s = 0; s < sizeof rows / sizeof *rows; s++)
    for (size_t d = 0; d < sizeof rows / sizeof *rows; d++)
      for (int32_t most = 4; most <= 1000; most *= 15) {
        fixture *f = fixture_begin(rows[s], rows[d], most, 2);
        check_order(f, 2);
        fixture_end(f);
      }
}

TEST(cells_of_several_pieces_load_their_sources_once) {
  fixture *f = fixture_begin(50, 50, 20, 1);
  CHECK(graphagile_plan_pieces_of(&f->plan.layers.items[0]) == &f->edges.orders[GRAPHAGILE_PLAN_ORDER_REUSE]);
  check_order(f, 1);
  f->plan.layers.items[0].kind = GRAPHAGILE_PLAN_sddmm; /* SDDMM layers load chunks of fibers in turns */
  CHECK(graphagile_plan_pieces_of(&f->plan.layers.items[0]) == &f->edges.orders[GRAPHAGILE_PLAN_ORDER_PLAIN]);
  fixture_end(f);
}

TEST(other_blocks_take_the_pieces_as_they_are) {
  fixture *f = fixture_begin(10, 10, 1000, 1);
  CHECK(graphagile_plan_pieces_of(&f->plan.layers.items[0]) == &f->edges.orders[GRAPHAGILE_PLAN_ORDER_PLAIN]);
  CHECK(f->edges.orders[GRAPHAGILE_PLAN_ORDER_PLAIN].pieces == f->edges.partition.pieces);
  fixture_end(f);
}

TEST(parts_are_the_pieces_of_pairs_in_turn) {
  fixture *f =
      fixture_make(40000, 100, 30, 16000, (graphagile_plan_tile){.targets = 2, .groups = 2, .has_parts = true});
  const graphagile_partition *p = &f->edges.partition;
  const graphagile_plan_pieces *parts = &f->edges.orders[GRAPHAGILE_PLAN_ORDER_PARTS];
  CHECK(graphagile_plan_pieces_of(&f->plan.layers.items[0]) == parts);
  CHECK(!f->edges.orders[GRAPHAGILE_PLAN_ORDER_PAIRS].pieces);
  CHECK(graphagile_plan_pieces_count(parts) > p->num_pieces);
  for (int64_t i = 0; i < p->num_pieces; i++) { /* parts of a piece are adjacent and none is small */
    int64_t at = 0;
    uint32_t edge = p->pieces[i].first_edge, end = edge + p->pieces[i].num_edges;
    while (parts->pieces[at].first_edge != edge) at++;
    for (; edge < end; edge += parts->pieces[at++].num_edges) {
      CHECK_INT(parts->pieces[at].first_edge, edge);
      CHECK_INT(parts->pieces[at].src_row, p->pieces[i].src_row);
      CHECK(parts->pieces[at].reuse || edge == p->pieces[i].first_edge);
      CHECK(parts->pieces[at].num_edges >= GRAPHAGILE_PLAN_PART_EDGES - GRAPHAGILE_PLAN_PARTS ||
            end - edge < GRAPHAGILE_PLAN_PART_EDGES);
    }
    CHECK_INT(edge, end);
  }
  fixture_end(f);
}
