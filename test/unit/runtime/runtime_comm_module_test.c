/* The module for MPI where it is missing or another file; comm_mpi_ranks.c has it where it is there. */
#include "runtime/comm/comm_module.h"
#include "unit.h"

static void check_module(const char *path, status_code code, const char *message) {
  comm *c = NULL;
  setenv("GNNC_MPI_MODULE", path, 1);
  status s = comm_open_mpi(NULL, NULL, &c);
  CHECK_INT(status_get_code(s), code);
  CHECK_HAS(status_message(s), message);
  CHECK(!c);
  status_free(s);
}

TEST(without_the_module_a_message_says_why) {
  check_module("/nowhere/gnnc_mpi.so", STATUS_CODE_unsupported, "MPI was not found when gnnc was built");
  check_module("/nowhere/gnnc_mpi.so", STATUS_CODE_unsupported, "there is no /nowhere/gnnc_mpi.so");
  /* A test lies in another folder than programs that are installed. */
  check_module("", STATUS_CODE_unsupported, "gnnc/gnnc_mpi.so");
}

TEST(another_file_is_no_module) {
  check_module("/proc/self/exe", STATUS_CODE_unsupported, "cannot load the module for MPI: /proc/self/exe");
  check_module("libm.so.6", STATUS_CODE_unsupported, "there is no libm.so.6");
}
