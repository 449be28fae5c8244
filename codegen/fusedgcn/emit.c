/* Writes the records of an operation, and the moves before them. The operands of the device are read
 * where they are (chain.h); constants are in .weights.
 *
 *   gemm                   S = identity, W
 *   spdmm                  S = the list, W = identity
 *   spdmm with values      the same for each head, whose values the host writes into S
 *   layer                  one product, or two with rows between them
 *
 * An addend is in OUT before the first record, and the sums begin with it. */
#include "codegen/fusedgcn/program.h"

#include "codegen/device/steps/step_values.h"
#include "isa/fusedgcn/timing.h"

#include <inttypes.h>
#include <string.h>

/* ---- rows in device memory ---- */

static int64_t count_rows(fusedgcn_program *p, MlirValue value) {
  int64_t rows = 0;
  step_check(&p->steps->steps, program_host_set_rows(p->host, ir_type_of(value).set, &rows));
  return rows;
}

static uint64_t row_bytes(int64_t rows, int64_t width) {
  return (uint64_t)(rows * fusedgcn_stride(width) * FUSEDGCN_WORD);
}

static uint64_t bytes_of(void *user, MlirValue value) {
  return row_bytes(count_rows(user, value), operand_width(value));
}

static void describe(void *user, MlirValue value, program_manifest_place *out) {
  out->layout = "fusedgcn_rows";
  out->stride = fusedgcn_stride(operand_width(value));
  out->memory_rows = count_rows(user, value);
}

static uint64_t count_records(const void *user) {
  return ((const fusedgcn_program *)user)->code.count;
}

const chain_class fusedgcn_rows = {bytes_of, describe, count_records};

/* Finds or keeps constant rows in .weights; NULL for other rows. */
static status find_constant(fusedgcn_program *p, MlirValue in, fusedgcn_constant **out) {
  const float *numbers;
  bool is_found;
  *out = map_get_pointer(&p->constant_of, in.ptr);
  if (*out) return STATUS_OK;
  RETURN_IF_ERROR(matrix_read_rows(p->host, in, !p->no_data, &numbers, &is_found));
  if (!is_found) return STATUS_OK;
  return fusedgcn_store_constant(p, in.ptr, count_rows(p, in), operand_width(in), numbers, out);
}

/* The address of rows that a product reads. */
static status find_rows(fusedgcn_program *p, MlirValue in, uint64_t *address) {
  fusedgcn_constant *c;
  RETURN_IF_ERROR(find_constant(p, in, &c));
  *address = c ? sections_tagged(IMAGE_WEIGHTS, c->offset) : chain_read(&p->chain, in);
  return STATUS_OK;
}

/* ---- weights ---- */

static status read_weights(fusedgcn_program *p, const fusedgcn_operation *o, MlirValue w, MlirValue bias, int64_t k,
                           fusedgcn_weights **out) {
  fusedgcn_weights *made = arena_alloc(p->arena, sizeof *made);
  bool is_transposed = ir_get_bool(o->op, "transposed"), has_bias = !ir_value_is_null(bias);
  MlirValue result = ir_result(o->op);
  *out = made;
  *made = (fusedgcn_weights){.k = k, .n = operand_width(result), .has_bias = has_bias, .bias_key = bias.ptr};
  made->types = step_constant_segments(&p->steps->steps, ir_type_of(result).set, w, bias);
  RETURN_IF_ERROR(step_writer_take_error(&p->steps->steps));
  made->key = (const char *)w.ptr + is_transposed;
  if (p->no_data) return STATUS_OK;
  RETURN_IF_ERROR(
      matrix_read_weights(p->arena, p->host, w, is_transposed, made->types.count, k, made->n, &made->numbers));
  return has_bias ? matrix_read_bias(p->arena, p->host, bias, made->types.count, made->n, &made->bias) : STATUS_OK;
}

/* An identity with n columns, and a bias or none. */
static status make_identity(fusedgcn_program *p, const fusedgcn_operation *o, MlirValue bias, int64_t n,
                            fusedgcn_weights **out) {
  fusedgcn_weights *made = arena_alloc(p->arena, sizeof *made);
  MlirValue none = {NULL};
  bool has_bias = !ir_value_is_null(bias);
  *out = made;
  *made = (fusedgcn_weights){.k = n, .n = n, .types = {.count = 1}, .has_bias = has_bias, .bias_key = bias.ptr};
  if (!has_bias) return STATUS_OK;
  made->types = step_constant_segments(&p->steps->steps, ir_type_of(ir_result(o->op)).set, bias, none);
  RETURN_IF_ERROR(step_writer_take_error(&p->steps->steps));
  return p->no_data ? STATUS_OK : matrix_read_bias(p->arena, p->host, bias, made->types.count, n, &made->bias);
}

