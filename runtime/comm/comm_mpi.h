/* What the module gnnc_mpi.so and the program that loads it agree on (comm_module.h). The module makes statuses by functions of
 * the program and is linked to nothing but MPI. */
#ifndef GNNC_RUNTIME_COMM_COMM_MPI_H
#define GNNC_RUNTIME_COMM_COMM_MPI_H

#include "runtime/comm/comm.h"

typedef struct comm_mpi_host {
  const char *version; /* of gnnc; this and error come first in every version */
  status (*error)(status_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));
  status_code (*code)(status s);
  const char *(*message)(status s);
  void (*free)(status s);
} comm_mpi_host;

/* The one symbol of the module, gnnc_mpi_open: comm_open_mpi with the functions of the program, which outlive the comm. */
typedef status comm_mpi_open(const comm_mpi_host *host, int *argc, char ***argv, comm **out);
comm_mpi_open gnnc_mpi_open;

#endif
