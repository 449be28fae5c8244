/* Chooses how each operation of the device becomes layers: the estimate with the fewest cycles.
 *
 *   layer      fused           neighbours are the list's, W = the weights; one layer
 *              product first   W at each row, then the sum with W = identity; two layers
 *
 * Where rows are wider than a message, each part is a layer and a last one adds the parts up. */
#include "codegen/agile/program.h"

#include "codegen/device/steps/place.h"
#include "support/number.h"

const char *agile_mapping_name(agile_mapping mapping) {
  static const char *const names[AGILE_MAPPINGS] = {[AGILE_MAPPING_sum] = "sum",
                                                    [AGILE_MAPPING_heads] = "sum per head",
                                                    [AGILE_MAPPING_product] = "product of rows",
                                                    [AGILE_MAPPING_fused] = "fused",
                                                    [AGILE_MAPPING_product_first] = "product first"};
  return names[mapping];
}

/* ---- biases that are a column ---- */

/* A bias row meets a message (0, .., 0, 1), so the rows need a column of zeros there. */
static void mark(agile_program *p, MlirOperation op, MlirValue in, MlirValue bias, MlirValue addend) {
  const agile_device *d = agile_device_of(p);
  int64_t width = operand_width(in);
  if (ir_value_is_null(bias) || !ir_value_is_null(addend) || d->has_vector_bias) return;
  if (width + 1 <= agile_rows_part(in, d) && !place_is_on_host(op)) map_set(&p->wide_of, in.ptr, 1);
}

static void mark_columns(agile_program *p) {
  IR_FOR_EACH_OP(op, ir_func_body(p->steps->function)) {
    if (ir_op_kind(op) == IR_OP(device, gemm))
      mark(p, op, ir_operand(op, IR_IN(device, gemm, in)), ir_operand(op, IR_IN(device, gemm, bias)),
           ir_operand(op, IR_IN(device, gemm, addend)));
    else if (ir_op_kind(op) == IR_OP(device, layer))
      mark(p, op, ir_operand(op, IR_IN(device, layer, in)), ir_operand(op, IR_IN(device, layer, bias)),
           ir_operand(op, IR_IN(device, layer, addend)));
  }
}

bool agile_map_has_column(agile_program *p, MlirValue in) {
  return map_get(&p->wide_of, in.ptr, 0);
}

/* ---- estimates ---- */

/* What a product has to do. */
typedef struct shape {
  const matrix_csr *m; /* neighbours; NULL: the row itself */
  int64_t rows, k, n;
  bool has_column, has_more; /* the bias is a column; an addend, or a bias that is none */
} shape;

static uint64_t cost_product(agile_program *p, MlirValue in, const shape *x) {
  const agile_device *d = agile_device_of(p);
  int64_t most = agile_most_columns(d), part = agile_rows_part(in, d), parts = number_ceil_div(x->k, part);
  uint64_t cycles = 0;
  for (int64_t n0 = 0; n0 < x->n; n0 += most) {
    int64_t o = number_min(most, x->n - n0);
    for (int64_t i = 0; i < parts; i++)
      cycles += agile_cost_layer(d, x->m, x->rows, x->m ? x->has_column : 1 + x->has_column,
                                 number_min(part, x->k - i * part) + x->has_column, o);
    if (parts > 1 || x->has_more) cycles += agile_cost_layer(d, NULL, x->rows, parts + x->has_more, o, o);
  }
  return cycles;
}

static uint64_t cost_sum(agile_program *p, const matrix_csr *m, int64_t width, int64_t part, int64_t extra) {
  uint64_t cycles = 0;
  for (int64_t c = 0; c < width; c += part) {
    int64_t f = number_min(part, width - c);
    cycles += agile_cost_layer(agile_device_of(p), m, m->rows, extra, f, f);
  }
  return cycles;
}

/* ---- operations ---- */

