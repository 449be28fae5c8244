/* Dumps the module between passes: as text on a stream, or as numbered files in a folder. */
#ifndef GNNC_PASSES_MANAGER_PASS_DUMP_H
#define GNNC_PASSES_MANAGER_PASS_DUMP_H

#include "passes/manager/pass_run.h"

/* The text after the last pass; it is only kept where changes are asked for. */
typedef struct pass_dump {
  text last;
  bool is_tree_broken; /* an error with the folder was reported */
} pass_dump;

void pass_dump_begin(pass_dump *d, MlirOperation module, const pass_run *run);
void pass_dump_before(MlirOperation module, const pass_step *step, const pass_run *run);
/* `number` is part of the file's name in the folder: 03_gnn-cse.mlir. */
void pass_dump_after(pass_dump *d, MlirOperation module, const pass_step *step, size_t number, const pass_run *run);
/* Frees the texts. False when files could not be written, which was reported. */
bool pass_dump_end(pass_dump *d);

#endif
