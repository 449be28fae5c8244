/* Result types of operations on payloads, lifted over their domains: element-wise operations,
 * products, reductions, shapes. */
#include "dialects/verify/infer.h"
#include "dialects/verify/infer_index.h"

#include <inttypes.h>
#include <string.h>

#define ARG(op, name) ((unsigned)IR_IN(gnn, op, name))

static bool is_present(const infer *in, unsigned operand) {
  return !mlirValueIsNull(in->values[operand]);
}

/* "64", or "?" for an unknown size. */
static const char *print_dim(text *out, int64_t dim) {
  if (mlirShapedTypeIsDynamicSize(dim))
    text_append(out, "?");
  else
    text_printf(out, "%" PRId64, dim);
  return text_str(out);
}

/* ---- element-wise ---- */

static bool infer_binary(const infer *in, ir_type *result) {
  return infer_join_domain(in, 0, 1, result) && infer_broadcast(in, 0, 1, result);
}

/* The description with the type of one operand replaced by a join; used to join three operands. */
static infer with_first(const infer *in, unsigned operand, ir_type type) {
  infer copy = *in;
  copy.types[operand] = type;
  return copy;
}

static bool infer_select(const infer *in, ir_type *result) {
  unsigned condition = ARG(select, condition), a = ARG(select, a), b = ARG(select, b);
  ir_type both = {0};
  if (!infer_join_domain(in, a, b, &both) || !infer_broadcast(in, a, b, &both)) return false;
  infer rest = with_first(in, a, both);
  return infer_join_domain(&rest, condition, a, result) && infer_broadcast(&rest, condition, a, result);
}

static bool infer_batch_norm(const infer *in, ir_type *result) {
  unsigned x = ARG(batch_norm, x);
  if (!infer_check_rank(in, x, 1)) return false;
  *result = in->types[x];
  int64_t columns = result->dims[result->rank - 1];
  for (unsigned i = ARG(batch_norm, mean); i <= ARG(batch_norm, beta); i++) {
    ir_type c = in->types[i];
    if (c.rank == 1 && infer_same_dim(c.dims[0], columns)) continue;
    text found = {0}, wanted = {0};
    ir_type_print(&found, c);
    infer_error(in, "'%s' has %s columns, but '%s' is %s", infer_name(in, x), print_dim(&wanted, columns),
                infer_name(in, i), text_str(&found));
    text_free(&found);
    text_free(&wanted);
    return false;
  }
  return true;
}

/* ---- products ---- */

static bool wrong_columns(const infer *in, unsigned x, int64_t columns, unsigned w, int64_t rows) {
  text left = {0}, right = {0};
  infer_error(in, "'%s' has %s columns here, but '%s' takes %s", infer_name(in, x), print_dim(&left, columns),
              infer_name(in, w), print_dim(&right, rows));
  text_free(&left);
  text_free(&right);
  return false;
}

static bool wrong_weight_rank(const infer *in) {
  text x = {0}, w = {0};
  ir_type_print(&x, ir_type_payload(in->types[ARG(linear, x)]));
  ir_type_print(&w, ir_type_payload(in->types[ARG(linear, w)]));
  infer_error(
      in, "'%s' is %s and '%s' is %s; a product takes [..., K] @ [K, N], [H, K] @ [H, K, N] or [H, M, K] @ [H, K, N]",
      infer_name(in, ARG(linear, x)), text_str(&x), infer_name(in, ARG(linear, w)), text_str(&w));
  text_free(&x);
  text_free(&w);
  return false;
}

/* The payload of x @ w. */
static bool infer_product(const infer *in, ir_type *result) {
  unsigned x = ARG(linear, x), w = ARG(linear, w);
  ir_type a = in->types[x], b = in->types[w];
  if (!infer_check_rank(in, x, 1)) return false;
  bool is_rows = a.rank > 1 && b.rank == a.rank + 1, is_matrices = a.rank > 2 && b.rank == a.rank;
  if (b.rank != 2 && !is_rows && !is_matrices) return wrong_weight_rank(in);
  unsigned batch = is_rows ? a.rank - 1 : is_matrices ? a.rank - 2 : 0;
  for (unsigned i = 0; i < batch; i++) {
    if (!infer_same_dim(a.dims[i], b.dims[i])) return wrong_weight_rank(in);
    a.dims[i] = infer_known_dim(a.dims[i], b.dims[i]);
  }
  bool transposed = !mlirAttributeIsNull(infer_attribute(in, "transposed"));
  int64_t rows = b.dims[b.rank - (transposed ? 1 : 2)], columns = b.dims[b.rank - (transposed ? 2 : 1)];
  if (!infer_same_dim(a.dims[a.rank - 1], rows)) return wrong_columns(in, x, a.dims[a.rank - 1], w, rows);
  a.dims[a.rank - 1] = columns;
  *result = ir_type_with_payload(*result, a);
  return true;
}

