/* gnn-dce: deletes unused pure operations, and weights that are never loaded.
 *
 * Each block is walked from its end, so an operation is visited after all its users; one walk
 * suffices. */
#include "passes/manager/pass.h"
#include "support/map.h"
#include "support/vec.h"

#include <string.h>

static bool is_unused(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (ir_value_has_uses(mlirOperationGetResult(op, i))) return false;
  return mlirOperationGetNumResults(op) > 0;
}

static void clean_regions(MlirOperation op, pass_context *p);

static void clean_block(MlirBlock block, pass_context *p) {
  VEC(MlirOperation) ops = {0};
  IR_FOR_EACH_OP(op, block) VEC_PUSH(p->arena, &ops, op);
  while (ops.count) {
    MlirOperation op = ops.items[--ops.count];
    if (is_unused(op) && ir_op_is_removable(op)) {
      mlirOperationDestroy(op);
      p->changed++;
    } else if (mlirOperationGetNumRegions(op)) {
      clean_regions(op, p);
    }
  }
}

static void clean_regions(MlirOperation op, pass_context *p) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) clean_block(block, p);
  }
}

/* ---- weights ---- */

/* Operations load weights; at the level intra a buffer is named like the weight that it is. */
static MlirWalkResult note_symbol(MlirOperation op, void *used) {
  if (ir_op_kind(op) == IR_OP(intra, buffer) && ir_string_is(op, "space", "weight"))
    map_set(used, ir_get_attr(op, "name").ptr, 1);
  MlirAttribute global = ir_get_attr(op, "global");
  if (mlirAttributeIsNull(global) || !mlirAttributeIsASymbolRef(global)) return MlirWalkResultAdvance;
  MlirAttribute name = mlirStringAttrGet(mlirOperationGetContext(op), mlirSymbolRefAttrGetLeafReference(global));
  map_set(used, name.ptr, 1);
  return MlirWalkResultAdvance;
}

static bool is_dead_weight(MlirOperation op, const map *used) {
  return ir_is_weight(op) && ir_string_is(op, "sym_visibility", "private") &&
         !map_get(used, ir_get_attr(op, "sym_name").ptr, 0);
}

static void delete_dead_weights(MlirOperation module, pass_context *p) {
  map used = {.arena = p->arena};
  mlirOperationWalk(module, note_symbol, &used, MlirWalkPreOrder);
  IR_FOR_EACH_OP_SAFE(op, ir_region_block(module)) {
    if (!is_dead_weight(op, &used)) continue;
    mlirOperationDestroy(op);
    p->changed++;
  }
}

bool pass_run_dce(MlirOperation root, pass_context *p) {
  clean_regions(root, p);
  delete_dead_weights(root, p);
  return true;
}
