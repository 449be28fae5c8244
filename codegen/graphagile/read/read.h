/* From a module of the device level to a plan. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_READ_READ_H
#define GNNC_CODEGEN_GRAPHAGILE_READ_READ_H

#include "codegen/graphagile/plan/plan.h"

/* Reads the module into p, of which arena, module, host, options, device and diag are set; layers
 * that are better done as one are one. False after a message or with p->error. */
bool graphagile_read_module(graphagile_plan *p);

#endif