static bool check_bias(const infer *in, ir_type *result) {
  unsigned bias = ARG(linear, bias);
  ir_type b = in->types[bias];
  int64_t *columns = &result->dims[result->rank - 1];
  if (b.rank == 1 && infer_same_dim(b.dims[0], *columns)) {
    *columns = infer_known_dim(*columns, b.dims[0]);
    return true;
  }
  text found = {0}, wanted = {0};
  ir_type_print(&found, ir_type_payload(b));
  infer_error(in, "the product has %s columns, but bias '%s' is %s", print_dim(&wanted, *columns), infer_name(in, bias),
              text_str(&found));
  text_free(&found);
  text_free(&wanted);
  return false;
}

static bool check_addend(const infer *in, ir_type *result) {
  unsigned addend = ARG(linear, addend);
  if (infer_same_payload(in->types[addend], *result)) return true;
  text found = {0}, wanted = {0};
  ir_type_print(&found, ir_type_payload(in->types[addend]));
  ir_type_print(&wanted, ir_type_payload(*result));
  infer_error(in, "the product is %s, but '%s', which is added, is %s", text_str(&wanted), infer_name(in, addend),
              text_str(&found));
  text_free(&found);
  text_free(&wanted);
  return false;
}

/* Joins one more operand into the domain of the result; messages name x for the operands joined so
 * far. */
static bool join_more(const infer *in, unsigned operand, ir_type *result) {
  infer so_far = with_first(in, 0, *result);
  return infer_join_domain(&so_far, 0, operand, result);
}

static bool infer_linear(const infer *in, ir_type *result) {
  unsigned x = ARG(linear, x), w = ARG(linear, w), bias = ARG(linear, bias), addend = ARG(linear, addend);
  infer rows = *in; /* a sparse x gives dense rows, of nodes or of pairs */
  if (rows.types[x].kind == IR_KIND_sparse)
    rows.types[x].kind = ir_unique_end(rows.types[x].set) ? IR_KIND_edge : IR_KIND_node;
  if (!infer_join_domain(&rows, x, w, result) || !infer_product(&rows, result)) return false;
  if (is_present(in, bias) && (!join_more(in, bias, result) || !check_bias(in, result))) return false;
  if (is_present(in, addend) && in->types[addend].kind == IR_KIND_sparse)
    return infer_error(in, "'%s' is sparse, but an addend is dense", infer_name(in, addend));
  return !is_present(in, addend) || (join_more(in, addend, result) && check_addend(in, result));
}

static bool infer_inner(const infer *in, ir_type *result) {
  if (!infer_check_rank(in, 0, 1) || !infer_check_rank(in, 1, 1)) return false;
  infer rest = *in; /* without the dimension that is summed over */
  ir_type *a = &rest.types[0], *b = &rest.types[1];
  int64_t left = a->dims[--a->rank], right = b->dims[--b->rank];
  if (!infer_same_dim(left, right)) return wrong_columns(in, 0, left, 1, right);
  return infer_binary(&rest, result);
}

static bool infer_outer(const infer *in, ir_type *result) {
  for (unsigned i = 0; i < 2; i++)
    if (in->types[i].rank != 1)
      return infer_error(in, "an outer product takes two vectors, but '%s' has %u dimensions", infer_name(in, i),
                         in->types[i].rank);
  if (!infer_join_domain(in, 0, 1, result)) return false;
  result->rank = 2;
  result->dims[0] = in->types[0].dims[0];
  result->dims[1] = in->types[1].dims[0];
  return true;
}

/* ---- shapes ---- */

