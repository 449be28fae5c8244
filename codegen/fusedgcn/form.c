/* Chooses how each operation of the device becomes products S H W: the form whose RUNs take the fewest
 * cycles. Loads of weights overlap with them and do not count.
 *
 *   layer      fused          nnz kt rt                          S = the list, W = the weights (FusedGCN, Section 2)
 *              product first  rows kt rt, then slices of nnz     S = identity, W = the weights; S = the list, W = identity
 *              sum first      slices of nnz, then rows kt rt     the other way round
 *   spdmm      slices         ceil(n / min(K, M)) nnz            S = the list, W = identity
 *   spdmm over stored features: slices, or the features as dense rows
 *
 * Each RUN takes K + 1 cycles more. The published design computes all layers fused, which multiplies
 * each row of H once for each non-zero. */
#include "codegen/fusedgcn/program.h"

#include "codegen/device/steps/place.h"
#include "isa/fusedgcn/timing.h"

const char *fusedgcn_form_name(fusedgcn_form form) {
  static const char *const names[FUSEDGCN_FORMS] = {
      [FUSEDGCN_FORM_slices] = "sum in slices", [FUSEDGCN_FORM_rows] = "product of rows",
      [FUSEDGCN_FORM_fused] = "fused",          [FUSEDGCN_FORM_product_first] = "product first",
      [FUSEDGCN_FORM_sum_first] = "sum first",  [FUSEDGCN_FORM_dense_features] = "dense features"};
  return names[form];
}

/* The shape of an operation. */
typedef struct shape {
  int64_t k, n, from, to, count; /* columns of in and result, rows of in and result, non-zeros */
  int64_t runs;                  /* types of weights with rows */
} shape;

/* The drains of the types of weights beyond the first. */
static uint64_t more_drains(const fusedgcn_device *d, const shape *x) {
  return x->runs > 1 ? (uint64_t)(x->runs - 1) * fusedgcn_drain_cycles(d) : 0;
}

static uint64_t product_of_rows(const fusedgcn_device *d, const shape *x, int64_t rows) {
  return fusedgcn_product_cycles(d, rows, x->k, x->n) + more_drains(d, x);
}

static void cost_layer(const fusedgcn_program *p, const shape *x, bool is_typed, uint64_t *cycles) {
  const fusedgcn_device *d = fusedgcn_device_of(p);
  cycles[FUSEDGCN_FORM_fused] = fusedgcn_product_cycles(d, x->count, x->k, x->n) + more_drains(d, x);
  cycles[FUSEDGCN_FORM_sum_first] = fusedgcn_slices_cycles(d, x->count, x->k) + product_of_rows(d, x, x->to);
  if (is_typed) return;
  cycles[FUSEDGCN_FORM_product_first] = product_of_rows(d, x, x->from) + fusedgcn_slices_cycles(d, x->count, x->n);
}

/* Terms of the order that has the fewest. */
static uint64_t least_terms(const shape *x, bool is_typed) {
  int64_t sum_first = x->count * x->k + x->to * x->k * x->n, product_first = x->from * x->k * x->n + x->count * x->n;
  return (uint64_t)(is_typed || sum_first < product_first ? sum_first : product_first);
}

static int64_t count_runs(const step_segments *types) {
  int64_t runs = 0;
  for (int64_t t = 0; types->offsets && t < types->count; t++) runs += types->offsets[t] < types->offsets[t + 1];
  return types->offsets ? runs : 1;
}

static status plan_layer(fusedgcn_program *p, fusedgcn_operation *o) {
  MlirValue in = ir_operand(o->op, IR_IN(device, layer, in)), w = ir_operand(o->op, IR_IN(device, layer, w));
  MlirOperation edges = operand_edges(ir_operand(o->op, IR_IN(device, layer, edges)));
  bool is_typed = ir_type_of(w).kind == IR_KIND_per;
  step_segments types =
      step_constant_segments(&p->steps->steps, ir_type_of(ir_result(o->op)).set, w, (MlirValue){NULL});
  RETURN_IF_ERROR(step_writer_take_error(&p->steps->steps));
  RETURN_IF_ERROR(fusedgcn_sparse_of_edges(p, edges, false, &o->sparse));
  shape x = {operand_width(in),  operand_width(ir_result(o->op)),
             o->sparse->m.cols,  o->sparse->m.rows,
             o->sparse->m.count, count_runs(&types)};
  cost_layer(p, &x, is_typed, o->cycles);
  o->multiply_adds = least_terms(&x, is_typed);
  o->form = FUSEDGCN_FORM_fused;
  for (int f = 0; f < FUSEDGCN_FORMS && !p->is_fused_only; f++)
    if (o->cycles[f] && o->cycles[f] < o->cycles[o->form]) o->form = (fusedgcn_form)f;
  return STATUS_OK;
}

