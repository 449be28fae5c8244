/* What must not be left behind when a signal ends the process: temporary files and folders by
 * path. */
#ifndef GNNC_SUPPORT_TEMPORARY_H
#define GNNC_SUPPORT_TEMPORARY_H

#include <stdbool.h>

/* Notes a path, which is copied, before or right after it is made; a folder is removed after all
 * files. False when memory is out: it is then not noted. Any thread may call these. */
bool temporary_add_file(const char *path);
bool temporary_add_folder(const char *path);

/* Forgets a path that was removed or renamed, or that stays; one that was not noted is no error. */
void temporary_forget(const char *path);

/* Removes everything that is noted, as a signal does. Any thread may call this, no signal handler. */
void temporary_remove_all(void);

/* Signals that end a process from outside remove everything and then do what they do by default;
 * those that are ignored stay so. For programs: a library leaves signals to its user. */
void temporary_watch_signals(void);

#endif
