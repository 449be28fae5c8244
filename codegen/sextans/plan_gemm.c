/* Plans a product of rows and weights. A is the rows, whose numbers the host writes into the slots,
 * or the weights transposed, whichever takes fewer cycles.
 *
 * With weights per type, B has the matrices of all types below one another, and a row of type t has
 * its numbers from column t k on: one launch for all types. */
#include "codegen/sextans/program.h"

#include "codegen/device/matrix.h"
#include "codegen/device/steps/place.h"
#include "isa/sextans/timing.h"
#include "support/number.h"

#include <inttypes.h>

static status no_memory(int64_t numbers) {
  return status_error(STATUS_CODE_memory, "no memory for the lists of %" PRId64 " numbers", numbers);
}

/* A product in [m, k] x weights [types][k, n]. With several blocks on the diagonal of the weights, a
 * block is k / blocks by n / blocks, and the rest is 0. */
typedef struct product {
  int64_t m, k, n, blocks;
  step_segments types;
  const char *per; /* table of the types */
  bool is_selection;
  const float *numbers; /* [types][k][n]; NULL: unknown */
  const float *weights; /* the same; NULL: the program has no data */
} product;

static status read_weights(sextans_program *p, MlirOperation op, product *x) {
  MlirValue w = ir_operand(op, IR_IN(device, gemm, w));
  if (p->no_data && !x->is_selection) return STATUS_OK;
  RETURN_IF_ERROR(matrix_read_weights(p->arena, p->host, w, ir_get_bool(op, "transposed"), x->types.count, x->k, x->n,
                                      &x->numbers));
  x->weights = p->no_data ? NULL : x->numbers;
  return STATUS_OK;
}

/* ---- form weights ---- */

/* Zeros of a selection are left out; others stay, because 0 times infinity is NaN. */
static status matrix_of_weights(sextans_program *p, const product *x, sextans_matrix *out) {
  size_t room = (size_t)(x->k * x->n) + 1;
  int32_t *row = arena_try_alloc_array(p->arena, room, sizeof *row);
  int32_t *col = arena_try_alloc_array(p->arena, room, sizeof *col);
  float *value = x->weights ? arena_try_alloc_array(p->arena, room, sizeof *value) : NULL;
  if (!row || !col || (x->weights && !value)) return no_memory(x->k * x->n);
  *out = (sextans_matrix){.rows = x->n, .cols = x->k, .row = row, .col = col, .value = value};
  for (int64_t i = 0; i < x->k * x->n; i++) {
    float number = x->numbers ? x->numbers[i] : 1;
    if (x->is_selection && !(number < 0) && !(number > 0) && number == number) continue;
    row[out->count] = (int32_t)(i % x->n);
    col[out->count] = (int32_t)(i / x->n);
    if (value) value[out->count] = number;
    out->count++;
  }
  return STATUS_OK;
}

/* ---- form rows ---- */

/* Whether number (i, j) of a mask is not 0 exactly in the blocks of its diagonal. */
static bool has_blocks(const float *mask, int64_t k, int64_t n, int64_t blocks) {
  if (k % blocks || n % blocks || n / blocks % SEXTANS_TILE) return false;
  for (int64_t i = 0; i < k * n; i++) {
    bool is_inside = i / n / (k / blocks) == i % n / (n / blocks), is_zero = !(mask[i] < 0) && !(mask[i] > 0);
    if (is_inside == is_zero) return false;
  }
  return true;
}

/* The passes make such weights as a product with a plain mask, which depends on no weights. */
int64_t sextans_plan_count_blocks(MlirOperation gemm, program_host *host) {
  MlirOperation op = ir_defining_op(ir_operand(gemm, IR_IN(device, gemm, w)));
  int64_t k = operand_width(ir_operand(gemm, IR_IN(device, gemm, in))), n = operand_width(ir_result(gemm));
  if (ir_op_kind(op) != IR_OP(gnn, multiply) || ir_get_bool(gemm, "transposed")) return 0;
  for (int side = 0; side < 2; side++) {
    MlirValue mask = mlirOperationGetOperand(op, side);
    program_array array;
    if (ir_type_of(mask).kind != IR_KIND_plain || !operand_has_selection(mask)) continue;
    status failed = program_host_evaluate(host, mask, &array);
    bool is_whole = !failed && array.rows * array.width == k * n;
    status_free(failed);
    for (int64_t blocks = 2; is_whole && blocks <= k; blocks++)
      if (has_blocks(array.data, k, n, blocks)) return blocks;
  }
  return 0;
}

