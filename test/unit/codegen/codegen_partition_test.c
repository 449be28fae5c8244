/* The partition of random graphs agrees with a straightforward one, for shards of every size
 * down to one row. */
#include "codegen/graphagile/partition/partition.h"
#include "support/status.h"
#include "unit.h"

typedef struct random_relation {
  program_edge_list relation;
  int32_t *ends;
  float *weight;
} random_relation;

static unsigned next_number(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static random_relation make_relation(int64_t from_rows, int64_t to_rows, int64_t edges, bool is_sorted, unsigned seed) {
  random_relation made = {.relation = {.from_rows = from_rows, .to_rows = to_rows, .edges = edges}};
  made.ends = malloc((size_t)(2 * edges + 1) * sizeof *made.ends);
  made.weight = malloc((size_t)(edges + 1) * sizeof *made.weight);
  for (int64_t e = 0; e < edges; e++) {
    made.ends[e] = (int32_t)(is_sorted ? e * from_rows / edges : next_number(&seed) % from_rows);
    made.ends[edges + e] = (int32_t)(next_number(&seed) % to_rows);
    made.weight[e] = (float)e * 0.5f;
  }
  made.relation.src = made.ends;
  made.relation.dst = made.ends + edges;
  made.relation.weight = made.weight;
  return made;
}

static void free_relation(random_relation *r) {
  free(r->ends);
  free(r->weight);
}

static void check_record(const program_edge_list *r, const graphagile_partition *p, const graphagile_descriptor *piece,
                         int64_t d, int64_t e, uint32_t at) {
  uint32_t ends[2];
  float weight;
  memcpy(ends, p->records + (size_t)at * 12, sizeof ends);
  memcpy(&weight, p->records + (size_t)at * 12 + 8, sizeof weight);
  CHECK_INT(ends[0] + piece->src_row, r->src[e]);
  CHECK_INT(ends[1] + d * p->shape.dst_rows, r->dst[e]);
  CHECK(ends[0] < piece->src_rows);
  CHECK(weight == (r->weight ? r->weight[e] : 1.0f));
  if (p->position) CHECK_INT(p->position[e], at);
}

/* The records of each cell are its edges in the order of the relation, cut into pieces. */
static void check_partition(const program_edge_list *r, const graphagile_partition *p) {
  int64_t piece = 0;
  uint32_t at = 0, in_piece = 0;
  for (int64_t d = 0; d < p->shards; d++) {
    CHECK_INT(p->shard_begin[d], piece);
    for (int64_t s = 0; s * p->shape.src_rows < r->from_rows; s++) {
      int64_t rest = r->from_rows - s * p->shape.src_rows;
      for (int64_t e = 0; e < r->edges; e++) {
        if (r->src[e] / p->shape.src_rows != s || r->dst[e] / p->shape.dst_rows != d) continue;
        CHECK(piece < p->num_pieces);
        if (piece >= p->num_pieces) return;
        const graphagile_descriptor *at_piece = &p->pieces[piece];
        if (!in_piece) {
          CHECK_INT(at_piece->first_edge, at);
          CHECK_INT(at_piece->src_row, s * p->shape.src_rows);
          CHECK_INT(at_piece->src_rows, rest < p->shape.src_rows ? rest : p->shape.src_rows);
          CHECK(at_piece->num_edges >= 1 && at_piece->num_edges <= (uint32_t)p->shape.max_edges);
        }
        if (p->records) check_record(r, p, at_piece, d, e, at);
        at++;
        if (++in_piece == at_piece->num_edges) {
          piece++;
          in_piece = 0;
        }
      }
      CHECK_INT(in_piece, 0);
    }
  }
  CHECK_INT(piece, p->num_pieces);
  CHECK_INT(p->shard_begin[p->shards], piece);
  CHECK_INT(p->edges, r->edges);
}

static void check(const program_edge_list *r, graphagile_partition_shape shape, int what, int threads) {
  graphagile_partition p;
  CHECK_OK(graphagile_partition_build(r, shape, what, threads, &p));
  check_partition(r, &p);
  CHECK((p.records != NULL) == !!(what & GRAPHAGILE_PARTITION_RECORDS));
  CHECK((p.position != NULL) == !!(what & GRAPHAGILE_PARTITION_POSITIONS));
  graphagile_partition_free(&p);
}

TEST(cells_hold_their_edges_in_the_order_of_the_relation) {
  static const graphagile_partition_shape shapes[] = {
      {64, 64, 65536, 0, 0}, {16, 48, 5, 0, 0},  {1, 1, 1, 0, 0},      {7, 3, 2, 0, 0},
      {100, 1, 4, 0, 0},     {1, 100, 16, 0, 0}, {4096, 64, 64, 0, 0}, {16384, 16384, 65536, 0, 0}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int what = 0; what < 4; what++) {
      random_relation r = make_relation(100 + (int64_t)i, 90, 700, i % 2, 7u * (unsigned)i + (unsigned)what);
      if (what == 3) r.relation.weight = NULL;
      check(&r.relation, shapes[i], what, 2);
      free_relation(&r);
    }
}

TEST(more_cells_than_edges_are_sorted_and_not_counted) {
  random_relation r = make_relation(9000, 11000, 300, false, 3);
  check(&r.relation, (graphagile_partition_shape){.src_rows = 64, .dst_rows = 16, .max_edges = 4},
        GRAPHAGILE_PARTITION_RECORDS | GRAPHAGILE_PARTITION_POSITIONS, 1);
  check(&r.relation, (graphagile_partition_shape){.src_rows = 64, .dst_rows = 16, .max_edges = 1}, 0, 1);
  free_relation(&r);
}

TEST(a_relation_without_edges_or_rows_has_no_pieces) {
  program_edge_list empty = {.from_rows = 5, .to_rows = 5};
  check(&empty, (graphagile_partition_shape){.src_rows = 2, .dst_rows = 2, .max_edges = 4}, 3, 1);
  empty = (program_edge_list){0};
  check(&empty, (graphagile_partition_shape){.src_rows = 2, .dst_rows = 2, .max_edges = 4}, 3, 1);
}

/* Where empty subshards are kept, all cells follow in order with at least one piece each. The
 * cases use both algorithms, counting and sorting. */
TEST(subshards_without_edges_may_be_kept) {
  static const struct {
    int64_t rows, edges;
    int32_t src_rows, dst_rows;
  } cases[] = {{100, 300, 16, 8}, {5000, 20, 32, 64}, {9000, 300, 64, 64}, {300, 0, 50, 100}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    random_relation r = make_relation(cases[i].rows, cases[i].rows, cases[i].edges, false, 23u + (unsigned)i);
    const graphagile_partition_shape shape = {
        .src_rows = cases[i].src_rows, .dst_rows = cases[i].dst_rows, .max_edges = 3};
    int64_t tiles = (cases[i].rows - 1) / shape.src_rows + 1, at = 0;
    graphagile_partition all, some;
    CHECK_OK(graphagile_partition_build(&r.relation, shape, 3 | GRAPHAGILE_PARTITION_EMPTY, 2, &all));
    CHECK_OK(graphagile_partition_build(&r.relation, shape, 3, 2, &some));
    CHECK(!some.edges || !memcmp(all.records, some.records, (size_t)some.edges * 12));
    for (int64_t d = 0, cell = 0; d < all.shards; d++, cell = 0) {
      for (int64_t p = all.shard_begin[d]; p < all.shard_begin[d + 1]; p++) {
        const graphagile_descriptor *piece = &all.pieces[p];
        bool goes_on = p > all.shard_begin[d] && piece->src_row == piece[-1].src_row;
        CHECK(!goes_on || (piece->num_edges && piece[-1].num_edges - piece->num_edges <= 1));
        if (!goes_on) CHECK_INT(piece->src_row, shape.src_rows * cell++);
        if (!piece->num_edges) continue;
        CHECK(!memcmp(piece, &some.pieces[at++], sizeof *piece));
      }
      CHECK_INT(cell, tiles);
    }
    CHECK_INT(at, some.num_pieces);
    graphagile_partition_free(&all);
    graphagile_partition_free(&some);
    free_relation(&r);
  }
}

static void weigh(const void *user, int64_t begin, int64_t count, float *out) {
  for (int64_t i = 0; i < count; i++) out[i] = *(const float *)user * (float)(begin + i);
}

/* New self loops and computed weights are partitioned like stored ones. */
TEST(loops_need_no_list_and_weights_no_array) {
  static const float factor = 0.5f;
  static const graphagile_partition_shape shapes[] = {{64, 48, 7, 0, 0}, {1000, 2000, 65536, 0, 0}, {1, 2, 3, 0, 0}};
  int32_t some[] = {3, 5, 6, 200, 299};
  for (int i = 0; i < 6; i++) {
    int64_t loops = i < 3 ? 300 : 5, edges = 1200;
    random_relation r = make_relation(300, 300, edges + loops, false, 17u + (unsigned)i);
    for (int64_t k = 0; k < loops; k++)
      r.ends[edges + k] = r.ends[2 * edges + loops + k] = i < 3 ? (int32_t)k : some[k];
    program_edge_list parts = r.relation;
    parts.loops = loops;
    parts.loop = i < 3 ? NULL : some;
    parts.weight = NULL;
    parts.weights = (program_weights){weigh, &factor};
    graphagile_partition whole, made;
    CHECK_OK(graphagile_partition_build(&r.relation, shapes[i % 3], 3, 1, &whole));
    CHECK_OK(graphagile_partition_build(&parts, shapes[i % 3], 3, 2, &made));
    CHECK_INT(made.num_pieces, whole.num_pieces);
    CHECK(!memcmp(made.records, whole.records, (size_t)whole.edges * 12));
    CHECK(!memcmp(made.position, whole.position, (size_t)whole.edges * sizeof *whole.position));
    graphagile_partition_free(&whole);
    graphagile_partition_free(&made);
    free_relation(&r);
  }
}

TEST(records_may_go_where_the_caller_wants_them) {
  random_relation r = make_relation(50, 50, 300, false, 5);
  unsigned char room[300 * 12];
  graphagile_partition p = {.records = room}, own;
  const graphagile_partition_shape shape = {.src_rows = 16, .dst_rows = 16, .max_edges = 64};
  CHECK_OK(
      graphagile_partition_build(&r.relation, shape, GRAPHAGILE_PARTITION_RECORDS | GRAPHAGILE_PARTITION_INTO, 1, &p));
  CHECK_OK(graphagile_partition_build(&r.relation, shape, GRAPHAGILE_PARTITION_RECORDS, 1, &own));
  CHECK(p.records == room);
  CHECK(!memcmp(room, own.records, sizeof room));
  p.records = NULL;
  graphagile_partition_free(&p);
  graphagile_partition_free(&own);
  free_relation(&r);
}

TEST(the_number_of_threads_does_not_matter) {
  random_relation r = make_relation(5000, 3000, 400001, true, 11);
  graphagile_partition one, other;
  const graphagile_partition_shape shape = {.src_rows = 1000, .dst_rows = 700, .max_edges = 4096};
  CHECK_OK(graphagile_partition_build(&r.relation, shape, 3, 1, &one));
  for (int threads = 2; threads <= 5; threads++) {
    CHECK_OK(graphagile_partition_build(&r.relation, shape, 3, threads, &other));
    CHECK_INT(other.num_pieces, one.num_pieces);
    CHECK(!memcmp(other.pieces, one.pieces, (size_t)one.num_pieces * sizeof *one.pieces));
    CHECK(!memcmp(other.records, one.records, (size_t)one.edges * 12));
    CHECK(!memcmp(other.position, one.position, (size_t)one.edges * sizeof *one.position));
    graphagile_partition_free(&other);
  }
  graphagile_partition_free(&one);
  free_relation(&r);
}

/* Rows in another order are partitioned like a list that names their places; and the edges of hubs take their places
 * in turns, whether cells are counted or sorted. */
TEST(rows_have_the_places_that_a_list_says) {
  enum { SIZE = 300, LOOPS = 300, STORED = 1200 };
  int32_t place[SIZE];
  for (int i = 0; i < SIZE; i++) place[i] = (i * 7 + 5) % SIZE;
  for (int i = 0; i < 4; i++) {
    random_relation r = make_relation(SIZE, SIZE, STORED + LOOPS, false, 31u + (unsigned)i);
    random_relation given = make_relation(SIZE, SIZE, STORED + LOOPS, false, 31u + (unsigned)i);
    program_edge_list parts = given.relation;
    parts.loops = LOOPS;
    parts.src_place = parts.dst_place = place;
    for (int k = 0; k < LOOPS; k++) r.ends[STORED + k] = r.ends[2 * STORED + LOOPS + k] = k;
    for (int k = 0; k < 2 * (STORED + LOOPS); k++) r.ends[k] = place[r.ends[k]];
    graphagile_partition_shape shape = {.src_rows = i % 2 ? 1 : 64, .dst_rows = i % 2 ? 2 : 48, .max_edges = 7};
    if (i > 1) shape.hub_rows = 2, shape.hub_places = 4;
    graphagile_partition whole, made;
    CHECK_OK(graphagile_partition_build(&r.relation, shape, 3, 1, &whole));
    CHECK_OK(graphagile_partition_build(&parts, shape, 3, 2, &made));
    CHECK(!memcmp(made.records, whole.records, (size_t)whole.edges * 12));
    CHECK(!memcmp(made.position, whole.position, (size_t)whole.edges * sizeof *whole.position));
    for (int64_t e = 0; e < whole.edges; e++) {
      int32_t dst = r.relation.dst[e] % shape.dst_rows, found;
      memcpy(&found, whole.records + (size_t)whole.position[e] * 12 + 4, sizeof found);
      CHECK_INT(found, graphagile_partition_place_sum(&shape, e, dst));
    }
    graphagile_partition_free(&whole);
    graphagile_partition_free(&made);
    free_relation(&r);
    free_relation(&given);
  }
}
