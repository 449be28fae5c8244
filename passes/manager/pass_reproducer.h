/* Writes a file that reproduces a failure: the module before the pass, and the rest of the
 * pipeline. Only one run at a time is supported. */
#ifndef GNNC_PASSES_MANAGER_PASS_REPRODUCER_H
#define GNNC_PASSES_MANAGER_PASS_REPRODUCER_H

#include "passes/manager/pass_run.h"

/* Keeps a copy of the module, unless the last copy is still valid, and watches for crashes until
 * pass_reproducer_end: then the file is written before the process ends. */
void pass_reproducer_begin(MlirOperation module, const pass_pipeline *pipeline, size_t first, const pass_run *run);
/* Writes the file named by run->reproducer; false after reporting why it could not. */
bool pass_reproducer_write(void);
/* Drops the copy unless the module is unchanged for the next pass. */
void pass_reproducer_end(bool is_changed);

/* The command line in the first line of a reproducer file, without program and file; NULL if `text`
 * is not a reproducer. */
const char *pass_reproducer_arguments(arena *a, const char *text);

#endif
