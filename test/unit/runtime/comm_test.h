/* What every engine of runtime/comm/comm.h does, as functions that all ranks call at once with their own comm: ranks are
 * threads in runtime_comm_threads_test.c and processes in comm_mpi_ranks.c. Each rank makes its part from the same numbers, so
 * the checks need no other way between ranks than the one they check. */
#ifndef GNNC_TEST_UNIT_RUNTIME_COMM_TEST_H
#define GNNC_TEST_UNIT_RUNTIME_COMM_TEST_H

#include "runtime/comm/comm.h"
#include "unit.h"

#include <time.h>

/* Called where a rank computes; may be set before ranks start. */
static void (*comm_test_computes)(void);

static uint32_t comm_test_next(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void comm_test_sleep(long microseconds) {
  nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

/* ---- graphs ---- */

typedef struct comm_test_case {
  const char *name;
  int32_t nodes, edges;
  bool has_blocks;    /* cells are ranges of nodes, else random */
  bool leaves_a_rank; /* rank 1 has no nodes */
  bool goes_up;       /* no edge goes to a lower cell: rows go in one direction */
} comm_test_case;

static const comm_test_case comm_test_cases[] = {
    {"random cells", 300, 900, false, false, false}, /* about 15 nodes have no edges */
    {"blocks", 300, 900, true, false, false},        {"a rank without nodes", 120, 400, false, true, false},
    {"one direction", 200, 500, true, false, true},  {"no edges", 40, 0, false, false, false},
    {"one node", 1, 3, false, false, false},
};

static int32_t comm_test_cell(const comm_test_case *t, int32_t node, int32_t count, int32_t ranks, uint32_t *state) {
  int32_t cell =
      t->has_blocks ? (int32_t)((int64_t)node * count / t->nodes) : (int32_t)(comm_test_next(state) % (uint32_t)count);
  return t->leaves_a_rank && cells_rank_of(cell, count, ranks) == 1 ? 0 : cell;
}

/* The part of this rank in the graph of a case, with these edges; the caller frees it. */
static cells_part comm_test_part_with(const comm *c, const comm_test_case *t, uint32_t seed, cells_edges edges) {
  uint32_t state = seed;
  cells cut = {.num_nodes = t->nodes, .count = 2 * c->size};
  cut.cell = malloc((size_t)t->nodes * sizeof *cut.cell);
  for (int32_t v = 0; v < t->nodes; v++) cut.cell[v] = comm_test_cell(t, v, cut.count, c->size, &state);
  tensor_set *set = tensor_set_create("comm test");
  void *data;
  CHECK_OK(tensor_set_add(set, "edge_index", DTYPE_I32, 2, (const int64_t[]){2, t->edges}, &data));
  int32_t *src = data, *dst = src + t->edges;
  for (int32_t e = 0; e < t->edges; e++) {
    const int32_t a = (int32_t)(comm_test_next(&state) % (uint32_t)t->nodes);
    const int32_t b = (int32_t)(comm_test_next(&state) % (uint32_t)t->nodes);
    const bool turns = t->goes_up && cut.cell[a] > cut.cell[b];
    src[e] = turns ? b : a;
    dst[e] = turns ? a : b;
  }
  tensor_set_put_metadata_int(set, "num_nodes", t->nodes);
  graph *g = NULL;
  cells_part part = {0};
  CHECK_OK(graph_create(set, &g));
  CHECK_OK(cells_part_make(g, &cut, c->rank, c->size, edges, &part));
  graph_close(g);
  tensor_set_destroy(set);
  cells_free(&cut);
  return part;
}

static cells_part comm_test_part(const comm *c, const comm_test_case *t, uint32_t seed) {
  return comm_test_part_with(c, t, seed, CELLS_EDGES_in);
}

/* ---- rows ---- */

static uint32_t comm_test_word(int64_t node, int round, size_t word) {
  return (uint32_t)node * 2654435761u + (uint32_t)round * 40503u + (uint32_t)word * 97u;
}

static void comm_test_fill(const cells_part *p, int round, size_t words, uint32_t *rows) {
  for (int64_t v = 0; v < p->num_own; v++)
    for (size_t w = 0; w < words; w++) rows[(size_t)v * words + w] = comm_test_word(p->number[v], round, w);
  if (p->num_ghosts) memset(rows + (size_t)p->num_own * words, 0xEE, (size_t)p->num_ghosts * words * sizeof *rows);
}

/* The number of words of own rows and of ghosts that differ from those of the owner. */
static int64_t comm_test_wrong(const cells_part *p, int round, size_t words, const uint32_t *rows) {
  int64_t wrong = 0;
  for (int64_t v = 0; v < p->num_own + p->num_ghosts; v++)
    for (size_t w = 0; w < words; w++) wrong += rows[(size_t)v * words + w] != comm_test_word(p->number[v], round, w);
  return wrong;
}

/* One exchange: fills rows, of odd rounds with a second value of one word, exchanges them and compares. Sleeps so long at most, before, between and after. */
static void comm_test_exchange(comm *c, const cells_part *p, const gnnc_comm *x, int round, size_t words, long sleeps) {
  uint32_t *rows = malloc(((size_t)(p->num_own + p->num_ghosts) * words + 1) * sizeof *rows);
  uint32_t state = (uint32_t)round * 31u + (uint32_t)c->rank;
  uint32_t *others = malloc(((size_t)(p->num_own + p->num_ghosts) + 1) * sizeof *others);
  const int64_t bytes = c->bytes_received, exchanges = c->exchanges;
  const gnnc_node_rows values[] = {{rows, words * sizeof *rows}, {others, sizeof *others}};
  const int32_t count = 1 + round % 2;
  comm_test_fill(p, round, words, rows);
  comm_test_fill(p, round + 1000, 1, others);
  for (int step = 0; step < 3; step++) {
    if (comm_test_computes) comm_test_computes();
    if (sleeps && comm_test_next(&state) % 4 == 0) comm_test_sleep((long)(comm_test_next(&state) % (uint32_t)sleeps));
    if (step == 0) CHECK_INT(x->begin(x->user, values, count), GNNC_OK);
    if (step == 1) CHECK_INT(x->end(x->user), GNNC_OK);
  }
  CHECK_INT(comm_test_wrong(p, round, words, rows), 0);
  if (count > 1) CHECK_INT(comm_test_wrong(p, round + 1000, 1, others), 0);
  CHECK_INT(c->bytes_received - bytes,
            cells_part_received_bytes(p, (int64_t)((words + (size_t)count - 1) * sizeof *rows)));
  CHECK_INT(c->exchanges - exchanges, 1);
  CHECK_OK(c->engine->explain(c));
  free(rows);
  free(others);
}

static void comm_test_rows_of_ghosts_are_those_of_their_owners(comm *c) {
  for (size_t i = 0; i < sizeof comm_test_cases / sizeof *comm_test_cases; i++) {
    cells_part p = comm_test_part(c, &comm_test_cases[i], 5u + (uint32_t)i);
    gnnc_comm x = {0};
    CHECK_OK(c->engine->exchange(c, &p, &x));
    CHECK_INT(x.size, sizeof x);
    CHECK_INT(x.num_ghosts, p.num_ghosts);
    CHECK_INT(x.num_interior, p.num_interior);
    int round = 0;
    for (size_t words = 1; words <= 1024; words *= 2) comm_test_exchange(c, &p, &x, round++, words, 0);
    comm_test_exchange(c, &p, &x, round++, 3, 0);
    CHECK_OK(c->engine->agree(c, STATUS_OK)); /* all have received, before parts are freed */
    cells_part_free(&p);
  }
}

/* Two graphs in turn, with rows of many sizes, while ranks sleep now and then. */
static void comm_test_many_exchanges_keep_their_order(comm *c) {
  cells_part p[2] = {comm_test_part(c, &comm_test_cases[0], 17), comm_test_part(c, &comm_test_cases[3], 18)};
  gnnc_comm x[2] = {{0}, {0}};
  for (int i = 0; i < 2; i++) CHECK_OK(c->engine->exchange(c, &p[i], &x[i]));
  for (int round = 0; round < 200; round++) {
    const int which = round % 3 == 0;
    comm_test_exchange(c, &p[which], &x[which], round, 1 + (size_t)round * 7 % 64, 400);
  }
  CHECK_OK(c->engine->agree(c, STATUS_OK));
  for (int i = 0; i < 2; i++) cells_part_free(&p[i]);
}

static void comm_test_parts_of_other_cells_are_refused(comm *c) {
  if (c->size == 1) return;
  cells_part p = comm_test_part(c, &comm_test_cases[0], 100u + (uint32_t)c->rank);
  gnnc_comm x = {0};
  CHECK_FAILS(c->engine->exchange(c, &p, &x), "rank 0: rank 1 sends ");
  cells_part_free(&p);
  p = comm_test_part(c, &comm_test_cases[0], 100);
  p.rank = c->rank == 1 ? 0 : c->rank;
  CHECK_FAILS(c->engine->exchange(c, &p, &x), "rank 1: a part of rank 0 of ");
  p.rank = c->rank;
  CHECK_OK(c->engine->exchange(c, &p, &x)); /* and that of the right rank is taken */
  comm_test_exchange(c, &p, &x, 1, 4, 0);
  CHECK_OK(c->engine->agree(c, STATUS_OK));
  cells_part_free(&p);
}

/* ---- rows of edges ---- */

/* Where the row of an edge lies: edges of even rounds have no list; with one, edges turn round, and two edges have a row between them. */
static int64_t comm_test_place(const cells_part *p, int64_t edge, int round) {
  return round % 2 ? 2 * (p->num_edges - 1 - edge) : edge;
}

/* One round: each rank has written rows of edges into its nodes, and gets those of edges out of them into ghosts; it touches no others. */
static void comm_test_share_edges(comm *c, const cells_part *p, const gnnc_comm *x, int round, size_t words,
                                  long sleeps) {
  const size_t count = 2 * (size_t)p->num_edges + 1;
  uint32_t *rows = malloc(count * words * sizeof *rows), state = (uint32_t)round * 19u + (uint32_t)c->rank;
  int32_t *places = malloc(count * sizeof *places);
  const int64_t received = c->bytes_received, exchanges = c->exchanges;
  memset(rows, 0xEE, count * words * sizeof *rows);
  for (int64_t e = 0; e < p->num_edges; e++) {
    places[e] = (int32_t)comm_test_place(p, e, round);
    for (size_t w = 0; w < words && p->dst[e] < p->num_own; w++)
      rows[(size_t)places[e] * words + w] = comm_test_word(p->edge[e], round, w);
  }
  if (sleeps && comm_test_next(&state) % 4 == 0) comm_test_sleep((long)(comm_test_next(&state) % (uint32_t)sleeps));
  if (comm_test_computes) comm_test_computes();
  CHECK_INT(x->share_edges(x->user, rows, words * sizeof *rows, round % 2 ? places : NULL), GNNC_OK);
  int64_t wrong = 0, ours = 0, cut = 0;
  for (int64_t e = 0; e < p->num_edges; e++) {
    cut += p->dst[e] >= p->num_own;
    for (size_t w = 0; w < words; w++)
      wrong += rows[(size_t)places[e] * words + w] != comm_test_word(p->edge[e], round, w);
  }
  for (size_t i = 0; i < count * words; i++) ours += rows[i] != 0xEEEEEEEEu;
  CHECK_INT(wrong, 0);
  CHECK_INT(ours, p->num_edges * (int64_t)words);
  CHECK_INT(c->bytes_received - received, cut * (int64_t)(words * sizeof *rows));
  CHECK_INT(c->bytes_received - received, cells_part_received_edge_bytes(p, (int64_t)(words * sizeof *rows)));
  CHECK_INT(c->exchanges - exchanges, 1);
  memset(rows, 0, count * words * sizeof *rows); /* they are the caller's again */
  free(rows);
  free(places);
}

static void comm_test_rows_of_edges_are_those_of_the_owners_of_destinations(comm *c) {
  for (size_t i = 0; i < sizeof comm_test_cases / sizeof *comm_test_cases; i++) {
    cells_part p = comm_test_part_with(c, &comm_test_cases[i], 61u + (uint32_t)i, CELLS_EDGES_both);
    gnnc_comm x = {0};
    CHECK_OK(c->engine->exchange(c, &p, &x));
    for (int round = 0; round < 20; round++) {
      comm_test_share_edges(c, &p, &x, round, 1 + (size_t)round * 13 % 40, 200);
      if (round % 3 == 0) comm_test_exchange(c, &p, &x, round, 4, 0);
    }
    CHECK_OK(c->engine->explain(c));
    CHECK_OK(c->engine->agree(c, STATUS_OK));
    cells_part_free(&p);
  }
}

/* Several edges may have one row, as those of one type into a node. */
static void comm_test_edges_may_have_one_row_together(comm *c) {
  cells_part p = comm_test_part_with(c, &comm_test_cases[0], 71, CELLS_EDGES_both);
  gnnc_comm x = {0};
  CHECK_OK(c->engine->exchange(c, &p, &x));
  int32_t *places = malloc(((size_t)p.num_edges + 1) * sizeof *places);
  uint32_t *rows = calloc((size_t)(p.num_own + p.num_ghosts) + 1, sizeof *rows);
  for (int64_t v = 0; v < p.num_own; v++) rows[v] = comm_test_word(p.number[v], 0, 0);
  for (int64_t e = 0; e < p.num_edges; e++) places[e] = p.dst[e];
  CHECK_INT(x.share_edges(x.user, rows, sizeof *rows, places), GNNC_OK);
  int64_t wrong = 0;
  for (int64_t e = 0; e < p.num_edges; e++) wrong += rows[p.dst[e]] != comm_test_word(p.number[p.dst[e]], 0, 0);
  CHECK_INT(wrong, 0);
  CHECK_OK(c->engine->agree(c, STATUS_OK));
  free(places);
  free(rows);
  cells_part_free(&p);
}

static void comm_test_other_edges_are_refused(comm *c) {
  if (c->size == 1) return;
  cells_part p = comm_test_part_with(c, &comm_test_cases[0], 81, CELLS_EDGES_both);
  gnnc_comm x = {0};
  CHECK_INT(p.neighbours[0].rank, c->rank == 0);
  p.neighbours[0].num_edges_sent -= c->rank == 0;
  CHECK_FAILS(c->engine->exchange(c, &p, &x), "rank 1: rank 0 sends rows of ");
  p.neighbours[0].num_edges_sent += c->rank == 0;
  CHECK_OK(c->engine->exchange(c, &p, &x));
  comm_test_share_edges(c, &p, &x, 1, 4, 0);
  CHECK_OK(c->engine->agree(c, STATUS_OK));
  cells_part_free(&p);
}

/* ---- columns ---- */

/* One round: the rank gets its strips of the rows of all nodes, gives them back changed, and gets its own rows changed. */
static void comm_test_transpose(comm *c, const cells_part *p, const gnnc_comm *x, int round, int32_t strips,
                                size_t words) {
  const size_t nodes = (size_t)(p->num_own + p->num_ghosts), row = (size_t)strips * words;
  const int64_t first = cells_part_first_strip(strips, c->rank, c->size);
  const int64_t held = cells_part_count_strips(strips, c->rank, c->size), before = c->bytes_received;
  const size_t strip_bytes = words * sizeof(uint32_t);
  uint32_t *rows = malloc((nodes * row + 1) * sizeof *rows), *columns = malloc((nodes * row + 1) * sizeof *columns);
  int64_t wrong = 0;
  comm_test_fill(p, round, row, rows);
  CHECK_INT(x->transpose(x->user, rows, columns, strip_bytes, strips, 0), GNNC_OK);
  for (int64_t group = 64, behind = 0; group > 0; behind += held & group, group /= 2)
    for (size_t i = 0; held & group && i < nodes * (size_t)group * words; i++) {
      uint32_t *at = &columns[(size_t)behind * nodes * words + i];
      const size_t word = i % ((size_t)group * words), v = i / ((size_t)group * words);
      wrong += *at != comm_test_word(p->number[v], round, (size_t)(first + behind) * words + word);
      *at += 7;
    }
  CHECK_INT(wrong, 0);
  memset(rows, 0xEE, nodes * row * sizeof *rows);
  CHECK_INT(x->transpose(x->user, columns, rows, strip_bytes, strips, 1), GNNC_OK);
  for (size_t v = 0; v < (size_t)p->num_own; v++)
    for (size_t w = 0; w < row; w++) wrong += rows[v * row + w] != comm_test_word(p->number[v], round, w) + 7;
  CHECK_INT(wrong, 0);
  CHECK_INT(c->bytes_received - before, cells_part_transposed_bytes(p, (int64_t)strip_bytes, strips, false) +
                                            cells_part_transposed_bytes(p, (int64_t)strip_bytes, strips, true));
  free(columns);
  free(rows);
}

/* More strips than ranks and fewer; rows of ghosts, which are all nodes of other ranks, are exchanged between. */
static void comm_test_columns_are_those_of_all_rows(comm *c) {
  for (size_t i = 0; i < sizeof comm_test_cases / sizeof *comm_test_cases; i++) {
    cells_part p = comm_test_part_with(c, &comm_test_cases[i], 70 + (uint32_t)i, CELLS_EDGES_all);
    gnnc_comm x = {0};
    CHECK_OK(c->engine->exchange(c, &p, &x));
    CHECK_INT(x.has_columns, c->size > 1);
    CHECK_INT(p.num_own + p.num_ghosts, comm_test_cases[i].nodes);
    CHECK_INT(p.num_edges, comm_test_cases[i].edges);
    static const int32_t strips[] = {16, 2, 7, 1, 41};
    for (int round = 0; round < 5; round++) {
      comm_test_transpose(c, &p, &x, round, strips[round], 1 + (size_t)round);
      comm_test_exchange(c, &p, &x, round, 3, 0);
    }
    cells_part_free(&p);
  }
}

/* ---- rows of cells ---- */

/* Rows that each rank has written, in any order of their numbers; some ranks have none. */
typedef struct comm_test_list {
  int32_t *ptr, *numbers; /* numbers are even: rows between them are in no list */
} comm_test_list;

static comm_test_list comm_test_make_list(const comm *c, int round) {
  comm_test_list l = {.ptr = calloc((size_t)c->size + 1, sizeof *l.ptr)};
  uint32_t state = 77u + (uint32_t)round;
  for (int32_t r = 0; r < c->size; r++) l.ptr[r + 1] = l.ptr[r] + (r * 5 + round) % 4;
  const int32_t count = l.ptr[c->size];
  l.numbers = malloc(((size_t)count + 1) * sizeof *l.numbers);
  for (int32_t i = 0; i < count; i++) {
    const int32_t at = (int32_t)(comm_test_next(&state) % (uint32_t)(i + 1));
    l.numbers[i] = l.numbers[at];
    l.numbers[at] = 2 * i;
  }
  return l;
}

static unsigned char comm_test_byte(int32_t number, int round, size_t byte) {
  return (unsigned char)((uint32_t)number * 31u + (uint32_t)round * 7u + (uint32_t)(byte % 253));
}

/* One round: each rank writes its rows, and then has those of all. */
static void comm_test_share(comm *c, const gnnc_comm *x, int round, size_t row_bytes, long sleeps) {
  comm_test_list l = comm_test_make_list(c, round);
  const int32_t count = l.ptr[c->size], own = l.ptr[c->rank + 1] - l.ptr[c->rank];
  const size_t bytes = (2 * (size_t)count + 1) * row_bytes;
  const int64_t shared = c->bytes_shared, received = c->bytes_received;
  uint32_t state = (uint32_t)round * 13u + (uint32_t)c->rank;
  unsigned char *rows = malloc(bytes + 1);
  memset(rows, 0xEE, bytes);
  for (int32_t i = l.ptr[c->rank]; i < l.ptr[c->rank + 1]; i++)
    for (size_t k = 0; k < row_bytes; k++)
      rows[(size_t)l.numbers[i] * row_bytes + k] = comm_test_byte(l.numbers[i], round, k);
  if (sleeps && comm_test_next(&state) % 4 == 0) comm_test_sleep((long)(comm_test_next(&state) % (uint32_t)sleeps));
  if (comm_test_computes) comm_test_computes();
  CHECK_INT(x->share(x->user, rows, row_bytes, l.ptr, l.numbers), GNNC_OK);
  int64_t wrong = 0;
  for (size_t i = 0; i < bytes; i++) {
    const int32_t number = (int32_t)(i / row_bytes);
    wrong += rows[i] != (number % 2 || number >= 2 * count ? 0xEE : comm_test_byte(number, round, i % row_bytes));
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(c->bytes_shared - shared, (int64_t)(count - own) * (int64_t)row_bytes);
  CHECK_INT(c->bytes_received, received); /* these are no rows of ghosts */
  memset(rows, 0, bytes);                 /* they are the caller's again */
  free(rows);
  free(l.ptr);
  free(l.numbers);
}

static void comm_test_all_get_the_rows_of_all(comm *c) {
  cells_part p = comm_test_part(c, &comm_test_cases[0], 41);
  gnnc_comm x = {0};
  CHECK_OK(c->engine->exchange(c, &p, &x));
  CHECK_INT(x.rank, c->rank);
  CHECK_INT(x.ranks, c->size);
  CHECK(x.cells == p.cells && x.cell_ptr == p.cell_ptr && x.cell_nodes == p.cell_nodes);
  for (int round = 0; round < 60; round++) {
    comm_test_share(c, &x, round, 1 + (size_t)round * 37 % 300, 200);
    if (round % 5 == 0) comm_test_exchange(c, &p, &x, round, 4, 0);
  }
  comm_test_share(c, &x, 2, 100000, 0);
  CHECK_OK(c->engine->explain(c));
  CHECK_OK(c->engine->agree(c, STATUS_OK));
  cells_part_free(&p);
}

/* ---- agree, gather ---- */

static void comm_test_ranks_agree_on_the_failure_of_the_lowest(comm *c) {
  char expected[128], *lengthy = malloc(20001);
  memset(lengthy, 'x', 20000);
  lengthy[20000] = 0;
  for (int round = 0; round < 40; round++) {
    const int32_t lowest = round % (c->size + 1); /* size: none fails */
    const bool fails = c->rank >= lowest && (c->rank - lowest) % 2 == 0;
    const status_code code = c->rank == lowest ? STATUS_CODE_version : STATUS_CODE_format;
    status mine = fails ? status_error(code, "file %d is bad: %s", c->rank, round % 7 ? "short" : lengthy) : STATUS_OK;
    status all = c->engine->agree(c, mine);
    if (lowest == c->size) {
      CHECK_OK(all);
      continue;
    }
    snprintf(expected, sizeof expected, "rank %d: file %d is bad: %s", lowest, lowest, round % 7 ? "short" : "xxx");
    CHECK_HAS(status_message(all), expected);
    CHECK_INT(strlen(status_message(all)), strlen(expected) + (round % 7 ? 0 : 20000 - 3));
    CHECK_INT(status_get_code(all), STATUS_CODE_version);
    status_free(all);
  }
  free(lengthy);
}

static size_t comm_test_bytes(int32_t rank, int round) {
  return round == 0 ? 0 : (size_t)rank * 37u % 5u * 4001u * (size_t)round + (size_t)(rank + round) % 2u;
}

static void comm_test_gather_keeps_the_order_of_ranks(comm *c) {
  for (int round = 0; round < 20; round++) {
    size_t *sizes = calloc((size_t)c->size, sizeof *sizes), total = 0, bytes = comm_test_bytes(c->rank, round), at = 0;
    for (int32_t r = 0; r < c->size; r++) total += sizes[r] = comm_test_bytes(r, round);
    unsigned char *mine = malloc(bytes + 1), *all = c->rank ? NULL : calloc(total + 1, 1);
    for (size_t i = 0; i < bytes; i++) mine[i] = (unsigned char)(c->rank * 11 + (int)(i % 251));
    CHECK_OK(c->engine->gather(c, mine, bytes, all, c->rank ? NULL : sizes));
    memset(mine, 0, bytes); /* it is the caller's again */
    int64_t wrong = 0;
    for (int32_t r = 0; r < c->size && all; at += sizes[r++])
      for (size_t i = 0; i < sizes[r]; i++) wrong += all[at + i] != (unsigned char)(r * 11 + (int)(i % 251));
    CHECK_INT(wrong, 0);
    free(sizes);
    free(mine);
    free(all);
  }
}

/* ---- all ---- */

static void comm_test_all(comm *c) {
  comm_test_rows_of_ghosts_are_those_of_their_owners(c);
  comm_test_many_exchanges_keep_their_order(c);
  comm_test_parts_of_other_cells_are_refused(c);
  comm_test_rows_of_edges_are_those_of_the_owners_of_destinations(c);
  comm_test_edges_may_have_one_row_together(c);
  comm_test_other_edges_are_refused(c);
  comm_test_columns_are_those_of_all_rows(c);
  comm_test_all_get_the_rows_of_all(c);
  comm_test_ranks_agree_on_the_failure_of_the_lowest(c);
  comm_test_gather_keeps_the_order_of_ranks(c);
}

/* The last check of a comm: rows of other sizes at all ranks are an error, and no hang. */
static void comm_test_rows_of_other_sizes_are_an_error(comm *c) {
  if (c->size == 1) return;
  cells_part p = comm_test_part(c, &comm_test_cases[0], 23);
  gnnc_comm x = {0};
  CHECK_OK(c->engine->exchange(c, &p, &x));
  const size_t row_bytes = 64 * (size_t)(c->rank + 1);
  char *rows = calloc((size_t)(p.num_own + p.num_ghosts) + 1, row_bytes);
  gnnc_result result = x.begin(x.user, &(gnnc_node_rows){rows, row_bytes}, 1);
  if (!result) result = x.end(x.user);
  CHECK_INT(result, GNNC_ERROR_COMM);
  CHECK_FAILS(c->engine->explain(c), "the ranks do not run the same program");
  free(rows);
  cells_part_free(&p);
}

/* The same of strips of columns. */
static void comm_test_strips_of_other_sizes_are_an_error(comm *c) {
  if (c->size == 1) return;
  cells_part p = comm_test_part_with(c, &comm_test_cases[0], 23, CELLS_EDGES_all);
  gnnc_comm x = {0};
  CHECK_OK(c->engine->exchange(c, &p, &x));
  const size_t strip_bytes = 64 * (size_t)(c->rank + 1), row_bytes = 16 * strip_bytes;
  char *rows = calloc((size_t)p.num_own + 1, row_bytes);
  char *columns = calloc((size_t)(p.num_own + p.num_ghosts) + 1, row_bytes);
  CHECK_INT(x.transpose(x.user, rows, columns, strip_bytes, 16, 0), GNNC_ERROR_COMM);
  CHECK_FAILS(c->engine->explain(c), "the ranks do not run the same program");
  free(columns);
  free(rows);
  cells_part_free(&p);
}

/* The same of rows of edges. */
static void comm_test_edges_of_other_sizes_are_an_error(comm *c) {
  if (c->size == 1) return;
  cells_part p = comm_test_part_with(c, &comm_test_cases[0], 23, CELLS_EDGES_both);
  gnnc_comm x = {0};
  CHECK_OK(c->engine->exchange(c, &p, &x));
  const size_t row_bytes = 64 * (size_t)(c->rank + 1);
  char *rows = calloc((size_t)p.num_edges + 1, row_bytes);
  CHECK_INT(x.share_edges(x.user, rows, row_bytes, NULL), GNNC_ERROR_COMM);
  CHECK_FAILS(c->engine->explain(c), "the ranks do not run the same program");
  free(rows);
  cells_part_free(&p);
}

#endif
