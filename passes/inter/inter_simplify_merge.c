/* Merges within one body: inner loops that can run together, and operations that compute the same.
 *
 *   %a = for_incoming(g, n) {sum} ^(e): yield f(e)          becomes     %ab = for_incoming(g, n) {sum, max} ^(e): yield f(e), h(e)
 *   %b = for_incoming(g, n) {max} ^(e): yield h(e)
 *
 * An inner loop may move up to another one if it needs nothing that is computed after that one. The
 * "level" of an operation is the number of loops that have to be complete before it. */
#include "passes/inter/inter_simplify.h"

#include "passes/inter/inter_loops.h"
#include "support/map.h"
#include "support/vec.h"

#include <string.h>

/* ---- inner loops ---- */

typedef VEC(MlirOperation) op_list;

typedef struct leveling {
  MlirBlock block;
  map levels;    /* from an operation of the block to its level */
  int64_t level; /* of the current operation */
} leveling;

static void raise_to_operands(MlirOperation op, void *user) {
  leveling *l = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation definition = ir_defining_op(mlirOperationGetOperand(op, i));
    if (mlirOperationIsNull(definition)) continue;
    int64_t level = map_get(&l->levels, definition.ptr, 0) + inter_is_inner_loop(definition);
    if (level > l->level) l->level = level;
  }
}

static int64_t level_of(leveling *l, MlirOperation op) {
  l->level = 0;
  raise_to_operands(op, l);
  if (!mlirBlockIsNull(ir_region_block(op))) inter_walk(ir_region_block(op), raise_to_operands, l);
  map_set(&l->levels, op.ptr, l->level);
  return l->level;
}

static bool same_loop(MlirOperation a, MlirOperation b) {
  return ir_op_kind(a) == ir_op_kind(b) && ir_op_kind(a) != IR_OP(inter, softmax_incoming) &&
         ir_op_kind(a) != IR_OP(inter, fold) &&
         mlirValueEqual(mlirOperationGetOperand(a, 0), mlirOperationGetOperand(b, 0)) &&
         mlirValueEqual(mlirOperationGetOperand(a, 1), mlirOperationGetOperand(b, 1));
}

/* Appends the yields of `from` to those of `into`; returns how many `into` had. */
static int64_t join_yields(pass_context *p, MlirOperation into, MlirOperation from) {
  MlirOperation first = ir_block_terminator(ir_region_block(into)), second = ir_block_terminator(ir_region_block(from));
  intptr_t m = mlirOperationGetNumOperands(first), n = mlirOperationGetNumOperands(second);
  MlirValue *values = arena_alloc_array(p->arena, (size_t)(m + n), sizeof *values);
  const char **reductions = arena_alloc_array(p->arena, (size_t)(m + n), sizeof *reductions);
  for (intptr_t i = 0; i < m + n; i++) {
    values[i] = i < m ? mlirOperationGetOperand(first, i) : mlirOperationGetOperand(second, i - m);
    reductions[i] = ir_get_string_at(i < m ? into : from, "reduce", (size_t)(i < m ? i : i - m));
  }
  mlirOperationDestroy(second);
  ir_builder b = ir_builder_before(first);
  ir_build_yield(&b, values, (size_t)(m + n));
  mlirOperationDestroy(first);
  ir_set_attr(into, "reduce", ir_attr_strings(p->context, reductions, (size_t)(m + n)));
  return m;
}

static void merge_loop(pass_context *p, MlirOperation into, MlirOperation from) {
  MlirBlock body = ir_region_block(from);
  mlirValueReplaceAllUsesOfWith(inter_cursor_of(from), inter_cursor_of(into));
  MlirOperation yield = ir_block_terminator(body);
  IR_FOR_EACH_OP_SAFE(op, body) {
    if (!mlirOperationEqual(op, yield)) inter_move_to_end(op, ir_region_block(into));
  }
  int64_t offset = join_yields(p, into, from);
  IR_FOR_EACH_USE(use, ir_result(from)) {
    MlirOperation result = mlirOpOperandGetOwner(use);
    ir_set_attr(result, "index", ir_attr_integer(p->context, ir_get_integer(result, "index", 0) + offset));
  }
  mlirValueReplaceAllUsesOfWith(ir_result(from), ir_result(into));
  mlirOperationDestroy(from);
  p->changed++;
}

/* Merges the loops of one level, and moves the level's operations, loops last, to before `end`. */
static void emit_level(pass_context *p, op_list *ops, MlirOperation end) {
  op_list loops = {0};
  for (size_t i = 0; i < ops->count; i++) {
    MlirOperation op = ops->items[i];
    if (!inter_is_inner_loop(op)) {
      mlirOperationMoveBefore(op, end);
      continue;
    }
    size_t k = 0;
    while (k < loops.count && !same_loop(loops.items[k], op)) k++;
    if (k == loops.count)
      VEC_PUSH(p->arena, &loops, op);
    else
      merge_loop(p, loops.items[k], op);
  }
  for (size_t i = 0; i < loops.count; i++) mlirOperationMoveBefore(loops.items[i], end);
}

