/* A loaded program; internal to runtime/. */
#ifndef GNNC_RUNTIME_NATIVE_H
#define GNNC_RUNTIME_NATIVE_H

#include "runtime/gnnc/runtime.h"
#include "support/arena.h"

struct gnnc_program {
  arena *memory;
  const char *path;
  const char *folder; /* path of the private folder; NULL if there is none or it was removed */
  bool keeps_files;
  void *handle;
  const gnnc_model_info *info;
  const char *prefix; /* of the model's symbols in a library; NULL for a linked model */
};

/* Returns the address of symbol PREFIX_suffix of a library; NULL where there is none. */
void *native_find_symbol(const gnnc_program *program, const char *suffix);

#endif
