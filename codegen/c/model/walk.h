/* Walks over operations and uses, one line each: C_FOR_EACH_OP(op, block) count += is_store(op); */
#ifndef GNNC_CODEGEN_C_MODEL_WALK_H
#define GNNC_CODEGEN_C_MODEL_WALK_H

#include "dialects/ir.h"

/* Declares `op`, which is each operation of a block in turn, its terminator included. */
#define C_FOR_EACH_OP(op, block)                                                                                       \
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);                                 \
       op = mlirOperationGetNextInBlock(op))

/* Declares `use`, which is each use of a value in turn. */
#define C_FOR_EACH_USE(use, value)                                                                                     \
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))

#endif
