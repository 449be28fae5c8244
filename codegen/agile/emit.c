/* Writes the layers of an operation, and the moves before them. The operands of the device are read
 * where they are (chain.h); constants are in .weights.
 *
 *   spdmm                neighbours are the list's, W = identity; bias and addend are neighbours, too
 *   spdmm with values    a layer per head
 *   gemm, layer          a layer for each part of the rows and of the result; where rows have several
 *                        parts, or an addend follows, a last layer adds everything up
 *
 * A bias behind weights is a neighbour (0, .., 0, 1) that meets one more row of weights, since the
 * device adds one number to all results. A column of ones in the rows would be multiplied by the sum
 * of the scale factors. */
#include "codegen/agile/precision.h"

#include "codegen/device/steps/step_values.h"
#include "support/elementwise.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What follows the products and sums of an operation. */
typedef struct ending {
  MlirValue bias, addend; /* may be null */
  step_segments types;    /* of the bias */
  const float *numbers;   /* of the bias, [types][n] */
  agile_place start;      /* the addend */
  int activation;
  float alpha;
} ending;

/* A sum or product of rows. */
typedef struct step {
  const agile_operation *o;
  const matrix_csr *m;
  const char *set; /* of the result's rows */
  agile_place in, to;
} step;

static const MlirValue none = {NULL};

/* ---- constants ---- */

static status keep(agile_program *p, const char *key, int64_t rows, int64_t width, const float *numbers,
                   uint64_t *address, int64_t *pitch) {
  agile_constant *c = agile_store_find(p, key);
  if (!c)
    RETURN_IF_ERROR(agile_store_constant(p, key, rows, width, (int64_t)agile_row_bytes((uint64_t)width), numbers, &c));
  *address = sections_tagged(IMAGE_WEIGHTS, c->offset);
  if (pitch) *pitch = c->pitch;
  return STATUS_OK;
}

/* Columns n0 .. n0 + nn - 1 of a bias, a row per type. */
static status keep_bias(agile_program *p, const ending *e, int64_t n, int64_t n0, int64_t nn, agile_extra *out) {
  const char *key =
      arena_printf(p->arena, "bias %p %" PRId64 " %" PRId64 " %" PRId64, e->bias.ptr, e->types.count, n0, nn);
  float *made = e->numbers ? arena_alloc_array(p->arena, (size_t)(e->types.count * nn) + 1, sizeof *made) : NULL;
  *out = (agile_extra){.types = e->types, .is_by_type = true};
  for (int64_t t = 0; made && t < e->types.count; t++)
    memcpy(made + t * nn, e->numbers + t * n + n0, (size_t)nn * sizeof *made);
  return keep(p, key, e->types.count, nn, made, &out->address, &out->stride);
}

/* The message (0, .., 0, unit) of f numbers. */
static status keep_unit(agile_program *p, int64_t f, float unit, agile_extra *out) {
  float *made = arena_alloc_array(p->arena, (size_t)f, sizeof *made);
  made[f - 1] = unit;
  *out = (agile_extra){0};
  return keep(p, arena_printf(p->arena, "unit %" PRId64 " %a", f, (double)unit), 1, f, made, &out->address, NULL);
}

static status read_ending(agile_program *p, MlirOperation op, MlirValue bias, MlirValue addend, MlirValue w,
                          ending *out) {
  int64_t n = operand_width(ir_result(op));
  *out = (ending){.bias = bias, .addend = addend};
  for (size_t i = 0; i < ir_get_array_size(op, "functions"); i++) {
    elementwise_call call;
    if (!elementwise_call_parse(ir_get_string_at(op, "functions", i), &call)) continue;
    out->activation = call.function == UNARY_relu ? AGILE_ACTIVATION_relu : AGILE_ACTIVATION_leaky_relu;
    out->alpha = call.p;
  }
  out->types = step_constant_segments(&p->steps->steps, ir_type_of(ir_result(op)).set, w, bias);
  RETURN_IF_ERROR(step_writer_take_error(&p->steps->steps));
  agile_rows result = agile_rows_of(p, ir_result(op));
  if (!ir_value_is_null(addend)) RETURN_IF_ERROR(agile_rows_read_like(p, addend, &result, &out->start, &p->addend));
  if (ir_value_is_null(bias) || p->no_data) return STATUS_OK;
  return matrix_read_bias(p->arena, p->host, bias, out->types.count, n, &out->numbers);
}

/* ---- layers ---- */

/* The features that a layer writes: those of a part, and the column of zeros behind them unless the
 * last beat has it anyway. */
