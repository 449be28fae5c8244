/* Names for values that become members of a struct; see the header. */
#include "passes/gnn/gnn_names.h"

#include <ctype.h>
#include <string.h>

/* The spelling by which names are compared: conv1.weight and conv1_weight are the same C
 * identifier. Interned. */
static const char *c_spelling(const gnn_names *names, MlirContext context, const char *name) {
  char *spelled = arena_strdup(names->arena, name);
  for (char *c = spelled; *c; c++)
    if (!isalnum((unsigned char)*c)) *c = '_';
  return ir_intern(context, spelled);
}

/* Marks a spelling as used and returns its counter, for further names made from it. */
static size_t *take(gnn_names *names, const char *key) {
  size_t *counter = arena_alloc(names->arena, sizeof *counter);
  *counter = 1;
  map_set_pointer(&names->used, key, counter);
  return counter;
}

void gnn_names_reserve(gnn_names *names, MlirAttribute name) {
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name)) return;
  const char *spelled = c_spelling(names, mlirAttributeGetContext(name), mlirStringAttrGetValue(name).data);
  take(names, spelled);
}

/* One word for what computes a value: the edge set of a graph, the function of an activation, else
 * the operation. */
static const char *word_of(MlirOperation op) {
  if (ir_op_kind(op) == IR_OP(gnn, edge_set)) return ir_type_of(ir_result(op)).set;
  if (ir_op_kind(op) == IR_OP(gnn, activation)) return ir_get_string(op, "function", "activation");
  const char *full = ir_op_name(op), *dot = strchr(full, '.');
  return dot ? dot + 1 : full;
}

static bool is_layout(MlirOperation op) {
  return ir_op_kind(op) == IR_OP(gnn, transpose) || ir_op_kind(op) == IR_OP(gnn, reshape);
}

/* The name of a value before it is made unique; a weight in another layout has the name of the
 * weight. */
static const char *base_name(MlirValue value) {
  MlirOperation op = ir_defining_op(value), source = op;
  while (!mlirOperationIsNull(source) && is_layout(source)) source = ir_defining_op(mlirOperationGetOperand(source, 0));
  const char *symbol = ir_weight_symbol(source), *name = ir_location_name(mlirOperationGetLocation(op));
  if (symbol) return symbol;
  return name ? name : word_of(op);
}

/* The name with letters, digits, '_' and '.' only, beginning with a letter or '_'. */
static char *readable(arena *a, const char *name) {
  char *out = arena_printf(a, "%s%s", isdigit((unsigned char)*name) || !*name ? "_" : "", name);
  for (char *c = out; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '.') *c = '_';
  return out;
}

const char *gnn_names_add(gnn_names *names, MlirValue value) {
  MlirContext context = mlirTypeGetContext(mlirValueGetType(value));
  const char *base = readable(names->arena, base_name(value));
  const char *base_key = c_spelling(names, context, base), *name = base, *key = base_key;
  const size_t *last = map_get_pointer(&names->used, base_key);
  size_t counter = last ? *last : 0;
  while (map_get_pointer(&names->used, key)) {
    name = arena_printf(names->arena, "%s_%zu", base, ++counter);
    key = c_spelling(names, context, name);
  }
  if (last) *take(names, base_key) = counter;
  take(names, key);
  return name;
}