/* ---- products ---- */

static fusedgcn_product product_of(const fusedgcn_operation *o, const fusedgcn_sparse *s, const fusedgcn_weights *w) {
  return (fusedgcn_product){.s = s,
                            .s_val = sections_tagged(IMAGE_EDGES, s->value_at),
                            .h_rows = s->m.cols,
                            .h_stride = fusedgcn_stride(w->k),
                            .out_stride = fusedgcn_stride(w->n),
                            .w = w,
                            .layer = o->layer};
}

/* Copies rows from place to place of device memory: S = identity, W = identity. */
static status copy_rows(fusedgcn_program *p, const fusedgcn_operation *o, uint64_t from, uint64_t to, int64_t rows) {
  fusedgcn_weights *one;
  fusedgcn_sparse *all;
  MlirValue none = {NULL};
  RETURN_IF_ERROR(make_identity(p, o, none, operand_width(ir_result(o->op)), &one));
  RETURN_IF_ERROR(fusedgcn_sparse_identity(p, rows, &all));
  fusedgcn_product x = product_of(o, all, one);
  x.h = from;
  x.out = to;
  return fusedgcn_product_emit(p, &x);
}

static bool has_relu(MlirOperation op) {
  for (size_t i = 0; i < ir_get_array_size(op, "functions"); i++)
    if (!strcmp(ir_get_string_at(op, "functions", i), "relu")) return true;
  return false;
}

/* Sets where the last product of an operation writes, and what it begins and ends with. */
static status set_result(fusedgcn_program *p, const fusedgcn_operation *o, MlirValue addend, fusedgcn_product *x) {
  uint64_t copy = 0;
  MlirValue result = ir_result(o->op);
  x->has_relu = has_relu(o->op);
  x->has_start = !ir_value_is_null(addend);
  x->out = x->has_start ? chain_write_onto(&p->chain, result, addend, &copy) : chain_write(&p->chain, result);
  return copy ? copy_rows(p, o, copy, x->out, count_rows(p, result)) : STATUS_OK;
}

/* ---- operations ---- */

static status emit_gemm(fusedgcn_program *p, const fusedgcn_operation *o) {
  MlirValue in = ir_operand(o->op, IR_IN(device, gemm, in)), bias = ir_operand(o->op, IR_IN(device, gemm, bias));
  fusedgcn_sparse *all;
  fusedgcn_weights *w;
  uint64_t h;
  RETURN_IF_ERROR(read_weights(p, o, ir_operand(o->op, IR_IN(device, gemm, w)), bias, operand_width(in), &w));
  RETURN_IF_ERROR(fusedgcn_sparse_identity(p, count_rows(p, in), &all));
  fusedgcn_product x = product_of(o, all, w);
  RETURN_IF_ERROR(find_rows(p, in, &h));
  RETURN_IF_ERROR(set_result(p, o, ir_operand(o->op, IR_IN(device, gemm, addend)), &x));
  x.h = h;
  return fusedgcn_product_emit(p, &x);
}

/* Two products, with rows of `width` columns between them. */
static status emit_two(fusedgcn_program *p, const fusedgcn_operation *o, fusedgcn_product *first,
                       fusedgcn_product *second, MlirValue addend) {
  chain_region between = chain_alloc(&p->chain, row_bytes(first->s->m.rows, first->w->n));
  first->out = second->h = CHAIN_BASE + between.offset;
  RETURN_IF_ERROR(set_result(p, o, addend, second));
  RETURN_IF_ERROR(fusedgcn_product_emit(p, first));
  RETURN_IF_ERROR(fusedgcn_product_emit(p, second));
  chain_free(&p->chain, between);
  return STATUS_OK;
}

