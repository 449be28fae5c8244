/* Loops over features. A tree of element-wise operations becomes one loop nest; a nest is cut only
 * where an operand has fewer dimensions.
 *
 *   f32[8] * f32[8, 8]     for (int64_t h = 0; h < 8; h++) {
 *                            const real w_h = w[h];
 *                            for (int64_t c = 0; c < 8; c++) y[h * 8 + c] = w_h * z[h * 8 + c];
 *                          } */
#include "codegen/c/body/nest.h"

#include "codegen/c/body/scalar.h"

#include <string.h>

/* ---- addressing ---- */

c_index c_nest_prefix(const c_index *index, unsigned rank) {
  c_index prefix = {.count = 0};
  for (unsigned i = 0; i < index->count && index->loops[i].rank <= rank; i++)
    prefix.loops[prefix.count++] = index->loops[i];
  return prefix;
}

/* The position in a flat array, by Horner's rule over the first `count` loops. */
static const char *flatten(c_body *b, const c_loop *loops, unsigned count) {
  arena *a = b->model->arena;
  const char *flat = NULL;
  unsigned said = 0;
  for (unsigned i = 0; i < count; i++) {
    if (loops[i].extent == 1) continue;
    said++;
    if (!flat)
      flat = loops[i].variable;
    else if (said == 2)
      flat = arena_printf(a, "%s * %lld + %s", flat, (long long)loops[i].extent, loops[i].variable);
    else
      flat = arena_printf(a, "(%s) * %lld + %s", flat, (long long)loops[i].extent, loops[i].variable);
  }
  return flat ? flat : "0";
}

const char *c_nest_flat(c_body *b, const c_index *index, unsigned rank) {
  c_index prefix = c_nest_prefix(index, rank);
  return flatten(b, prefix.loops, prefix.count);
}

/* ---- trees of pending operations ---- */

static bool is_tree_node(c_body *b, MlirValue value) {
  return c_body_is_pending(b, value) && c_scalar_is_elementwise(ir_op_kind(ir_defining_op(value)));
}

static const char *find_hoisted(c_body *b, MlirValue value) {
  for (size_t i = b->hoisted.count; i-- > 0;)
    if (mlirValueEqual(b->hoisted.items[i].value, value)) return b->hoisted.items[i].text;
  return NULL;
}

unsigned c_nest_cuts(c_body *b, MlirValue value) {
  unsigned rank = ir_type_of(value).rank;
  if (!c_body_is_pending(b, value)) return 1u << rank;
  MlirOperation op = ir_defining_op(value);
  if (!is_tree_node(b, value)) return (2u << rank) - 1; /* operations that move elements: a loop for every dimension */
  unsigned cuts = 1u << rank;
  for (intptr_t i = 0; i < c_scalar_count_operands(op); i++) cuts |= c_nest_cuts(b, mlirOperationGetOperand(op, i));
  return cuts;
}

/* The element of gnn.columns: an element of its operand, a number of columns later. */
static const char *element_of_columns(c_body *b, MlirOperation op, const c_index *index) {
  arena *a = b->model->arena;
  MlirValue from = ir_operand(op, IR_IN(gnn, columns, x));
  ir_type type = ir_type_of(from);
  c_value *x = c_body_find(b, from);
  c_index moved = *index;
  if (moved.count < 1 || moved.count > IR_MAX_RANK) return x->text; /* a loop for every dimension */
  c_loop *last = &moved.loops[moved.count - 1];
  long long begin = (long long)ir_get_integer(op, "begin", 0);
  const char *column = last->extent == 1 ? "0" : last->variable; /* a loop of one step has no variable */
  last->variable = arena_printf(a, "%s + %lld", column, begin);
  last->extent = type.dims[type.rank - 1];
  return c_body_element_at(b, x, flatten(b, moved.loops, moved.count));
}

/* The element of gnn.view: an element of its operand at a sum of the loops' variables. */
static const char *element_of_view(c_body *b, MlirOperation op, const c_index *index) {
  arena *a = b->model->arena;
  MlirValue from = ir_operand(op, IR_IN(gnn, view, x));
  c_value *x = c_body_find(b, from);
  if (x->form == C_FORM_scalar) return x->text;
  const char *at = NULL;
  for (unsigned i = 0; i < index->count; i++) { /* a loop for every dimension */
    long long stride = (long long)ir_get_integer_at(op, "strides", i);
    if (index->loops[i].extent == 1 || !stride) continue;
    const char *variable = index->loops[i].variable;
    const char *term = stride == 1 ? variable : arena_printf(a, "%s * %lld", variable, stride);
    at = at ? arena_printf(a, "%s + %s", at, term) : term;
  }
  long long begin = (long long)ir_get_integer(op, "begin", 0);
  if (!at)
    at = arena_printf(a, "%lld", begin);
  else if (begin)
    at = arena_printf(a, "%s + %lld", at, begin);
  return c_body_element_at(b, x, at);
}

