/* Passes MLIR's messages on to diag: errors with the id that the owner chose, all others as
 * notes. */
#include "dialects/ir/ir_diagnostics.h"

#include "dialects/ir/ir_private.h"

#include <string.h>

/* The place of a message. MLIR nests an anonymous buffer at "-"; a message without a place is
 * reported without one. */
static const char *place(const ir_diagnostics *d, MlirLocation location, unsigned *line, unsigned *column) {
  const char *file;
  if (!ir_location_position(location, &file, line, column)) return NULL;
  return d->buffer_name && !strcmp(file, "-") ? d->buffer_name : file;
}

static MlirLogicalResult on_message(MlirDiagnostic message, void *user) {
  ir_diagnostics *d = user;
  text words = {0};
  mlirDiagnosticPrint(message, ir_text_callback, &words);
  unsigned line, column;
  const char *file = place(d, mlirDiagnosticGetLocation(message), &line, &column);
  bool is_error = mlirDiagnosticGetSeverity(message) == MlirDiagnosticError;
  if (is_error)
    diag_report_at(d->diag, file, line, column, d->id, "%s", text_str(&words));
  else
    diag_note_at(d->diag, file, line, column, "%s", text_str(&words));
  text_free(&words);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(message); i++) {
    MlirDiagnostic note = mlirDiagnosticGetNote(message, i);
    text more = {0};
    mlirDiagnosticPrint(note, ir_text_callback, &more);
    file = place(d, mlirDiagnosticGetLocation(note), &line, &column);
    bool is_echo = !strncmp(text_str(&more), "see current operation:", strlen("see current operation:"));
    if (!is_echo) diag_note_at(d->diag, file, line, column, "%s", text_str(&more)); /* the line was shown already */
    text_free(&more);
  }
  return mlirLogicalResultSuccess();
}

void ir_diagnostics_attach(MlirContext context, ir_diagnostics *d) {
  d->handler = mlirContextAttachDiagnosticHandler(context, on_message, d, NULL);
}

void ir_diagnostics_detach(MlirContext context, ir_diagnostics *d) {
  mlirContextDetachDiagnosticHandler(context, d->handler);
}
