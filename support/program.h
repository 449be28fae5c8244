/* How every program begins and ends. */
#ifndef GNNC_SUPPORT_PROGRAM_H
#define GNNC_SUPPORT_PROGRAM_H

#include "support/terminal.h"

#include <stdarg.h>

/* The first call of a main; `name` is that of the program for messages. Files that are opened later
 * get none of the descriptors 0 to 2, whatever the caller closed, and signals that end the program
 * remove its temporaries. */
void program_begin(const char *name);

/* Prints "PROGRAM: error: " and the message as a line on standard error; characters
 * that control a terminal, which names in files may have, become '?'. */
void program_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with "warning". */
void program_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same as program_error about the command line, with "; see PROGRAM COMMAND --help" behind it; `command` may be
 * NULL. */
void program_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
void program_usage_v(const char *command, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Prints what a message begins with, "PROGRAM COMMAND: warning: "; `command` may be NULL. */
void program_begin_message(const char *command, terminal_style severity);

/* The last call of a main: returns `exit_code`, or 1 after saying that standard output could not be
 * written. */
int program_end(int exit_code);

#endif
