/* Ranks that are processes of MPI: they do what all ranks do. mpirun starts this program, and each process is a rank; MPI is
 * initialised once in a process, so each run of the program has one test. */
#include "comm_test.h"
#include "runtime/comm/comm_module.h"

static comm *open_rank(void) {
  comm *c = NULL;
  CHECK_OK(comm_open_mpi(NULL, NULL, &c));
  if (!c) exit(3); /* 1 is that of processes that are ended */
  CHECK_STR(c->engine->name, "mpi");
  return c;
}

TEST(processes_do_what_ranks_do) {
  comm *c = open_rank();
  const char *expected = getenv("GNNC_TEST_RANKS");
  CHECK_INT(c->size, expected ? atoi(expected) : 1);
  comm_test_all(c);
  c->engine->close(c);
}

/* mpirun ends with exit status 1, and with 3 where a check fails. */
TEST(rows_of_other_sizes_end_all_processes) {
  comm *c = open_rank();
  comm_test_rows_of_other_sizes_are_an_error(c);
  if (unit_failures) _Exit(3);
  comm_test_sleep(300000);
  c->engine->close(c);
  CHECK(0); /* not reached */
}

TEST(edges_of_other_sizes_end_all_processes) {
  comm *c = open_rank();
  comm_test_edges_of_other_sizes_are_an_error(c);
  if (unit_failures) _Exit(3);
  comm_test_sleep(300000);
  c->engine->close(c);
  CHECK(0); /* not reached */
}

TEST(strips_of_other_sizes_end_all_processes) {
  comm *c = open_rank();
  comm_test_strips_of_other_sizes_are_an_error(c);
  if (unit_failures) _Exit(3);
  comm_test_sleep(300000);
  c->engine->close(c);
  CHECK(0); /* not reached */
}

/* The last rank fails while the others wait: mpirun ends them all with exit status 1. */
TEST(a_process_that_fails_ends_the_others) {
  comm *c = open_rank();
  if (c->rank == c->size - 1) {
    comm_test_sleep(3000);
    c->engine->fail(c);
  }
  status_free(c->engine->agree(c, STATUS_OK));
  CHECK(0); /* not reached */
}

/* Rank 0 sends one row many times, 2^31 + 2^20 bytes: more than MPI can count in an int. */
TEST(messages_may_have_more_than_2_GiB) {
  enum { ROWS = 2049, ROW_BYTES = 1 << 20 };
  comm *c = open_rank();
  CHECK_INT(c->size, 2);
  int32_t *sent = calloc(ROWS, sizeof *sent);
  cells_neighbour n = {.rank = 1 - c->rank, .num_sent = c->rank ? 0 : ROWS, .num_received = c->rank ? ROWS : 0};
  n.sent = sent;
  n.first_received = 1;
  const cells_part p = {.rank = c->rank,
                        .ranks = 2,
                        .num_interior = 1,
                        .num_own = 1,
                        .num_ghosts = n.num_received,
                        .num_neighbours = 1,
                        .neighbours = &n};
  gnnc_comm x = {0};
  CHECK_OK(c->engine->exchange(c, &p, &x));
  char *rows = malloc((1 + (size_t)n.num_received) * ROW_BYTES);
  for (size_t i = 0; rows && i < ROW_BYTES; i++) rows[i] = (char)(i * 7 % 251);
  CHECK(rows);
  CHECK_INT(x.begin(x.user, &(gnnc_node_rows){rows, ROW_BYTES}, 1), GNNC_OK);
  CHECK_INT(x.end(x.user), GNNC_OK);
  CHECK_OK(c->engine->explain(c));
  CHECK_INT(c->bytes_received, n.num_received * ROW_BYTES);
  int64_t wrong = 0;
  for (int64_t i = 0; i < n.num_received; i++)
    wrong += memcmp(rows + (size_t)(1 + i) * ROW_BYTES, rows, ROW_BYTES) != 0;
  CHECK_INT(wrong, 0);
  free(rows);
  free(sent);
  c->engine->close(c);
}
