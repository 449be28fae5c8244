/* Writes the records of an operation, and the steps around them.
 *
 *   relayout B                where it is not a constant
 *   for each block of rows:   relayout C_in      where there is a bias or an addend
 *     for each head:          relayout A         where the host knows the values
 *                             run
 *                             relayout C_out     the pieces of cut rows are added up here */
#include "codegen/sextans/program.h"

#include "codegen/device/steps/step_values.h"
#include "codegen/sextans/record.h"

#include <inttypes.h>
#include <string.h>

/* The launches of an operation, or of one head of it. */
typedef struct emit_launch {
  const sextans_operation *o;
  int64_t columns, heads; /* columns of all heads, which lie side by side in B and C */
  int32_t b, out;         /* arrays; b: -1 where B is a constant */
  int32_t start;          /* array of C_in; -1: none */
  bool is_spread;         /* the array of C_in has a row per type, or one row */
  step_segments types;
  const int32_t *values; /* arrays of values, one per head; one alone in form rows; NULL: they are in the slots */
} emit_launch;

static step_writer *writer(sextans_program *p) {
  return &p->steps->steps;
}

static bool is_transposed(const emit_launch *e) {
  return e->o->form == SEXTANS_FORM_weights;
}

/* ---- moves ---- */

/* Moves an array to a place in device memory or from it. slots: of layout sextans_a, else -1. */
static void move(sextans_program *p, const emit_launch *e, int32_t array, program_manifest_place place,
                 bool to_device) {
  text json = {0};
  program_manifest_write_place(&place, &json);
  step_writer_move_array(writer(p), array, e->o->lists->name, text_str(&json), to_device);
  text_free(&json);
}

/* The byte offset of indices in .gnnc.rows; each list is there once. */
static int64_t order_of(sextans_program *p, const int32_t *order, int64_t count) {
  if (!order) return PROGRAM_MANIFEST_NO_ORDER;
  int64_t known = map_get(&p->order_of, order, 0);
  if (known) return known - 1;
  int64_t at = program_rows_add(&p->steps->rows, order, count);
  map_set(&p->order_of, order, at + 1);
  return at;
}

static uint64_t address_of_c(const sextans_program *p) {
  return p->base[IMAGE_FEATURES] + p->b_bytes;
}

static void move_b(sextans_program *p, const emit_launch *e) {
  const sextans_lists *l = &e->o->lists->blocks[0];
  program_manifest_place place = {.layout = is_transposed(e) ? "sextans_bt" : "sextans_b",
                                  .address = p->base[IMAGE_FEATURES],
                                  .stride = -1,
                                  .memory_rows = l->cols,
                                  .order = order_of(p, l->column_of, l->cols)};
  move(p, e, e->b, place, true);
}

static void move_c(sextans_program *p, const emit_launch *e, const sextans_lists *l, int32_t array,
                   const int32_t *order, bool to_device) {
  program_manifest_place place = {.layout = is_transposed(e) ? "sextans_ct" : "sextans_c",
                                  .address = address_of_c(p),
                                  .stride = -1,
                                  .memory_rows = l->rows,
                                  .order = order_of(p, order, l->rows)};
  move(p, e, array, place, to_device);
}

/* The type of a row: the last one that begins at the row or before it, and is not empty. */
static int32_t type_of_row(const step_segments *types, int32_t row) {
  int64_t least = 0, end = types->offsets ? types->count : 1;
  while (end - least > 1) {
    int64_t middle = least + (end - least) / 2;
    if (types->offsets[middle] <= row)
      least = middle;
    else
      end = middle;
  }
  return (int32_t)least;
}

/* The row of C_in's array for each row of C: the first piece of a row gets it, further pieces start
 * from 0. */
static const int32_t *start_rows(sextans_program *p, const emit_launch *e, const sextans_lists *l) {
  const char *key = arena_printf(p->arena, "start %p %d %p", (const void *)l, e->is_spread,
                                 e->is_spread ? (const void *)e->types.offsets : NULL);
  const int32_t *known = map_get_pointer(&p->made_of, key);
  if (known) return known;
  int32_t *order = arena_alloc_array(p->arena, (size_t)l->rows + 1, sizeof *order), last = -1;
  for (int64_t r = 0; r < l->rows; r++) last = l->row_of[r] > last ? l->row_of[r] : last;
  bool *is_done = arena_alloc_array(p->arena, (size_t)last + 2, sizeof *is_done);
  for (int64_t r = 0; r < l->rows; r++) {
    int32_t row = l->row_of[r];
    order[r] = -1;
    if (row < 0 || is_done[row]) continue;
    is_done[row] = true;
    order[r] = e->is_spread ? type_of_row(&e->types, row) : row;
  }
  map_set_pointer(&p->made_of, key, order);
  return order;
}

