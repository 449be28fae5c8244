/* MLIR's messages through our engine, so that they look like every other: place, source line,
 * caret. */
#ifndef GNNC_DIALECTS_IR_IR_DIAGNOSTICS_H
#define GNNC_DIALECTS_IR_IR_DIAGNOSTICS_H

#include "dialects/ir.h"
#include "support/diag.h"

/* Where the messages of a context go. Fields may change at any time; the owner keeps it as long as
 * it is attached. */
typedef struct ir_diagnostics {
  diag *diag;
  diag_id id;              /* for errors; MLIR's have no id of their own */
  const char *buffer_name; /* what "-", MLIR's name for parsed text, is called; NULL = "-" */
  MlirDiagnosticHandlerID handler;
} ir_diagnostics;

/* From now on messages of the context go to d->diag, notes behind their error. Detach before `d`
 * goes. */
void ir_diagnostics_attach(MlirContext context, ir_diagnostics *d);
void ir_diagnostics_detach(MlirContext context, ir_diagnostics *d);

#endif
