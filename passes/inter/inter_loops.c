/* Questions about loops; see the header. */
#include "passes/inter/inter_loops.h"

#include "passes/gnn/rules/gnn_rewrite.h"
#include "support/map.h"

#include <stdlib.h>
#include <string.h>

bool inter_is_outer_loop(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  return kind == IR_OP(inter, for_nodes) || kind == IR_OP(inter, for_edges) || kind == IR_OP(inter, for_types) ||
         kind == IR_OP(inter, once);
}

bool inter_is_sum(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  return kind == IR_OP(inter, for_incoming) || kind == IR_OP(inter, for_outgoing) ||
         kind == IR_OP(inter, softmax_incoming);
}

bool inter_is_inner_loop(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  return inter_is_sum(op) || kind == IR_OP(inter, for_nonzeros) || kind == IR_OP(inter, for_members) ||
         kind == IR_OP(inter, fold) || kind == IR_OP(intra, nonzeros);
}

MlirValue inter_cursor_of(MlirOperation loop) {
  MlirBlock block = ir_region_block(loop);
  if (mlirBlockIsNull(block) || mlirBlockGetNumArguments(block) == 0) return (MlirValue){NULL};
  return mlirBlockGetArgument(block, 0);
}

void inter_walk(MlirBlock block, inter_visitor visit, void *user) {
  IR_FOR_EACH_OP_SAFE(op, block) {
    MlirBlock body = ir_region_block(op);
    visit(op, user);
    if (!mlirBlockIsNull(body)) inter_walk(body, visit, user);
  }
}

MlirBlock inter_value_block(MlirValue value) {
  if (mlirValueIsABlockArgument(value)) return mlirBlockArgumentGetOwner(value);
  return mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

MlirOperation inter_ancestor_in(MlirOperation op, MlirBlock block) {
  while (!mlirOperationIsNull(op) && !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

static bool is_terminator(MlirOperation op) {
  const char *name = ir_op_name(op);
  return !strcmp(name, "smt.yield") || !strcmp(name, "func.return");
}

void inter_move_to_end(MlirOperation op, MlirBlock block) {
  MlirOperation end = mlirBlockIsNull(block) ? (MlirOperation){NULL} : ir_block_terminator(block);
  if (!mlirOperationIsNull(end) && is_terminator(end)) {
    mlirOperationMoveBefore(op, end);
    return;
  }
  mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(block, op);
}

static int by_index(const void *a, const void *b) {
  int64_t x = ir_get_integer(*(const MlirOperation *)a, "index", 0),
          y = ir_get_integer(*(const MlirOperation *)b, "index", 0);
  return (x > y) - (x < y);
}

inter_ops inter_results_of(pass_context *p, MlirOperation loop) {
  inter_ops results = {0};
  IR_FOR_EACH_USE(use, ir_result(loop)) VEC_PUSH(p->arena, &results, mlirOpOperandGetOwner(use));
  if (results.count > 1) qsort(results.items, results.count, sizeof *results.items, by_index);
  return results;
}

MlirValue inter_yielded(MlirOperation loop, unsigned index) {
  MlirOperation yield = ir_block_terminator(ir_region_block(loop));
  return mlirOperationGetOperand(yield, (intptr_t)index);
}

MlirOperation inter_build_like(MlirOperation like, MlirRegion region, MlirAttribute reduce, MlirBlock block,
                               MlirOperation before) {
  MlirValue operands[IR_MAX_OPERANDS];
  ir_operands(like, operands);
  MlirAttribute per = ir_get_attr(like, "per");
  MlirAttribute count = ir_get_attr(like, "count");
  ir_attr attributes[] = {{"reduce", reduce}, {"per", per}, {"count", count}, {NULL, {NULL}}};
  ir_builder b = {.context = mlirOperationGetContext(like),
                  .block = block,
                  .before = before,
                  .location = mlirOperationGetLocation(like)};
  return ir_build(&b, ir_op_kind(like), operands, attributes, region, (MlirType){NULL});
}

bool inter_refuse(pass_context *p, MlirOperation op, const char *format, ...) {
  const char *file = NULL;
  unsigned line = 0, column = 0;
  bool is_known = ir_location_position(mlirOperationGetLocation(op), &file, &line, &column);
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(p->arena, format, args);
  va_end(args);
  bool is_buffer = is_known && !strcmp(file, "-"); /* the text was parsed; MLIR's handler knows its name */
  if (is_buffer)
    mlirEmitError(mlirOperationGetLocation(op), message);
  else
    diag_report_at(p->diag, is_known ? file : NULL, line, column, DIAG_unsupported, "%s", message);
  return false;
}

MlirOperation inter_find_phase(MlirOperation module, const char *phase) {
  MlirOperation func = ir_func_first(module);
  while (!mlirOperationIsNull(func) && !ir_string_is(func, "gnn.phase", phase)) func = ir_func_next(func);
  return func;
}

const int64_t *inter_bound_results(pass_context *p, MlirOperation bind, MlirOperation run) {
  map by_name = {.arena = p->arena};
  int64_t count = mlirOperationGetNumOperands(ir_block_terminator(ir_func_body(bind))), position = 0;
  for (int64_t i = count; i-- > 0;) {
    MlirAttribute name = ir_func_result_attr(bind, (size_t)i, "gnn.name");
    if (!mlirAttributeIsNull(name)) map_set(&by_name, name.ptr, i);
  }
  size_t arguments = (size_t)mlirBlockGetNumArguments(ir_func_body(run));
  int64_t *results = arena_alloc_array(p->arena, arguments, sizeof *results);
  for (size_t i = 0; i < arguments; i++) {
    results[i] = -1;
    if (mlirAttributeIsNull(ir_func_arg_attr(run, i, "gnn.bound"))) continue;
    MlirAttribute name = ir_func_arg_attr(run, i, "gnn.name");
    int64_t by_position = position < count ? position : -1;
    results[i] = mlirAttributeIsNull(name) ? by_position : map_get(&by_name, name.ptr, by_position);
    position++;
  }
  return results;
}
