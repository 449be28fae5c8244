/* How every program begins and ends: see program.h.
 *
 * Where the caller closed standard output, the first file that a program opened would become it,
 * and the summary would be written into that file. The descriptor is opened here so that writing to
 * it fails, as it would have failed on the closed one, and the end of the program says so. */
#include "support/program.h"

#include "support/progress.h"
#include "support/temporary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *program_name = "";

void program_begin(const char *name) {
  static const int wrong_ways[] = {O_WRONLY, O_RDONLY, O_RDWR}; /* nobody looks whether messages arrive */
  program_name = name;
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", wrong_ways[fd]) != fd) exit(EXIT_FAILURE);
  temporary_watch_signals();
}

int program_end(int exit_code) {
  progress_end();
  if (!fflush(stdout) && !ferror(stdout)) return exit_code;
  fprintf(stderr, "%s: error: cannot write to standard output\n", program_name);
  return exit_code ? exit_code : EXIT_FAILURE;
}