static int64_t features_of(const agile_place *to, int64_t part) {
  int64_t columns = agile_rows_columns(&to->r, part);
  return columns + (to->r.is_wide && columns % AGILE_BEAT_WORDS == 0);
}

static uint64_t part_of(const agile_place *x, int64_t part) {
  return x->address + (uint64_t)(part * x->r.part_bytes);
}

static agile_list_plan list_of(const step *s, const matrix_csr *m, int64_t part) {
  return (agile_list_plan){.m = m,
                           .set = s->set,
                           .rows = s->to.r.rows,
                           .stride = agile_rows_pitch(&s->in.r, part),
                           .messages = part_of(&s->in, part)};
}

/* Whether the device adds a bias by itself. */
static bool has_vector_bias(const agile_program *p, const ending *e) {
  return agile_device_of(p)->has_vector_bias && !ir_value_is_null(e->bias);
}

/* Adds the addend and the bias as neighbours. */
static status add_ending(agile_program *p, const step *s, const ending *e, int64_t part, agile_list_plan *list) {
  if (!ir_value_is_null(e->addend))
    list->extras[list->num_extras++] =
        (agile_extra){.address = part_of(&e->start, part), .stride = agile_rows_pitch(&e->start.r, part)};
  if (ir_value_is_null(e->bias) || (has_vector_bias(p, e) && !e->types.offsets)) return STATUS_OK;
  return keep_bias(p, e, s->to.r.width, part * s->to.r.part, agile_rows_columns(&s->to.r, part),
                   &list->extras[list->num_extras++]);
}

/* A layer with an identity: part number `part` of the result. */
static status emit_identity(agile_program *p, const step *s, const ending *e, const agile_list_plan *list,
                            int64_t part) {
  int64_t columns = agile_rows_columns(&s->to.r, part);
  agile_layer_plan x = {.layer = s->o->layer,
                        .messages = list->messages,
                        .w = {.nn = columns},
                        .f = columns,
                        .o = features_of(&s->to, part),
                        .out = part_of(&s->to, part),
                        .activation = e->activation,
                        .alpha = e->alpha,
                        .hi = s->to.r.rows};
  agile_list *made;
  agile_extra bias;
  RETURN_IF_ERROR(agile_list_make(p, list, &made));
  x.list = made;
  if (has_vector_bias(p, e) && !e->types.offsets) {
    RETURN_IF_ERROR(keep_bias(p, e, s->to.r.width, part * s->to.r.part, columns, &bias));
    x.bias_address = bias.address;
  }
  return agile_layer_emit(p, &x);
}

static status emit_sum(agile_program *p, const step *s, const ending *e) {
  for (int64_t i = 0; i < s->to.r.parts; i++) {
    agile_list_plan list = list_of(s, s->m, i);
    RETURN_IF_ERROR(add_ending(p, s, e, i, &list));
    RETURN_IF_ERROR(emit_identity(p, s, e, &list, i));
  }
  return STATUS_OK;
}

/* ---- products ---- */

/* Weights of a product: [types][k][n]. */
typedef struct weights {
  const char *key;
  const float *numbers;
  int64_t k, n;
  step_segments types;
} weights;

static status read_weights(agile_program *p, MlirOperation op, MlirValue w, int64_t k, const ending *e, weights *out) {
  bool is_transposed = ir_get_bool(op, "transposed");
  *out = (weights){.k = k, .n = operand_width(ir_result(op)), .types = e->types};
  out->key = arena_printf(p->arena, "%p %d", w.ptr, is_transposed);
  if (p->no_data) return STATUS_OK;
  return matrix_read_weights(p->arena, p->host, w, is_transposed, e->types.count, k, out->n, &out->numbers);
}

static float largest_of(const float *numbers, int64_t count) {
  float largest = 0;
  for (int64_t i = 0; numbers && i < count; i++) largest = fmaxf(largest, fabsf(numbers[i]));
  return largest;
}

/* The unit of the bias of the next layers, one for all types. */
static float unit_of(const agile_program *p, const ending *e, const weights *w) {
  int64_t layers = 0;
  for (int64_t t = 0; t < w->types.count; t++)
    layers += !w->types.offsets || w->types.offsets[t] < w->types.offsets[t + 1];
  return agile_precision_unit(p, layers, largest_of(w->numbers, w->types.count * w->k * w->n),
                              largest_of(e->numbers, w->types.count * w->n));
}

/* The layers of all types of weights: part `from` of the rows into part `to` of the result, written to
 * `out`. */
