/* --print-python: prints the folder of the files for Python, which is found from where the program is.
 *
 *   PREFIX/bin/gnnc      PREFIX/share/gnnc/python      an installed tree, and a build folder */
#include "support/program.h"
#include "tools/gnnc/gnnc_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool gnnc_print_python(arena *a, FILE *out) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(self, '/');
  const char *wanted = arena_printf(a, "%.*s/../share/gnnc/python", slash ? (int)(slash - self) : 0, self);
  char *folder = realpath(wanted, NULL);
  if (!folder) {
    program_error("%s: there is no such folder; it comes with the installation of gnnc", wanted);
    return false;
  }
  fprintf(out, "%s\n", folder);
  free(folder);
  return true;
}
