/* Some elements of a value, in another order, or repeated: x[2], x[0..F], x[.., 1..3], lists, and
 * the operations behind split, permute and expand.
 *
 *   x[.., 1..3] of f32[4, 8]      columns(x, begin = 1, width = 2)
 *   x[2] of f32[4, 8]             view(x, shape = [8], strides = [1], begin = 16)
 *
 * Subscripts stand for leading dimensions, as in NumPy. All of it is known when the model is
 * compiled, as far as sizes are: a bound that depends on a size which is found later is checked when
 * all sizes are known. */
#include "frontend/sema/sema_view.h"

#include <inttypes.h>
#include <string.h>

void sema_strides(sema *s, flat_type type, dim *out) {
  dim stride = dim_constant(s->dims, 1);
  for (unsigned i = type.rank; i-- > 0;) {
    out[i] = stride;
    stride = dim_multiply(s->dims, stride, type.dims[i]);
  }
}

static bool is_zero(sema *s, dim d) {
  int64_t value = 1;
  return dim_value(s->dims, d, &value) && value == 0;
}

/* Whether a and b are known to be the same size. */
static bool is_same(sema *s, dim a, dim b) {
  return is_zero(s, dim_subtract(s->dims, a, b));
}

flat_id sema_view(sema *s, flat_id value, flat_type type, const dim *strides, dim begin, span where) {
  flat_type from = sema_type(s, value);
  dim whole[FLAT_MAX_RANK] = {NULL};
  sema_strides(s, from, whole);
  bool is_all = type.rank == from.rank && is_zero(s, begin);
  for (unsigned i = 0; is_all && i < type.rank; i++)
    is_all = is_same(s, type.dims[i], from.dims[i]) && is_same(s, strides[i], whole[i]);
  if (is_all) return value;
  flat_id id = sema_add(s, FLAT_view, type, where, &value, 1);
  sema_add_shape(s, id, "shape");
  sema_add_sizes(s, id, "strides", strides, type.rank);
  sema_add_whole(s, id, "begin", begin);
  return id;
}

flat_id sema_slice(sema *s, flat_id value, unsigned axis, dim first, dim width, span where) {
  flat_type type = sema_type(s, value);
  dim strides[FLAT_MAX_RANK] = {NULL};
  if (is_same(s, type.dims[axis], width)) return value;
  sema_strides(s, type, strides);
  type.dims[axis] = width;
  if (axis + 1 < type.rank)
    return sema_view(s, value, type, strides, dim_multiply(s->dims, first, strides[axis]), where);
  flat_id id = sema_add(s, FLAT_columns, type, where, &value, 1);
  sema_add_whole(s, id, "begin", first);
  sema_add_whole(s, id, "width", width);
  return id;
}

flat_id sema_permute(sema *s, flat_id value, const unsigned *order, span where) {
  flat_type from = sema_type(s, value), type = from;
  dim strides[FLAT_MAX_RANK] = {NULL}, moved[FLAT_MAX_RANK] = {NULL};
  sema_strides(s, from, strides);
  unsigned first = 0; /* the first dimension that moves */
  while (first < from.rank && order[first] == first) first++;
  if (first == from.rank) return value;
  for (unsigned i = 0; i < from.rank; i++) {
    type.dims[i] = from.dims[order[i]];
    moved[i] = strides[order[i]];
  }
  if (first + 2 == from.rank) return sema_add(s, FLAT_transpose, type, where, &value, 1);
  return sema_view(s, value, type, moved, dim_constant(s->dims, 0), where);
}

flat_id sema_reshape(sema *s, flat_id value, flat_type type, span where) {
  flat_id id = sema_add(s, FLAT_reshape, type, where, &value, 1);
  sema_add_shape(s, id, "shape");
  return id;
}

/* ---- bounds ---- */

