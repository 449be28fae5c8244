/* A file that shows a failure again: the module as it went into the pass, and the rest of the
 * pipeline. One run at a time. */
#ifndef GNNC_PASSES_MANAGER_PASS_REPRODUCER_H
#define GNNC_PASSES_MANAGER_PASS_REPRODUCER_H

#include "passes/manager/pass_run.h"

/* Keeps a copy of the module, or the one kept before, and watches for crashes until the end: then
 * the file is written before the process dies. */
void pass_reproducer_begin(MlirOperation module, const pass_pipeline *pipeline, size_t first, const pass_run *run);
/* Writes the file named by run->reproducer; false after reporting why not. */
bool pass_reproducer_write(void);
/* The copy goes unless the next pass gets the same module. */
void pass_reproducer_end(bool is_changed);

/* The command line written in a reproducer file's first line, without program and file; NULL if
 * `text` is none. */
const char *pass_reproducer_arguments(arena *a, const char *text);

#endif
