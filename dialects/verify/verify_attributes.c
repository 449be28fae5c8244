/* Checks attributes against the rows of the table, because IRDL knows neither optional nor misspelt
 * ones. Checks the numbers of element-wise functions against the rows of support/elementwise.def:
 * leaky_relu takes a slope, elu an alpha. */
#include "dialects/verify/verify.h"

#include "support/diag.h"

#include <string.h>

enum { MAX_ATTRIBUTES = 16 };

static bool error_at(MlirOperation op, text *message) {
  mlirEmitError(mlirOperationGetLocation(op), text_str(message));
  text_free(message);
  return false;
}

static const ir_attribute_info *find(const ir_op_info *info, MlirStringRef name) {
  for (unsigned i = 0; i < info->attribute_count; i++)
    if (mlirStringRefEqual(ir_ref(info->attributes[i].name), name)) return &info->attributes[i];
  return NULL;
}

static bool unknown_attribute(MlirOperation op, const ir_op_info *info, MlirStringRef name) {
  const char *names[MAX_ATTRIBUTES];
  for (unsigned i = 0; i < info->attribute_count; i++) names[i] = info->attributes[i].name;
  const char *spelt = ir_intern_ref(ir_state_get(mlirOperationGetContext(op)), name);
  const char *nearest = diag_nearest(spelt, names, info->attribute_count);
  text message = {0};
  text_printf(&message, "%s has no attribute '%s'", info->name, spelt);
  if (nearest) text_printf(&message, "; did you mean '%s'?", nearest);
  return error_at(op, &message);
}

static bool is_strings(MlirAttribute a) {
  if (!mlirAttributeIsAArray(a)) return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(a); i++)
    if (!mlirAttributeIsAString(mlirArrayAttrGetElement(a, i))) return false;
  return true;
}

static bool has_type(MlirAttribute a, const char *type) {
  if (!strcmp(type, "string")) return mlirAttributeIsAString(a);
  if (!strcmp(type, "float")) return mlirAttributeIsAFloat(a);
  if (!strcmp(type, "bool")) return mlirAttributeIsAUnit(a);
  if (!strcmp(type, "integers")) return mlirAttributeIsADenseI64Array(a);
  if (!strcmp(type, "strings")) return is_strings(a);
  MlirType i64 = mlirIntegerTypeGet(mlirAttributeGetContext(a), 64);
  return mlirAttributeIsAInteger(a) && mlirTypeEqual(mlirAttributeGetType(a), i64);
}

static const char *type_in_words(const char *type) {
  if (!strcmp(type, "bool")) return "a flag, written without a value";
  if (!strcmp(type, "integers")) return "array<i64: ...>";
  if (!strcmp(type, "strings")) return "an array of strings";
  if (!strcmp(type, "integer")) return "an i64";
  return !strcmp(type, "float") ? "a floating-point number" : "a string";
}

static bool verify_choice(MlirOperation op, const ir_attribute_info *row, MlirAttribute value) {
  const char *word = ir_string_of(value);
  if (!row->choices || ir_choice_has(row->choices, word)) return true;
  text message = {0};
  text_printf(&message, "'%s' cannot be \"%s\": it is ", row->name, word);
  ir_choices_print(&message, row->choices);
  return error_at(op, &message);
}

static bool verify_attribute(MlirOperation op, const ir_attribute_info *row, MlirAttribute value) {
  if (!has_type(value, row->type)) {
    text message = {0};
    text_printf(&message, "'%s' must be %s", row->name, type_in_words(row->type));
    return error_at(op, &message);
  }
  if (!strcmp(row->type, "string")) return verify_choice(op, row, value);
  for (intptr_t i = 0; !strcmp(row->type, "strings") && i < mlirArrayAttrGetNumElements(value); i++)
    if (!verify_choice(op, row, mlirArrayAttrGetElement(value, i))) return false;
  return true;
}

/* ---- numbers of functions ---- */

static bool takes(elementwise_unary function, const char *number) {
  for (int i = 0; i < elementwise_count_parameters(function); i++)
    if (!strcmp(elementwise_unaries[function].parameters[i].name, number)) return true;
  return false;
}

static bool refuse_number(MlirOperation op, elementwise_unary function, const char *number) {
  const elementwise_unary_info *f = &elementwise_unaries[function];
  int count = elementwise_count_parameters(function);
  text message = {0};
  text_printf(&message, "'%s' takes ", f->name);
  if (!count) text_append(&message, "no number");
  for (int i = 0; i < count; i++) text_printf(&message, "%s'%s'", i ? " and " : "", f->parameters[i].name);
  text_printf(&message, ", but '%s' is written here", number);
  return error_at(op, &message);
}

/* Checks an operation that applies a function: each number must be one that the function takes. */
static bool verify_numbers(MlirOperation op, const ir_op_info *info) {
  const ir_attribute_info *row = NULL;
  for (unsigned i = 0; i < info->attribute_count && !row; i++)
    if (info->attributes[i].choices && !strcmp(info->attributes[i].choices, "unary")) row = &info->attributes[i];
  if (!row) return true;
  elementwise_unary function = ir_unary_of(op);
  for (unsigned i = 0; i < info->attribute_count; i++) {
    const char *name = info->attributes[i].name;
    if (strcmp(info->attributes[i].type, "float") != 0 || mlirAttributeIsNull(ir_get_attr(op, name))) continue;
    if (function != UNARY_none && takes(function, name)) continue;
    if (function != UNARY_none) return refuse_number(op, function, name);
    text message = {0};
    text_printf(&message, "'%s' is a number of a function, but there is no '%s'", name, row->name);
    return error_at(op, &message);
  }
  return true;
}

bool verify_attributes(MlirOperation op, const ir_op_info *info) {
  ir_state *state = ir_state_get(mlirOperationGetContext(op));
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); i++) {
    MlirNamedAttribute a = mlirOperationGetAttribute(op, i);
    MlirStringRef name = mlirIdentifierStr(a.name);
    const ir_attribute_info *row = find(info, name);
    if (row && !verify_attribute(op, row, a.attribute)) return false;
    bool is_extra =
        memchr(name.data, '.', name.length) || (ir_op_has_segments(info) && a.name.ptr == state->segments.ptr);
    if (!row && !is_extra) return unknown_attribute(op, info, name);
  }
  return verify_numbers(op, info);
}