/* Reports a part that is not inside of its dimension; false then. */
static bool check_bound(sema *s, const sema_bound *b) {
  int64_t first = 0, last = 1, size = 1;
  bool is_known =
      dim_value(s->dims, b->first, &first) && dim_value(s->dims, b->last, &last) && dim_value(s->dims, b->size, &size);
  if (!is_known || (first >= 0 && first < last && last <= size)) return true;
  if (b->is_index)
    sema_error_in(s, b->frame, NULL, b->where, DIAG_index_range,
                  "index %" PRId64 " is outside of dimension %u, which has size %" PRId64, first, b->axis, size);
  else
    sema_error_in(s, b->frame, NULL, b->where, DIAG_index_range,
                  "%" PRId64 "..%" PRId64 " is no part of dimension %u, which has size %" PRId64, first, last, b->axis,
                  size);
  return false;
}

bool sema_require_bound(sema *s, sema_bound bound) {
  int64_t value = 0;
  bound.frame = s->scope->frame;
  if (!bound.first || !bound.last || !bound.size) return false;
  bool is_known = dim_value(s->dims, bound.first, &value) && dim_value(s->dims, bound.last, &value) &&
                  dim_value(s->dims, bound.size, &value);
  if (!is_known) VEC_PUSH(s->arena, &s->bounds, bound);
  return !is_known || check_bound(s, &bound);
}

void sema_check_bounds(sema *s) {
  for (size_t i = 0; i < s->bounds.count; i++) check_bound(s, &s->bounds.items[i]);
}

/* ---- subscripts ---- */

/* A size where a negative number counts from the end. */
static dim eval_end(sema *s, const ast_expr *e, dim size) {
  int64_t value = 0;
  dim d = sema_eval_dim(s, e);
  return d && dim_value(s->dims, d, &value) && value < 0 ? dim_add(s->dims, size, d) : d;
}

/* Returns d; reports a computation of sizes that has no result. */
static dim computed(sema *s, const ast_expr *e, dim d) {
  if (!d) sema_error(s, e->span, DIAG_index_range, "%s is too large for a subscript", sema_quote(s, e));
  return d;
}

/* One subscript; `width` NULL: an index, whose dimension disappears. */
typedef struct part {
  dim first, width;
} part;

static bool eval_part(sema *s, const ast_expr *e, dim size, unsigned axis, part *out) {
  bool is_range = e->kind == AST_EXPR_range;
  *out = (part){dim_constant(s->dims, 0), size};
  if (is_range && !e->range.first && !e->range.last) return true;
  dim last = size;
  if (!is_range || e->range.first) out->first = eval_end(s, is_range ? e->range.first : e, size);
  if (is_range && e->range.last) last = eval_end(s, e->range.last, size);
  if (!out->first || !last) return false;
  if (!is_range) last = computed(s, e, dim_add(s->dims, out->first, dim_constant(s->dims, 1)));
  out->width = NULL;
  if (is_range) out->width = computed(s, e, dim_subtract(s->dims, last, out->first));
  if (!last || (is_range && !out->width)) return false;
  return sema_require_bound(
      s, (sema_bound){
             .where = e->span, .first = out->first, .last = last, .size = size, .axis = axis, .is_index = !is_range});
}

static bool check_count(sema *s, const ast_expr *e, flat_type type) {
  size_t count = e->index.subscripts.count;
  if (count <= type.rank) return true;
  sema_error(s, e->span, DIAG_shape_mismatch, "%s is %s, but %zu subscript%s need%s at least as many dimensions",
             sema_quote(s, e->index.base), sema_type_text(s, type), count, count == 1 ? "" : "s",
             count == 1 ? "s" : "");
  sema_note_operand(s, e->index.base);
  return false;
}

/* A slice of the last dimension alone; it has an operation of its own, which passes know. */
static bool is_last_slice(const part *parts, unsigned count, unsigned rank) {
  return count == 1 && rank == 1 && parts[0].width;
}