/* B: the weights of all types below one another; of blocks the columns side by side. */
static status pack_weights(sextans_program *p, const product *x, const float **out) {
  int64_t inner = x->k / x->blocks, columns = x->n / x->blocks;
  *out = x->weights;
  if (!x->weights || x->blocks == 1) return STATUS_OK;
  float *made = arena_try_alloc_array(p->arena, (size_t)(x->types.count * inner * x->n) + 1, sizeof *made);
  if (!made) return no_memory(x->types.count * inner * x->n);
  for (int64_t r = 0; r < x->types.count * inner; r++)
    for (int64_t j = 0; j < x->n; j++)
      made[r * x->n + j] = x->weights[(r / inner * x->k + j / columns * inner + r % inner) * x->n + j];
  *out = made;
  return STATUS_OK;
}

static status matrix_of_rows(sextans_program *p, const product *x, sextans_matrix *out) {
  int64_t k = x->k / x->blocks;
  int32_t *row = arena_try_alloc_array(p->arena, (size_t)(x->m * k) + 1, sizeof *row);
  int32_t *col = arena_try_alloc_array(p->arena, (size_t)(x->m * k) + 1, sizeof *col);
  if (!row || !col) return no_memory(x->m * k);
  for (int64_t r = 0, type = 0, at = 0; r < x->m; r++) {
    while (x->types.offsets && type + 1 < x->types.count && r >= x->types.offsets[type + 1]) type++;
    for (int64_t c = 0; c < k; c++, at++) {
      row[at] = (int32_t)r;
      col[at] = (int32_t)(type * k + c);
    }
  }
  *out = (sextans_matrix){.rows = x->m, .cols = x->types.count * k, .count = x->m * k, .row = row, .col = col};
  return STATUS_OK;
}

/* Cycles of form rows: all PEs have the same rows, or one row fewer, with all columns. */
static uint64_t cycles_of_rows(sextans_program *p, const product *x) {
  const sextans_device *d = &p->device->sextans;
  int64_t window = sextans_window(d), windows = sextans_ceil(x->k, window), each = sextans_ceil(x->m, SEXTANS_PES);
  int32_t *q = arena_alloc_array(p->arena, (size_t)windows + 1, sizeof *q);
  for (int64_t w = 0; w < windows; w++) {
    int64_t columns = number_min(window, x->k - w * window);
    q[w + 1] = (int32_t)number_min(INT32_MAX, q[w] + number_max(each * columns, (columns - 1) * d->distance + each));
  }
  return sextans_launch_cycles(d, x->m, x->k, x->n, windows, q);
}

/* Sets the row of the source for each row of a list, -1 for none. Returns false where the list is no
 * copy: it has weights, or a row has several edges. */
static bool read_copy(const program_edge_list *l, int32_t *row) {
  for (int64_t r = 0; r < l->to_rows; r++) row[r] = -1;
  if (l->has_weight) return false;
  for (int64_t i = 0; i < l->edges; i++) {
    int64_t loop = i - (l->edges - l->loops);
    int32_t own = loop < 0 ? -1 : l->loop ? l->loop[loop] : (int32_t)loop;
    int32_t to = loop < 0 ? l->dst[i] : own;
    if (row[to] >= 0) return false;
    row[to] = loop < 0 ? l->src[i] : own;
  }
  return true;
}

/* Reads the rows that a copy of the host reads, and not its result: the numbers go into the slots
 * from there. Indices of numbers have 32 bits. */
static status find_source(sextans_program *p, MlirValue in, sextans_operation *o) {
  MlirOperation copy = ir_defining_op(in);
  const program_edge_list *l;
  o->source = in;
  if (!operand_is_plain_copy(copy)) return STATUS_OK;
  MlirOperation edges = operand_edges(ir_operand(copy, IR_IN(device, spdmm, edges)));
  MlirValue rows = ir_operand(copy, IR_IN(device, spdmm, in));
  RETURN_IF_ERROR(program_host_edge_list(p->host, edges, &l));
  if (l->from_rows * operand_width(rows) > INT32_MAX) return STATUS_OK;
  const char *key = arena_printf(p->arena, "copy %p", edges.ptr);
  int32_t *row = map_get_pointer(&p->made_of, key);
  if (!row) {
    row = arena_try_alloc_array(p->arena, (size_t)l->to_rows + 1, sizeof *row);
    if (!row) return no_memory(l->to_rows);
    if (!read_copy(l, row)) return STATUS_OK;
    map_set_pointer(&p->made_of, key, row);
  }
  o->source = rows;
  o->source_row = row;
  return STATUS_OK;
}

