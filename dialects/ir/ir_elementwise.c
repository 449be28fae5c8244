/* The element-wise functions of operations, as rows of support/elementwise.def.
 *
 *   gnn.linear {activation = "clamp", low = -1.0}    applies UNARY_clamp with the numbers -1 and 1, which is the default of 'high'
 *   gnn.compare {predicate = "lt"}                   is BINARY_lt
 *
 * The numbers are attributes with the names in the rows; gnn.activation has all attributes that
 * occur. */
#include "dialects/ir/ir_private.h"

#include <assert.h>
#include <string.h>

/* Reports an unknown name. The verifier refuses such IR, so a caller has skipped it; the name must
 * not be taken for no function. */
static void report_unknown(MlirOperation op, const char *name) {
  text message = {0};
  text_printf(&message, "there is no function '%s'", name);
  mlirEmitError(mlirOperationGetLocation(op), text_str(&message));
  text_free(&message);
}

/* ---- of two numbers ---- */

/* The operation of each function of two numbers. A row whose operation does not exist does not
 * compile. */
static const ir_op operations[] = {
#define BINARY(name, operation, flops, formula, derivative_a, derivative_b, reference, doc) IR_OP(gnn, operation),
#include "support/elementwise.def"
};
_Static_assert(sizeof operations / sizeof *operations == BINARY_COUNT, "an operation for each function");

bool ir_op_is_binary(ir_op kind) {
  for (int i = 0; i < BINARY_COUNT; i++)
    if (operations[i] == kind) return true;
  return false;
}

elementwise_binary ir_binary_of(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  const char *said = NULL;
  if (kind == IR_OP(gnn, compare)) said = ir_get_string(op, "predicate", "");
  if (kind == IR_OP(gnn, binary)) said = ir_get_string(op, "function", "");
  for (int i = 0; i < BINARY_COUNT; i++)
    if (operations[i] == kind && (!said || !strcmp(elementwise_binaries[i].name, said))) return (elementwise_binary)i;
  if (said) report_unknown(op, said);
  return BINARY_none;
}

/* ---- of one number ---- */

static const char *function_attribute(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  return kind == IR_OP(gnn, activation) || kind == IR_OP(gnn, derivative) ? "function" : "activation";
}

elementwise_unary ir_unary_of(MlirOperation op) {
  const char *said = ir_get_string(op, function_attribute(op), NULL);
  elementwise_unary found = elementwise_unary_find(said);
  if (said && found == UNARY_none) report_unknown(op, said);
  return found;
}

double ir_unary_number(MlirOperation op, int which) {
  elementwise_unary function = ir_unary_of(op);
  if (function == UNARY_none) return 0;
  elementwise_parameter number = elementwise_unaries[function].parameters[which];
  return number.name ? ir_get_float(op, number.name, number.fallback) : 0;
}

void ir_unary_attributes(MlirOperation from, const char *as, ir_attr out[IR_UNARY_ATTRIBUTES]) {
  const ir_op_info *info = ir_op_info_get(IR_OP(gnn, activation));
  const MlirAttribute none = {NULL};
  bool is_there = !mlirOperationIsNull(from);
  size_t count = 0;
  out[count++] = (ir_attr){as, is_there ? ir_get_attr(from, function_attribute(from)) : none};
  for (unsigned i = 0; i < info->attribute_count; i++) {
    const char *name = info->attributes[i].name;
    if (strcmp(info->attributes[i].type, "float") != 0) continue;
    assert(count + 1 < IR_UNARY_ATTRIBUTES);
    out[count++] = (ir_attr){name, is_there ? ir_get_attr(from, name) : none};
  }
  out[count] = (ir_attr){NULL, none};
}
