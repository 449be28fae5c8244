#include "dialects/ir_private.h"
bool ir_verify(MlirOperation root) { return mlirOperationVerify(root); }