static status plan_rows(sextans_program *p, const product *x, const char *set, MlirValue in, sextans_operation *o) {
  sextans_lists_options options = {.n = x->n / x->blocks, .keeps_rows = true, .keeps_zeros = true, .pool = p->pool};
  const float *b;
  o->form = SEXTANS_FORM_rows;
  o->columns = x->n;
  o->heads = x->blocks;
  o->inner = x->k / x->blocks;
  o->multiply_adds = (uint64_t)(x->m * o->inner * x->n);
  const char *key = arena_printf(p->arena, "rows %s %" PRId64 " %s", set, o->inner, x->types.offsets ? x->per : "");
  o->lists = sextans_store_find(p, key);
  if (!o->lists && !x->types.offsets && sextans_lists_suits_dense(&p->device->sextans, x->m))
    RETURN_IF_ERROR(sextans_store_dense(p, key, step_operation_name(o->op), x->m, o->inner, &options, &o->lists));
  if (!o->lists) {
    sextans_matrix m;
    RETURN_IF_ERROR(matrix_of_rows(p, x, &m));
    RETURN_IF_ERROR(sextans_store_lists(p, key, step_operation_name(o->op), &m, &options, &o->lists));
  }
  RETURN_IF_ERROR(find_source(p, in, o));
  RETURN_IF_ERROR(pack_weights(p, x, &b));
  return sextans_store_constant(p, b, x->n, &o->lists->blocks[0], &o->b);
}

/* Cycles that form weights takes at least. A pass executes a slot per 64 non-zeros, and before or
 * after them it streams B and writes C, which may overlap. */
static uint64_t least_cycles(int64_t nonzeros, const product *x) {
  int64_t slots = sextans_ceil(nonzeros, SEXTANS_PES), b = sextans_ceil(x->k, SEXTANS_STREAM_ROWS),
          c = sextans_ceil(x->n, SEXTANS_WRITE_ROWS);
  return (uint64_t)(sextans_ceil(x->m, SEXTANS_TILE) * (slots + number_max(b, c)));
}

/* Plans form weights where that is cheaper, or the only form; else o->lists stays NULL. */
static status try_weights(sextans_program *p, const product *x, sextans_operation *o) {
  sextans_lists_options options = {.n = x->m, .keeps_rows = true, .keeps_zeros = true, .pool = p->pool};
  sextans_matrix m;
  sextans_lists *blocks;
  int64_t num_blocks = 0;
  if (x->types.offsets || !x->m || x->m > SEXTANS_MOST_COLUMNS) return STATUS_OK;
  RETURN_IF_ERROR(matrix_of_weights(p, x, &m));
  uint64_t rows = cycles_of_rows(p, x), least = least_cycles(m.count, x);
  o->other_cycles = least;
  o->is_other_least = true;
  if (!x->is_selection && least >= rows) return STATUS_OK;
  arena *a = arena_create();
  status failed = sextans_lists_build(a, &p->device->sextans, &m, &options, &blocks, &num_blocks);
  uint64_t weights = failed ? 0 : (uint64_t)num_blocks * blocks->cycles;
  bool is_cheaper = num_blocks == 1 && weights < rows;
  arena_destroy(a);
  bool is_chosen = x->is_selection || is_cheaper;
  o->other_cycles = x->is_selection ? 0 : is_chosen ? rows : weights;
  o->is_other_least = false;
  if (failed || !is_chosen) return failed;
  o->form = SEXTANS_FORM_weights;
  o->columns = x->m;
  o->multiply_adds = (uint64_t)(m.count * x->m);
  return sextans_store_lists(p, NULL, step_operation_name(o->op), &m, &options, &o->lists);
}

status sextans_plan_gemm(sextans_program *p, sextans_operation *o) {
  MlirValue in = ir_operand(o->op, IR_IN(device, gemm, in)), w = ir_operand(o->op, IR_IN(device, gemm, w));
  const char *set = ir_type_of(ir_result(o->op)).set;
  product x = {.k = operand_width(in), .n = operand_width(ir_result(o->op))};
  x.per = ir_type_of(w).set;
  x.types = step_constant_segments(&p->steps->steps, set, w, (MlirValue){NULL});
  RETURN_IF_ERROR(step_writer_take_error(&p->steps->steps));
  RETURN_IF_ERROR(program_host_set_rows(p->host, set, &x.m));
  x.is_selection = sextans_is_selection(o->op, p->host);
  RETURN_IF_ERROR(read_weights(p, o->op, &x));
  x.blocks = x.is_selection && x.types.offsets ? sextans_plan_count_blocks(o->op, p->host) : 1;
  RETURN_IF_ERROR(try_weights(p, &x, o));
  return o->lists ? STATUS_OK : plan_rows(p, &x, set, in, o);
}