static status map_layer(agile_program *p, agile_operation *o) {
  MlirValue in = ir_operand(o->op, IR_IN(device, layer, in)), w = ir_operand(o->op, IR_IN(device, layer, w)),
            bias = ir_operand(o->op, IR_IN(device, layer, bias)),
            addend = ir_operand(o->op, IR_IN(device, layer, addend));
  MlirOperation edges = operand_edges(ir_operand(o->op, IR_IN(device, layer, edges)));
  int64_t k = operand_width(in), n = operand_width(ir_result(o->op)), extra = 0;
  bool is_typed = ir_type_of(w).kind == IR_KIND_per, has_column = agile_map_has_column(p, in);
  RETURN_IF_ERROR(agile_list_edges(p, edges, false, &o->m));
  extra += !ir_value_is_null(addend);
  bool has_more = extra || (!ir_value_is_null(bias) && !has_column && !agile_device_of(p)->has_vector_bias);
  shape fused = {o->m, o->m->rows, k, n, has_column && !ir_value_is_null(bias), has_more};
  shape product = {NULL, o->m->cols, k, n, false, false};
  o->mapping = AGILE_MAPPING_fused;
  o->cycles[AGILE_MAPPING_fused] = 1 + cost_product(p, in, &fused);
  uint64_t sum_first = (uint64_t)(o->m->count * k + o->m->rows * k * n);
  uint64_t product_first = (uint64_t)(o->m->cols * k * n + o->m->count * n);
  o->multiply_adds = is_typed || sum_first < product_first ? sum_first : product_first;
  if (is_typed || o->m->cols > INT64_C(1) << AGILE_NODE_BITS) return STATUS_OK;
  extra += !ir_value_is_null(bias);
  o->cycles[AGILE_MAPPING_product_first] =
      1 + cost_product(p, in, &product) +
      cost_sum(p, o->m, n, agile_rows_part(ir_result(o->op), agile_device_of(p)), extra);
  if (o->cycles[AGILE_MAPPING_product_first] < o->cycles[AGILE_MAPPING_fused]) o->mapping = AGILE_MAPPING_product_first;
  return STATUS_OK;
}

static status map_gemm(agile_program *p, agile_operation *o) {
  MlirValue in = ir_operand(o->op, IR_IN(device, gemm, in)), bias = ir_operand(o->op, IR_IN(device, gemm, bias));
  int64_t rows;
  bool has_bias = !ir_value_is_null(bias), has_column = has_bias && agile_map_has_column(p, in);
  RETURN_IF_ERROR(program_host_set_rows(p->host, ir_type_of(in).set, &rows));
  RETURN_IF_ERROR(agile_list_identity(p, rows, &o->m));
  bool has_more = !ir_value_is_null(ir_operand(o->op, IR_IN(device, gemm, addend))) ||
                  (has_bias && !has_column && !agile_device_of(p)->has_vector_bias);
  shape x = {NULL, rows, operand_width(in), operand_width(ir_result(o->op)), has_column, has_more};
  o->mapping = AGILE_MAPPING_product;
  o->cycles[o->mapping] = cost_product(p, in, &x);
  o->multiply_adds = (uint64_t)(rows * x.k * x.n);
  return STATUS_OK;
}

static status map_spdmm(agile_program *p, agile_operation *o) {
  MlirValue values = ir_operand(o->op, IR_IN(device, spdmm, values)), in = ir_operand(o->op, IR_IN(device, spdmm, in));
  MlirOperation edges = operand_edges(ir_operand(o->op, IR_IN(device, spdmm, edges)));
  int64_t width = operand_width(in), extra = 0;
  bool has_values = !ir_value_is_null(values);
  RETURN_IF_ERROR(agile_list_edges(p, edges, has_values, &o->m));
  o->heads = has_values ? ir_type_of(values).dims[0] : 1;
  o->mapping = has_values ? AGILE_MAPPING_heads : AGILE_MAPPING_sum;
  extra += !ir_value_is_null(ir_operand(o->op, IR_IN(device, spdmm, bias)));
  extra += !ir_value_is_null(ir_operand(o->op, IR_IN(device, spdmm, addend)));
  int64_t part = has_values ? width / o->heads : agile_rows_part(in, agile_device_of(p));
  o->cycles[o->mapping] = cost_sum(p, o->m, width, part, extra);
  o->multiply_adds = (uint64_t)(o->m->count * width);
  return STATUS_OK;
}

status agile_map_operations(agile_program *p) {
  mark_columns(p);
  IR_FOR_EACH_OP(op, ir_func_body(p->steps->function)) {
    if (!place_is_step(op) || place_is_on_host(op)) continue;
    agile_operation o = {.op = op, .layer = (int32_t)p->operations.count, .heads = 1};
    ir_op kind = ir_op_kind(op);
    RETURN_IF_ERROR(kind == IR_OP(device, layer)  ? map_layer(p, &o)
                    : kind == IR_OP(device, gemm) ? map_gemm(p, &o)
                                                  : map_spdmm(p, &o));
    VEC_PUSH(p->arena, &p->operations, o);
    map_set(&p->operation_of, op.ptr, (int64_t)p->operations.count);
  }
  return STATUS_OK;
}
