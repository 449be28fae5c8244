/* What the rules of differentiation share: see gnn_adjoint.h. */
#include "passes/gnn/train/gnn_adjoint.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

bool gnn_adjoint_is_active(const gnn_adjoint *a, MlirValue value) {
  return !ir_value_is_null(value) && map_get_pointer(&a->active, value.ptr);
}

void gnn_adjoint_refuse(gnn_adjoint *a, MlirOperation op, const char *why) {
  const char *file = NULL;
  unsigned line = 0, column = 0;
  bool is_known = ir_location_position(mlirOperationGetLocation(op), &file, &line, &column);
  a->is_wrong = true;
  if (is_known && !strcmp(file, "-")) /* the text was parsed; MLIR's handler knows its name */
    mlirEmitError(mlirOperationGetLocation(op), why);
  else
    diag_report_at(a->p->diag, is_known ? file : NULL, line, column, DIAG_no_derivative, "%s depends on this: %s",
                   a->backward ? "an output" : "the loss", why);
}

void gnn_adjoint_find_graphs(gnn_adjoint *a) {
  a->graphs = (map){.arena = a->p->arena, .of_strings = true};
  MlirBlock body = ir_func_body(a->func);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    ir_type type = ir_type_of(argument);
    if (type.kind == IR_KIND_graph) map_set_pointer(&a->graphs, type.set, argument.ptr);
  }
  IR_FOR_EACH_OP(op, body) {
    if (mlirOperationGetNumResults(op) != 1) continue;
    ir_type type = ir_type_of(ir_result(op));
    if (type.kind == IR_KIND_graph) map_set_pointer(&a->graphs, type.set, ir_result(op).ptr);
  }
}

/* ---- builders ---- */

MlirValue gnn_adjoint_binary(const gnn_adjoint *a, ir_op op, MlirValue x, MlirValue y) {
  return gnn_build_binary(&a->b, op, x, y);
}

MlirValue gnn_adjoint_constant(const gnn_adjoint *a, double number) {
  return gnn_build_constant(&a->b, number);
}

MlirValue gnn_adjoint_unary(const gnn_adjoint *a, MlirValue x, const char *function) {
  return gnn_build_activation(&a->b, x, function);
}

MlirValue gnn_adjoint_compare(const gnn_adjoint *a, MlirValue x, MlirValue y, const char *predicate) {
  const MlirValue operands[IR_MAX_OPERANDS] = {x, y};
  ir_attr attributes[] = {{"predicate", ir_attr_string(a->b.context, predicate)}, {NULL, {NULL}}};
  return ir_build_value(&a->b, IR_OP(gnn, compare), operands, attributes);
}

MlirValue gnn_adjoint_select(const gnn_adjoint *a, MlirValue condition, MlirValue x, MlirValue y) {
  const MlirValue operands[IR_MAX_OPERANDS] = {condition, x, y};
  return ir_build_value(&a->b, IR_OP(gnn, select), operands, NULL);
}

MlirValue gnn_adjoint_reduce(const gnn_adjoint *a, MlirValue x, const char *function) {
  ir_attr attributes[] = {{"function", ir_attr_string(a->b.context, function)}, {NULL, {NULL}}};
  return ir_build_value(&a->b, IR_OP(gnn, reduce), &x, attributes);
}

MlirValue gnn_adjoint_reshape(const gnn_adjoint *a, MlirValue x, unsigned rank, const int64_t *dims) {
  ir_type type = ir_type_of(x), wanted = ir_type_plain(rank, dims);
  if (ir_payload_equal(type, wanted)) return x;
  ir_attr attributes[] = {{"shape", ir_attr_integers(a->b.context, dims, rank)}, {NULL, {NULL}}};
  return ir_build_value(&a->b, IR_OP(gnn, reshape), &x, attributes);
}

MlirValue gnn_adjoint_view(const gnn_adjoint *a, MlirValue x, unsigned rank, const int64_t *dims,
                           const int64_t *strides, int64_t begin) {
  ir_attr attributes[] = {{"shape", ir_attr_integers(a->b.context, dims, rank)},
                          {"strides", ir_attr_integers(a->b.context, strides, rank)},
                          {"begin", ir_attr_integer(a->b.context, begin)},
                          {NULL, {NULL}}};
  return ir_build_value(&a->b, IR_OP(gnn, view), &x, attributes);
}

