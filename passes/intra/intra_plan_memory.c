/* intra-plan-memory: lets buffers that are not live at the same time share a slot.
 *
 *   %a (kernels 0 to 1), %b (1 to 2), %c (2 to 3), all node:g x 16    need    gnn.workspace_slots = ["node:g x 16", "node:g x 16"], slots 0 1 0
 *
 * Sizes depend on the graph: a slot is "rows x values for each row". Only buffers over the same
 * rows share a slot, so the plan is valid for every graph. Best fit: a buffer gets the smallest
 * free slot that is large enough, else the largest free one is enlarged. The output of a kernel
 * takes the slot of an input only where the kernel reads each input row for the same output row
 * alone, and is its last reader (%b = relu(%a) in place). Values that bind keeps for run never share.
 *
 * The pass sets attribute slot of each buffer, gnn.workspace_slots of each function and gnn.bound_slots
 * of the module, with their total sizes, and erases workspace buffers that no kernel uses. */
#include "passes/gnn/rules/gnn_rewrite.h"
#include "passes/inter/inter_loops.h"
#include "support/map.h"
#include "support/vec.h"

#include <inttypes.h>
#include <string.h>

/* Longer rows are not written in place, because such a row is kept on the stack meanwhile. */
enum { MAX_IN_PLACE = 1024 };

/* A workspace buffer of `elements` numbers per row, and the first and last kernel that use it; first is
 * -1 while no kernel does. */
typedef struct range {
  MlirOperation buffer;
  const char *rows;
  int64_t elements;
  int64_t first, last;
  bool last_is_own; /* the last kernel reads it at its own cursor only */
} range;

typedef struct slot {
  const char *rows;
  int64_t elements;
  bool is_free;
} slot;

typedef VEC(slot) slot_list;

typedef struct plan {
  pass_context *p;
  VEC(range) ranges;
  map index; /* from a buffer to its range */
  slot_list slots;
  int64_t kernel; /* the current kernel */
  MlirOperation kernel_op;
} plan;

static bool is_buffer_in(MlirOperation op, const char *space) {
  return ir_op_kind(op) == IR_OP(intra, buffer) && ir_string_is(op, "space", space);
}

static bool is_kernel(MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  return kind == IR_OP(intra, gemm) || kind == IR_OP(intra, contract) || kind == IR_OP(intra, sum_by) ||
         kind == IR_OP(intra, traverse) || kind == IR_OP(intra, copy) || kind == IR_OP(intra, extend_edges) ||
         kind == IR_OP(intra, restrict_edges) || kind == IR_OP(intra, opposite_edges) || kind == IR_OP(intra, order) ||
         kind == IR_OP(intra, first) || kind == IR_OP(intra, place_first) || kind == IR_OP(intra, quantile) ||
         kind == IR_OP(intra, exchange) || kind == IR_OP(intra, transpose) || kind == IR_OP(intra, exchange_edges) ||
         kind == IR_OP(intra, share) || kind == IR_OP(intra, make_edges) || kind == IR_OP(intra, top_nodes);
}

/* The size of a buffer; values per type have a known number of rows. Two numbers of bf16 take the place of one. Strips of columns share
 * slots with others alone. */
static slot size_of(const pass_context *p, MlirOperation buffer) {
  ir_type type = ir_type_of(ir_result(buffer));
  if (ir_get_integer(buffer, "strips", 0) && is_buffer_in(buffer, "workspace"))
    return (slot){arena_printf(p->arena, "strip%s", strchr(type.set, ':')),
                  ir_type_elements(type) / ir_get_integer(buffer, "group", 1), false};
  if (ir_buffer_is_bf16(ir_result(buffer))) return (slot){type.set, (ir_type_elements(type) + 1) / 2, false};
  int64_t count = ir_get_integer(buffer, "count", 0);
  if (count > 0) return (slot){"one", count * ir_type_elements(type), false};
  return (slot){type.set, ir_type_elements(type), false};
}

/* ---- live ranges ---- */

static bool is_own_read(const plan *l, MlirOperation op) {
  return ir_op_kind(op) == IR_OP(intra, load) && mlirOperationGetNumOperands(op) == 2 &&
         mlirValueEqual(mlirOperationGetOperand(op, 1), inter_cursor_of(l->kernel_op));
}

static void note_uses(MlirOperation op, void *user) {
  plan *l = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation buffer = ir_defining_op(mlirOperationGetOperand(op, i));
    int64_t at = mlirOperationIsNull(buffer) ? -1 : map_get(&l->index, buffer.ptr, -1);
    if (at < 0 || !l->ranges.items) continue;
    range *r = &l->ranges.items[at];
    if (r->first < 0) r->first = l->kernel;
    r->last_is_own = is_own_read(l, op) && (r->last_is_own || r->last < l->kernel);
    r->last = l->kernel;
  }
}

/* The range of a buffer with this alias; -1: there is none. */
static int64_t find_alias(const plan *l, int64_t alias) {
  for (size_t i = 0; i < l->ranges.count; i++)
    if (ir_get_integer(l->ranges.items[i].buffer, "alias", -1) == alias) return (int64_t)i;
  return -1;
}

