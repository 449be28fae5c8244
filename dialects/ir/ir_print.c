/* Prints IR as text: values have the names of the model, and large constants are elided. */
#include "dialects/ir/ir_private.h"

enum { ELIDED_BEYOND = 32 };

void ir_print(MlirOperation op, bool with_locations, text *out) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsElideLargeElementsAttrs(flags, ELIDED_BEYOND);
  mlirOpPrintingFlagsElideLargeResourceString(flags, ELIDED_BEYOND);
  mlirOpPrintingFlagsPrintNameLocAsPrefix(flags);
  mlirOpPrintingFlagsEnableDebugInfo(flags, with_locations, false);
  mlirOperationPrintWithFlags(op, flags, ir_text_callback, out);
  mlirOpPrintingFlagsDestroy(flags);
  if (out->size && out->data[out->size - 1] != '\n') text_append(out, "\n");
}

void ir_print_meaning(MlirOperation module, text *out) {
  MlirOperation copy = mlirOperationClone(module);
  (void)mlirOperationRemoveAttributeByName(copy, mlirStringRefCreateFromCString("gnn.source"));
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOperationPrintWithFlags(copy, flags, ir_text_callback, out);
  mlirOpPrintingFlagsDestroy(flags);
  mlirOperationDestroy(copy);
}
