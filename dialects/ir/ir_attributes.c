/* Makes attributes from C values. */
#include "dialects/ir/ir_private.h"

#include <stdlib.h>

MlirAttribute ir_attr_string(MlirContext context, const char *value) {
  /* MLIR keeps identifiers and string attributes as one */
  MlirIdentifier name = ir_identifier(ir_state_get(context), value);
  return (MlirAttribute){name.ptr};
}

MlirAttribute ir_attr_float(MlirContext context, double value) {
  return mlirFloatAttrDoubleGet(context, mlirF64TypeGet(context), value);
}

MlirAttribute ir_attr_integer(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
}

MlirAttribute ir_attr_bool(MlirContext context, bool value) {
  return value ? mlirUnitAttrGet(context) : (MlirAttribute){NULL};
}

MlirAttribute ir_attr_integers(MlirContext context, const int64_t *values, size_t count) {
  return mlirDenseI64ArrayGet(context, (intptr_t)count, values);
}

MlirAttribute ir_attr_strings(MlirContext context, const char *const *values, size_t count) {
  MlirAttribute *strings = calloc(count + 1, sizeof *strings);
  if (!strings) abort();
  for (size_t i = 0; i < count; i++) strings[i] = ir_attr_string(context, values[i]);
  MlirAttribute array = mlirArrayAttrGet(context, (intptr_t)count, strings);
  free(strings);
  return array;
}