/* Buffers with one alias have one range, that of the first. */
static void add_range(plan *l, MlirOperation buffer) {
  const slot size = size_of(l->p, buffer);
  const int64_t alias = ir_get_integer(buffer, "alias", -1), found = alias < 0 ? -1 : find_alias(l, alias);
  map_set(&l->index, buffer.ptr, found < 0 ? (int64_t)l->ranges.count : found);
  if (found < 0) VEC_PUSH(l->p->arena, &l->ranges, (range){buffer, size.rows, size.elements, -1, -1, false});
}

static void find_ranges(plan *l, MlirBlock body) {
  IR_FOR_EACH_OP(op, body) {
    if (is_buffer_in(op, "workspace")) add_range(l, op);
    if (!is_kernel(op)) continue;
    l->kernel_op = op;
    note_uses(op, l);
    if (!mlirBlockIsNull(ir_region_block(op))) inter_walk(ir_region_block(op), note_uses, l);
    l->kernel++;
  }
}

/* ---- slots ---- */

typedef VEC(size_t) indices;

/* A slot that is longer than a row by so many times its length is left to longer rows, if one of the next kernels writes one. */
enum { LONGER = 3, NEXT_KERNELS = 64 };

/* Whether a much longer row begins while `r` lives, which could take a slot that r leaves to it. */
static bool is_long_row_near(const plan *l, const indices *starts, const range *r) {
  for (int64_t k = r->first; k <= r->last && k < r->first + NEXT_KERNELS; k++)
    for (size_t i = 0; i < starts[k].count; i++) {
      const range *next = &l->ranges.items[starts[k].items[i]];
      if (next->elements > LONGER * r->elements && strcmp(next->rows, r->rows) == 0) return true;
    }
  return false;
}

/* Takes the free slot whose rows are nearest in length, or a new one. */
static size_t take_slot(plan *l, const indices *starts, const range *r) {
  size_t best = l->slots.count;
  int64_t distance = is_long_row_near(l, starts, r) ? LONGER * r->elements : INT64_MAX;
  for (size_t i = 0; i < l->slots.count; i++) {
    const slot *s = &l->slots.items[i];
    if (!s->is_free || strcmp(s->rows, r->rows) != 0) continue;
    int64_t found = s->elements > r->elements ? s->elements - r->elements : r->elements - s->elements;
    if (found >= distance) continue;
    distance = found;
    best = i;
  }
  if (best == l->slots.count) VEC_PUSH(l->p->arena, &l->slots, (slot){.rows = r->rows});
  slot *s = &l->slots.items[best];
  if (s->elements < r->elements) s->elements = r->elements;
  s->is_free = false;
  return best;
}

static bool is_integer(const range *r) {
  return ir_type_of(ir_result(r->buffer)).is_integer;
}

/* The bytes from one row to the next where all numbers but those of bf16 take 4. */
static int64_t stride_of(const range *r) {
  MlirValue buffer = ir_result(r->buffer);
  return ir_buffer_is_bf16(buffer) ? 2 * ir_type_elements(ir_type_of(buffer)) : 4 * r->elements;
}

/* Whether `r`, which the last reader of `dying` writes, may take its slot row by row. Integers have
 * another size than numbers of f64, and a row of bf16 never takes the place of one of f32. */
static bool fits_in_place(const range *dying, const range *r) {
  if (is_integer(dying) != is_integer(r)) return false;
  if (ir_buffer_is_bf16(ir_result(dying->buffer)) != ir_buffer_is_bf16(ir_result(r->buffer))) return false;
  return dying->last_is_own && dying->last == r->first && dying->first < r->first && !strcmp(dying->rows, r->rows) &&
         stride_of(dying) == stride_of(r) && r->elements <= MAX_IN_PLACE;
}

static void set_slot(pass_context *p, MlirOperation buffer, int64_t index) {
  ir_set_attr(buffer, "slot", ir_attr_integer(p->context, index));
  p->changed++;
}

/* The slot of a buffer that ends where this one is written; SIZE_MAX if there is none. That
 * buffer's slot is then not freed. */
static size_t take_place(plan *l, indices *ending, const range *r, const size_t *slot_of) {
  for (size_t i = 0; i < ending->count; i++) {
    size_t dying = ending->items[i];
    if (!fits_in_place(&l->ranges.items[dying], r)) continue;
    ending->items[i] = ending->items[--ending->count];
    return slot_of[dying];
  }
  return SIZE_MAX;
}

/* Puts long rows first, which would find the slots that suit them taken by short ones. */
static void sort_by_size(const plan *l, indices *starts) {
  for (size_t i = 1; i < starts->count; i++) {
    size_t at = starts->items[i], k = i;
    for (; k > 0 && l->ranges.items[starts->items[k - 1]].elements < l->ranges.items[at].elements; k--)
      starts->items[k] = starts->items[k - 1];
    starts->items[k] = at;
  }
}

/* Assigns slots. Ranges are listed by the kernels at which they begin and end: each buffer looks at the slots that
 * there are, and at what at most NEXT_KERNELS kernels begin. */
