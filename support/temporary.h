/* Temporary files and folders that are removed when a signal ends the process. */
#ifndef GNNC_SUPPORT_TEMPORARY_H
#define GNNC_SUPPORT_TEMPORARY_H

#include <stdbool.h>

/* Register a path, which is copied, before or right after it is created; folders are removed after
 * all files. Return false, and do not register it, when memory is out. Any thread may call
 * these. */
bool temporary_add_file(const char *path);
bool temporary_add_folder(const char *path);

/* Unregisters a path that was removed or renamed, or that is to stay. A path that is not registered
 * is no error. */
void temporary_forget(const char *path);

/* Removes all registered files and folders, as a signal does. Any thread may call this, but no
 * signal handler. */
void temporary_remove_all(void);

/* From now on signals that end the process remove all registered files and folders first; then
 * their default action follows. Ignored signals stay ignored. Only programs call this: a library
 * leaves signals to its user. */
void temporary_watch_signals(void);

#endif