static bool infer_last_reduced(const infer *in, ir_type *result) {
  if (!infer_check_rank(in, 0, 1)) return false;
  *result = in->types[0];
  result->dims[--result->rank] = 0;
  return true;
}

static bool infer_rows(const infer *in, ir_type *result) {
  *result = in->types[0];
  return infer_check_rank(in, 0, 1);
}

static bool infer_concat(const infer *in, ir_type *result) {
  if (!infer_check_rank(in, 0, 1) || !infer_join_domain(in, 0, 1, result)) return false;
  ir_type a = in->types[0], b = in->types[1];
  unsigned last = a.rank - 1;
  int64_t left = a.dims[last], right = b.rank == a.rank ? b.dims[last] : 0;
  bool is_known = !mlirShapedTypeIsDynamicSize(left) && !mlirShapedTypeIsDynamicSize(right);
  int64_t sum = mlirShapedTypeGetDynamicSize();
  if (is_known && __builtin_add_overflow(left, right, &sum)) return infer_error(in, "the result is too large");
  b.dims[last] = left; /* all other dimensions must agree */
  if (!infer_same_payload(a, b)) {
    text x = {0}, y = {0};
    ir_type_print(&x, ir_type_payload(in->types[0]));
    ir_type_print(&y, ir_type_payload(in->types[1]));
    infer_error(in, "'%s' is %s, but '%s' is %s; all dimensions but the last must agree", infer_name(in, 0),
                text_str(&x), infer_name(in, 1), text_str(&y));
    text_free(&x);
    text_free(&y);
    return false;
  }
  for (unsigned i = 0; i < last; i++) a.dims[i] = infer_known_dim(a.dims[i], b.dims[i]);
  a.dims[last] = sum;
  *result = ir_type_with_payload(*result, a);
  return true;
}

static bool infer_columns(const infer *in, ir_type *result) {
  if (!infer_check_rank(in, 0, 1)) return false;
  *result = in->types[0];
  int64_t *columns = &result->dims[result->rank - 1];
  int64_t begin = mlirIntegerAttrGetValueInt(infer_attribute(in, "begin"));
  int64_t width = mlirIntegerAttrGetValueInt(infer_attribute(in, "width"));
  bool is_known = !mlirShapedTypeIsDynamicSize(*columns);
  if (begin < 0 || width < 1 || (is_known && (begin > *columns || width > *columns - begin))) {
    text found = {0};
    infer_error(in, "'%s' has %s columns, but %" PRId64 " from column %" PRId64 " on are taken", infer_name(in, 0),
                print_dim(&found, *columns), width, begin);
    text_free(&found);
    return false;
  }
  *columns = width;
  return true;
}

static bool infer_reshape(const infer *in, ir_type *result) {
  MlirAttribute shape = infer_attribute(in, "shape");
  ir_type payload = {.is_integer = in->types[0].is_integer};
  int64_t count = mlirDenseArrayGetNumElements(shape);
  if (count > IR_MAX_RANK)
    return infer_error(in, "a shape has at most %d dimensions, not %" PRId64, IR_MAX_RANK, count);
  payload.rank = (unsigned)count;
  for (int64_t i = 0; i < count; i++) {
    payload.dims[i] = mlirDenseI64ArrayGetElement(shape, i);
    if (payload.dims[i] < 0) return infer_error(in, "a dimension cannot be %" PRId64, payload.dims[i]);
  }
  *result = ir_type_with_payload(in->types[0], payload);
  if (infer_same_dim(ir_type_elements(in->types[0]), ir_type_elements(payload))) return true;
  text found = {0}, wanted = {0};
  ir_type_print(&found, ir_type_payload(in->types[0]));
  ir_type_print(&wanted, payload);
  infer_error(in, "'%s' is %s with %" PRId64 " elements, but %s takes %" PRId64, infer_name(in, 0), text_str(&found),
              ir_type_elements(in->types[0]), text_str(&wanted), ir_type_elements(payload));
  text_free(&found);
  text_free(&wanted);
  return false;
}

static bool infer_transpose(const infer *in, ir_type *result) {
  if (!infer_check_rank(in, 0, 2)) return false;
  *result = in->types[0];
  result->dims[result->rank - 1] = in->types[0].dims[result->rank - 2];
  result->dims[result->rank - 2] = in->types[0].dims[result->rank - 1];
  return true;
}

