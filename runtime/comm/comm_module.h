/* Finds the module for MPI. It is a library of its own, gnnc_mpi.so, so that gnn-run needs no MPI where it runs alone. */
#ifndef GNNC_RUNTIME_COMM_COMM_MODULE_H
#define GNNC_RUNTIME_COMM_COMM_MODULE_H

#include "runtime/comm/comm.h"

/* Initialises MPI and makes the comm of this process, which closing finalises. argc and argv are those of main, or both NULL. The
 * module is the file that the environment variable GNNC_MPI_MODULE names, or lies where gnnc is installed or built. Fails with
 * STATUS_CODE_unsupported where there is none, and where it is of another version or cannot be loaded. */
status comm_open_mpi(int *argc, char ***argv, comm **out);

#endif
