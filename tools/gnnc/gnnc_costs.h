/* The work of kernels for the manifest of C, from which gnn-run --profile computes rates. */
#ifndef GNNC_TOOLS_GNNC_GNNC_COSTS_H
#define GNNC_TOOLS_GNNC_GNNC_COSTS_H

#include "codegen/model_source.h"
#include "dialects/ir.h"

/* Adds the costs of the kernels of a module of the intra level, in the arena. */
void gnnc_costs_add(MlirOperation module, bool is_f64, arena *a, model_source *out);

#endif
