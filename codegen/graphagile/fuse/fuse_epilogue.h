/* Element-wise layers as epilogues of the layer that makes their operand. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_EPILOGUE_H
#define GNNC_CODEGEN_GRAPHAGILE_FUSE_FUSE_EPILOGUE_H

#include "codegen/graphagile/plan/plan.h"

/* Makes an element-wise layer an epilogue of the layer that makes its operand; false where that
 * cannot be. */
bool graphagile_fuse_epilogue(graphagile_plan *p, const graphagile_plan_layer *layer);

#endif
