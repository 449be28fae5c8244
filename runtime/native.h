/* A loaded program; internal to runtime/. */
#ifndef GNNC_RUNTIME_NATIVE_H
#define GNNC_RUNTIME_NATIVE_H

#include "runtime/gnnc/runtime.h"
#include "support/arena.h"
#include "support/status.h"

struct gnnc_program {
  arena *memory;
  const char *path;
  const char *folder; /* path of the private folder; NULL if there is none or it was removed */
  bool keeps_files;
  void *handle;
  const gnnc_model_info *info;  /* NULL: a program for training */
  const gnnc_train_info *train; /* NULL: a program for inference */
  const char *prefix;           /* of the model's symbols in a library; NULL for a linked model */
};

/* Opens a program that gnnc --train made, as gnnc_program_open opens the others. Each of the two
 * refuses the programs of the other one, and says so. */
status native_open_train(const char *path, const gnnc_program_options *options, gnnc_program **out);

/* Returns the address of symbol PREFIX_suffix of a library; NULL where there is none. */
void *native_find_symbol(const gnnc_program *program, const char *suffix);

#endif