static bool infer_view(const infer *in, ir_type *result) {
  MlirAttribute shape = infer_attribute(in, "shape"), strides = infer_attribute(in, "strides");
  ir_type payload = {.is_integer = in->types[0].is_integer};
  int64_t rank = mlirDenseArrayGetNumElements(shape);
  if (rank > IR_MAX_RANK) return infer_error(in, "a shape has at most %d dimensions, not %" PRId64, IR_MAX_RANK, rank);
  if (mlirDenseArrayGetNumElements(strides) != rank) return infer_error(in, "'shape' and 'strides' differ in length");
  int64_t first = mlirIntegerAttrGetValueInt(infer_attribute(in, "begin")), last = first;
  bool is_large = false;
  payload.rank = (unsigned)rank;
  for (int64_t i = 0; i < rank; i++) {
    int64_t size = mlirDenseI64ArrayGetElement(shape, i), reach = 0;
    if (size < 1) return infer_error(in, "a dimension cannot be %" PRId64, size);
    payload.dims[i] = size;
    is_large |= __builtin_mul_overflow(size - 1, mlirDenseI64ArrayGetElement(strides, i), &reach);
    is_large |= __builtin_add_overflow(reach < 0 ? first : last, reach, reach < 0 ? &first : &last);
  }
  *result = ir_type_with_payload(in->types[0], payload);
  int64_t size = ir_type_elements(in->types[0]);
  bool is_inside = !is_large && first >= 0 && (mlirShapedTypeIsDynamicSize(size) || last < size);
  return is_inside || infer_error(in, "the view reads elements that '%s' does not have", infer_name(in, 0));
}

/* ---- integers ---- */

static bool infer_convert(const infer *in, ir_type *result) {
  *result = in->types[0];
  result->is_integer = false;
  return in->types[0].is_integer || infer_error(in, "'%s' is f32 already", infer_name(in, 0));
}

static bool infer_densify(const infer *in, ir_type *result) {
  *result = in->types[0];
  result->kind = IR_KIND_node;
  return true;
}

/* d and the operands of the function that are there have one shape; the result has the join of their domains. */
static bool infer_derivative(const infer *in, ir_type *result) {
  unsigned d = ARG(derivative, d);
  *result = in->types[d];
  for (unsigned i = ARG(derivative, x); i <= ARG(derivative, y); i++) {
    if (!is_present(in, i)) continue;
    if (!infer_same_payload(in->types[d], in->types[i]))
      return infer_error(in, "'%s' and '%s' differ in shape", infer_name(in, d), infer_name(in, i));
    infer joined = with_first(in, d, *result);
    if (!infer_join_domain(&joined, d, i, result)) return false;
  }
  return true;
}

bool infer_dropout(const infer *in, ir_type *result) {
  *result = in->types[0];
  MlirAttribute p = infer_attribute(in, "p"), site = infer_attribute(in, "site");
  double value = mlirAttributeIsNull(p) || !mlirAttributeIsAFloat(p) ? 0 : mlirFloatAttrGetValueDouble(p);
  if (!(value >= 0 && value < 1))
    return infer_error(in, "'p' is %g, expected a probability of at least 0 and less than 1", value);
  int64_t number = mlirAttributeIsNull(site) || !mlirAttributeIsAInteger(site) ? 0 : mlirIntegerAttrGetValueInt(site);
  return (number >= 0 && number <= UINT32_MAX) ||
         infer_error(in, "'site' is %" PRId64 ", expected a number of 32 bits", number);
}