/* Whether two loops of one level are equal; only then is anything moved. */
static bool can_merge(const op_list *levels, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const op_list *ops = &levels[i];
    for (size_t a = 0; a < ops->count; a++) {
      if (!inter_is_inner_loop(ops->items[a])) continue;
      for (size_t b = a + 1; b < ops->count; b++)
        if (inter_is_inner_loop(ops->items[b]) && same_loop(ops->items[a], ops->items[b])) return true;
    }
  }
  return false;
}

void inter_merge_inner(pass_context *p, MlirBlock body) {
  size_t loops = 0;
  MlirOperation end = ir_block_terminator(body);
  IR_FOR_EACH_OP_BEFORE(op, body, end) loops += inter_is_inner_loop(op);
  if (loops < 2) return;
  op_list *levels = arena_alloc_array(p->arena, loops + 1, sizeof *levels);
  leveling l = {.block = body, .levels = {.arena = p->arena}};
  IR_FOR_EACH_OP_BEFORE(op, body, end) VEC_PUSH(p->arena, &levels[level_of(&l, op)], op);
  if (!can_merge(levels, loops + 1)) return;
  for (size_t i = 0; i <= loops; i++) emit_level(p, &levels[i], end);
}

/* ---- equal operations ---- */

typedef struct known_op {
  MlirOperation op;
  size_t hash;
  int64_t previous; /* previous entry in its bucket; -1: none */
} known_op;

enum { BUCKETS = 256 };
typedef struct equal_ops {
  pass_context *p;
  VEC(known_op) known;
  int64_t buckets[BUCKETS];
} equal_ops;

static size_t mix(size_t hash, const void *value) {
  return (hash ^ (size_t)(uintptr_t)value) * (size_t)UINT64_C(0x9E3779B97F4A7C15);
}

static MlirAttribute attribute_at(MlirOperation op, const ir_op_info *info, unsigned i) {
  return ir_get_attr(op, info->attributes[i].name);
}

static size_t hash_of(MlirOperation op) {
  const ir_op_info *info = ir_op_info_get(ir_op_kind(op));
  size_t hash = mix(0, info);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) hash = mix(hash, mlirOperationGetOperand(op, i).ptr);
  for (unsigned i = 0; i < info->attribute_count; i++) hash = mix(hash, attribute_at(op, info, i).ptr);
  return hash ^ (hash >> 32);
}

bool inter_same_operation(MlirOperation a, MlirOperation b) {
  ir_op kind = ir_op_kind(a);
  if (kind == IR_OTHER || kind != ir_op_kind(b) || mlirOperationGetNumOperands(a) != mlirOperationGetNumOperands(b))
    return false;
  const ir_op_info *info = ir_op_info_get(kind);
  for (unsigned i = 0; i < info->attribute_count; i++)
    if (attribute_at(a, info, i).ptr != attribute_at(b, info, i).ptr) return false;
  for (unsigned i = 0; i < info->operand_count; i++)
    if (mlirValueIsNull(ir_operand(a, (int)i)) != mlirValueIsNull(ir_operand(b, (int)i))) return false;
  return true;
}

static bool equal(MlirOperation a, MlirOperation b) {
  if (!inter_same_operation(a, b)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(a); i++)
    if (!mlirValueEqual(mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, i))) return false;
  return true;
}

static void merge_in(equal_ops *e, MlirBlock body) {
  size_t mark = e->known.count;
  IR_FOR_EACH_OP_SAFE(op, body) {
    if (ir_op_kind(op) == IR_OTHER) continue;
    if (!mlirBlockIsNull(ir_region_block(op))) {
      merge_in(e, ir_region_block(op));
      continue;
    }
    if (!ir_op_is_pure(op) || mlirOperationGetNumResults(op) != 1) continue;
    size_t hash = hash_of(op);
    int64_t at = e->buckets[hash % BUCKETS];
    while (at >= 0 && !(e->known.items[at].hash == hash && equal(e->known.items[at].op, op)))
      at = e->known.items[at].previous;
    if (at >= 0) {
      mlirValueReplaceAllUsesOfWith(ir_result(op), ir_result(e->known.items[at].op));
      mlirOperationDestroy(op);
      e->p->changed++;
      continue;
    }
    known_op fresh = {op, hash, e->buckets[hash % BUCKETS]};
    e->buckets[hash % BUCKETS] = (int64_t)e->known.count;
    VEC_PUSH(e->p->arena, &e->known, fresh);
  }
  while (e->known.count > mark) { /* values of an inner body are not known outside of it */
    known_op *last = &e->known.items[--e->known.count];
    e->buckets[last->hash % BUCKETS] = last->previous;
  }
}

void inter_merge_equal(pass_context *p, MlirBlock body) {
  equal_ops e = {.p = p};
  for (size_t i = 0; i < BUCKETS; i++) e.buckets[i] = -1;
  merge_in(&e, body);
}
