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
