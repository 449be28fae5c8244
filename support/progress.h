/* The progress of a program: one line on standard error that is redrawn in place.
 *
 *   progress_begin("gnn-data", PROGRESS_auto);
 *   progress_step("read edges.txt", "bytes", size);      gnn-data: read edges.txt, 45 % of 210 MB
 *   progress_set(at);                                    (any number of times, cheap)
 *   progress_step("sort edges", NULL, 0);               gnn-data: sort edges, 3 s
 *   progress_end();
 *
 * By default the line appears on a terminal only, after the program has run for two seconds. A
 * separate thread draws it, so that the time advances also in steps that report no progress. */
#ifndef GNNC_SUPPORT_PROGRESS_H
#define GNNC_SUPPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* auto: on a terminal, after two seconds; always: each step at once, also if standard error is no
 * terminal. */
typedef enum progress_mode { PROGRESS_auto, PROGRESS_always, PROGRESS_never } progress_mode;

/* Reads "auto", "always" or "never". Returns false for any other text. */
bool progress_parse_mode(const char *name, progress_mode *mode);

/* Starts to show steps; `program` is kept by reference. Without this call steps show nothing and
 * cost little. */
void progress_begin(const char *program, progress_mode mode);

/* Begins a step of `all` units; 0: their number is unknown. The unit "bytes" is shown in MB. `unit`
 * may be NULL and is kept by reference. A step named "" shows nothing: it comes before results are
 * printed. */
void progress_step(const char *what, const char *unit, int64_t all);

/* Set or increase the number of units of the step that are done. Any thread may call these. */
void progress_set(int64_t done);
void progress_add(int64_t done);

/* Shows this text in the place of the step and its units, until the next step begins: a step whose
 * line says more than how far it is. The text is copied. */
void progress_show(const char *text);

/* Clears the line before other output; the next drawing shows it again. */
void progress_clear(void);

/* Clears the line and ends the thread that draws it. */
void progress_end(void);

#endif