/* The strides of a payload in row-major order. */
static void strides_of(ir_type type, int64_t *strides) {
  int64_t stride = 1;
  for (unsigned i = type.rank; i-- > 0; stride *= type.dims[i]) strides[i] = stride;
}

MlirValue gnn_adjoint_spread(const gnn_adjoint *a, MlirValue x, int64_t width) {
  ir_type type = ir_type_of(x);
  int64_t strides[IR_MAX_RANK + 1] = {0};
  strides_of(type, strides);
  type.dims[type.rank] = width;
  strides[type.rank] = 0;
  return gnn_adjoint_view(a, x, type.rank + 1, type.dims, strides, 0);
}

MlirValue gnn_adjoint_along_last(const gnn_adjoint *a, MlirValue coefficient, ir_type type) {
  if (type.rank <= 1) return coefficient;
  int64_t strides[IR_MAX_RANK] = {0};
  strides[type.rank - 1] = 1;
  return gnn_adjoint_view(a, coefficient, type.rank, type.dims, strides, 0);
}

MlirValue gnn_adjoint_transpose(const gnn_adjoint *a, MlirValue x) {
  return gnn_build_unary(&a->b, IR_OP(gnn, transpose), x);
}

MlirValue gnn_adjoint_zeros(const gnn_adjoint *a, unsigned rank, const int64_t *dims) {
  static const int64_t strides[IR_MAX_RANK] = {0};
  MlirValue zero = gnn_adjoint_constant(a, 0);
  return rank ? gnn_adjoint_view(a, zero, rank, dims, strides, 0) : zero;
}

MlirValue gnn_adjoint_linear(const gnn_adjoint *a, MlirValue x, MlirValue w, bool is_transposed) {
  const MlirValue operands[IR_MAX_OPERANDS] = {x, w};
  ir_attr attributes[] = {{"transposed", ir_attr_bool(a->b.context, is_transposed)}, {NULL, {NULL}}};
  return ir_build_value(&a->b, IR_OP(gnn, linear), operands, attributes);
}

MlirValue gnn_adjoint_contract(gnn_adjoint *a, MlirValue x, MlirValue y, bool is_batch, const char *per,
                               int64_t count) {
  MlirContext context = a->b.context;
  const MlirValue operands[IR_MAX_OPERANDS] = {gnn_adjoint_graph_of(a, y), x, y};
  ir_attr attributes[] = {{"batch", ir_attr_bool(context, is_batch)},
                          {"per", per ? ir_attr_string(context, per) : (MlirAttribute){NULL}},
                          {"count", per ? ir_attr_integer(context, count) : (MlirAttribute){NULL}},
                          {NULL, {NULL}}};
  return ir_build_value(&a->b, IR_OP(gnn, contract), operands, attributes);
}

MlirValue gnn_adjoint_sum_at(const gnn_adjoint *a, MlirValue graph, MlirValue value, MlirValue weight,
                             const char *direction) {
  const MlirValue operands[IR_MAX_OPERANDS] = {graph, value, weight};
  ir_attr attributes[] = {{"reduce", ir_attr_string(a->b.context, "sum")},
                          {"direction", ir_attr_string(a->b.context, direction)},
                          {NULL, {NULL}}};
  return ir_build_value(&a->b, IR_OP(gnn, aggregate), operands, attributes);
}

MlirValue gnn_adjoint_divisor(const gnn_adjoint *a, MlirValue x) {
  MlirValue zero = gnn_adjoint_constant(a, 0), one = gnn_adjoint_constant(a, 1);
  return gnn_adjoint_select(a, gnn_adjoint_compare(a, x, zero, "eq"), one, x);
}

/* ---- rows ---- */

