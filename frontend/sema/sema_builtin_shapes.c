/* Expands calls of functions that rearrange elements: split, permute, expand, ones, zeros, iota; and
 * the parameter `axis` of others. */
#include "frontend/sema/sema_builtin.h"
#include "frontend/sema/sema_view.h"

#include <inttypes.h>
#include <math.h>

/* ---- axis ---- */

bool sema_read_axis(sema *s, const sema_call *c, size_t parameter, flat_type type, unsigned *axis) {
  double number = c->numbers[parameter], rank = type.rank;
  bool is_whole = number == floor(number);
  if (is_whole && number < 0) number += rank;
  if (is_whole && number >= 0 && number < rank) {
    *axis = (unsigned)number;
    return true;
  }
  const ast_expr *at = c->exprs[parameter] ? c->exprs[parameter] : c->e;
  sema_error(s, at->span, DIAG_index_range, "'axis' of '%s' is %g, but %s has %u dimension%s", c->f->name,
             c->numbers[parameter], c->exprs[0] ? sema_quote(s, c->exprs[0]) : "the value", type.rank,
             type.rank == 1 ? "" : "s");
  return false;
}

flat_id sema_axis_to_last(sema *s, flat_id value, unsigned axis, span where) {
  unsigned order[FLAT_MAX_RANK] = {0}, rank = sema_type(s, value).rank, at = 0;
  for (unsigned i = 0; i < rank; i++)
    if (i != axis) order[at++] = i;
  if (rank) order[rank - 1] = axis;
  return sema_permute(s, value, order, where);
}

flat_id sema_axis_from_last(sema *s, flat_id value, unsigned axis, span where) {
  unsigned order[FLAT_MAX_RANK] = {0}, rank = sema_type(s, value).rank, at = 0;
  for (unsigned i = 0; i < rank; i++) order[i] = i == axis ? rank - 1 : at++;
  return sema_permute(s, value, order, where);
}

/* ---- split ---- */

/* The sizes of the pieces: a number of equal ones, or a list. Returns their number; 0 after an
 * error. */
static size_t read_pieces(sema *s, const sema_call *c, dim size, dim **out) {
  const ast_expr *e = c->exprs[1];
  int64_t count = 0;
  if (e->kind == AST_EXPR_list) {
    *out = arena_alloc_array(s->arena, e->list.count + 1, sizeof **out);
    for (size_t i = 0; i < e->list.count; i++)
      if (!((*out)[i] = sema_eval_size(s, e->list.items[i]))) return 0;
    if (!e->list.count) sema_error(s, e->span, DIAG_number_range, "'split' makes at least 1 piece; the list has none");
    return e->list.count;
  }
  if (!sema_eval_known(s, e, "the number of pieces", &count)) return 0;
  enum { MOST = 10000 };
  if (count < 1 || count > MOST) {
    sema_error(s, e->span, DIAG_number_range, "'split' makes 1 to %d pieces, not %" PRId64, MOST, count);
    return 0;
  }
  dim width = dim_divide(s->dims, size, dim_constant(s->dims, count),
                         (dim_origin){e->span, "'split' makes equal pieces", s->scope->frame});
  if (!width) {
    sema_error(s, c->e->span, DIAG_shape_mismatch, "%s cannot be cut into %" PRId64 " equal pieces",
               sema_dim_text(s, size), count);
    sema_note_operand(s, c->exprs[0]);
    return 0;
  }
  *out = arena_alloc_array(s->arena, (size_t)count, sizeof **out);
  for (int64_t i = 0; i < count; i++) (*out)[i] = width;
  return (size_t)count;
}

sema_value sema_make_split(sema *s, const sema_call *c) {
  unsigned axis = 0;
  flat_type type = sema_type(s, c->ids[0]);
  dim *widths = NULL, first = dim_constant(s->dims, 0);
  if (!sema_check_rank(s, c->exprs[0], type, 1) || !sema_read_axis(s, c, 2, type, &axis)) return sema_poisoned();
  size_t count = read_pieces(s, c, type.dims[axis], &widths);
  if (!count) return sema_poisoned();
  sema_value *items = arena_alloc_array(s->arena, count, sizeof *items);
  for (size_t i = 0; i < count; i++) {
    items[i] = sema_from_id(s, sema_slice(s, c->ids[0], axis, first, widths[i], c->e->span));
    first = dim_add(s->dims, first, widths[i]);
  }
  if (!sema_unify(s, first, type.dims[axis], c->e->span, "the pieces of 'split' cover the dimension")) {
    sema_error(s, c->exprs[1]->span, DIAG_shape_mismatch,
               "the pieces of 'split' have %s elements together, but %s has %s", sema_dim_text(s, first),
               sema_quote(s, c->exprs[0]), sema_dim_text(s, type.dims[axis]));
    sema_note_operand(s, c->exprs[0]);
    return sema_poisoned();
  }
  if (count == 1) return items[0];
  return (sema_value){.kind = SEMA_tuple, .id = FLAT_NONE, .items = items, .count = count};
}

