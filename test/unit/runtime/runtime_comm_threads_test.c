/* Ranks that are threads: they do what all ranks do, side by side and one at a time, and whatever one of them does, no other
 * hangs. */
#include "comm_test.h"
#include "runtime/comm/comm_threads.h"

#include <stdatomic.h>

static const int32_t sizes[] = {1, 2, 3, 5, 8};
enum { NUM_SIZES = sizeof sizes / sizeof *sizes };

static status run_suite(comm *c, void *user) {
  (void)user;
  comm_test_all(c);
  return STATUS_OK;
}

TEST(threads_do_what_ranks_do) {
  for (int i = 0; i < NUM_SIZES; i++) CHECK_OK(comm_threads_run(sizes[i], NULL, run_suite, NULL));
}

/* ---- one at a time ---- */

static atomic_int computing;
static atomic_int most_computing;
static atomic_int pauses[8], resumes[8];

static void compute(void) {
  int now = atomic_fetch_add(&computing, 1) + 1;
  if (now > atomic_load(&most_computing)) atomic_store(&most_computing, now);
  comm_test_sleep(20);
  atomic_fetch_sub(&computing, 1);
}

static void count_pause(void *user, int32_t rank) {
  CHECK(user == pauses);
  atomic_fetch_add(&pauses[rank], 1);
  compute();
}

static void count_resume(void *user, int32_t rank) {
  (void)user;
  compute();
  atomic_fetch_add(&resumes[rank], 1);
  CHECK_INT(atomic_load(&pauses[rank]), atomic_load(&resumes[rank]));
}

static const comm_threads_options turns = {
    .one_at_a_time = true, .pause = count_pause, .resume = count_resume, .user = pauses};

TEST(one_rank_at_a_time_runs_and_does_the_same) {
  comm_test_computes = compute;
  for (int i = 0; i < NUM_SIZES; i++) {
    for (int r = 0; r < 8; r++) pauses[r] = resumes[r] = 0;
    most_computing = 0;
    CHECK_OK(comm_threads_run(sizes[i], &turns, run_suite, NULL));
    CHECK_INT(most_computing, 1);
    for (int r = 0; r < sizes[i]; r++) {
      CHECK_INT(pauses[r], resumes[r]);
      CHECK_INT(pauses[r] > 0, sizes[i] > 1);
    }
  }
  comm_test_computes = NULL;
}

/* ---- failures ---- */

static status run_other_sizes(comm *c, void *user) {
  (void)user;
  comm_test_rows_of_other_sizes_are_an_error(c);
  return STATUS_OK;
}

TEST(rows_of_other_sizes_are_an_error_and_no_hang) {
  for (int i = 0; i < NUM_SIZES; i++) {
    CHECK_OK(comm_threads_run(sizes[i], NULL, run_other_sizes, NULL));
    CHECK_OK(comm_threads_run(sizes[i], &turns, run_other_sizes, NULL));
  }
}

static status run_edges_of_other_sizes(comm *c, void *user) {
  (void)user;
  comm_test_edges_of_other_sizes_are_an_error(c);
  return STATUS_OK;
}

TEST(edges_of_other_sizes_are_an_error_and_no_hang) {
  for (int i = 0; i < NUM_SIZES; i++) {
    CHECK_OK(comm_threads_run(sizes[i], NULL, run_edges_of_other_sizes, NULL));
    CHECK_OK(comm_threads_run(sizes[i], &turns, run_edges_of_other_sizes, NULL));
  }
}

static status run_strips_of_other_sizes(comm *c, void *user) {
  (void)user;
  comm_test_strips_of_other_sizes_are_an_error(c);
  return STATUS_OK;
}

TEST(strips_of_other_sizes_are_an_error_and_no_hang) {
  for (int i = 0; i < NUM_SIZES; i++) {
    CHECK_OK(comm_threads_run(sizes[i], NULL, run_strips_of_other_sizes, NULL));
    CHECK_OK(comm_threads_run(sizes[i], &turns, run_strips_of_other_sizes, NULL));
  }
}

static status run_edges_within(comm *c, void *user) {
  (void)user;
  cells_part p = comm_test_part_with(c, &comm_test_cases[0], 3, CELLS_EDGES_both);
  gnnc_comm x = {0};
  float *rows = calloc((size_t)(p.num_edges + p.num_own + p.num_ghosts) + 1, sizeof *rows);
  CHECK_OK(c->engine->exchange(c, &p, &x));
  gnnc_result result = x.begin(x.user, &(gnnc_node_rows){rows, sizeof *rows}, 1);
  if (!result) result = x.share_edges(x.user, rows, sizeof *rows, NULL);
  CHECK_INT(result, GNNC_ERROR_COMM);
  free(rows);
  cells_part_free(&p);
  return c->engine->explain(c);
}

TEST(rows_of_edges_do_not_go_between_begin_and_end) {
  CHECK_FAILS(comm_threads_run(2, NULL, run_edges_within, NULL), "rows of edges between begin and end");
}

