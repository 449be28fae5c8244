/* Weights with a row for each node on ranks: each has the rows of its part, first values are those of the whole table, and rank 0 puts
 * all rows together. A table has the number 10 n + k in column k of node n. */
#include "data/graph.h"
#include "runtime/comm/comm_threads.h"
#include "runtime/train_tables.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 41, EDGES = 90, COLUMNS = 3, TABLE = 0, BIAS = 1, WEIGHTS = 2, CELLS = 16 };

static const int32_t sizes[] = {1, 2, 3, 5, 8};
enum { NUM_SIZES = sizeof sizes / sizeof *sizes };

static const gnnc_tensor_info weights[WEIGHTS] = {
    {.name = "x", .from = "emb", .file = "weights", .rows = GNNC_ROWS_NODE, .rank = 1, .dims = {COLUMNS}},
    {.name = "b", .from = "bias", .file = "weights", .rows = GNNC_ROWS_ONE, .rank = 1, .dims = {COLUMNS}}};
static const gnnc_weight_info weight_infos[WEIGHTS] = {{1, 0, "normal 1"}, {1, 0, "zeros"}};

static float number(int64_t node, int64_t column) {
  return (float)(10 * node + column);
}

/* ---- a program that binds the number of nodes ---- */

static size_t bound_bytes(const gnnc_graph *g) {
  (void)g;
  return sizeof(int64_t);
}

static gnnc_result bind_nodes(int32_t version, const gnnc_graph *g, void *bound, size_t size, int64_t *index) {
  (void)version, (void)size, (void)index;
  memcpy(bound, &g->num_nodes, sizeof g->num_nodes);
  return g->num_edges || g->context->comm || g->context->part ? GNNC_ERROR_COUNT : GNNC_OK;
}

/* As those of generated C, values depend on the place in the table and on the number of nodes. */
static gnnc_result initialize(const void *bound, float *const *to, uint64_t seed) {
  int64_t nodes;
  memcpy(&nodes, bound, sizeof nodes);
  for (int64_t i = 0; i < nodes * COLUMNS; i++) to[TABLE][i] = number(i / COLUMNS, i % COLUMNS) + (float)nodes;
  for (int i = 0; i < COLUMNS; i++) to[BIAS][i] = (float)seed;
  return seed ? GNNC_OK : GNNC_ERROR_NULL;
}

static const gnnc_train_info info = {.size = sizeof info,
                                     .num_weights = WEIGHTS,
                                     .weights = weights,
                                     .weight_infos = weight_infos,
                                     .bound_bytes = bound_bytes,
                                     .bind = bind_nodes,
                                     .initialize = initialize};

/* ---- the session of a rank ---- */

typedef struct sample_graph {
  tensor_set *set;
  graph *graph;
  cells cut;
} sample_graph;

static void make_graph(sample_graph *s) {
  uint32_t state = 7;
  void *data = NULL;
  s->set = tensor_set_create("graph");
  CHECK_OK(tensor_set_add(s->set, "edge_index", DTYPE_I32, 2, (const int64_t[]){2, EDGES}, &data));
  for (int i = 0; i < 2 * EDGES; i++)
    ((int32_t *)data)[i] = (int32_t)(((state = state * 1664525u + 1013904223u) >> 8) % NODES);
  tensor_set_put_metadata_int(s->set, "num_nodes", NODES);
  CHECK_OK(graph_create(s->set, &s->graph));
  s->cut = (cells){.num_nodes = NODES, .count = CELLS, .cell = calloc(NODES, sizeof *s->cut.cell)};
  for (int n = 0; n < NODES; n++) s->cut.cell[n] = (7 * n + 3) % CELLS;
}

static void free_graph(sample_graph *s) {
  cells_free(&s->cut);
  graph_close(s->graph);
  tensor_set_destroy(s->set);
}

typedef struct on_rank {
  arena *memory;
  rank_part part;
  train_session session;
  int64_t counts[WEIGHTS];
  float *values[WEIGHTS];
} on_rank;

static void open_rank(comm *c, const sample_graph *s, on_rank *r) {
  *r = (on_rank){.memory = arena_create()};
  const int32_t needs = GNNC_RANKS | GNNC_RANKS_OUT_EDGES | GNNC_RANKS_CELLS;
  CHECK_OK(rank_part_open(c, s->graph, &s->cut, needs, r->memory, false, &r->part));
  r->counts[TABLE] = r->part.field.part.num_nodes * COLUMNS;
  r->counts[BIAS] = COLUMNS;
  for (int i = 0; i < WEIGHTS; i++)
    r->values[i] = arena_alloc_array(r->memory, (size_t)r->counts[i] + 1, sizeof(float));
  r->session = (train_session){.info = &info,
                               .memory = r->memory,
                               .graph = s->graph,
                               .rank = &r->part,
                               .counts = r->counts,
                               .weights = r->values,
                               .context = {.size = sizeof r->session.context, .part = &r->part.numbers}};
  r->session.context.comm = &r->part.exchange;
}

static void close_rank(on_rank *r) {
  rank_part_close(&r->part);
  arena_destroy(r->memory);
}

static int64_t count_wrong(const on_rank *r, const float *rows, float more) {
  int64_t wrong = 0;
  for (int64_t n = 0; n < r->part.field.part.num_nodes; n++)
    for (int64_t k = 0; k < COLUMNS; k++) wrong += rows[n * COLUMNS + k] != number(r->part.field.nodes[n], k) + more;
  return wrong;
}