static status emit_types(agile_program *p, const step *s, const ending *e, const weights *w, int64_t from, int64_t to,
                         bool has_column, agile_layer_plan *x) {
  int64_t kn = agile_rows_columns(&s->in.r, from);
  agile_list_plan list = list_of(s, s->m, from);
  agile_list *made;
  agile_extra row = {0};
  if (has_vector_bias(p, e))
    RETURN_IF_ERROR(keep_bias(p, e, w->n, to * s->to.r.part, agile_rows_columns(&s->to.r, to), &row));
  x->f = kn + has_column;
  float unit = has_column ? unit_of(p, e, w) : 0;
  if (has_column) RETURN_IF_ERROR(keep_unit(p, x->f, unit, &list.extras[list.num_extras++]));
  RETURN_IF_ERROR(agile_list_make(p, &list, &made));
  x->layer = s->o->layer;
  x->list = made;
  x->messages = list.messages;
  for (int64_t t = 0; t < w->types.count; t++) {
    const float *bias = e->numbers ? e->numbers + t * w->n : NULL;
    x->lo = w->types.offsets ? w->types.offsets[t] : 0;
    x->hi = w->types.offsets ? w->types.offsets[t + 1] : s->to.r.rows;
    if (x->lo == x->hi) continue;
    x->bias_address = row.address ? row.address + (uint64_t)(t * row.stride) : 0;
    x->w = (agile_weights){
        .key = arena_printf(p->arena, "%s %" PRId64 " %p %a", w->key, t, has_column ? e->bias.ptr : NULL, (double)unit),
        .numbers = w->numbers ? w->numbers + t * w->k * w->n : NULL,
        .n = w->n,
        .k0 = from * s->in.r.part,
        .kn = kn,
        .n0 = to * s->to.r.part,
        .nn = agile_rows_columns(&s->to.r, to),
        .has_bias = has_column,
        .unit = unit,
        .bias = bias};
    RETURN_IF_ERROR(agile_layer_emit(p, x));
  }
  return STATUS_OK;
}

/* Adds up the products of the parts of the rows, the addend and the bias. */
static status emit_parts(agile_program *p, const step *s, const ending *e, const weights *w, int64_t to) {
  const ending nothing = {.types = {.count = 1}};
  chain_region region;
  int64_t columns = agile_rows_columns(&s->to.r, to), parts = s->in.r.parts;
  agile_rows all = agile_rows_make(s->to.r.rows, columns * parts, columns);
  agile_place between = agile_rows_alloc(p, all, &region);
  agile_list_plan list = {
      .set = s->set, .rows = s->to.r.rows, .stride = agile_rows_pitch(&all, 0), .messages = CHAIN_BASE};
  for (int64_t i = 0; i < parts; i++) {
    agile_layer_plan x = {.o = columns, .out = part_of(&between, i)};
    RETURN_IF_ERROR(emit_types(p, s, &nothing, w, i, to, false, &x));
    list.extras[list.num_extras++] =
        (agile_extra){.address = part_of(&between, i), .stride = agile_rows_pitch(&all, i)};
  }
  RETURN_IF_ERROR(add_ending(p, s, e, to, &list));
  RETURN_IF_ERROR(emit_identity(p, s, e, &list, to));
  chain_free(&p->chain, region);
  return STATUS_OK;
}

static status emit_product(agile_program *p, const step *s, const ending *e, const weights *w, bool has_column) {
  bool has_bias = !ir_value_is_null(e->bias),
       is_alone = ir_value_is_null(e->addend) && (!has_bias || has_column || has_vector_bias(p, e));
  for (int64_t i = 0; i < s->to.r.parts; i++) {
    if (s->in.r.parts > 1 || !is_alone) {
      RETURN_IF_ERROR(emit_parts(p, s, e, w, i));
      continue;
    }
    agile_layer_plan x = {
        .o = features_of(&s->to, i), .out = part_of(&s->to, i), .activation = e->activation, .alpha = e->alpha};
    RETURN_IF_ERROR(emit_types(p, s, e, w, 0, i, has_bias && has_column, &x));
  }
  return STATUS_OK;
}

/* ---- operations ---- */

static status emit_gemm(agile_program *p, const agile_operation *o) {
  MlirValue in = ir_operand(o->op, IR_IN(device, gemm, in)), w = ir_operand(o->op, IR_IN(device, gemm, w)),
            bias = ir_operand(o->op, IR_IN(device, gemm, bias));
  step s = {.o = o, .m = o->m, .set = ir_type_of(ir_result(o->op)).set};
  ending e;
  weights x;
  RETURN_IF_ERROR(agile_rows_read(p, in, &s.in));
  RETURN_IF_ERROR(read_ending(p, o->op, bias, ir_operand(o->op, IR_IN(device, gemm, addend)), w, &e));
  RETURN_IF_ERROR(read_weights(p, o->op, w, operand_width(in), &e, &x));
  s.to = agile_rows_write(p, ir_result(o->op));
  return emit_product(p, &s, &e, &x, agile_map_has_column(p, in));
}

