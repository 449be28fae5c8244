/* Places operations in one walk in their order. Functions that the machine lacks become an
 * operation after the current one, which the walk visits next.
 *
 *   %y = device.gemm %x, %w {functions = ["relu", "erf"]}    =>    %0 = device.gemm %x, %w {functions = ["relu"]}
 *                                                                  %y = device.map %0 {functions = ["erf"], unit = "host"}      on a machine without erf */
#include "codegen/device/steps/place.h"

#include "codegen/device/operand.h"
#include "support/vec.h"

#include <string.h>

static const struct {
  const char *name;
  ir_op op;
} families[] = {
    {"gemm", IR_OP(device, gemm)},      {"spmm", IR_OP(device, spdmm)},      {"sddmm", IR_OP(device, sddmm)},
    {"vadd", IR_OP(device, vadd)},      {"vadd", IR_OP(device, scaled_add)}, {"vadd", IR_OP(device, values_vadd)},
    {"gemm", IR_OP(device, layer)},     {"map", IR_OP(device, map)},         {"columns", IR_OP(device, columns)},
    {"concat", IR_OP(device, concat)},  {"gemm", IR_OP(device, product)},    {"gemm", IR_OP(device, outer_sum)},
    {"columns", IR_OP(device, lookup)},
};
enum { FAMILIES = sizeof families / sizeof *families };

const char place_family_names[] = "gemm, spmm, sddmm, vadd, map, columns, concat, or all";

static bool is_word(const char *word, size_t length, const char *name) {
  return strlen(name) == length && !strncmp(word, name, length);
}

/* Whether a list of words, "gemm,map", contains the name. */
static bool lists(const char *list, const char *name) {
  for (const char *at = list;; at++) {
    size_t length = strcspn(at, ",");
    if (is_word(at, length, name)) return true;
    at += length;
    if (!*at) return false;
  }
}

bool place_takes(const char *host, const char *family, const char *other) {
  return lists(host, "all") || lists(host, family) || lists(host, other);
}

bool place_check_families(const char *host, const char **unknown, int *length) {
  for (const char *at = host;; at++) {
    size_t size = strcspn(at, ",");
    bool is_known = is_word(at, size, "all");
    for (int i = 0; i < FAMILIES; i++) is_known = is_known || is_word(at, size, families[i].name);
    *unknown = at;
    *length = (int)size;
    if (!is_known) return false;
    at += size;
    if (!*at) return true;
  }
}

bool place_is_on_host(MlirOperation op) {
  return ir_string_is(op, "unit", "host");
}

/* Returns the family of an operation; NULL for operations that are no steps: edge lists, constants,
 * inputs, outputs, the gnn level. */
static const char *family_of(MlirOperation op) {
  for (int i = 0; i < FAMILIES; i++)
    if (ir_op_kind(op) == families[i].op) return families[i].name;
  return NULL;
}

bool place_is_step(MlirOperation op) {
  return family_of(op);
}

bool place_is_from_device(MlirValue value) {
  MlirOperation op = ir_defining_op(value);
  return !mlirOperationIsNull(op) && place_is_step(op) && !place_is_on_host(op);
}

bool place_has_few_values(MlirOperation spdmm, program_host *host) {
  MlirValue values = ir_operand(spdmm, IR_IN(device, spdmm, values));
  const program_edge_list *l;
  status failed = program_host_edge_list(host, operand_edges(values), &l);
  bool is_few = !failed && l->edges <= INT32_MAX / ir_type_of(values).dims[0];
  status_free(failed);
  return is_few;
}

bool place_has_sum_users(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    ir_op kind = ir_op_kind(user);
    if (kind == IR_OP(device, gemm) || kind == IR_OP(device, layer)) return true;
    if (kind == IR_OP(device, spdmm) && ir_string_is(user, "reduce", "sum")) return true;
  }
  return false;
}

/* Returns the number of functions of an operation before the first one that the machine lacks. */
static size_t count_functions(MlirOperation op, const place_rules *rules) {
  size_t count = ir_get_array_size(op, "functions"), most = rules->most_functions, i = 0;
  for (size_t taken = 0; i < count; i++) {
    elementwise_call call;
    const char *said = ir_get_string_at(op, "functions", i);
    if (!*said || !strcmp(said, "none")) continue;
    if (most && taken++ == most) break;
    if (!elementwise_call_parse(said, &call) || !rules->has_function(call.function, rules->user)) break;
  }
  return i;
}

