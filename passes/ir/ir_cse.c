/* gnn-cse: common subexpression elimination for pure operations of every level.
 *
 *   %a = "gnn.linear"(%x, %w)  %b = "gnn.linear"(%x, %w)   =>   %a alone; uses of %b are uses of %a
 *
 * An operation is replaced by an equal one before it in its block or in a block around it. Loops
 * are compared with their bodies: values defined inside are compared by position, captured values
 * by identity. Bodies are simplified before their loop is looked at, so one walk suffices; each
 * operation is hashed once for each loop around it. */
#include "passes/manager/pass.h"
#include "support/map.h"
#include "support/vec.h"

#include <string.h>

typedef struct entry {
  uint64_t hash;
  MlirOperation op;
  size_t next; /* next older entry of the same bucket: index + 1 */
} entry;

/* The entries of the blocks around the current one, innermost last. Leaving a block removes its
 * entries. */
typedef struct table {
  pass_context *p;
  VEC(entry) entries;
  size_t *buckets; /* index + 1 of the newest entry; 0: none */
  size_t bucket_count;
} table;

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ (hash >> 29);
}

static uint64_t mix_pointer(uint64_t hash, const void *p) {
  return mix(hash, (uint64_t)(uintptr_t)p);
}

/* ---- hashing; names, attributes and types are unique in a context, so their addresses identify
 * them ---- */

static uint64_t hash_op(MlirOperation op, map *inner, uint64_t hash);

static uint64_t hash_block(MlirBlock block, map *inner, uint64_t hash) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    hash = mix_pointer(hash, mlirValueGetType(argument).ptr);
    map_set(inner, argument.ptr, (int64_t)inner->count);
  }
  IR_FOR_EACH_OP(op, block) {
    hash = hash_op(op, inner, hash);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      map_set(inner, mlirOperationGetResult(op, i).ptr, (int64_t)inner->count);
  }
  return hash;
}

static uint64_t hash_op(MlirOperation op, map *inner, uint64_t hash) {
  hash = mix_pointer(hash, mlirOperationGetName(op).ptr);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    const void *value = mlirOperationGetOperand(op, i).ptr;
    int64_t position = map_get(inner, value, -1);
    hash = position < 0 ? mix_pointer(hash, value) : mix(hash, (uint64_t)position);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); i++) {
    MlirNamedAttribute a = mlirOperationGetAttribute(op, i);
    hash = mix_pointer(mix_pointer(hash, a.name.ptr), a.attribute.ptr);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    hash = mix_pointer(hash, mlirValueGetType(mlirOperationGetResult(op, i)).ptr);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) hash = hash_block(block, inner, hash);
  }
  return hash;
}

/* ---- comparing; `inner` maps values inside of a to the corresponding values inside of b ---- */

static bool same_op(MlirOperation a, MlirOperation b, map *inner);

static bool same_value(MlirValue a, MlirValue b, const map *inner) {
  int64_t partner = map_get(inner, a.ptr, 0);
  return partner ? partner == (int64_t)(intptr_t)b.ptr : a.ptr == b.ptr;
}

static void pair_values(map *inner, MlirValue a, MlirValue b) {
  map_set(inner, a.ptr, (int64_t)(intptr_t)b.ptr);
}

static bool same_block(MlirBlock a, MlirBlock b, map *inner) {
  intptr_t count = mlirBlockGetNumArguments(a);
  if (count != mlirBlockGetNumArguments(b)) return false;
  for (intptr_t i = 0; i < count; i++) {
    MlirValue x = mlirBlockGetArgument(a, i), y = mlirBlockGetArgument(b, i);
    if (!mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(y))) return false;
    pair_values(inner, x, y);
  }
  MlirOperation left = mlirBlockGetFirstOperation(a), right = mlirBlockGetFirstOperation(b);
  while (!mlirOperationIsNull(left) && !mlirOperationIsNull(right)) {
    if (!same_op(left, right, inner)) return false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(left); i++)
      pair_values(inner, mlirOperationGetResult(left, i), mlirOperationGetResult(right, i));
    left = ir_op_next(left);
    right = ir_op_next(right);
  }
  return mlirOperationIsNull(left) && mlirOperationIsNull(right);
}

