/* gnn-to-inter: lowers gnn.fold to an inner loop with a state.
 *
 *   gnn.fold(g, %h0, %x) {in} ^(h, x): yield f(h, x)
 *   =>  for_nodes(g) ^(n): %r = fold(g, n, at(%h0, n)) {in} ^(e, h): yield f(h, at(%x, e)); yield result of %r
 *
 * One iteration of the loop over nodes has one state, in a local array, whatever the degrees are: no
 * step waits for the slowest node, and threads need nothing but their own state. Products of what the
 * members bring, without the state, are outside of the fold and are matrix products over all rows. */
#include "passes/gnn_to_inter/gnn_to_inter.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

/* From the region's values to their copies. */
static void put(map *copies, MlirValue from, MlirValue to) {
  map_set_pointer(copies, from.ptr, to.ptr);
}

static MlirValue get(const map *copies, MlirValue from) {
  return (MlirValue){map_get_pointer(copies, from.ptr)};
}

/* The payload of a value that the body reads: at the member, or at the row of the outer loop. */
static MlirValue read_value(to_inter_loop *loop, const ir_builder *inside, MlirValue value, MlirValue member) {
  double number;
  if (gnn_constant_get(value, &number)) return gnn_build_constant(inside, number);
  if (ir_type_of(value).kind == IR_KIND_plain) return value;
  return mlirValueIsNull(member) ? to_inter_payload(loop, value) : to_inter_at(inside, value, member);
}

/* Copies the body of the fold; returns the next state, null after an error. */
static MlirValue copy_body(MlirOperation op, map *copies, ir_builder *inside) {
  MlirBlock body = ir_region_block(op);
  MlirOperation end = ir_block_terminator(body);
  IR_FOR_EACH_OP_BEFORE(inner, body, end) {
    MlirValue operands[IR_MAX_OPERANDS];
    ir_operands(inner, operands);
    for (unsigned i = 0; i < IR_MAX_OPERANDS; i++)
      if (!mlirValueIsNull(operands[i])) operands[i] = get(copies, operands[i]);
    inside->location = mlirOperationGetLocation(inner);
    MlirValue made = to_inter_expand(inside, inner, operands);
    if (mlirValueIsNull(made)) return made;
    put(copies, ir_result(inner), made);
  }
  return get(copies, mlirOperationGetOperand(end, 0));
}

/* The type of the cursor of the members. */
static MlirType member_type(const to_inter_loop *loop, MlirOperation op) {
  bool is_graph = ir_string_is(op, "over", "graph");
  const char *set = ir_type_of(ir_operand(op, IR_IN(gnn, fold, graph))).set;
  if (is_graph) set = ir_node_set(loop->b.context, set);
  return ir_type_make(loop->b.context, ir_type_cursor(is_graph ? "node" : "edge", set));
}

void to_inter_fold(to_inter *l, MlirOperation op) {
  to_inter_loop loop;
  if (!to_inter_begin(l, op, ir_type_of(ir_result(op)), &loop)) return;
  bool is_steps = ir_string_is(op, "over", "steps");
  MlirValue init = to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, fold, init)));
  MlirBlock body = ir_region_block(op), block;
  MlirType number = ir_type_make(l->p->context, (ir_type){.kind = IR_KIND_plain});
  MlirType arguments[] = {is_steps ? number : member_type(&loop, op), mlirValueGetType(init)};
  MlirRegion region = ir_region_create(l->p->context, arguments, 2, loop.b.location, &block);
  ir_builder inside = ir_builder_at_end(block, loop.b.location);
  MlirValue first = mlirBlockGetArgument(block, 0), member = is_steps ? (MlirValue){NULL} : first;
  map copies = {.arena = l->p->arena};
  intptr_t next = 0;
  put(&copies, mlirBlockGetArgument(body, next++), mlirBlockGetArgument(block, 1));
  if (is_steps) put(&copies, mlirBlockGetArgument(body, next++), first);
  for (int i = IR_IN(gnn, fold, value0); i <= IR_IN(gnn, fold, value11); i++) {
    MlirValue value = ir_operand(op, i);
    if (mlirValueIsNull(value)) continue;
    put(&copies, mlirBlockGetArgument(body, next++), read_value(&loop, &inside, value, member));
  }
  MlirValue yield = copy_body(op, &copies, &inside);
  if (mlirValueIsNull(yield)) {
    mlirRegionDestroy(region);
    to_inter_end(&loop, yield);
    return;
  }
  ir_build_yield(&inside, &yield, 1);
  const MlirValue operands[IR_MAX_OPERANDS] = {
      [IR_IN(inter, fold, graph)] = is_steps ? (MlirValue){NULL} : ir_operand(op, IR_IN(gnn, fold, graph)),
      [IR_IN(inter, fold, of)] = is_steps ? (MlirValue){NULL} : loop.cursor,
      [IR_IN(inter, fold, init)] = init,
      [IR_IN(inter, fold, order)] = ir_operand(op, IR_IN(gnn, fold, order)),
      [IR_IN(inter, fold, steps)] = to_inter_payload(&loop, ir_operand(op, IR_IN(gnn, fold, steps)))};
  ir_attr attributes[] = {{"over", ir_get_attr(op, "over")}, {NULL, {NULL}}};
  MlirOperation made = ir_build(&loop.b, IR_OP(inter, fold), operands, attributes, region, (MlirType){NULL});
  to_inter_end(&loop, mlirOperationIsNull(made) ? (MlirValue){NULL} : ir_build_result(&loop.b, made, 0));
}