/* The number of the source array for each non-zero of form rows: entry r inner + c of head h is
 * number h inner + c of row source_row[r]. */
static const int32_t *source_numbers(sextans_program *p, const sextans_operation *o, const sextans_lists *l,
                                     int64_t head) {
  int64_t width = operand_width(o->source);
  const char *key = arena_printf(p->arena, "source %p %p %" PRId64 " %" PRId64, (const void *)l,
                                 (const void *)o->source_row, width, head);
  const int32_t *known = map_get_pointer(&p->made_of, key);
  if (known) return known;
  int32_t *made = arena_alloc_array(p->arena, (size_t)l->count + 1, sizeof *made);
  for (int64_t i = 0; i < l->count; i++) {
    int64_t row = l->entry_of[i] / o->inner, from = o->source_row ? o->source_row[row] : row;
    made[i] = from < 0 ? -1 : (int32_t)(from * width + head * o->inner + l->entry_of[i] % o->inner);
  }
  map_set_pointer(&p->made_of, key, made);
  return made;
}

/* Writes values into the slots, unless they are there. */
static void move_values(sextans_program *p, const emit_launch *e, int64_t block, int64_t head) {
  const sextans_operation *o = e->o;
  const sextans_lists *l = &o->lists->blocks[block];
  bool is_rows = o->form == SEXTANS_FORM_rows;
  int32_t array = e->values[is_rows ? 0 : head];
  bool is_direct = !is_rows || (!o->source_row && o->heads == 1);
  const int32_t *order = is_direct ? l->entry_of : source_numbers(p, o, l, head);
  sextans_held *held = &o->lists->holds[block];
  if ((held->array == array && held->order == order) || !l->slots) return;
  *held = (sextans_held){array, order};
  program_manifest_place place = {.layout = "sextans_a",
                                  .address = p->base[IMAGE_WEIGHTS] + o->lists->a[block],
                                  .stride = l->slots,
                                  .memory_rows = l->count,
                                  .order = order_of(p, order, l->count)};
  move(p, e, array, place, true);
}

/* ---- launches ---- */

static void add_record(sextans_program *p, const emit_launch *e, int64_t block, int64_t head) {
  const sextans_stored *s = e->o->lists;
  const sextans_lists *l = &s->blocks[block];
  const sextans_constant *b = e->o->b;
  int64_t columns = e->columns / e->heads, tile = head * columns / SEXTANS_TILE, word = (int64_t)sizeof(float);
  uint64_t begin = b ? p->base[IMAGE_WEIGHTS] + b->offset : p->base[IMAGE_FEATURES];
  bool is_read = e->start >= 0;
  sextans_insn in = {.op = SEXTANS_OP_spmm};
  in.spmm = sextans_record(l, columns, e->columns, 1, is_read ? 1 : 0);
  in.spmm.no_c = !is_read;
  in.spmm.layer = (uint64_t)e->o->layer;
  in.spmm.q = p->base[IMAGE_EDGES] + s->q[block];
  in.spmm.a = p->base[IMAGE_WEIGHTS] + s->a[block];
  in.spmm.b = begin + (uint64_t)(tile * sextans_b_tile(l->cols) * word);
  in.spmm.c_out = address_of_c(p) + (uint64_t)(tile * sextans_c_tile(l->rows) * word);
  in.spmm.c_in = is_read ? in.spmm.c_out : 0;
  VEC_PUSH(p->arena, &p->code, in);
  step_writer_run(writer(p), p->code.count - 1, p->code.count);
}

static void emit_block(sextans_program *p, const emit_launch *e, int64_t block, int32_t out) {
  const sextans_lists *l = &e->o->lists->blocks[block];
  if (e->start >= 0) move_c(p, e, l, e->start, start_rows(p, e, l), true);
  for (int64_t h = 0; h < e->heads; h++) {
    if (e->values) move_values(p, e, block, h);
    add_record(p, e, block, h);
  }
  move_c(p, e, l, out, l->row_of, false);
}