static status emit_layer(fusedgcn_program *p, const fusedgcn_operation *o) {
  MlirValue in = ir_operand(o->op, IR_IN(device, layer, in)), bias = ir_operand(o->op, IR_IN(device, layer, bias)),
            matrix = ir_operand(o->op, IR_IN(device, layer, w)),
            addend = ir_operand(o->op, IR_IN(device, layer, addend)), none = {NULL};
  int64_t k = operand_width(in), n = operand_width(ir_result(o->op));
  bool is_product_first = o->form == FUSEDGCN_FORM_product_first;
  fusedgcn_weights *w, *one;
  fusedgcn_sparse *all;
  uint64_t h;
  RETURN_IF_ERROR(read_weights(p, o, matrix, is_product_first ? none : bias, k, &w));
  RETURN_IF_ERROR(find_rows(p, in, &h));
  if (o->form == FUSEDGCN_FORM_fused) {
    fusedgcn_product x = product_of(o, o->sparse, w);
    x.h = h;
    RETURN_IF_ERROR(set_result(p, o, addend, &x));
    return fusedgcn_product_emit(p, &x);
  }
  RETURN_IF_ERROR(make_identity(p, o, is_product_first ? bias : none, is_product_first ? n : k, &one));
  RETURN_IF_ERROR(fusedgcn_sparse_identity(p, is_product_first ? o->sparse->m.cols : o->sparse->m.rows, &all));
  fusedgcn_product of_rows = product_of(o, all, w), sum = product_of(o, o->sparse, one);
  fusedgcn_product *first = is_product_first ? &of_rows : &sum, *second = is_product_first ? &sum : &of_rows;
  first->h = h;
  return emit_two(p, o, first, second, addend);
}

/* The features of the list as dense rows. */
static status densify(fusedgcn_program *p, const fusedgcn_sparse *s, fusedgcn_constant **out) {
  float *made = NULL;
  *out = map_get_pointer(&p->constant_of, s);
  if (*out) return STATUS_OK;
  if (!p->no_data) {
    made = arena_try_alloc_array(p->arena, (size_t)(s->m.rows * s->m.cols) + 1, sizeof *made);
    if (!made)
      return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " x %" PRId64 " features", s->m.rows, s->m.cols);
    for (int64_t r = 0; r < s->m.rows; r++)
      for (int64_t j = s->m.pos[r]; j < s->m.pos[r + 1]; j++) made[r * s->m.cols + s->m.col[j]] += s->m.value[j];
  }
  return fusedgcn_store_constant(p, s, s->m.rows, s->m.cols, made, out);
}

/* The constant rows of a sum over features are the weights of a product. */
static status emit_dense_features(fusedgcn_program *p, const fusedgcn_operation *o) {
  MlirValue in = ir_operand(o->op, IR_IN(device, spdmm, in)), bias = ir_operand(o->op, IR_IN(device, spdmm, bias));
  fusedgcn_constant *features;
  fusedgcn_weights *w;
  fusedgcn_sparse *all;
  RETURN_IF_ERROR(make_identity(p, o, bias, operand_width(in), &w));
  if (!p->no_data) {
    program_array array;
    RETURN_IF_ERROR(program_host_evaluate(p->host, mlirOperationGetOperand(ir_defining_op(in), 0), &array));
    w->numbers = array.data;
  }
  w->key = in.ptr;
  w->k = o->sparse->m.cols;
  RETURN_IF_ERROR(densify(p, o->sparse, &features));
  RETURN_IF_ERROR(fusedgcn_sparse_identity(p, o->sparse->m.rows, &all));
  fusedgcn_product x = product_of(o, all, w);
  x.h = sections_tagged(IMAGE_WEIGHTS, features->offset);
  RETURN_IF_ERROR(set_result(p, o, ir_operand(o->op, IR_IN(device, spdmm, addend)), &x));
  return fusedgcn_product_emit(p, &x);
}

/* Moves the values of a head into device memory, in the order of S. */
static void move_values(fusedgcn_program *p, const fusedgcn_operation *o, int32_t array, int64_t head,
                        chain_region region) {
  const fusedgcn_sparse *s = o->sparse;
  const int32_t *order = s->m.entry_of;
  text json = {0};
  if (o->heads > 1) {
    int32_t *made = arena_alloc_array(p->arena, (size_t)s->m.count + 1, sizeof *made);
    for (int64_t j = 0; j < s->m.count; j++) made[j] = (int32_t)(s->m.entry_of[j] * o->heads + head);
    order = made;
  }
  program_manifest_place place = {.layout = "fusedgcn_values",
                                  .address = CHAIN_BASE + region.offset,
                                  .stride = -1,
                                  .memory_rows = s->m.count,
                                  .order = program_rows_add(&p->steps->rows, order, s->m.count)};
  program_manifest_write_place(&place, &json);
  step_writer_move_array(&p->steps->steps, array, "values", text_str(&json), true);
  text_free(&json);
}