/* A product of each row, then the sum. */
static status emit_product_first(agile_program *p, const step *s, const ending *e, const weights *w) {
  ending nothing = {.types = {.count = 1}};
  chain_region region;
  step product = *s, sum = *s;
  matrix_csr *all;
  agile_rows between = agile_rows_make(s->in.r.rows, w->n, s->to.r.part);
  RETURN_IF_ERROR(agile_list_identity(p, s->in.r.rows, &all));
  product.m = all;
  product.to = sum.in = agile_rows_alloc(p, between, &region);
  product.set = ir_type_of(ir_operand(s->o->op, IR_IN(device, layer, in))).set;
  RETURN_IF_ERROR(emit_product(p, &product, &nothing, w, false));
  RETURN_IF_ERROR(emit_sum(p, &sum, e));
  chain_free(&p->chain, region);
  return STATUS_OK;
}

static status emit_layer(agile_program *p, const agile_operation *o) {
  MlirValue in = ir_operand(o->op, IR_IN(device, layer, in)), w = ir_operand(o->op, IR_IN(device, layer, w)),
            bias = ir_operand(o->op, IR_IN(device, layer, bias));
  step s = {.o = o, .m = o->m, .set = ir_type_of(ir_result(o->op)).set};
  ending e;
  weights x;
  RETURN_IF_ERROR(agile_rows_read(p, in, &s.in));
  RETURN_IF_ERROR(read_ending(p, o->op, bias, ir_operand(o->op, IR_IN(device, layer, addend)), w, &e));
  RETURN_IF_ERROR(read_weights(p, o->op, w, operand_width(in), &e, &x));
  s.to = agile_rows_write(p, ir_result(o->op));
  if (o->mapping == AGILE_MAPPING_product_first) return emit_product_first(p, &s, &e, &x);
  return emit_product(p, &s, &e, &x, agile_map_has_column(p, in));
}

/* ---- values of edges ---- */

/* Moves the values of a head into the places of the scale factors. */
static void move_scales(agile_program *p, const agile_operation *o, const agile_list *l, int32_t array, int64_t head,
                        chain_region region) {
  int64_t words = l->first[l->rows];
  int32_t *order = arena_alloc_array(p->arena, (size_t)words + 1, sizeof *order);
  text json = {0};
  for (int64_t i = 0; i < words; i++) order[i] = -1;
  for (int64_t r = 0; r < l->rows; r++)
    for (int64_t j = l->m->pos[r]; j < l->m->pos[r + 1]; j++)
      order[l->first[r] + j - l->m->pos[r]] = (int32_t)(l->m->entry_of[j] * o->heads + head);
  program_manifest_place place = {.layout = "agile_scales",
                                  .address = CHAIN_BASE + region.offset,
                                  .stride = -1,
                                  .memory_rows = words,
                                  .order = program_rows_add(&p->steps->rows, order, words)};
  program_manifest_write_place(&place, &json);
  step_writer_move_array(&p->steps->steps, array, "values", text_str(&json), true);
  text_free(&json);
}

/* A part of the columns of a head: where it begins in the rows, and where it goes. Its columns are a
 * message where they begin at a beat; else the weights select them. */
typedef struct head_part {
  int64_t part, column, width; /* of the rows */
  int64_t to;
} head_part;

static bool is_message(const head_part *h) {
  return h->column % AGILE_BEAT_WORDS == 0;
}

static status make_list(agile_program *p, const step *s, const head_part *h, agile_list **out) {
  agile_list_plan plan = list_of(s, s->m, h->part);
  plan.has_values = true;
  if (is_message(h)) plan.messages += (uint64_t)h->column * sizeof(float);
  return agile_list_make(p, &plan, out);
}

static status emit_head_part(agile_program *p, const step *s, const ending *e, uint64_t scales, const head_part *h) {
  agile_list *list;
  RETURN_IF_ERROR(make_list(p, s, h, &list));
  agile_layer_plan x = {.layer = s->o->layer,
                        .list = list,
                        .messages =
                            part_of(&s->in, h->part) + (is_message(h) ? (uint64_t)h->column * sizeof(float) : 0),
                        .scales = scales,
                        .w = {.nn = h->width, .begin = is_message(h) ? 0 : h->column},
                        .f = is_message(h) ? h->width : agile_rows_columns(&s->in.r, h->part),
                        .o = s->o->heads > 1 ? h->width : features_of(&s->to, h->to),
                        .out = part_of(&s->to, h->to),
                        .activation = e->activation,
                        .alpha = e->alpha,
                        .hi = s->to.r.rows};
  return agile_layer_emit(p, &x);
}

