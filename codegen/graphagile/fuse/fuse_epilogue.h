/* Fuses element-wise layers with the layer that makes their operand. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_EPILOGUE_H
#define GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_EPILOGUE_H

#include "codegen/graphagile/plan/plan.h"

/* Makes an element-wise layer an epilogue of the layer that makes its operand; returns false, with
 * the plan unchanged, where that is not possible. */
bool graphagile_fuse_epilogue(graphagile_plan *p, const graphagile_plan_layer *layer);

#endif