/* Returns functions begin .. end - 1 of an operation as an attribute. */
static MlirAttribute functions_of(arena *a, MlirOperation op, size_t begin, size_t end) {
  const char **names = arena_alloc_array(a, end - begin + 1, sizeof *names);
  for (size_t i = begin; i < end; i++) names[i - begin] = ir_get_string_at(op, "functions", i);
  return ir_attr_strings(mlirOperationGetContext(op), names, end - begin);
}

static void cut_functions(arena *a, MlirOperation op, size_t kept) {
  MlirValue result = ir_result(op);
  ir_builder b = ir_builder_before(ir_op_next(op));
  b.location = mlirOperationGetLocation(op);
  ir_attr attributes[] = {{"functions", functions_of(a, op, kept, ir_get_array_size(op, "functions"))},
                          {"unit", ir_attr_string(b.context, "host")},
                          {NULL, {NULL}}};
  MlirValue mapped = ir_build_value(&b, IR_OP(device, map), &result, attributes);
  if (ir_value_is_null(mapped)) return;
  mlirValueReplaceAllUsesExcept(result, mapped, 1, (MlirOperation[]){mlirOpResultGetOwner(mapped)});
  ir_set_attr(op, "functions", functions_of(a, op, 0, kept));
}

/* Whether only the host computes it: no machine takes a matrix, or addresses, from its own results. */
static bool is_host_alone(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  return kind == IR_OP(device, product) || kind == IR_OP(device, outer_sum) || kind == IR_OP(device, lookup);
}

static void place(arena *a, MlirOperation op, const place_rules *rules) {
  const char *family = family_of(op);
  if (!family || place_is_on_host(op)) return;
  bool is_asked = rules->host && (lists(rules->host, "all") || lists(rules->host, family));
  bool is_host = is_asked || is_host_alone(op) || !rules->runs || !rules->runs(op, rules->user);
  size_t count = ir_get_array_size(op, "functions"), kept = is_host ? count : count_functions(op, rules);
  if (kept < count && kept == 0 && ir_op_kind(op) == IR_OP(device, map)) is_host = true;
  if (is_host)
    ir_set_attr(op, "unit", ir_attr_string(mlirOperationGetContext(op), "host"));
  else if (kept < count)
    cut_functions(a, op, kept);
}

void place_operations(arena *a, MlirOperation function, const place_rules *rules) {
  IR_FOR_EACH_OP(op, ir_func_body(function)) place(a, op, rules);
}

void place_remark(arena *a, diag *d, MlirOperation op, const char *format, ...) {
  const char *file = NULL;
  unsigned line = 0, column = 0;
  bool is_known = ir_location_position(mlirOperationGetLocation(op), &file, &line, &column);
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(a, format, args);
  va_end(args);
  diag_report_at(d, is_known ? file : NULL, line, column, DIAG_optimization, "place: %s", message);
}

/* ---- contents of device memory ---- */

bool place_has_host(MlirOperation function) {
  IR_FOR_EACH_OP(op, ir_func_body(function))
    if (place_is_on_host(op)) return true;
  return false;
}

static void need(map *needs, MlirValue value) {
  if (!ir_value_is_null(value)) map_set(needs, value.ptr, 1);
}

/* Adds the values that an operation needs in device memory. Users follow the operations they use,
 * so a walk from the end visits all users of a value before the operation that makes it. */
static void add_needs(map *needs, MlirOperation op) {
  bool is_output = ir_op_kind(op) == IR_OP(device, output), is_host = place_is_on_host(op);
  if (is_output) {
    MlirValue x = ir_operand(op, IR_IN(device, output, x));
    if (!place_is_on_host(ir_defining_op(x))) need(needs, x);
    return;
  }
  bool is_step = family_of(op) && !is_host;
  for (intptr_t i = 0; is_step && i < mlirOperationGetNumOperands(op); i++) need(needs, mlirOperationGetOperand(op, i));
  if (is_step) need(needs, ir_result(op));
  bool is_values = mlirOperationGetNumResults(op) == 1 && ir_type_of(ir_result(op)).kind == IR_KIND_values;
  if (is_values && place_needs(needs, ir_result(op))) need(needs, ir_result(operand_edges(ir_result(op))));
}

map place_find_needs(arena *a, MlirOperation function) {
  map needs = {.arena = a};
  VEC(MlirOperation) operations = {0};
  IR_FOR_EACH_OP(op, ir_func_body(function)) VEC_PUSH(a, &operations, op);
  for (size_t i = operations.count; i-- > 0;) add_needs(&needs, operations.items[i]);
  return needs;
}