int64_t gnn_adjoint_count(const gnn_adjoint *a, MlirValue value) {
  if (mlirValueIsABlockArgument(value)) {
    MlirAttribute count = ir_func_arg_attr(a->func, (size_t)mlirBlockArgumentGetArgNumber(value), "gnn.count");
    return mlirAttributeIsNull(count) ? 0 : mlirIntegerAttrGetValueInt(count);
  }
  MlirOperation op = ir_defining_op(value);
  int64_t count = ir_get_integer(op, "count", 0);
  for (intptr_t i = 0; !count && i < mlirOperationGetNumOperands(op); i++)
    if (ir_type_of(mlirOperationGetOperand(op, i)).kind == IR_KIND_per)
      count = gnn_adjoint_count(a, mlirOperationGetOperand(op, i));
  return count;
}

MlirValue gnn_adjoint_graph_of(gnn_adjoint *a, MlirValue value) {
  ir_type type = ir_type_of(value);
  const char *set = type.kind == IR_KIND_per ? NULL : type.set, *whole = set ? ir_whole_set(a->b.context, set) : NULL;
  MlirValue graph = {set ? map_get_pointer(&a->graphs, whole ? whole : set) : NULL};
  for (intptr_t i = 0; ir_value_is_null(graph) && i < mlirBlockGetNumArguments(ir_func_body(a->func)); i++) {
    MlirValue argument = mlirBlockGetArgument(ir_func_body(a->func), i);
    if (ir_type_of(argument).kind == IR_KIND_graph) graph = argument;
  }
  return graph;
}

/* x as a value with the rows of `like`, the same in each: a condition with rows makes them. */
static MlirValue repeat_rows(gnn_adjoint *a, MlirValue x, MlirValue like) {
  static const int64_t none[1] = {0};
  MlirValue number = ir_type_of(like).rank ? gnn_adjoint_view(a, like, 0, none, none, 0) : like;
  return gnn_adjoint_select(a, gnn_adjoint_compare(a, number, gnn_adjoint_constant(a, 0), "eq"), x, x);
}

/* ---- sums ---- */

/* Sums the dimensions of d behind the first `rank`. */
static MlirValue sum_behind(const gnn_adjoint *a, MlirValue d, unsigned rank) {
  ir_type type = ir_type_of(d);
  if (type.rank <= rank) return d;
  int64_t dims[IR_MAX_RANK], rest = 1;
  for (unsigned i = 0; i < rank; i++) dims[i] = type.dims[i];
  for (unsigned i = rank; i < type.rank; i++) rest *= type.dims[i];
  dims[rank] = rest;
  return gnn_adjoint_reduce(a, gnn_adjoint_reshape(a, d, rank + 1, dims), "sum");
}

/* Brings d to the payload and the rows of `value`. */
static MlirValue fit(gnn_adjoint *a, MlirValue value, MlirValue d) {
  ir_type type = ir_type_of(value), have = ir_type_of(d);
  d = sum_behind(a, d, type.rank);
  bool has_rows = have.kind != IR_KIND_plain, wants_rows = type.kind != IR_KIND_plain;
  if (ir_value_is_null(d)) return d;
  if (has_rows && !wants_rows) return gnn_adjoint_contract(a, (MlirValue){NULL}, d, false, NULL, 0);
  if (!has_rows && wants_rows) return repeat_rows(a, d, value);
  return d;
}

void gnn_adjoint_add(gnn_adjoint *a, MlirValue value, MlirValue d) {
  if (!gnn_adjoint_is_active(a, value) || ir_value_is_null(d)) return;
  d = fit(a, value, d);
  MlirValue before = {map_get_pointer(&a->of, value.ptr)};
  if (!ir_value_is_null(before)) d = gnn_adjoint_binary(a, IR_OP(gnn, vector_add), before, d);
  if (ir_value_is_null(d)) {
    a->is_wrong = true;
    return;
  }
  map_set_pointer(&a->of, value.ptr, d.ptr);
}

void gnn_adjoint_add_product(gnn_adjoint *a, MlirValue value, MlirValue x, MlirValue y) {
  if (!gnn_adjoint_is_active(a, value) || ir_value_is_null(x) || ir_value_is_null(y)) return;
  ir_type type = ir_type_of(value), left = ir_type_of(x), right = ir_type_of(y);
  bool is_inner = left.rank == right.rank && left.rank == type.rank + 1;
  gnn_adjoint_add(a, value, gnn_adjoint_binary(a, is_inner ? IR_OP(gnn, vector_inner) : IR_OP(gnn, multiply), x, y));
}
