/* How far a program is: one line on standard error that is drawn over itself.
 *
 *   progress_begin("gnn-data", PROGRESS_auto);
 *   progress_step("read edges.txt", "bytes", size);      gnn-data: read edges.txt, 45 % of 210 MB
 *   progress_set(at);                                    (any number of times, cheap)
 *   progress_step("sort edges", NULL, 0);               gnn-data: sort edges, 3 s
 *   progress_end();
 *
 * The line appears once the program has run for two seconds, and only on a terminal; a thread of its
 * own draws it, so that steps need not tell anything to be seen to go on. */
#ifndef GNNC_SUPPORT_PROGRESS_H
#define GNNC_SUPPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* auto: on a terminal, after two seconds; always: every step at once, wherever standard error goes. */
typedef enum progress_mode { PROGRESS_auto, PROGRESS_always, PROGRESS_never } progress_mode;

/* Reads "auto", "always" or "never"; false for anything else. */
bool progress_parse_mode(const char *name, progress_mode *mode);

/* Shows the steps that follow. `program` lives as long. Without it steps are free and show nothing. */
void progress_begin(const char *program, progress_mode mode);

/* Begins a step of `all` units (0: it is not known how many); "bytes" are shown in MB. "" is the step
 * that shows nothing, for when results are printed. */
void progress_step(const char *what, const char *unit, int64_t all);

/* Units of the step that are done. May be called by any thread. */
void progress_set(int64_t done);
void progress_add(int64_t done);

/* Clears the line before something else is printed; it comes back at the next drawing. */
void progress_clear(void);

/* Clears the line for good. */
void progress_end(void);

#endif