static const char *element_of_moved(c_body *b, MlirOperation op, const c_index *index) {
  arena *a = b->model->arena;
  if (ir_op_kind(op) == IR_OP(gnn, columns)) return element_of_columns(b, op, index);
  if (ir_op_kind(op) == IR_OP(gnn, view)) return element_of_view(b, op, index);
  if (ir_op_kind(op) == IR_OP(gnn, iota)) /* a loop of one step has no variable */
    return arena_printf(a, "(real)%s", index->loops[0].extent == 1 ? "0" : index->loops[0].variable);
  if (ir_op_kind(op) == IR_OP(gnn, transpose)) {
    c_value *x = c_body_find(b, ir_operand(op, IR_IN(gnn, transpose, x)));
    c_index swapped = *index;
    unsigned last = swapped.count - 1; /* a loop for every dimension */
    if (last < 1 || last > IR_MAX_RANK) return x->text;
    c_loop column = swapped.loops[last];
    swapped.loops[last] = swapped.loops[last - 1];
    swapped.loops[last - 1] = column;
    return c_body_element_at(b, x, flatten(b, swapped.loops, swapped.count));
  }
  MlirValue left = ir_operand(op, IR_IN(gnn, outer, a));
  unsigned rank = ir_type_of(left).rank;
  c_index first = c_nest_prefix(index, rank);
  const char *row = flatten(b, first.loops, first.count);
  const char *column = flatten(b, index->loops + first.count, index->count - first.count);
  return arena_printf(a, "(%s%s[%s] * %s[%s])", c_body_widen(b, true), c_body_find(b, left)->text, row,
                      c_body_find(b, ir_operand(op, IR_IN(gnn, outer, b)))->text, column);
}

const char *c_nest_element(c_body *b, MlirValue value, const c_index *index) {
  const char *hoisted = find_hoisted(b, value);
  if (hoisted) return hoisted;
  c_value *v = c_body_find(b, value);
  unsigned rank = ir_type_of(value).rank;
  if (v->form == C_FORM_scalar) return v->text;
  if (v->form == C_FORM_memory) return c_body_element_at(b, v, c_nest_flat(b, index, rank));
  MlirOperation op = ir_defining_op(value);
  c_index prefix = c_nest_prefix(index, rank);
  if (!is_tree_node(b, value)) return element_of_moved(b, op, &prefix);
  const char *operands[IR_MAX_OPERANDS];
  for (intptr_t i = 0; i < c_scalar_count_operands(op); i++)
    operands[i] = c_nest_element(b, mlirOperationGetOperand(op, i), &prefix);
  if (v->text) operands[1] = arena_printf(b->model->arena, "%s[%s]", v->text, c_nest_flat(b, &prefix, rank));
  return c_scalar_expression(b, op, operands);
}

static bool is_atom(const char *expression) {
  return !expression[strcspn(expression, "([ *+-/?")];
}

/* Computes operands of exactly `rank` dimensions into scalars, inside the loops entered so far. */
static void hoist(c_body *b, MlirValue value, unsigned rank, unsigned full, const c_index *index) {
  if (ir_type_of(value).rank == rank && rank < full) {
    if (find_hoisted(b, value)) return;
    const char *expression = c_nest_element(b, value, index);
    bool is_declared = !is_atom(expression);
    if (is_declared) {
      const char *name = c_body_name(b, value, "t");
      name = c_names_add(&b->names, arena_printf(b->model->arena, "%s_i", name));
      c_writer_line(b->w, "const real %s = %s;", name, c_scalar_bare(b, expression));
      expression = name;
    }
    VEC_PUSH(b->model->arena, &b->hoisted, (c_hoisted){value, expression, is_declared, b->w->depth});
    return;
  }
  if (!is_tree_node(b, value) || find_hoisted(b, value)) return;
  MlirOperation op = ir_defining_op(value);
  for (intptr_t i = 0; i < c_scalar_count_operands(op); i++)
    hoist(b, mlirOperationGetOperand(op, i), rank, full, index);
}

void c_nest_hoist(c_body *b, MlirValue tree, const c_index *index) {
  unsigned rank = index->count ? index->loops[index->count - 1].rank : 0;
  hoist(b, tree, rank, ir_type_of(tree).rank, index);
}

/* ---- loops ---- */