static void run_on_ranks(status (*body)(comm *c, void *user)) {
  sample_graph s;
  make_graph(&s);
  for (int i = 0; i < NUM_SIZES; i++) CHECK_OK(comm_threads_run(sizes[i], NULL, body, &s));
  free_graph(&s);
}

/* ---- tests ---- */

static status take_and_gather(comm *c, void *user) {
  const sample_graph *s = user;
  on_rank r;
  open_rank(c, s, &r);
  float table[NODES * COLUMNS];
  const float *whole = NULL;
  for (int i = 0; i < NODES * COLUMNS; i++) table[i] = number(i / COLUMNS, i % COLUMNS);
  train_table_take(&r.session, TABLE, table, r.values[TABLE]);
  CHECK_INT(count_wrong(&r, r.values[TABLE], 0), 0);
  for (int64_t i = train_table_count_own(&r.session, TABLE); i < r.counts[TABLE]; i++)
    r.values[TABLE][i] = -1; /* rows of ghosts, which other ranks own */
  CHECK_OK(train_table_gather(&r.session, TABLE, r.values[TABLE], r.memory, &whole));
  CHECK_INT(whole != NULL, c->rank == 0);
  if (whole) CHECK(!memcmp(whole, table, sizeof table));
  CHECK_OK(train_table_gather(&r.session, BIAS, r.values[BIAS], r.memory, &whole));
  CHECK(whole == r.values[BIAS]);
  close_rank(&r);
  return STATUS_OK;
}

TEST(rows_are_taken_from_a_table_and_put_together_again) {
  run_on_ranks(take_and_gather);
}

static status count_numbers(comm *c, void *user) {
  on_rank r;
  open_rank(c, user, &r);
  CHECK(train_table_is_cut(&r.session, TABLE) && !train_table_is_cut(&r.session, BIAS));
  CHECK_INT(train_table_count_own(&r.session, TABLE), r.part.cut.num_own * COLUMNS);
  CHECK_INT(train_table_count_whole(&r.session, TABLE), NODES * COLUMNS);
  CHECK_INT(train_table_count_own(&r.session, BIAS), COLUMNS);
  CHECK_INT(train_table_count_whole(&r.session, BIAS), COLUMNS);
  CHECK_STR(train_table_find_cut(&r.session), "emb");
  close_rank(&r);
  return STATUS_OK;
}

TEST(numbers_are_those_of_own_rows_and_of_the_whole) {
  run_on_ranks(count_numbers);
}

static status initialize_on_rank(comm *c, void *user) {
  on_rank r;
  open_rank(c, user, &r);
  CHECK_OK(train_table_initialize(&r.session, 5));
  CHECK_INT(count_wrong(&r, r.values[TABLE], NODES), 0);
  CHECK(r.values[BIAS][COLUMNS - 1] == 5);
  CHECK_FAILS(train_table_initialize(&r.session, 0), "initialisation failed with result");
  close_rank(&r);
  return STATUS_OK;
}

TEST(first_values_are_those_of_the_whole_table) {
  run_on_ranks(initialize_on_rank);
}

/* The last rank has a number that is not finite. */
static status find_not_finite(comm *c, void *user) {
  on_rank r;
  open_rank(c, user, &r);
  const bool is_last = c->rank == c->size - 1;
  CHECK(train_table_agree(&r.session, true));
  CHECK(!train_table_agree(&r.session, !is_last));
  const gnnc_weight_info none_trained[WEIGHTS] = {{0, 0, ""}, {0, 0, ""}};
  gnnc_train_info alone = info;
  alone.weight_infos = none_trained;
  alone.num_outputs = 1;
  r.session.info = &alone;
  const int64_t own = train_table_count_own(&r.session, TABLE);
  for (int64_t i = own; i < r.counts[TABLE]; i++) r.values[TABLE][i] = (float)INFINITY;
  CHECK(!train_find_not_finite(&r.session)); /* ghosts have what nobody reads */
  if (is_last) r.values[TABLE][own - 1] = (float)NAN;
  CHECK_STR(train_find_not_finite(&r.session), "'emb'");
  close_rank(&r);
  return STATUS_OK;
}

TEST(what_one_rank_finds_all_find) {
  run_on_ranks(find_not_finite);
}

static status check_clip(comm *c, void *user) {
  on_rank r;
  open_rank(c, user, &r);
  const gnnc_optimizer plain = {.size = sizeof plain}, clips = {.size = sizeof clips, .clip = 1};
  CHECK_OK(train_check_optimizer(&r.session, &plain));
  CHECK_FAILS(train_check_optimizer(&r.session, &clips),
              "gradients are not clipped on ranks that train 'emb', which has a row for each node");
  r.session.rank = NULL;
  CHECK_OK(train_check_optimizer(&r.session, &clips));
  close_rank(&r);
  return STATUS_OK;
}

/* They would wait for exchanges that never come. */
static status open_with_other_modes(comm *c, void *user) {
  const sample_graph *s = user;
  arena *memory = arena_create();
  rank_part part;
  const int32_t needs = GNNC_RANKS | (c->rank == 1 ? GNNC_RANKS_COLUMNS : 0);
  status opened = rank_part_open(c, s->graph, &s->cut, needs, memory, false, &part);
  if (c->size > 1)
    CHECK_FAILS(opened, "rank 0: rank 1 has columns, and rank 0 has rows: give all the same --mode");
  else
    CHECK_OK(opened);
  rank_part_close(&part);
  arena_destroy(memory);
  return STATUS_OK;
}

TEST(ranks_with_rows_and_ranks_with_columns_are_refused) {
  run_on_ranks(open_with_other_modes);
}

TEST(gradients_of_tables_are_not_clipped) {
  run_on_ranks(check_clip);
}