static bool same_bodies(MlirOperation a, MlirOperation b, map *inner) {
  intptr_t regions = mlirOperationGetNumRegions(a);
  if (regions != mlirOperationGetNumRegions(b)) return false;
  for (intptr_t r = 0; r < regions; r++) {
    MlirBlock x = mlirRegionGetFirstBlock(mlirOperationGetRegion(a, r));
    MlirBlock y = mlirRegionGetFirstBlock(mlirOperationGetRegion(b, r));
    for (; !mlirBlockIsNull(x) && !mlirBlockIsNull(y); x = mlirBlockGetNextInRegion(x), y = mlirBlockGetNextInRegion(y))
      if (!same_block(x, y, inner)) return false;
    if (mlirBlockIsNull(x) != mlirBlockIsNull(y)) return false;
  }
  return true;
}

static bool same_op(MlirOperation a, MlirOperation b, map *inner) {
  intptr_t operands = mlirOperationGetNumOperands(a), attributes = mlirOperationGetNumAttributes(a);
  intptr_t results = mlirOperationGetNumResults(a);
  if (mlirOperationGetName(a).ptr != mlirOperationGetName(b).ptr || operands != mlirOperationGetNumOperands(b))
    return false;
  if (attributes != mlirOperationGetNumAttributes(b) || results != mlirOperationGetNumResults(b)) return false;
  for (intptr_t i = 0; i < operands; i++)
    if (!same_value(mlirOperationGetOperand(a, i), mlirOperationGetOperand(b, i), inner)) return false;
  for (intptr_t i = 0; i < attributes; i++) {
    MlirNamedAttribute x = mlirOperationGetAttribute(a, i), y = mlirOperationGetAttribute(b, i);
    if (x.name.ptr != y.name.ptr || x.attribute.ptr != y.attribute.ptr) return false;
  }
  for (intptr_t i = 0; i < results; i++)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(a, i)), mlirValueGetType(mlirOperationGetResult(b, i))))
      return false;
  return same_bodies(a, b, inner);
}

/* ---- the table ---- */

static void link_entry(table *t, size_t index) {
  entry *e = &t->entries.items[index];
  size_t *bucket = &t->buckets[e->hash & (t->bucket_count - 1)];
  e->next = *bucket;
  *bucket = index + 1;
}

static void add_entry(table *t, MlirOperation op, uint64_t hash) {
  if (t->entries.count >= t->bucket_count) {
    t->bucket_count = t->bucket_count ? 2 * t->bucket_count : 64;
    t->buckets = arena_alloc_array(t->p->arena, t->bucket_count, sizeof *t->buckets);
    for (size_t i = 0; i < t->entries.count; i++) link_entry(t, i);
  }
  VEC_PUSH(t->p->arena, &t->entries, (entry){.hash = hash, .op = op});
  link_entry(t, t->entries.count - 1);
}

static void forget_entries(table *t, size_t keep) {
  while (t->entries.count > keep) {
    const entry *e = &t->entries.items[--t->entries.count];
    t->buckets[e->hash & (t->bucket_count - 1)] = e->next;
  }
}

static MlirOperation find_equal(const table *t, MlirOperation op, uint64_t hash) {
  if (!t->bucket_count) return (MlirOperation){NULL};
  for (size_t at = t->buckets[hash & (t->bucket_count - 1)]; at; at = t->entries.items[at - 1].next) {
    const entry *e = &t->entries.items[at - 1];
    map inner = {.arena = t->p->arena};
    if (e->hash == hash && same_op(e->op, op, &inner)) return e->op;
  }
  return (MlirOperation){NULL};
}

/* ---- the walk ---- */

static void clean_regions(table *t, MlirOperation op);

static void clean_op(table *t, MlirOperation op) {
  if (mlirOperationGetNumRegions(op)) clean_regions(t, op);
  if (!mlirOperationGetNumResults(op) || !ir_op_is_pure(op)) return;
  map inner = {.arena = t->p->arena};
  uint64_t hash = hash_op(op, &inner, 0);
  MlirOperation equal = find_equal(t, op, hash);
  if (mlirOperationIsNull(equal)) {
    add_entry(t, op, hash);
    return;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(equal, i));
  mlirOperationDestroy(op);
  t->p->changed++;
}

/* Bodies of our loops can use entries around them; functions, modules and unknown operations begin
 * with an empty table. */
static void clean_regions(table *t, MlirOperation op) {
  table fresh = {.p = t->p};
  table *seen = ir_op_kind(op) == IR_OTHER ? &fresh : t;
  size_t keep = seen->entries.count;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      IR_FOR_EACH_OP_SAFE(inner, block) {
        clean_op(seen, inner);
      }
      forget_entries(seen, keep);
    }
  }
}

bool pass_run_cse(MlirOperation root, pass_context *p) {
  table t = {.p = p};
  clean_regions(&t, root);
  return true;
}