/* Part number i of all parts of all heads. */
static head_part head_part_of(const step *s, int64_t i) {
  int64_t heads = s->o->heads, width = s->in.r.width / heads;
  if (heads == 1) return (head_part){i, 0, agile_rows_columns(&s->in.r, i), i};
  return (head_part){i * width / s->in.r.part, i * width % s->in.r.part, width, i};
}

static status emit_heads(agile_program *p, const step *s, const ending *e, MlirOperation edges) {
  const agile_operation *o = s->o;
  const program_edge_list *l;
  int64_t parts = o->heads > 1 ? o->heads : s->in.r.parts;
  int32_t values;
  chain_region *regions = arena_alloc_array(p->arena, (size_t)o->heads, sizeof *regions);
  RETURN_IF_ERROR(program_host_edge_list(p->host, edges, &l));
  chain_run(&p->chain);
  RETURN_IF_ERROR(step_values_of(&p->steps->steps, o->op, l, o->heads, &values));
  for (int64_t h = 0; h < o->heads; h++) {
    head_part first = head_part_of(s, h);
    agile_list *list;
    RETURN_IF_ERROR(make_list(p, s, &first, &list));
    regions[h] = chain_alloc(&p->chain, (uint64_t)list->first[list->rows] * sizeof(float));
    move_scales(p, o, list, values, h, regions[h]);
  }
  for (int64_t i = 0; i < parts; i++) {
    head_part h = head_part_of(s, i);
    RETURN_IF_ERROR(emit_head_part(p, s, e, CHAIN_BASE + regions[o->heads > 1 ? i : 0].offset, &h));
  }
  for (int64_t h = 0; h < o->heads; h++) chain_free(&p->chain, regions[h]);
  return STATUS_OK;
}

/* A bias or an addend follows in layers of their own. */
static status emit_heads_and_ending(agile_program *p, const step *s, const ending *e, MlirOperation edges) {
  ending nothing = {.types = {.count = 1}};
  chain_region region;
  step heads = *s, sum = *s;
  matrix_csr *all;
  if (ir_value_is_null(e->bias) && ir_value_is_null(e->addend)) return emit_heads(p, s, e, edges);
  agile_rows between = s->to.r;
  between.is_wide = false;
  heads.to = sum.in = agile_rows_alloc(p, between, &region);
  RETURN_IF_ERROR(agile_list_identity(p, s->to.r.rows, &all));
  sum.m = all;
  RETURN_IF_ERROR(emit_heads(p, &heads, &nothing, edges));
  RETURN_IF_ERROR(emit_sum(p, &sum, e));
  chain_free(&p->chain, region);
  return STATUS_OK;
}

static status emit_spdmm(agile_program *p, const agile_operation *o) {
  MlirValue in = ir_operand(o->op, IR_IN(device, spdmm, in)), bias = ir_operand(o->op, IR_IN(device, spdmm, bias));
  MlirOperation edges = operand_edges(ir_operand(o->op, IR_IN(device, spdmm, edges)));
  step s = {.o = o, .m = o->m, .set = ir_type_of(ir_result(o->op)).set};
  ending e;
  RETURN_IF_ERROR(agile_rows_read(p, in, &s.in));
  RETURN_IF_ERROR(read_ending(p, o->op, bias, ir_operand(o->op, IR_IN(device, spdmm, addend)), none, &e));
  s.to = agile_rows_write(p, ir_result(o->op));
  return o->mapping == AGILE_MAPPING_heads ? emit_heads_and_ending(p, &s, &e, edges) : emit_sum(p, &s, &e);
}

status agile_emit_operation(step_program *steps, MlirOperation op, void *program) {
  agile_program *p = program;
  const agile_operation *o = &p->operations.items[map_get(&p->operation_of, op.ptr, 0) - 1];
  (void)steps;
  p->addend = (chain_region){0};
  switch (ir_op_kind(op)) {
  case IR_OP(device, gemm): RETURN_IF_ERROR(emit_gemm(p, o)); break;
  case IR_OP(device, layer): RETURN_IF_ERROR(emit_layer(p, o)); break;
  default: RETURN_IF_ERROR(emit_spdmm(p, o));
  }
  chain_free(&p->chain, p->addend);
  return STATUS_OK;
}
