/* The files of gnn-train before the training: no result replaces another one or what is read, and all can be written. */
#include "support/file.h"
#include "tools/gnn-train/gnn_train.h"

#include <string.h>
#include <sys/stat.h>

typedef struct named_file {
  const char *option, *path;
} named_file;

/* Whether both are one file: a name that is given twice, or two names of a file that exists. */
static bool is_same(const char *a, const char *b) {
  struct stat of_a, of_b;
  const bool has_both = !stat(a, &of_a) && !stat(b, &of_b);
  if (!has_both) return !strcmp(a, b);
  return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

status fit_check_names(const fit_options *o) {
  enum { OUTPUTS = 4 };
  const named_file files[] = {{"-o", o->output},         {"--checkpoint", o->checkpoint}, {"--curve", o->curve},
                              {"--plot", o->plot},       {"--graph", o->graph},           {"the program", o->program},
                              {"--weights", o->weights}, {"--resume", o->resume}};
  for (size_t i = 0; i < OUTPUTS; i++)
    for (size_t k = i + 1; k < sizeof files / sizeof files[0]; k++) {
      const named_file *written = &files[i], *other = &files[k];
      if (!written->path || !other->path || !is_same(written->path, other->path)) continue;
      if (written->path == o->checkpoint && other->path == o->resume) continue; /* it goes on there */
      return status_error(STATUS_CODE_mismatch, "%s and %s are one file, '%s'", written->option, other->option,
                          written->path);
    }
  return STATUS_OK;
}

status fit_check_files(const fit_options *o) {
  const char *const paths[] = {o->output, o->checkpoint, o->curve, o->plot};
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
    file_writer *w = NULL;
    if (!paths[i] || !strcmp(paths[i], "-")) continue;
    RETURN_IF_ERROR(file_writer_open(paths[i], &w));
    file_writer_abandon(w);
  }
  return STATUS_OK;
}