sema_value sema_eval_subscripts(sema *s, const ast_expr *e, flat_id value) {
  flat_type from = sema_type(s, value), type = from;
  unsigned count = (unsigned)e->index.subscripts.count;
  part parts[FLAT_MAX_RANK] = {{NULL, NULL}};
  if (!check_count(s, e, from)) return sema_poisoned();
  bool is_good = true;
  for (unsigned i = 0; i < count; i++)
    is_good = eval_part(s, e->index.subscripts.items[i], from.dims[i], i, &parts[i]) && is_good;
  if (!is_good) return sema_poisoned();
  bool is_tail = count == from.rank && parts[count - 1].width;
  for (unsigned i = 0; is_tail && i + 1 < count; i++) {
    const ast_expr *sub = e->index.subscripts.items[i];
    is_tail = sub->kind == AST_EXPR_range && !sub->range.first && !sub->range.last;
  }
  if (is_tail || is_last_slice(parts, count, from.rank))
    return sema_from_id(s, sema_slice(s, value, count - 1, parts[count - 1].first, parts[count - 1].width, e->span));
  dim strides[FLAT_MAX_RANK] = {NULL}, kept[FLAT_MAX_RANK] = {NULL}, begin = dim_constant(s->dims, 0);
  sema_strides(s, from, strides);
  type.rank = 0;
  for (unsigned i = 0; i < from.rank; i++) {
    if (i < count) begin = dim_add(s->dims, begin, dim_multiply(s->dims, parts[i].first, strides[i]));
    if (!begin) break;
    if (i < count && !parts[i].width) continue;
    type.dims[type.rank] = i < count ? parts[i].width : from.dims[i];
    kept[type.rank++] = strides[i];
  }
  return computed(s, e, begin) ? sema_from_id(s, sema_view(s, value, type, kept, begin, e->span)) : sema_poisoned();
}

/* ---- lists ---- */

/* Makes an item [n] from an item of any shape; reports an item of another shape than the first. */
static bool eval_item(sema *s, const ast_expr *e, const flat_type *first, flat_id *out, flat_type *type) {
  if (!sema_eval_tensor(s, e, out)) return false;
  *type = sema_type(s, *out);
  bool is_equal = !first || type->rank == first->rank;
  for (unsigned k = 0; first && is_equal && k < type->rank; k++)
    is_equal = sema_unify(s, first->dims[k], type->dims[k], e->span, "items of a list have the same shape");
  if (!is_equal) {
    sema_error(s, e->span, DIAG_shape_mismatch, "%s is %s, but the first item of the list is %s", sema_quote(s, e),
               sema_type_text(s, *type), sema_type_text(s, *first));
    return false;
  }
  flat_type flat = *type;
  flat.rank = 1;
  flat.dims[0] = dim_constant(s->dims, 1);
  for (unsigned k = 0; k < type->rank; k++) flat.dims[0] = dim_multiply(s->dims, flat.dims[0], type->dims[k]);
  if (type->rank != 1) *out = sema_reshape(s, *out, flat, e->span);
  return true;
}

sema_value sema_stack(sema *s, const ast_expr *e) {
  flat_type first = {0};
  flat_id all = FLAT_NONE;
  bool is_good = e->list.count > 0;
  if (!is_good) sema_error(s, e->span, DIAG_type_mismatch, "an empty list is no tensor");
  for (size_t i = 0; i < e->list.count; i++) {
    flat_id item = FLAT_NONE;
    flat_type type = {0}, joined = {0};
    is_good = eval_item(s, e->list.items[i], i && is_good ? &first : NULL, &item, &type) && is_good;
    if (!is_good) continue;
    if (!i) {
      first = type;
      all = item;
      continue;
    }
    joined = sema_type(s, all);
    is_good = sema_join_domain(s, e, joined, type, &joined);
    joined.dims[0] = dim_add(s->dims, joined.dims[0], sema_type(s, item).dims[0]);
    if (is_good) all = sema_add(s, FLAT_concat, joined, e->span, (flat_id[]){all, item}, 2);
  }
  if (!is_good) return sema_poisoned();
  if (first.rank == FLAT_MAX_RANK) {
    sema_error(s, e->span, DIAG_shape_mismatch, "a tensor has at most %d dimensions", FLAT_MAX_RANK);
    return sema_poisoned();
  }
  flat_type type = sema_type(s, all);
  type.rank = first.rank + 1;
  type.dims[0] = dim_constant(s->dims, (int64_t)e->list.count);
  for (unsigned k = 0; k < first.rank; k++) type.dims[k + 1] = first.dims[k];
  return sema_from_id(s, first.rank ? sema_reshape(s, all, type, e->span) : all);
}
