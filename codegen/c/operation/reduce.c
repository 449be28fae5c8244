/* Payload operations that reduce over the last dimension: inner products, sums, softmax, argmax.
 *
 *   gnn.vector_inner(%z : f32[8, 8], %al : f32[8, 8])     for (int64_t j = 0; j < 8; j++) {
 *                                                           real sum = 0;
 *                                                           for (int64_t k = 0; k < 8; k++) sum += z[j * 8 + k] * al[j * 8 + k];
 *                                                           s[j] = sum;
 *                                                         } */
#include "codegen/c/operation/reduce.h"

#include "codegen/c/body/nest.h"
#include "codegen/c/body/parameter.h"
#include "codegen/c/body/place.h"
#include "codegen/c/body/scalar.h"

#include <string.h>

/* The loop over the last dimension of operands whose other dimensions are covered already. */
typedef struct c_inner {
  c_target target; /* target of the whole result */
  c_index lead;
  c_mark mark;
  const char *k;
  int64_t depth;
} c_inner;

/* The ranks at which the leading dimensions of an operand require cuts. */
static unsigned lead_cuts(c_body *b, MlirValue x) {
  unsigned rank = ir_type_of(x).rank;
  return (c_nest_cuts(b, x) & ~(1u << rank)) | (rank ? 1u << (rank - 1) : 0);
}

/* Opens the loops over the leading dimensions of the result of `op`; names the inner variable, but
 * does not open its loop. */
static c_inner open_inner(c_body *b, MlirOperation op, const MlirValue *operands, unsigned count,
                          const char *fallback) {
  ir_type widest = ir_type_of(operands[0]);
  unsigned cuts = 0;
  for (unsigned i = 0; i < count; i++) {
    ir_type type = ir_type_of(operands[i]);
    if (type.rank > widest.rank) widest = type;
    cuts |= lead_cuts(b, operands[i]);
  }
  c_inner inner = {.depth = widest.dims[widest.rank - 1], .lead = {.count = 0}};
  inner.target = c_place_declare(b, ir_result(op), fallback, C_USE_written);
  for (unsigned i = 0; i < count; i++) c_nest_hoist(b, operands[i], &inner.lead);
  inner.mark = c_nest_mark(b);
  unsigned lead_rank = widest.rank - 1;
  c_nest_open(b, operands, count, widest.dims, lead_rank, cuts, &inner.lead);
  inner.k = c_names_add(&b->names, "k");
  return inner;
}

/* The index of an operand inside the inner loop. */
static c_index inner_index(const c_inner *inner, unsigned rank) {
  c_index index = c_nest_prefix(&inner->lead, rank - 1);
  index.loops[index.count++] = (c_loop){inner->k, inner->depth, rank};
  return index;
}

static void open_k(c_body *b, const c_inner *inner, const char *reduction) {
  if (reduction && b->model->options->reassociate) c_writer_line(b->w, "REDUCTION_LOOP(%s)", reduction);
  c_writer_open_count(b->w, inner->k, inner->depth);
}

/* Writes the result at the current leading position and closes the loops. */
static void close_inner(c_body *b, MlirOperation op, c_inner *inner, const char *expression) {
  unsigned rank = ir_type_of(ir_result(op)).rank;
  const char *at = rank ? c_nest_flat(b, &inner->lead, rank) : NULL;
  c_target_assign(b, inner->target, at, expression);
  c_nest_leave(b, inner->mark);
  c_target_define(b, ir_result(op), inner->target);
}

/* Whether rows are long enough for several partial sums; in a strictly sequential sum each addition
 * waits for the one before. */
static bool is_dot(const c_body *b, const MlirValue *operands) {
  ir_type x = ir_type_of(operands[0]), y = ir_type_of(operands[1]);
  const codegen_c_options *options = b->model->options;
  return options->partial_sums && !options->is_f64 && x.dims[x.rank - 1] >= 4 && y.rank > 0;
}

/* Writes a call for two rows in memory: dot(64, x + h * 64, y + h * 64). */
static void emit_dot(c_body *b, MlirOperation op, const MlirValue *operands) {
  const char *rows[2];
  for (int i = 0; i < 2; i++) rows[i] = c_place_in_memory(b, operands[i]);
  c_inner inner = open_inner(b, op, operands, 2, "inner");
  for (int i = 0; i < 2; i++) {
    unsigned rank = ir_type_of(operands[i]).rank - 1;
    c_index lead = c_nest_prefix(&inner.lead, rank);
    if (rank)
      rows[i] = arena_printf(b->model->arena, "%s + (%s) * %lld", rows[i], c_nest_flat(b, &lead, rank),
                             (long long)inner.depth);
  }
  close_inner(b, op, &inner,
              arena_printf(b->model->arena, "dot(%lld, %s, %s)", (long long)inner.depth, rows[0], rows[1]));
}

