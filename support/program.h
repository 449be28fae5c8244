/* The start and the end of every program, and its error messages. */
#ifndef GNNC_SUPPORT_PROGRAM_H
#define GNNC_SUPPORT_PROGRAM_H

#include "support/terminal.h"

#include <stdarg.h>
#include <stdbool.h>

/* The first call of main; `name` is the name of the program in messages and is kept by reference.
 * Afterwards no opened file gets one of the descriptors 0 to 2, even if the caller closed them, and
 * signals that end the program remove its temporary files. */
void program_begin(const char *name);

/* Prints "PROGRAM: error: ", the message and a newline to standard error. Control characters, which
 * file names may contain, become '?'. */
void program_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same as program_error, with "warning". */
void program_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether errors and warnings of this thread are left out, as where another one gives the same. */
void program_mute(bool is_mute);

/* The same as program_error for a wrong command line: appends "; see PROGRAM COMMAND --help".
 * `command` may be NULL. */
void program_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
void program_usage_v(const char *command, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Prints the beginning of a message, "PROGRAM COMMAND: warning: "; `command` may be NULL. */
void program_begin_message(const char *command, terminal_style severity);

/* The last call of main: returns `exit_code`. When standard output could not be written it prints
 * an error and returns 1 in place of 0. */
int program_end(int exit_code);

#endif