/* The identity of a head, with the columns of the bias that are the head's. */
static fusedgcn_weights *weights_of_head(fusedgcn_program *p, const fusedgcn_weights *all, int64_t heads,
                                         int64_t head) {
  fusedgcn_weights *w = arena_alloc(p->arena, sizeof *w);
  int64_t width = all->n / heads;
  *w = *all;
  w->k = w->n = width;
  if (!all->has_bias) return w;
  float *bias = arena_alloc_array(p->arena, (size_t)(all->types.count * width) + 1, sizeof *bias);
  for (int64_t t = 0; t < all->types.count && all->bias; t++)
    memcpy(bias + t * width, all->bias + t * all->n + head * width, (size_t)width * sizeof *bias);
  w->bias = all->bias ? bias : NULL;
  w->bias_key = bias;
  return w;
}

/* One product for each head; the columns of a head are a slice of H and of OUT. */
static status emit_heads(fusedgcn_program *p, const fusedgcn_operation *o, const fusedgcn_product *all,
                         MlirOperation edges) {
  const program_edge_list *list;
  int32_t values;
  int64_t width = all->w->n / o->heads;
  chain_region *of_head = arena_alloc_array(p->arena, (size_t)o->heads, sizeof *of_head);
  RETURN_IF_ERROR(program_host_edge_list(p->host, edges, &list));
  chain_run(&p->chain);
  RETURN_IF_ERROR(step_values_of(&p->steps->steps, o->op, list, o->heads, &values));
  for (int64_t h = 0; h < o->heads; h++) {
    of_head[h] = chain_alloc(&p->chain, (uint64_t)o->sparse->m.count * FUSEDGCN_WORD);
    move_values(p, o, values, h, of_head[h]);
  }
  for (int64_t h = 0; h < o->heads; h++) {
    fusedgcn_product x = *all;
    x.w = weights_of_head(p, all->w, o->heads, h);
    x.s_val = CHAIN_BASE + of_head[h].offset;
    x.h += (uint64_t)(h * width * FUSEDGCN_WORD);
    x.out += (uint64_t)(h * width * FUSEDGCN_WORD);
    RETURN_IF_ERROR(fusedgcn_product_emit(p, &x));
  }
  for (int64_t h = 0; h < o->heads; h++) chain_free(&p->chain, of_head[h]);
  return STATUS_OK;
}

static status emit_spdmm(fusedgcn_program *p, const fusedgcn_operation *o) {
  MlirValue in = ir_operand(o->op, IR_IN(device, spdmm, in)), bias = ir_operand(o->op, IR_IN(device, spdmm, bias));
  MlirOperation edges = operand_edges(ir_operand(o->op, IR_IN(device, spdmm, edges)));
  fusedgcn_weights *one;
  uint64_t h;
  RETURN_IF_ERROR(make_identity(p, o, bias, operand_width(in), &one));
  RETURN_IF_ERROR(find_rows(p, in, &h));
  fusedgcn_product x = product_of(o, o->sparse, one);
  RETURN_IF_ERROR(set_result(p, o, ir_operand(o->op, IR_IN(device, spdmm, addend)), &x));
  x.h = h;
  return o->sparse->has_values ? emit_heads(p, o, &x, edges) : fusedgcn_product_emit(p, &x);
}

status fusedgcn_emit_operation(step_program *steps, MlirOperation op, void *program) {
  fusedgcn_program *p = program;
  const fusedgcn_operation *o = &p->operations.items[map_get(&p->operation_of, op.ptr, 0) - 1];
  (void)steps;
  if (o->form == FUSEDGCN_FORM_dense_features) return emit_dense_features(p, o);
  switch (ir_op_kind(op)) {
  case IR_OP(device, gemm): return emit_gemm(p, o);
  case IR_OP(device, layer): return emit_layer(p, o);
  default: return emit_spdmm(p, o);
  }
}
