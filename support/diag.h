/* Messages about the user's program. They are counted and printed with the source line and a caret.
 *
 *   cora.gnn:12:18: error: 'h' has 16 columns here, but weight 'W1' takes 32   [shape-mismatch]
 *      12 |   let y = relu(h @ W1);
 *         |                ^
 *
 * Every message has an id, a row of support/diag.def. An error never stops the phase that reports
 * it. The first DIAG_MOST_SHOWN errors and warnings are printed; further ones are only counted. */
#ifndef GNNC_SUPPORT_DIAG_H
#define GNNC_SUPPORT_DIAG_H

#include "support/source.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum diag_severity {
  DIAG_SEVERITY_error,
  DIAG_SEVERITY_warning,
  DIAG_SEVERITY_remark,
  DIAG_SEVERITY_note
} diag_severity;

/* The constants are DIAG_shape_mismatch and so on, one per row of diag.def. */
typedef enum diag_id {
#define DIAG(name, severity, summary, explanation) DIAG_##name,
#include "support/diag.def"
#undef DIAG
  DIAG_count
} diag_id;

typedef struct diag_info {
  const char *name; /* as printed and as given to -W: "shape-mismatch" */
  diag_severity severity;
  const char *summary;
  const char *explanation; /* the section of build/docs/errors.md: the meaning, an example, the remedy */
} diag_info;
extern const diag_info diag_table[DIAG_count];

typedef struct diag diag;

/* The most errors that are printed, and the most warnings. */
enum { DIAG_MOST_SHOWN = 100 };

/* Returns an engine, owned by the caller, that prints each message to `out` (stderr for programs)
 * at once. diag_destroy prints how many messages were not shown; it accepts NULL. */
diag *diag_create(FILE *out);
void diag_destroy(diag *d);

/* Report a message; notes follow the message that they belong to. Formats are those of printf, in
 * lower case and without a full stop. -Wno-<id> silences a warning or remark and -Werror=<id> makes
 * it an error; -Werror makes all warnings errors. The same message at the same span is printed
 * once. */
void diag_report(diag *d, span where, diag_id id, const char *format, ...) __attribute__((format(printf, 4, 5)));
void diag_note(diag *d, span where, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for a place that is known by file name, as locations in IR are: `file` is compared with
 * the names of diag_add_source. Line and column count from 1; line 0 means that there is none. */
void diag_report_at(diag *d, const char *file, unsigned line, unsigned column, diag_id id, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void diag_note_at(diag *d, const char *file, unsigned line, unsigned column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Adds a source, which must outlive the engine, so that diag_report_at can show its lines. */
void diag_add_source(diag *d, const source *s);

/* Takes one argument of -W: "error", "no-error", "error=ID", "no-ID", "ID", "all" or "no-all".
 * Returns false when the id is unknown. */
bool diag_set_option(diag *d, const char *option);

/* A function that gets each message in place of printing (gnn-opt --verify-diagnostics, tests).
 * `user` is the pointer given to diag_set_sink; the strings are valid during the call only. */
typedef void (*diag_sink)(void *user, diag_severity severity, diag_id id, const char *file, unsigned line,
                          unsigned column, const char *message);
void diag_set_sink(diag *d, diag_sink sink, void *user);

/* The numbers of errors and warnings so far, after -W and including those that were not shown. */
unsigned diag_error_count(const diag *d);
unsigned diag_warning_count(const diag *d);
bool diag_has_errors(const diag *d);
/* Returns whether further errors would not be shown. A caller that needs long to find more errors
 * stops then; the end of the output says that it stopped. */
bool diag_is_full(diag *d);
/* Returns the number of errors with this id. */
unsigned diag_error_count_of(const diag *d, diag_id id);

/* Returns the candidate with the smallest edit distance to `name`, or NULL when no candidate is
 * near enough to suggest. */
const char *diag_nearest(const char *name, const char *const *candidates, size_t count);

#endif
