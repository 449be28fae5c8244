/* Evaluates operations from one set to another: copies of rows by an index, and reductions. */
#include "codegen/device/evaluate/evaluate.h"

#include "kernels/elementwise.h"

#include <stdlib.h>
#include <string.h>

/* ---- views ------------------------------------------------------------------------------------------------------- */

bool evaluate_is_view(MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, gather):
  case IR_OP(gnn, slice):
  case IR_OP(gnn, expand):
  case IR_OP(gnn, extend_edges):
  case IR_OP(gnn, part):
  case IR_OP(gnn, pair): return true;
  default: return false;
  }
}

static status edges_at(program_host *h, MlirOperation op, int graph_position, const host_edges **out) {
  return host_edge_set(h, ir_type_of(ir_operand(op, graph_position)).set, out);
}

/* The same with new self loops kept separately. */
static status parts_at(program_host *h, MlirOperation op, int graph_position, const host_edges **out) {
  return host_edge_parts(h, ir_type_of(ir_operand(op, graph_position)).set, out);
}

static status view_gather(MlirOperation op, const host_edges *edges, evaluate_view *v) {
  bool is_src = !strcmp(ir_get_string(op, "end", "src"), "src");
  v->index = is_src ? edges->src : edges->dst;
  if (!edges->base || edges->row) return STATUS_OK;
  v->index = is_src ? edges->kept_src : edges->kept_dst;
  v->kept = edges->kept;
  v->has_loops = true;
  v->loop = edges->loop;
  return STATUS_OK;
}

static status view_slice(program_host *h, MlirOperation op, evaluate_view *v) {
  const char *per = ir_type_of(v->source).set;
  const host_edges *edges;
  if (ir_string_is(op, "by", "node")) {
    RETURN_IF_ERROR(host_type_of_nodes(h, per, &v->index));
    v->is_single = !v->index;
    return STATUS_OK;
  }
  RETURN_IF_ERROR(parts_at(h, op, IR_IN(gnn, slice, graph), &edges));
  return host_type_of_edges(h, edges, per, &v->index);
}

static status view_pair(program_host *h, MlirOperation op, evaluate_view *v) {
  const host_kinds *kinds;
  RETURN_IF_ERROR(host_kinds_of(h, ir_string_is(op, "end", "dst"), &kinds));
  v->index = !strcmp(ir_type_of(v->source).set, "etype") ? kinds->etype : kinds->ntype;
  int64_t rows;
  RETURN_IF_ERROR(host_per_rows(h, ir_type_of(v->source).set, &rows));
  for (int64_t i = 0; i < kinds->count; i++)
    if (v->index[i] >= rows)
      return status_error(STATUS_CODE_mismatch, "%s: has type %d, but the model has weights of %lld types",
                          h->graph->name, v->index[i], (long long)rows);
  return STATUS_OK;
}

status evaluate_view_of(program_host *h, MlirOperation op, int64_t rows, evaluate_view *out) {
  const host_edges *edges;
  *out = (evaluate_view){.source = ir_operand(op, 1), .kept = rows};
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, gather):
    RETURN_IF_ERROR(parts_at(h, op, IR_IN(gnn, gather, graph), &edges));
    return view_gather(op, edges, out);
  case IR_OP(gnn, expand):
    RETURN_IF_ERROR(host_edge_set(h, ir_type_of(out->source).set, &edges));
    out->index = edges->row;
    return STATUS_OK;
  case IR_OP(gnn, extend_edges):
    RETURN_IF_ERROR(parts_at(h, op, IR_IN(gnn, extend_edges, graph), &edges));
    out->index = edges->from;
    out->kept = edges->kept;
    out->fill = (float)ir_get_float(op, "fill", 0);
    return STATUS_OK;
  case IR_OP(gnn, part): {
    int64_t count;
    return host_part(h, ir_get_integer(op, "type", 0), &out->index, &count);
  }
  case IR_OP(gnn, slice): return view_slice(h, op, out);
  default: return view_pair(h, op, out);
  }
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

/* A sum, mean, maximum or minimum over entries, and the function that is applied to it. */
typedef struct reduction {
  kernel_spmm spmm;
  program_array value, weight; /* weight.data NULL: 1 */
  elementwise_unary unary;
  float p, q;
} reduction;

static reduction reduction_of(MlirOperation op, int64_t rows) {
  reduction r = {.unary = ir_unary_of(op)};
  r.spmm.rows = rows;
  r.spmm.reduction = kernel_reduction_of(ir_get_string(op, "reduce", "sum"));
  r.p = (float)ir_unary_number(op, 0);
  r.q = (float)ir_unary_number(op, 1);
  return r;
}

