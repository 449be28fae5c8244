/* Loads gnnc_mpi.so, the module for MPI:
 *
 *   PREFIX/bin/gnn-run      PREFIX/lib/gnnc/gnnc_mpi.so      an installed tree
 *   build/bin/gnn-run       build/lib/gnnc_mpi.so            a build folder */
#include "runtime/comm/comm_module.h"

#include "runtime/comm/comm_mpi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PATH = 4096 + 64 };

/* Writes where the module should be; false where it is not there. */
static bool find_module(char *path) {
  static const char *const places[] = {"/" GNNC_BIN_TO_LIB "/gnnc/gnnc_mpi.so", "/../lib/gnnc_mpi.so"};
  char self[4096];
  const char *named = getenv("GNNC_MPI_MODULE");
  if (named && *named) {
    snprintf(path, MOST_PATH, "%s", named);
    return access(path, R_OK) == 0;
  }
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(self, '/');
  if (slash) *slash = '\0';
  for (size_t i = sizeof places / sizeof *places; i-- > 0;) { /* the first one is left in path */
    snprintf(path, MOST_PATH, "%s%s", self, places[i]);
    if (access(path, R_OK) == 0) return true;
  }
  return false;
}

status comm_open_mpi(int *argc, char ***argv, comm **out) {
  static const comm_mpi_host host = {GNNC_VERSION, status_error, status_get_code, status_message, status_free};
  char path[MOST_PATH];
  *out = NULL;
  if (!find_module(path))
    return status_error(
        STATUS_CODE_unsupported,
        "MPI was not found when gnnc was built, or its component gnnc-mpi is not installed: there is no %s", path);
  /* Open MPI loads parts of itself that need its symbols. The module stays loaded: MPI may have left handlers behind. */
  void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!module) return status_error(STATUS_CODE_unsupported, "cannot load the module for MPI: %s", dlerror());
  void *found = dlsym(module, "gnnc_mpi_open");
  if (!found) return status_error(STATUS_CODE_format, "%s: no module of gnnc: it has no gnnc_mpi_open", path);
  comm_mpi_open *open_mpi;
  memcpy(&open_mpi, &found, sizeof open_mpi);
  return open_mpi(&host, argc, argv, out);
}