/* ---- permute, expand ---- */

flat_id sema_make_permute(sema *s, const sema_call *c) {
  const ast_expr *list = c->exprs[1];
  unsigned order[FLAT_MAX_RANK] = {0}, seen = 0, rank = sema_type(s, c->ids[0]).rank;
  bool is_good = list->list.count == rank;
  for (unsigned i = 0; is_good && i < rank; i++) {
    int64_t value = -1;
    if (!sema_eval_known(s, list->list.items[i], "a dimension", &value)) return FLAT_NONE;
    is_good = value >= 0 && value < rank && !(seen >> value & 1);
    if (!is_good) break;
    order[i] = (unsigned)value;
    seen |= 1u << value;
  }
  if (is_good) return sema_permute(s, c->ids[0], order, c->e->span);
  sema_error(s, list->span, DIAG_index_range, "%s has %u dimension%s, so the order is a permutation of 0 to %u, not %s",
             sema_quote(s, c->exprs[0]), rank, rank == 1 ? "" : "s", rank ? rank - 1 : 0, sema_quote(s, list));
  return FLAT_NONE;
}

bool sema_read_shape(sema *s, const ast_expr *list, flat_type *type) {
  type->rank = (unsigned)list->list.count;
  for (unsigned i = 0; i < type->rank; i++)
    if (!(type->dims[i] = sema_eval_size(s, list->list.items[i]))) return false;
  return true;
}

flat_id sema_make_expand(sema *s, const sema_call *c) {
  flat_type from = sema_type(s, c->ids[0]), type = from;
  dim own[FLAT_MAX_RANK] = {NULL}, strides[FLAT_MAX_RANK] = {NULL};
  if (!sema_read_shape(s, c->exprs[1], &type)) return FLAT_NONE;
  sema_strides(s, from, own);
  bool is_good = type.rank >= from.rank;
  for (unsigned i = 0; is_good && i < type.rank; i++) {
    strides[i] = dim_constant(s->dims, 0);
    int64_t size = 0;
    unsigned lead = type.rank - from.rank;
    if (i < lead || (dim_value(s->dims, from.dims[i - lead], &size) && size == 1)) continue;
    strides[i] = own[i - lead];
    is_good =
        sema_unify(s, from.dims[i - lead], type.dims[i], c->e->span, "'expand' repeats dimensions of size 1 only");
  }
  if (is_good) return sema_view(s, c->ids[0], type, strides, dim_constant(s->dims, 0), c->e->span);
  sema_error(s, c->e->span, DIAG_shape_mismatch,
             "%s is %s and cannot be expanded to %s: trailing dimensions are equal, or 1 and repeated",
             sema_quote(s, c->exprs[0]), sema_type_text(s, from), sema_type_text(s, type));
  sema_note_operand(s, c->exprs[0]);
  return FLAT_NONE;
}

/* ---- new values ---- */

flat_id sema_make_filled(sema *s, const sema_call *c) {
  flat_type type = {0};
  dim strides[FLAT_MAX_RANK] = {NULL};
  if (!sema_read_shape(s, c->exprs[0], &type)) return FLAT_NONE;
  for (unsigned i = 0; i < type.rank; i++) strides[i] = dim_constant(s->dims, 0);
  flat_id number = sema_add(s, FLAT_constant, (flat_type){0}, c->e->span, NULL, 0);
  sema_add_number(s, number, "value", *c->f->op == '1');
  return sema_view(s, number, type, strides, dim_constant(s->dims, 0), c->e->span);
}

flat_id sema_make_iota(sema *s, const sema_call *c) {
  flat_type type = {.rank = 1};
  type.dims[0] = sema_eval_size(s, c->exprs[0]);
  if (!type.dims[0]) return FLAT_NONE;
  flat_id id = sema_add(s, FLAT_iota, type, c->e->span, NULL, 0);
  sema_add_whole(s, id, "size", type.dims[0]);
  return id;
}
