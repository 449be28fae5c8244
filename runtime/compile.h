/* Generated C made into a shared library by the host's compiler. */
#ifndef GNNC_RUNTIME_COMPILE_H
#define GNNC_RUNTIME_COMPILE_H

#include "runtime/gnnc/runtime.h"
#include "support/arena.h"
#include "support/status.h"

#include <signal.h>

/* Makes a private folder for one compilation; its path is in the arena. It is a temporary with what
 * compile_library makes in it. */
status compile_make_folder(arena *a, const char **folder);

/* Compiles `source` to <folder>/model.so (path in *library). Tries with the pragmas of OpenMP for
 * vectors first, then without.
 * On failure the message ends with the first lines the compiler said. */
status compile_library(arena *a, const char *source, const char *folder, const gnnc_program_options *options,
                       const char **library);

/* Runs a program and waits; its output goes to a file. *result is the exit status, -1 for a signal.
 * `command` ends with NULL. Signals that end a process from outside end the program, and then
 * this process. */
status compile_run_command(char *const *command, const char *output, int *result);
/* The first lines of such a file. */
const char *compile_read_messages(arena *a, const char *path);

/* Removes the folder and the files that compile_library makes in it. */
void compile_remove_folder(const char *folder);
/* The folder stays, whatever ends the process. */
void compile_keep_folder(const char *folder);

/* The signals that end a process from outside. Whoever has a folder to remove keeps them waiting;
 * the compiler does not. */
void compile_list_signals(sigset_t *signals);

#endif
