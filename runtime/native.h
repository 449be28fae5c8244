/* A loaded model, as the files of this room see it. */
#ifndef GNNC_RUNTIME_NATIVE_H
#define GNNC_RUNTIME_NATIVE_H

#include "runtime/gnnc/runtime.h"
#include "support/arena.h"

struct gnnc_program {
  arena *memory;
  const char *path;
  const char *folder; /* private, NULL unless its files are kept */
  bool keeps_files;
  void *handle;
  const gnnc_model_info *info;
};

#endif