/* The payload of a sum of outer products: [..., K] and [..., N] give [K, N], or [..., K, N] for a batch. */
static bool infer_outer_sum(const infer *in, ir_type *result) {
  unsigned a = ARG(contract, a), b = ARG(contract, b);
  ir_type x = in->types[a], y = in->types[b];
  bool is_batch = !mlirAttributeIsNull(infer_attribute(in, "batch"));
  if (!infer_check_rank(in, a, 1) || !infer_check_rank(in, b, 1)) return false;
  bool is_same = x.rank == y.rank;
  for (unsigned i = 0; is_same && i + 1 < x.rank; i++) is_same = infer_same_dim(x.dims[i], y.dims[i]);
  if (!is_same || (is_batch && (x.rank < 2 || x.rank >= IR_MAX_RANK)))
    return infer_error(in, "'%s' and '%s' do not have the same leading dimensions%s", infer_name(in, a),
                       infer_name(in, b), is_batch ? ", which a batch needs" : "");
  unsigned kept = is_batch ? x.rank - 1 : 0;
  ir_type payload = {.rank = kept + 2};
  for (unsigned i = 0; i < kept; i++) payload.dims[i] = infer_known_dim(x.dims[i], y.dims[i]);
  payload.dims[kept] = x.dims[x.rank - 1];
  payload.dims[kept + 1] = y.dims[y.rank - 1];
  *result = payload;
  return true;
}

static bool infer_contract(const infer *in, ir_type *result) {
  unsigned a = ARG(contract, a), b = ARG(contract, b);
  ir_type rows = in->types[b];
  bool is_per = rows.kind == IR_KIND_per && strcmp(rows.set, "piece") != 0;
  if (rows.kind != IR_KIND_node && rows.kind != IR_KIND_edge && !is_per)
    return infer_error(in, "'%s' has no rows to add up", infer_name(in, b));
  if (!is_present(in, a)) {
    *result = ir_type_payload(rows);
  } else {
    ir_type x = in->types[a];
    bool is_node = x.kind == IR_KIND_node || x.kind == IR_KIND_sparse;
    if ((rows.kind == IR_KIND_node ? !is_node : x.kind != rows.kind) || strcmp(x.set, rows.set) != 0)
      return infer_error(in, "'%s' and '%s' have different rows", infer_name(in, a), infer_name(in, b));
    if (!infer_outer_sum(in, result)) return false;
  }
  const char *per = infer_string(in, "per");
  result->kind = *per ? IR_KIND_per : IR_KIND_plain;
  if (!*per) return true;
  result->set = ir_intern(in->context, per);
  if (mlirAttributeIsNull(infer_attribute(in, "count"))) return infer_error(in, "sums per type need their 'count'");
  bool is_of_nodes = !strcmp(per, "ntype");
  return (!is_per && is_of_nodes == (rows.kind == IR_KIND_node)) || infer_error(in, "rows of %s have no %s",
                                                                                is_per                      ? rows.set
                                                                                : rows.kind == IR_KIND_node ? "nodes"
                                                                                                            : "edges",
                                                                                per);
}

bool infer_layer(const infer *in, ir_type *result) {
  switch (in->op) {
  case IR_OP(gnn, linear): return infer_linear(in, result);
  case IR_OP(gnn, vector_inner): return infer_inner(in, result);
  case IR_OP(gnn, select): return infer_select(in, result);
  case IR_OP(gnn, derivative): return infer_derivative(in, result);
  case IR_OP(gnn, contract): return infer_contract(in, result);
  case IR_OP(gnn, dropout): return infer_dropout(in, result);
  case IR_OP(gnn, activation): *result = in->types[0]; return true;
  case IR_OP(gnn, batch_norm): return infer_batch_norm(in, result);
  case IR_OP(gnn, row_normalize):
  case IR_OP(gnn, softmax): return infer_rows(in, result);
  case IR_OP(gnn, densify): return infer_densify(in, result);
  case IR_OP(gnn, reduce):
  case IR_OP(gnn, argmax): return infer_last_reduced(in, result);
  case IR_OP(gnn, concat): return infer_concat(in, result);
  case IR_OP(gnn, columns): return infer_columns(in, result);
  case IR_OP(gnn, view): return infer_view(in, result);
  case IR_OP(gnn, reshape): return infer_reshape(in, result);
  case IR_OP(gnn, outer): return infer_outer(in, result);
  case IR_OP(gnn, transpose): return infer_transpose(in, result);
  case IR_OP(gnn, lookup): return infer_lookup(in, result);
  case IR_OP(gnn, sum_by): return infer_sum_by(in, result);
  case IR_OP(gnn, convert): return infer_convert(in, result);
  default: return ir_op_is_binary(in->op) ? infer_binary(in, result) : infer_no_rule(in);
  }
}
