/* Inner loops: over the edges at a node, over the stored entries of a sparse row.
 *
 *   inter.for_incoming(%g, %n) reduce = ["sum"]     real y[16] = {0};
 *     yield (c * zs)                          =>    for (int64_t p = g->in_ptr[n]; p < g->in_ptr[n + 1]; p++) {
 *                                                     const real *zs = z + s * 16;
 *                                                     for (int64_t j = 0; j < 16; j++) y[j] += c * zs[j];
 *                                                   } */
#include "codegen/c/operation/loop.h"

#include "codegen/c/body/nest.h"
#include "codegen/c/body/place.h"
#include "codegen/c/operation/prefetch.h"
#include "codegen/c/operation/range.h"

#include <string.h>

static void declare_accumulator(c_body *b, c_target *target, MlirValue result, const char *reduce,
                                const c_range *range) {
  c_assign mode = c_target_reduction(reduce);
  bool has_start = mode != C_ASSIGN_add;
  *target = c_place_declare(b, result, reduce, has_start ? C_USE_reduced : C_USE_summed);
  target->mode = mode;
  if (!has_start) return;
  /* an empty product is 1; an empty piece must not change the result; gnn-split-total takes care of a graph without nodes */
  const char *start = c_target_start(mode);
  if (!range->is_piece && mode != C_ASSIGN_multiply)
    start = arena_printf(b->model->arena, "%s < %s ? %s : 0", range->begin, range->end, start);
  ir_type type = ir_type_of(result);
  if (!type.rank) {
    c_writer_line(b->w, "%s = %s;", target->base, start);
    return;
  }
  const char *first = c_names_add(&b->names, arena_printf(b->model->arena, "%s_start", target->base));
  c_writer_line(b->w, "const real %s = %s;", first, start);
  c_body_emit_each(b, "j", ir_type_elements(type), target->base, arena_printf(b->model->arena, "= %s", first));
}

static void divide_by_count(c_body *b, c_target target, MlirValue result, const c_range *range) {
  ir_type type = ir_type_of(result);
  const char *quotient = arena_printf(b->model->arena, "/= (real)(%s - %s)", range->end, range->begin);
  c_writer_open(b->w, "if (%s < %s)", range->begin, range->end);
  if (!type.rank)
    c_writer_line(b->w, "%s %s;", target.base, quotient);
  else
    c_body_emit_each(b, "j", ir_type_elements(type), target.base, quotient);
  c_writer_close(b->w);
}

MlirOperation c_loop_find_result(MlirOperation loop, size_t index) {
  IR_FOR_EACH_USE(use, ir_result(loop)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (ir_op_kind(user) == IR_OP(inter, result) && (size_t)ir_get_integer(user, "index", 0) == index &&
        ir_value_use_count(ir_result(user)))
      return user;
  }
  return (MlirOperation){NULL};
}

void c_loop_emit(c_body *b, MlirOperation op) {
  size_t count = ir_get_array_size(op, "reduce");
  arena *a = b->model->arena;
  c_target *targets = arena_alloc_array(a, count + 1, sizeof *targets);
  MlirOperation *results = arena_alloc_array(a, count + 1, sizeof *results);
  size_t before = b->names.count;
  c_range range = c_range_describe(b, op);
  c_names_leave(&b->names, before); /* the variable is in scope inside the loop only */
  for (size_t i = 0; i < count; i++) {
    results[i] = c_loop_find_result(op, i);
    if (!mlirOperationIsNull(results[i]))
      declare_accumulator(b, &targets[i], ir_result(results[i]), ir_get_string_at(op, "reduce", i), &range);
  }
  c_mark mark = c_nest_mark(b);
  range.variable = c_names_add(&b->names, range.variable);
  size_t values = b->values.count;
  c_writer_open_loop(b->w, range.variable, range.begin, range.end);
  c_prefetch_emit(b, op, &range);
  c_range_define_cursor(b, op, &range);
  MlirBlock block = ir_region_block(op);
  c_body_emit_block(b, block);
  MlirOperation yield = ir_block_terminator(block);
  for (size_t i = 0; i < count && !b->failed; i++)
    if (!mlirOperationIsNull(results[i])) c_nest_store(b, mlirOperationGetOperand(yield, (intptr_t)i), targets[i]);
  c_nest_leave(b, mark);
  b->values.count = values;
  c_value *loop = c_body_define(b, ir_result(op), C_FORM_loop, NULL);
  loop->targets = targets;
  for (size_t i = 0; i < count; i++)
    if (!mlirOperationIsNull(results[i]) && !strcmp(ir_get_string_at(op, "reduce", i), "mean"))
      divide_by_count(b, targets[i], ir_result(results[i]), &range);
}

void c_loop_emit_result(c_body *b, MlirOperation op) {
  const c_value *loop = c_body_find(b, ir_operand(op, IR_IN(inter, result, results)));
  c_target target = loop->targets[ir_get_integer(op, "index", 0)];
  target.mode = C_ASSIGN_set;
  c_target_define(b, ir_result(op), target);
}