static void assign_slots(plan *l) {
  size_t kernels = (size_t)l->kernel;
  indices *starts = arena_alloc_array(l->p->arena, kernels + 1, sizeof *starts);
  indices *ends = arena_alloc_array(l->p->arena, kernels + 1, sizeof *ends);
  size_t *slot_of = arena_alloc_array(l->p->arena, l->ranges.count + 1, sizeof *slot_of);
  for (size_t i = 0; i < l->ranges.count; i++) {
    const range *r = &l->ranges.items[i];
    if (r->first < 0) continue;
    VEC_PUSH(l->p->arena, &starts[r->first], i);
    VEC_PUSH(l->p->arena, &ends[r->last], i);
  }
  for (size_t k = 0; k < kernels; k++) {
    sort_by_size(l, &starts[k]);
    for (size_t i = 0; i < starts[k].count; i++) {
      size_t at = starts[k].items[i];
      const range *r = &l->ranges.items[at];
      size_t taken = take_place(l, &ends[k], r, slot_of);
      slot_of[at] = taken != SIZE_MAX ? taken : take_slot(l, starts, r);
      set_slot(l->p, r->buffer, (int64_t)slot_of[at]);
    }
    for (size_t i = 0; i < ends[k].count; i++) l->slots.items[slot_of[ends[k].items[i]]].is_free = true;
  }
}

/* ---- reporting ---- */

static MlirAttribute describe(pass_context *p, const slot_list *slots) {
  const char **lines = arena_alloc_array(p->arena, slots->count + 1, sizeof *lines);
  for (size_t i = 0; i < slots->count; i++)
    lines[i] = arena_printf(p->arena, "%s x %" PRId64, slots->items[i].rows, slots->items[i].elements);
  return ir_attr_strings(p->context, lines, slots->count);
}

/* "node:g x 32 + one x 7": the numbers of all slots, added up for equal rows. */
static const char *total(pass_context *p, const slot_list *slots) {
  slot_list sums = {0};
  for (size_t i = 0; i < slots->count; i++) {
    size_t k = 0;
    while (k < sums.count && strcmp(sums.items[k].rows, slots->items[i].rows) != 0) k++;
    if (k == sums.count) VEC_PUSH(p->arena, &sums, (slot){.rows = slots->items[i].rows});
    sums.items[k].elements += slots->items[i].elements;
  }
  const char *formula = sums.count ? "" : "0";
  for (size_t k = 0; k < sums.count; k++)
    formula = arena_printf(p->arena, "%s%s%s x %" PRId64, formula, k ? " + " : "", sums.items[k].rows,
                           sums.items[k].elements);
  return formula;
}

static void set_attribute(MlirOperation op, const char *name, MlirAttribute value) {
  ir_set_attr(op, name, value);
}

/* Gives all buffers with an alias the slot of the first. */
static void set_aliases(const plan *l, MlirBlock body) {
  IR_FOR_EACH_OP(op, body) {
    if (!is_buffer_in(op, "workspace") || ir_get_integer(op, "alias", -1) < 0) continue;
    const range *r = &l->ranges.items[map_get(&l->index, op.ptr, 0)];
    if (r->first >= 0) set_slot(l->p, op, ir_get_integer(r->buffer, "slot", -1));
  }
}

static void plan_workspace(MlirOperation func, pass_context *p) {
  plan l = {.p = p, .index = {.arena = p->arena}};
  find_ranges(&l, ir_func_body(func));
  assign_slots(&l);
  set_aliases(&l, ir_func_body(func));
  for (size_t i = 0; i < l.ranges.count; i++)
    if (l.ranges.items[i].first < 0) mlirOperationDestroy(l.ranges.items[i].buffer);
  set_attribute(func, "gnn.workspace_slots", describe(p, &l.slots));
  set_attribute(func, "gnn.workspace_values", ir_attr_string(p->context, total(p, &l.slots)));
}

/* ---- the bound block ---- */

/* Assigns a slot to each name; run finds by the name what bind stored. */
static void plan_bound(MlirOperation func, pass_context *p, map *by_name, slot_list *slots) {
  MlirBlock body = ir_func_body(func);
  IR_FOR_EACH_OP(op, body) {
    if (!is_buffer_in(op, "bound")) continue;
    const char *name = ir_get_string(op, "name", "");
    int64_t at = map_get(by_name, name, -1);
    if (at < 0) {
      at = (int64_t)slots->count;
      VEC_PUSH(p->arena, slots, size_of(p, op));
      map_set(by_name, name, at);
    }
    set_slot(p, op, at);
  }
}

bool pass_run_plan_memory(MlirOperation root, pass_context *p) {
  map by_name = {.arena = p->arena};
  slot_list bound = {0};
  IR_FOR_EACH_FUNC(func, root) {
    plan_bound(func, p, &by_name, &bound);
    plan_workspace(func, p);
  }
  set_attribute(root, "gnn.bound_slots", describe(p, &bound));
  set_attribute(root, "gnn.bound_values", ir_attr_string(p->context, total(p, &bound)));
  return true;
}