/* Each block of rows has an array of its own, with zeros in the rows of the others. */
static void emit_launches(sextans_program *p, const emit_launch *e, int64_t rows, int64_t width) {
  const sextans_stored *s = e->o->lists;
  int32_t sum = -1;
  if (e->b >= 0) move_b(p, e);
  for (int64_t i = 0; i < s->num_blocks; i++) {
    bool is_last = i + 1 == s->num_blocks;
    int32_t part = s->num_blocks == 1 ? e->out : step_add_array(writer(p), s->name, rows, width, -1);
    emit_block(p, e, i, part);
    if (i) {
      int32_t next = is_last ? e->out : step_add_array(writer(p), s->name, rows, width, -1);
      step_writer_combine(writer(p), e->o->op, "add", sum, part, next);
      part = next;
    }
    sum = part;
  }
}

/* ---- the beginning of C ---- */

/* Sets C_in to zeros where the device cannot leave it out: one row of zeros for all rows, or, where C
 * is transposed, one column. */
static void start_from_zeros(sextans_program *p, emit_launch *e, int64_t rows) {
  step_writer *w = writer(p);
  if (p->device->sextans.has_no_c) return;
  int64_t width = is_transposed(e) ? 1 : operand_width(ir_result(e->o->op));
  if (!is_transposed(e)) rows = 1;
  float *zeros = arena_alloc_array(p->arena, (size_t)(rows * width) + 1, sizeof *zeros);
  e->start = step_add_constant(w, "zeros", rows, width, w->no_data ? NULL : zeros);
  e->is_spread = true;
}

/* Sets C_in to the bias, to the addend, or to the sum of both; to zeros without them. */
static void find_start(sextans_program *p, emit_launch *e, MlirValue bias, MlirValue addend, int64_t rows) {
  step_writer *w = writer(p);
  MlirValue out = ir_result(e->o->op);
  int64_t width = operand_width(out);
  e->start = ir_value_is_null(addend) ? -1 : step_writer_array(w, addend);
  if (!ir_value_is_null(bias)) {
    step_segments types = step_constant_segments(w, ir_type_of(out).set, bias, (MlirValue){NULL});
    if (e->start < 0) {
      e->start = step_constant_bias(w, bias, types.count, width);
      e->types = types;
      e->is_spread = true;
      return;
    }
    int32_t row = types.offsets ? step_constant_spread(w, bias, types, width) : step_constant_bias(w, bias, 1, width);
    int32_t sum = step_add_array(w, "start", rows, width, -1);
    step_writer_combine(w, e->o->op, "add", e->start, row, sum);
    e->start = sum;
  }
  if (e->start < 0) start_from_zeros(p, e, rows);
}

/* ---- operations ---- */

/* Writes one launch per head; the columns of a head begin at a tile of B and C. */
static void emit_side_by_side(sextans_program *p, emit_launch *e, int64_t rows) {
  emit_launches(p, e, rows, e->columns);
}

/* Writes one launch per head on columns that the host takes from the rows, and joins the results. */
static void emit_one_by_one(sextans_program *p, const emit_launch *all, int64_t from_rows, int64_t rows) {
  step_writer *w = writer(p);
  int64_t heads = all->heads, width = all->columns / heads;
  int32_t joined = -1;
  for (int64_t h = 0; h < heads; h++) {
    emit_launch e = *all;
    bool is_last = h + 1 == heads;
    e.heads = 1;
    e.columns = width;
    e.values = &all->values[h];
    e.b = step_add_array(w, "head", from_rows, width, -1);
    e.out = heads == 1 ? all->out : step_add_array(w, "head", rows, width, -1);
    step_writer_take_columns(w, e.o->op, all->b, h * width, e.b);
    if (all->start >= 0) {
      e.start = step_add_array(w, "head", e.is_spread ? e.types.count : rows, width, -1);
      step_writer_take_columns(w, e.o->op, all->start, h * width, e.start);
    }
    emit_launches(p, &e, rows, width);
    int32_t result = e.out;
    if (h) {
      result = is_last ? all->out : step_add_array(w, "heads", rows, (h + 1) * width, -1);
      step_writer_join(w, e.o->op, joined, e.out, result);
    }
    joined = result;
  }
}