static status reduce(program_host *h, reduction *r, program_array *out) {
  kernel_spmm *s = &r->spmm;
  int32_t *counts = calloc((size_t)s->rows + 1, sizeof *counts);
  float *made;
  s->width = r->value.width;
  s->value = r->value.data;
  s->weight = r->weight.data;
  s->weight_width = r->weight.width;
  status problem =
      counts ? HOST_ARRAY(h, s->rows * s->width, &made) : status_error(STATUS_CODE_memory, "no memory to reduce");
  if (!problem) {
    kernel_spmm_run(s, counts, made);
    if (r->unary != UNARY_none) kernel_unary(r->unary, r->p, r->q, s->rows * s->width, made);
    *out = (program_array){made, s->rows, s->width};
  }
  free(counts);
  return problem;
}

static status read_weight(program_host *h, MlirValue weight, program_array *out) {
  return mlirValueIsNull(weight) ? STATUS_OK : program_host_evaluate(h, weight, out);
}

static status aggregate(program_host *h, MlirOperation op, program_array *out) {
  MlirValue value = ir_operand(op, IR_IN(gnn, aggregate, value));
  const host_edges *edges;
  reduction r = reduction_of(op, out->rows);
  RETURN_IF_ERROR(edges_at(h, op, IR_IN(gnn, aggregate, graph), &edges));
  RETURN_IF_ERROR(program_host_evaluate(h, value, &r.value));
  RETURN_IF_ERROR(read_weight(h, ir_operand(op, IR_IN(gnn, aggregate, weight)), &r.weight));
  bool is_in = ir_string_is(op, "direction", "in");
  r.spmm.entries = edges->count;
  r.spmm.to = is_in ? edges->dst : edges->src;
  if (ir_type_of(value).kind == IR_KIND_node) r.spmm.from = is_in ? edges->src : edges->dst;
  return reduce(h, &r, out);
}

static status collapse(program_host *h, MlirOperation op, program_array *out) {
  MlirValue value = ir_operand(op, IR_IN(gnn, collapse, value));
  const host_edges *pairs;
  reduction r = reduction_of(op, out->rows);
  RETURN_IF_ERROR(edges_at(h, op, IR_IN(gnn, collapse, graph), &pairs));
  RETURN_IF_ERROR(program_host_evaluate(h, value, &r.value));
  RETURN_IF_ERROR(read_weight(h, ir_operand(op, IR_IN(gnn, collapse, weight)), &r.weight));
  r.spmm.entries = pairs->base->count;
  r.spmm.to = pairs->row;
  if (ir_type_of(value).kind == IR_KIND_node) r.spmm.from = pairs->dst ? pairs->base->src : pairs->base->dst;
  return reduce(h, &r, out);
}

static status pool(program_host *h, MlirOperation op, program_array *out) {
  reduction r = reduction_of(op, out->rows);
  RETURN_IF_ERROR(program_host_evaluate(h, ir_operand(op, IR_IN(gnn, pool, value)), &r.value));
  r.spmm.entries = r.value.rows;
  r.spmm.to = h->graph->batch;
  return reduce(h, &r, out);
}

/* The outer product of each row of `a` and the same row of `b`. */
static status outer_rows(program_host *h, program_array a, program_array b, program_array *out) {
  float *made;
  RETURN_IF_ERROR(HOST_ARRAY(h, a.rows * a.width * b.width, &made));
  *out = (program_array){made, a.rows, a.width * b.width};
  for (int64_t r = 0; r < a.rows; r++)
    for (int64_t i = 0; i < a.width; i++)
      for (int64_t j = 0; j < b.width; j++) *made++ = a.data[r * a.width + i] * b.data[r * b.width + j];
  return STATUS_OK;
}

static status total(program_host *h, MlirOperation op, program_array *out) {
  MlirValue times = ir_operand(op, IR_IN(gnn, total, times));
  reduction r = reduction_of(op, 1);
  program_array b;
  RETURN_IF_ERROR(program_host_evaluate(h, ir_operand(op, IR_IN(gnn, total, value)), &r.value));
  if (!mlirValueIsNull(times)) {
    RETURN_IF_ERROR(program_host_evaluate(h, times, &b));
    RETURN_IF_ERROR(outer_rows(h, r.value, b, &r.value));
  }
  int32_t *zeros;
  RETURN_IF_ERROR(HOST_ARRAY(h, r.value.rows, &zeros));
  memset(zeros, 0, (size_t)r.value.rows * sizeof *zeros);
  r.spmm.entries = r.value.rows;
  r.spmm.to = zeros;
  return reduce(h, &r, out);
}

/* ---- counts ------------------------------------------------------------------------------------------------------ */

static status count_keys(program_host *h, const int32_t *key, int64_t count, program_array *out, float **made) {
  const int32_t *counts;
  RETURN_IF_ERROR(host_count(h, key, count, out->rows, &counts));
  RETURN_IF_ERROR(HOST_ARRAY(h, out->rows, made));
  for (int64_t r = 0; r < out->rows; r++) (*made)[r] = (float)counts[r];
  out->data = *made;
  return STATUS_OK;
}

