/* The first step of the compiler: from a module of the device level to a plan. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_READ_READ_H
#define GNNC_CODEGEN_GRAPHAGILE_READ_READ_H

#include "codegen/graphagile/plan/plan.h"

/* Reads the module into p, whose members arena, module, host, options, device and diag are set.
 * Layers that are cheaper as one layer are fused on the way (folder fuse). Returns false after a
 * message or with p->error. */
bool graphagile_read_module(graphagile_plan *p);

#endif