/* The values of each head as arrays with one column, times the weights of the list. */
static status find_values(sextans_program *p, const sextans_operation *o, const program_edge_list *l, int32_t *out) {
  step_writer *w = writer(p);
  int32_t values;
  RETURN_IF_ERROR(step_values_of(w, o->op, l, o->heads, &values));
  for (int64_t h = 0; h < o->heads; h++) {
    out[h] = o->heads == 1 ? values : step_add_array(w, "values", l->edges, 1, -1);
    if (o->heads > 1) step_writer_take_columns(w, o->op, values, h, out[h]);
  }
  return STATUS_OK;
}

static status emit_spdmm(sextans_program *p, const sextans_operation *o) {
  const program_edge_list *l;
  step_writer *w = writer(p);
  MlirOperation edges = operand_edges(ir_operand(o->op, IR_IN(device, spdmm, edges)));
  RETURN_IF_ERROR(program_host_edge_list(p->host, edges, &l));
  emit_launch e = {.o = o, .columns = o->columns, .heads = o->heads, .types = {.count = 1}};
  e.b = o->b ? -1 : step_writer_array(w, ir_operand(o->op, IR_IN(device, spdmm, in)));
  find_start(p, &e, ir_operand(o->op, IR_IN(device, spdmm, bias)), ir_operand(o->op, IR_IN(device, spdmm, addend)),
             l->to_rows);
  if (o->form == SEXTANS_FORM_values) {
    int32_t *values = arena_alloc_array(p->arena, (size_t)o->heads, sizeof *values);
    RETURN_IF_ERROR(find_values(p, o, l, values));
    e.values = values;
  }
  e.out = step_writer_array(w, ir_result(o->op));
  if (sextans_is_aligned(o))
    emit_side_by_side(p, &e, l->to_rows);
  else
    emit_one_by_one(p, &e, l->from_rows, l->to_rows);
  return STATUS_OK;
}

/* Form weights adds the bias after the launch: a row of its C is a column of the result. */
static void emit_weights(sextans_program *p, emit_launch *e, MlirValue bias, MlirValue addend, int64_t rows) {
  step_writer *w = writer(p);
  MlirValue none = {NULL};
  int64_t width = operand_width(ir_result(e->o->op));
  int32_t out = e->out;
  bool has_bias = !ir_value_is_null(bias);
  e->b = step_writer_array(w, ir_operand(e->o->op, IR_IN(device, gemm, in)));
  find_start(p, e, none, addend, rows);
  if (has_bias) e->out = step_add_array(w, "product", rows, width, -1);
  emit_launches(p, e, rows, width);
  if (!has_bias) return;
  step_segments types = step_constant_segments(w, ir_type_of(ir_result(e->o->op)).set, bias, none);
  int32_t row = types.offsets ? step_constant_spread(w, bias, types, width) : step_constant_bias(w, bias, 1, width);
  step_writer_combine(w, e->o->op, "add", e->out, row, out);
}

static status emit_gemm(sextans_program *p, const sextans_operation *o) {
  step_writer *w = writer(p);
  MlirValue bias = ir_operand(o->op, IR_IN(device, gemm, bias)),
            addend = ir_operand(o->op, IR_IN(device, gemm, addend));
  int64_t rows;
  RETURN_IF_ERROR(program_host_set_rows(p->host, ir_type_of(ir_result(o->op)).set, &rows));
  emit_launch e = {.o = o, .columns = o->columns, .heads = o->heads, .b = -1, .types = {.count = 1}};
  e.out = step_writer_array(w, ir_result(o->op));
  if (o->form == SEXTANS_FORM_weights) {
    emit_weights(p, &e, bias, addend, rows);
    return STATUS_OK;
  }
  int32_t values = step_writer_array(w, o->source);
  e.values = &values;
  find_start(p, &e, bias, addend, rows);
  emit_launches(p, &e, rows, o->columns);
  return STATUS_OK;
}

status sextans_emit_operation(step_program *steps, MlirOperation op, void *program) {
  sextans_program *p = program;
  int64_t number = map_get(&p->operation_of, op.ptr, 0);
  if (!number) return STATUS_OK; /* a copy that products read through */
  const sextans_operation *o = &p->operations.items[number - 1];
  (void)steps;
  return ir_op_kind(op) == IR_OP(device, gemm) ? emit_gemm(p, o) : emit_spdmm(p, o);
}
