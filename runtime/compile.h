/* Compiles generated C to a shared library with the C compiler of the host. */
#ifndef GNNC_RUNTIME_COMPILE_H
#define GNNC_RUNTIME_COMPILE_H

#include "runtime/gnnc/runtime.h"
#include "support/arena.h"
#include "support/status.h"

#include <signal.h>

/* Creates a private folder for one compilation; its path is in the arena. The folder and the files
 * that compile_library creates in it are registered as temporaries (support/temporary.h). */
status compile_make_folder(arena *a, const char **folder);

/* Compiles `source` to <folder>/model.so, whose path in the arena it writes to *library. Tries
 * first with OpenMP SIMD pragmas, then without. The message of a failure ends with the first lines
 * of the compiler's output. */
status compile_library(arena *a, const char *source, const char *folder, const gnnc_program_options *options,
                       const char **library);

/* Returns the path of gnnc: beside this program, else "gnnc" for the one of $PATH. */
const char *compile_find_gnnc(arena *a);

/* Runs a program and waits for it; its output goes to the file `output`. *result is the exit
 * status, or -1 after a signal. `command` ends with NULL. A signal that ends this process from
 * outside ends the program first. */
status compile_run_command(char *const *command, const char *output, int *result);
/* Returns the first 8 lines of such a file, in the arena, or a text that says that there is
 * none. */
const char *compile_read_messages(arena *a, const char *path);

/* Removes the folder and the files of compile_library in it. */
void compile_remove_folder(const char *folder);
/* Unregisters the folder and its files as temporaries, so that they stay. */
void compile_keep_folder(const char *folder);

/* Sets *signals to the signals that end a process from outside. A caller with a folder to remove
 * blocks them; the compiler does not. */
void compile_list_signals(sigset_t *signals);

#endif
