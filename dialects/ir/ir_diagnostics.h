/* Reports MLIR's messages through diag, so that they look like all others: place, source line,
 * caret. */
#ifndef GNNC_DIALECTS_IR_IR_DIAGNOSTICS_H
#define GNNC_DIALECTS_IR_IR_DIAGNOSTICS_H

#include "dialects/ir.h"
#include "support/diag.h"

/* The receiver of a context's messages. Members may change at any time; the owner keeps it as long
 * as it is attached. */
typedef struct ir_diagnostics {
  diag *diag;
  diag_id id;              /* for errors; MLIR's have no id of their own */
  const char *buffer_name; /* the name for "-", which is MLIR's name for parsed text; NULL: "-" */
  MlirDiagnosticHandlerID handler;
} ir_diagnostics;

/* From now on messages of the context go to d->diag, notes after their error. Detach before `d` is
 * freed. */
void ir_diagnostics_attach(MlirContext context, ir_diagnostics *d);
void ir_diagnostics_detach(MlirContext context, ir_diagnostics *d);

#endif