static status plan_gemm(fusedgcn_program *p, fusedgcn_operation *o) {
  MlirValue in = ir_operand(o->op, IR_IN(device, gemm, in)), w = ir_operand(o->op, IR_IN(device, gemm, w));
  const char *set = ir_type_of(in).set;
  step_segments types = step_constant_segments(&p->steps->steps, set, w, (MlirValue){NULL});
  shape x = {.k = operand_width(in), .n = operand_width(ir_result(o->op)), .runs = count_runs(&types)};
  RETURN_IF_ERROR(step_writer_take_error(&p->steps->steps));
  RETURN_IF_ERROR(program_host_set_rows(p->host, set, &x.from));
  o->form = FUSEDGCN_FORM_rows;
  o->cycles[o->form] = product_of_rows(fusedgcn_device_of(p), &x, x.from);
  o->multiply_adds = (uint64_t)(x.from * x.k * x.n);
  return STATUS_OK;
}

/* Whether a sum is the product of stored features and rows that are known. */
static bool is_of_features(MlirOperation sum, MlirOperation edges) {
  MlirOperation rows = ir_defining_op(ir_operand(sum, IR_IN(device, spdmm, in)));
  return ir_string_is(edges, "kind", "nonzeros") && ir_op_kind(rows) == IR_OP(device, constant);
}

static status plan_spdmm(fusedgcn_program *p, fusedgcn_operation *o) {
  const fusedgcn_device *d = fusedgcn_device_of(p);
  MlirValue values = ir_operand(o->op, IR_IN(device, spdmm, values));
  MlirOperation edges = operand_edges(ir_operand(o->op, IR_IN(device, spdmm, edges)));
  int64_t n = operand_width(ir_result(o->op));
  bool has_values = !ir_value_is_null(values);
  RETURN_IF_ERROR(fusedgcn_sparse_of_edges(p, edges, has_values, &o->sparse));
  const fusedgcn_sparse *s = o->sparse;
  o->heads = has_values ? ir_type_of(values).dims[0] : 1;
  o->form = FUSEDGCN_FORM_slices;
  o->cycles[o->form] = (uint64_t)o->heads * fusedgcn_slices_cycles(d, s->m.count, n / o->heads);
  o->multiply_adds = (uint64_t)(s->m.count * n);
  MlirValue bias = ir_operand(o->op, IR_IN(device, spdmm, bias));
  bool is_typed = !ir_value_is_null(bias) && ir_type_of(bias).kind == IR_KIND_per;
  if (!is_of_features(o->op, edges) || is_typed || s->m.cols > FUSEDGCN_MOST_COLUMNS) return STATUS_OK;
  o->cycles[FUSEDGCN_FORM_dense_features] = fusedgcn_product_cycles(d, s->m.rows, s->m.cols, n);
  if (o->cycles[FUSEDGCN_FORM_dense_features] < o->cycles[FUSEDGCN_FORM_slices]) o->form = FUSEDGCN_FORM_dense_features;
  return STATUS_OK;
}

status fusedgcn_form_choose(fusedgcn_program *p) {
  IR_FOR_EACH_OP(op, ir_func_body(p->steps->function)) {
    if (!place_is_step(op) || place_is_on_host(op)) continue;
    fusedgcn_operation o = {.op = op, .layer = (int32_t)p->operations.count, .heads = 1};
    ir_op kind = ir_op_kind(op);
    RETURN_IF_ERROR(kind == IR_OP(device, layer)  ? plan_layer(p, &o)
                    : kind == IR_OP(device, gemm) ? plan_gemm(p, &o)
                                                  : plan_spdmm(p, &o));
    VEC_PUSH(p->arena, &p->operations, o);
    map_set(&p->operation_of, op.ptr, (int64_t)p->operations.count);
  }
  return STATUS_OK;
}