/* Opens the loops. With is_free the last one is marked as free of dependences. */
static void open_loops(c_body *b, const MlirValue *trees, unsigned tree_count, const int64_t *dims, unsigned rank,
                       unsigned cuts, bool is_free, c_index *index) {
  static const char *const variables[] = {"j", "k", "l", "m", "q", "r", "u"};
  unsigned from = index->count ? index->loops[index->count - 1].rank : 0;
  cuts |= 1u << rank;
  while (true) {
    for (unsigned t = 0; t < tree_count; t++) c_nest_hoist(b, trees[t], index);
    if (from >= rank) return;
    unsigned to = from + 1;
    int64_t extent = dims[from];
    for (; !(cuts & (1u << to)); to++) extent *= dims[to];
    if (extent == 1) { /* no loop is needed, and positions do not depend on it */
      index->loops[index->count++] = (c_loop){"0", 1, to};
      from = to;
      continue;
    }
    const char *variable = c_names_add(&b->names, variables[index->count]);
    if (is_free && to == rank) c_writer_line(b->w, "FEATURE_LOOP");
    c_writer_open_count(b->w, variable, extent);
    index->loops[index->count++] = (c_loop){variable, extent, to};
    from = to;
  }
}

void c_nest_open(c_body *b, const MlirValue *trees, unsigned tree_count, const int64_t *dims, unsigned rank,
                 unsigned cuts, c_index *index) {
  open_loops(b, trees, tree_count, dims, rank, cuts, false, index);
}

void c_nest_open_features(c_body *b, const MlirValue *trees, unsigned tree_count, const int64_t *dims, unsigned rank,
                          unsigned cuts, c_index *index) {
  open_loops(b, trees, tree_count, dims, rank, cuts, true, index);
}

c_mark c_nest_mark(const c_body *b) {
  return (c_mark){b->names.count, b->hoisted.count, b->w->depth};
}

void c_nest_leave(c_body *b, c_mark mark) {
  if (b->w->depth == mark.depth) return; /* no loop was opened, so its names belong to the surrounding block */
  while (b->w->depth > mark.depth) c_writer_close(b->w);
  c_names_leave(&b->names, mark.names);
  for (size_t i = mark.hoisted; i < b->hoisted.count; i++) { /* names in front of the first loop stay taken */
    const c_hoisted *h = &b->hoisted.items[i];
    if (h->is_declared && h->depth == mark.depth) c_names_add(&b->names, h->text);
  }
  b->hoisted.count = mark.hoisted;
}

/* The position in the target of the element at the loops of a whole payload. */
static const char *target_position(c_body *b, c_target target, const c_index *index, unsigned rank) {
  if (!target.stride) return c_nest_flat(b, index, rank);
  arena *a = b->model->arena;
  c_index rows = c_nest_prefix(index, rank - 1);
  unsigned last = index->count - 1;
  const char *column = index->loops[last <= IR_MAX_RANK ? last : 0].variable;
  if (target.offset) column = arena_printf(a, "%lld + %s", (long long)target.offset, column);
  if (!strcmp(flatten(b, rows.loops, rows.count), "0")) return column;
  return arena_printf(a, "(%s) * %lld + %s", flatten(b, rows.loops, rows.count), (long long)target.stride, column);
}

static void store_concat(c_body *b, MlirOperation op, c_target target) {
  MlirValue left = ir_operand(op, IR_IN(gnn, concat, a)), right = ir_operand(op, IR_IN(gnn, concat, b));
  ir_type whole = ir_type_of(ir_result(op)), part = ir_type_of(left);
  if (!target.stride) target.stride = whole.dims[whole.rank - 1];
  c_nest_store(b, left, target);
  target.offset += part.dims[part.rank - 1];
  c_nest_store(b, right, target);
}

void c_nest_store(c_body *b, MlirValue value, c_target target) {
  ir_type type = ir_type_of(value);
  if (c_body_is_pending(b, value) && ir_op_kind(ir_defining_op(value)) == IR_OP(gnn, concat)) {
    store_concat(b, ir_defining_op(value), target);
    return;
  }
  c_index index = {.count = 0};
  c_nest_hoist(b, value, &index); /* before the mark: these scalars stay in the surrounding block */
  c_mark mark = c_nest_mark(b);
  unsigned cuts = c_nest_cuts(b, value);
  if (target.stride) cuts |= 1u << (type.rank - 1);
  open_loops(b, &value, 1, type.dims, type.rank, cuts, true, &index);
  const char *at = type.rank ? target_position(b, target, &index, type.rank) : NULL;
  c_target_assign(b, target, at, c_nest_element(b, value, &index));
  c_nest_leave(b, mark);
}