static status degree(program_host *h, MlirOperation op, program_array *out) {
  const host_edges *edges;
  float *made;
  RETURN_IF_ERROR(parts_at(h, op, IR_IN(gnn, degree, graph), &edges));
  bool is_in = ir_string_is(op, "direction", "in");
  if (!edges->base || edges->row) return count_keys(h, is_in ? edges->dst : edges->src, edges->count, out, &made);
  RETURN_IF_ERROR(count_keys(h, is_in ? edges->kept_dst : edges->kept_src, edges->kept, out, &made));
  for (int64_t i = 0; i < edges->count - edges->kept; i++) made[edges->loop ? edges->loop[i] : i]++;
  return STATUS_OK;
}

static status group_size(program_host *h, MlirOperation op, program_array *out) {
  const host_edges *pairs;
  float *made;
  RETURN_IF_ERROR(edges_at(h, op, IR_IN(gnn, group_size, graph), &pairs));
  return count_keys(h, pairs->row, pairs->base->count, out, &made);
}

/* ---- rows of one type, sparse rows ------------------------------------------------------------------------------- */

static status unite(program_host *h, MlirOperation op, program_array *out) {
  MlirValue rest = ir_operand(op, IR_IN(gnn, unite, rest));
  program_array rows, others;
  const int32_t *nodes;
  int64_t count;
  float *made;
  RETURN_IF_ERROR(host_part(h, ir_get_integer(op, "type", 0), &nodes, &count));
  RETURN_IF_ERROR(program_host_evaluate(h, ir_operand(op, IR_IN(gnn, unite, rows)), &rows));
  RETURN_IF_ERROR(HOST_ARRAY(h, out->rows * out->width, &made));
  memset(made, 0, (size_t)(out->rows * out->width) * sizeof *made);
  if (!mlirValueIsNull(rest)) {
    RETURN_IF_ERROR(program_host_evaluate(h, rest, &others));
    memcpy(made, others.data, (size_t)(out->rows * out->width) * sizeof *made);
  }
  for (int64_t i = 0; i < count; i++)
    memcpy(made + nodes[i] * out->width, rows.data + i * out->width, (size_t)out->width * sizeof *made);
  out->data = made;
  return STATUS_OK;
}

static status take_opposites(program_host *h, MlirOperation op, program_array *out) {
  const host_edges *edges;
  const int32_t *opposite;
  program_array value;
  float *made;
  RETURN_IF_ERROR(edges_at(h, op, IR_IN(gnn, opposite_edges, graph), &edges));
  RETURN_IF_ERROR(host_opposite_edges(h, edges, &opposite));
  RETURN_IF_ERROR(program_host_evaluate(h, ir_operand(op, IR_IN(gnn, opposite_edges, value)), &value));
  RETURN_IF_ERROR(HOST_ARRAY(h, out->rows * out->width, &made));
  memset(made, 0, (size_t)(out->rows * out->width) * sizeof *made);
  for (int64_t e = 0; e < out->rows; e++)
    if (opposite[e] >= 0)
      memcpy(made + e * out->width, value.data + opposite[e] * out->width, (size_t)out->width * sizeof *made);
  out->data = made;
  return STATUS_OK;
}

static status densify(program_host *h, MlirOperation op, program_array *out) {
  const graph_csr *x;
  float *made;
  RETURN_IF_ERROR(host_read_sparse(h, ir_operand(op, IR_IN(gnn, densify, x)), &x));
  RETURN_IF_ERROR(HOST_ARRAY(h, out->rows * out->width, &made));
  memset(made, 0, (size_t)(out->rows * out->width) * sizeof *made);
  for (int64_t r = 0; r < x->rows; r++)
    for (int64_t i = x->indptr[r]; i < x->indptr[r + 1]; i++) made[r * out->width + x->indices[i]] += x->data[i];
  out->data = made;
  return STATUS_OK;
}

bool evaluate_is_graph(MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, aggregate):
  case IR_OP(gnn, collapse):
  case IR_OP(gnn, pool):
  case IR_OP(gnn, total):
  case IR_OP(gnn, degree):
  case IR_OP(gnn, group_size):
  case IR_OP(gnn, unite):
  case IR_OP(gnn, opposite_edges):
  case IR_OP(gnn, densify): return true;
  default: return false;
  }
}

status evaluate_graph(program_host *h, MlirOperation op, program_array *out) {
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, aggregate): return aggregate(h, op, out);
  case IR_OP(gnn, collapse): return collapse(h, op, out);
  case IR_OP(gnn, pool): return pool(h, op, out);
  case IR_OP(gnn, total): return total(h, op, out);
  case IR_OP(gnn, degree): return degree(h, op, out);
  case IR_OP(gnn, group_size): return group_size(h, op, out);
  case IR_OP(gnn, unite): return unite(h, op, out);
  case IR_OP(gnn, opposite_edges): return take_opposites(h, op, out);
  default: return densify(h, op, out);
  }
}