/* One rank fails and the others wait for it in different functions. */
static status run_failing(comm *c, void *user) {
  const int32_t culprit = *(int32_t *)user;
  cells_part p = comm_test_part_with(c, &comm_test_cases[0], 3, CELLS_EDGES_both);
  gnnc_comm x = {0};
  CHECK_OK(c->engine->exchange(c, &p, &x));
  if (c->rank == culprit) {
    comm_test_sleep(3000);
    cells_part_free(&p);
    return status_error(STATUS_CODE_format, "the weights of rank %d are missing", c->rank);
  }
  status s = STATUS_OK;
  char byte = 0, all[8];
  float *rows = calloc((size_t)(p.num_edges + p.num_own + p.num_ghosts) + 1, sizeof *rows);
  switch (c->rank % 5) {
  case 0: s = c->engine->gather(c, &byte, 1, all, (const size_t[]){1, 1, 1, 1, 1, 1, 1, 1}); break;
  case 1: s = c->engine->agree(c, STATUS_OK); break;
  case 2:
    CHECK_INT(
        x.share(x.user, rows, sizeof *rows, (const int32_t[]){0, 1, 2, 3, 4, 5}, (const int32_t[]){4, 3, 2, 1, 0}),
        GNNC_ERROR_COMM);
    s = c->engine->explain(c);
    break;
  case 3:
    CHECK_INT(x.share_edges(x.user, rows, sizeof *rows, NULL), GNNC_ERROR_COMM);
    s = c->engine->explain(c);
    break;
  default:
    CHECK(x.begin(x.user, &(gnnc_node_rows){rows, sizeof *rows}, 1) || x.end(x.user) == GNNC_ERROR_COMM);
    s = c->engine->explain(c);
  }
  CHECK(s);
  CHECK_HAS(status_message(s), "has failed");
  free(rows);
  cells_part_free(&p);
  return s;
}

TEST(a_rank_that_fails_ends_the_others_and_its_message_is_returned) {
  for (int32_t culprit = 0; culprit < 5; culprit++) {
    char expected[64];
    snprintf(expected, sizeof expected, "the weights of rank %d are missing", culprit);
    CHECK_FAILS(comm_threads_run(5, NULL, run_failing, &culprit), expected);
  }
}

TEST(a_failing_rank_keeps_its_own_message_in_agree) {
  comm *c = NULL;
  CHECK_OK(comm_threads_open(2, NULL, &c));
  c[1].engine->fail(&c[1]);
  CHECK_FAILS(c[0].engine->agree(&c[0], status_error(STATUS_CODE_io, "no such file")), "rank 0: no such file");
  CHECK_FAILS(c[1].engine->agree(&c[1], STATUS_OK), "rank 1 has failed");
  for (int r = 0; r < 2; r++) c[r].engine->close(&c[r]);
}

/* Rank 0 makes fewer exchanges than the others: it waits elsewhere, or has ended. */
static status run_other_program(comm *c, void *user) {
  cells_part p = comm_test_part(c, &comm_test_cases[0], 3);
  gnnc_comm x = {0};
  CHECK_OK(c->engine->exchange(c, &p, &x));
  float *rows = calloc((size_t)(p.num_own + p.num_ghosts) + 1, sizeof *rows);
  status s = STATUS_OK;
  if (c->rank) {
    CHECK(x.begin(x.user, &(gnnc_node_rows){rows, sizeof *rows}, 1) || x.end(x.user) == GNNC_ERROR_COMM);
    s = c->engine->explain(c);
  } else if (user) {
    s = c->engine->agree(c, STATUS_OK);
  }
  CHECK(s || (!c->rank && !user));
  free(rows);
  cells_part_free(&p);
  return s;
}

TEST(ranks_that_wait_for_one_another_fail) {
  int agrees = 0;
  for (int i = 1; i < NUM_SIZES; i++)
    for (int way = 0; way < 4; way++)
      CHECK_FAILS(comm_threads_run(sizes[i], way % 2 ? &turns : NULL, run_other_program, way / 2 ? &agrees : NULL),
                  "ranks wait for one another");
}

static status run_gather_of_other_sizes(comm *c, void *user) {
  (void)user;
  char mine[2] = {0}, all[8];
  return c->engine->gather(c, mine, 1 + (size_t)c->rank, all, (const size_t[]){1, 1, 1});
}

TEST(gathered_bytes_that_rank_0_does_not_expect_are_refused) {
  CHECK_FAILS(comm_threads_run(2, NULL, run_gather_of_other_sizes, NULL), "rank 1 gathers 2 bytes, expected 1");
}

static status run_too_many_values(comm *c, void *user) {
  cells_part p = comm_test_part(c, &comm_test_cases[0], 3);
  gnnc_comm x = {0};
  gnnc_node_rows values[17] = {{NULL, 0}};
  CHECK_OK(c->engine->exchange(c, &p, &x));
  CHECK_INT(x.begin(x.user, values, *(int32_t *)user), GNNC_ERROR_COMM);
  cells_part_free(&p);
  return c->engine->explain(c);
}

TEST(an_exchange_has_1_to_16_values) {
  CHECK_FAILS(comm_threads_run(2, NULL, run_too_many_values, &(int32_t){17}),
              "17 values in one exchange, expected 1 to 16");
  CHECK_FAILS(comm_threads_run(2, NULL, run_too_many_values, &(int32_t){0}),
              "0 values in one exchange, expected 1 to 16");
}

TEST(ranks_are_closed_in_any_order_without_having_run) {
  comm *c = NULL;
  CHECK_OK(comm_threads_open(3, &turns, &c));
  c[1].engine->close(&c[1]);
  c[0].engine->close(&c[0]);
  c[2].engine->close(&c[2]);
  CHECK_FAILS(comm_threads_open(0, NULL, &c), "0 ranks, expected 1 or more");
}
