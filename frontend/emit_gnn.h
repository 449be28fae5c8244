/* Translates a checked, expanded program to the gnn dialect, one operation per value. */
#ifndef GNNC_FRONTEND_EMIT_GNN_H
#define GNNC_FRONTEND_EMIT_GNN_H

#include "dialects/ir.h"
#include "frontend/sema/flat.h"

/* Returns a module with the model's function and its weights, owned by the caller. Values carry
 * their names and places. The program must come from sema_analyze; a null module means that the
 * dialect refused what the analysis accepted, which is a defect, reported through the context's
 * diagnostics. */
MlirModule emit_gnn_module(MlirContext context, const flat_program *program);

#endif