void c_reduce_emit_inner(c_body *b, MlirOperation op) {
  MlirValue operands[2] = {ir_operand(op, IR_IN(gnn, vector_inner, a)), ir_operand(op, IR_IN(gnn, vector_inner, b))};
  if (is_dot(b, operands)) {
    emit_dot(b, op, operands);
    return;
  }
  c_inner inner = open_inner(b, op, operands, 2, "inner");
  const char *sum = c_names_add(&b->names, "sum");
  c_writer_line(b->w, "real %s = 0;", sum);
  open_k(b, &inner, arena_printf(b->model->arena, "+ : %s", sum));
  const char *elements[2];
  for (int i = 0; i < 2; i++) {
    c_index index = inner_index(&inner, ir_type_of(operands[i]).rank);
    elements[i] = c_nest_element(b, operands[i], &index);
  }
  c_writer_line(b->w, "%s += %s * %s;", sum, elements[0], elements[1]);
  c_writer_close(b->w);
  close_inner(b, op, &inner, sum);
}

void c_reduce_emit(c_body *b, MlirOperation op) {
  MlirValue x = ir_operand(op, IR_IN(gnn, reduce, x));
  const char *function = ir_get_string(op, "function", "sum");
  c_target target = {.mode = c_target_reduction(function)};
  bool is_extreme = target.mode != C_ASSIGN_add;
  c_inner inner = open_inner(b, op, &x, 1, function);
  const char *acc = c_names_add(&b->names, is_extreme ? "best" : "sum");
  target.base = acc;
  c_writer_line(b->w, "real %s = %s;", acc, c_target_start(target.mode));
  open_k(b, &inner, is_extreme ? NULL : arena_printf(b->model->arena, "+ : %s", acc));
  c_index index = inner_index(&inner, ir_type_of(x).rank);
  c_target_assign(b, target, NULL, c_nest_element(b, x, &index));
  c_writer_close(b->w);
  if (!strcmp(function, "mean"))
    acc = arena_printf(b->model->arena, "%s / %s", acc, c_scalar_literal(b, (double)inner.depth));
  close_inner(b, op, &inner, acc);
}

void c_reduce_emit_pieces(c_body *b, MlirOperation op) {
  const c_parameter *p = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, combine, buffer)));
  MlirValue value = ir_result(op);
  ir_type type = ir_type_of(value);
  c_target target = c_place_declare(b, value, "all", C_USE_written);
  const char *reduce = ir_get_string(op, "reduce", "sum");
  c_writer_line(b->w, "combine_pieces(%lld, %s, %s%s, '%c');", (long long)ir_type_elements(type), p->name,
                type.rank ? "" : "&", target.base,
                !strcmp(reduce, "sum")   ? '+'
                : !strcmp(reduce, "max") ? '>'
                                         : '<');
  c_target_define(b, value, target);
}

void c_reduce_emit_argmax(c_body *b, MlirOperation op) {
  MlirValue x = ir_operand(op, IR_IN(gnn, argmax, x));
  c_inner inner = open_inner(b, op, &x, 1, "argmax");
  const char *best = c_names_add(&b->names, "best"), *top = c_names_add(&b->names, "top");
  const char *here = c_names_add(&b->names, "here");
  c_writer_line(b->w, "int64_t %s = 0;", best);
  c_writer_line(b->w, "real %s = -INFINITY;", top);
  open_k(b, &inner, NULL);
  c_index index = inner_index(&inner, ir_type_of(x).rank);
  c_writer_line(b->w, "const real %s = %s;", here, c_nest_element(b, x, &index));
  c_writer_open(b->w, "if (%s > %s)", here, top);
  c_writer_line(b->w, "%s = %s;", top, here);
  c_writer_line(b->w, "%s = %s;", best, inner.k);
  c_writer_close(b->w);
  c_writer_close(b->w);
  close_inner(b, op, &inner, arena_printf(b->model->arena, "(real)%s", best));
}

void c_reduce_emit_softmax(c_body *b, MlirOperation op) {
  MlirValue x = ir_operand(op, IR_IN(gnn, softmax, x));
  const char *from = c_place_in_memory(b, x);
  bool is_log = ir_get_bool(op, "log");
  c_inner inner = open_inner(b, op, &x, 1, "softmax");
  const char *top = c_names_add(&b->names, "top"), *sum = c_names_add(&b->names, "sum"), *to = inner.target.base;
  c_index index = inner_index(&inner, ir_type_of(x).rank);
  const char *at = c_nest_flat(b, &index, ir_type_of(x).rank);
  c_writer_line(b->w, "real %s = -INFINITY, %s = 0;", top, sum);
  open_k(b, &inner, NULL);
  c_writer_line(b->w, "%s = real_max(%s, %s[%s]);", top, top, from, at);
  c_writer_close(b->w);
  open_k(b, &inner, NULL);
  c_writer_line(b->w, "%s[%s] = %s(%s[%s] - %s);", to, at, is_log ? "" : "real_exp", from, at, top);
  c_writer_line(b->w, is_log ? "%s += real_exp(%s[%s]);" : "%s += %s[%s];", sum, to, at);
  c_writer_close(b->w);
  if (is_log) c_writer_line(b->w, "%s = real_log(%s);", sum, sum);
  open_k(b, &inner, NULL);
  c_writer_line(b->w, "%s[%s] %s= %s;", to, at, is_log ? "-" : "/", sum);
  c_writer_close(b->w);
  c_nest_leave(b, inner.mark);
  c_target_define(b, ir_result(op), inner.target);
}
