/* Messages about the user's program: collected, counted, printed with the source line and a caret.
 *
 *   cora.gnn:12:18: error: 'h' has 16 columns here, but weight 'W1' takes 32   [shape-mismatch]
 *      12 |   let y = relu(h @ W1);
 *         |                ^
 *
 * Every message has an id, a row of support/diag.def. An error never stops the phase that reports
 * it. Of more errors or warnings than a person reads the first are shown and the others counted. */
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

/* DIAG_shape_mismatch and so on, one per row of diag.def. */
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
  const char *explanation; /* the section of build/docs/errors.md: what it means, an example, how to mend it */
} diag_info;
extern const diag_info diag_table[DIAG_count];

typedef struct diag diag;

/* So many errors are shown, and so many warnings. */
enum { DIAG_MOST_SHOWN = 100 };

/* Returns an engine that prints to `out` (stderr for programs) as messages come; owned by the
 * caller. The last thing it prints, when it is destroyed, is how many messages were not shown. */
diag *diag_create(FILE *out);
void diag_destroy(diag *d);

/* Report; notes follow the message they belong to. printf-style, lower case, no full stop. A
 * message whose id is a warning is silenced by -Wno-<id>, made an error by -Werror or -Werror=<id>.
 * The same message at the same span is printed once. */
void diag_report(diag *d, span where, diag_id id, const char *format, ...) __attribute__((format(printf, 4, 5)));
void diag_note(diag *d, span where, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for a place known by name, as IR locations are: `file` is matched against
 * diag_add_source. line 0 = none. */
void diag_report_at(diag *d, const char *file, unsigned line, unsigned column, diag_id id, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void diag_note_at(diag *d, const char *file, unsigned line, unsigned column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Makes a source known, so that diag_report_at can show its lines. */
void diag_add_source(diag *d, const source *s);

/* Takes one -W argument without the "-W": "error", "error=ID", "no-ID", "ID", "all"; false when the
 * id is unknown. */
bool diag_set_option(diag *d, const char *option);

/* Called with each message instead of printing it (gnn-opt --verify-diagnostics, tests). */
typedef void (*diag_sink)(void *user, diag_severity severity, diag_id id, const char *file, unsigned line,
                          unsigned column, const char *message);
void diag_set_sink(diag *d, diag_sink sink, void *user);

unsigned diag_error_count(const diag *d);
unsigned diag_warning_count(const diag *d);
bool diag_has_errors(const diag *d);
/* True when further errors would not be shown. Whoever asks ends its work on true, where finding
 * more of them takes long; that it did is printed at the end. */
bool diag_is_full(diag *d);
/* How many errors had this id. */
unsigned diag_error_count_of(const diag *d, diag_id id);

/* Returns the candidate nearest to `name` by edit distance, or NULL when none is near enough to
 * suggest. */
const char *diag_nearest(const char *name, const char *const *candidates, size_t count);

#endif
