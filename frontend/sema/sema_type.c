/* Computes result types of operations with symbolic sizes; sizes that must agree are unified.
 *
 *   node f32[F] @ f32[F2, H]   F2 := F, gives node f32[H]
 *   f32[H] * f32[H, C]         leading dimensions align: row h is scaled */
#include "frontend/sema/sema_kinds.h"

#include <string.h>

bool sema_unify(sema *s, dim a, dim b, span where, const char *reason) {
  const flat_frame *frame = s->scope ? s->scope->frame : NULL;
  return dim_unify(s->dims, a, b, (dim_origin){where, reason, frame}) != DIM_conflict;
}

static const char *domain_text(flat_type t) {
  static const char *const texts[] = {"a plain tensor",
                                      "a value per node",
                                      "a value per edge",
                                      "a value per edge type",
                                      "a value per node type",
                                      "a value per graph of a batch",
                                      "a graph"};
  return texts[t.domain];
}

static void note_remedy(sema *s, const ast_expr *e, flat_type a, flat_type b) {
  bool is_node = a.domain == FLAT_DOMAIN_node || b.domain == FLAT_DOMAIN_node;
  bool is_edge = a.domain == FLAT_DOMAIN_edge || b.domain == FLAT_DOMAIN_edge;
  bool is_type = a.domain == FLAT_DOMAIN_etype || b.domain == FLAT_DOMAIN_etype || a.domain == FLAT_DOMAIN_ntype ||
                 b.domain == FLAT_DOMAIN_ntype;
  if (is_node && is_edge)
    sema_note(s, e->span, "read node values through an end of the edge: for e in g.edges { e.m = e.src.h * e.a; }");
  else if (is_type && (is_node || is_edge))
    sema_note(s, e->span, "a value per type is indexed in a loop: W[e.type], W[n.type]");
}

bool sema_join_domain(sema *s, const ast_expr *e, flat_type a, flat_type b, flat_type *result) {
  if (a.domain == FLAT_DOMAIN_plain || b.domain == FLAT_DOMAIN_plain) {
    flat_type wider = a.domain == FLAT_DOMAIN_plain ? b : a;
    result->domain = wider.domain;
    result->set = wider.set;
    return true;
  }
  if (a.domain != b.domain) {
    sema_error(s, e->span, DIAG_domain_mismatch, "%s and %s do not combine", domain_text(a), domain_text(b));
    note_remedy(s, e, a, b);
    return false;
  }
  if (a.set && b.set && strcmp(a.set, b.set) != 0) {
    sema_error(s, e->span, DIAG_edge_set_mismatch, "one side is %s, the other %s", sema_rows_text(s, a),
               sema_rows_text(s, b));
    if (a.domain == FLAT_DOMAIN_edge)
      sema_note(s, e->span,
                "edge values are carried over to a graph with self loops by extend_edges(g2, value, fill = 1)");
    else
      sema_note(
          s, e->span,
          "a value of some nodes is assigned to a field of theirs in a loop over them; the field then has all nodes");
    return false;
  }
  result->domain = a.domain;
  result->set = a.set;
  return true;
}

static flat_type payload(flat_type t) {
  t.domain = FLAT_DOMAIN_plain;
  return t;
}

static bool wrong_shapes(sema *s, const ast_expr *e, const ast_expr *left, const ast_expr *right, flat_type a,
                         flat_type b, unsigned at) {
  sema_error(s, e->span, DIAG_shape_mismatch,
             "%s is %s, but %s is %s; shapes must be equal, or align from the first dimension", sema_quote(s, left),
             sema_type_text(s, payload(a)), sema_quote(s, right), sema_type_text(s, payload(b)));
  sema_note_operand(s, left);
  sema_note_operand(s, right);
  sema_note_sizes(s, a.dims[at], b.dims[at]);
  return false;
}

bool sema_type_binary(sema *s, const ast_expr *e, const ast_expr *left, const ast_expr *right, flat_type a, flat_type b,
                      flat_type *result) {
  flat_type longer = a.rank >= b.rank ? a : b;
  if (!sema_join_domain(s, e, a, b, &longer)) return false;
  unsigned shared = a.rank < b.rank ? a.rank : b.rank;
  for (unsigned i = 0; i < shared; i++) {
    if (!sema_unify(s, a.dims[i], b.dims[i], e->span, "both sides of an operation have it"))
      return wrong_shapes(s, e, left, right, a, b, i);
  }
  *result = longer;
  return true;
}

bool sema_check_rank(sema *s, const ast_expr *e, flat_type a, unsigned least) {
  if (a.rank >= least) return true;
  sema_error(s, e->span, DIAG_shape_mismatch, "%s is %s, but at least %u dimension%s needed here", sema_quote(s, e),
             sema_type_text(s, a), least, least == 1 ? " is" : "s are");
  sema_note_operand(s, e);
  return false;
}

static bool wrong_columns(sema *s, const ast_expr *e, const ast_expr *left, const ast_expr *right, dim columns,
                          dim rows) {
  sema_error(s, e->span, DIAG_shape_mismatch, "%s has %s columns here, but %s takes %s", sema_quote(s, left),
             sema_dim_text(s, columns), sema_quote(s, right), sema_dim_text(s, rows));
  sema_note_operand(s, left);
  sema_note_operand(s, right);
  sema_note_sizes(s, columns, rows);
  return false;
}

bool sema_type_linear(sema *s, const ast_expr *e, const ast_expr *left, const ast_expr *right, flat_type a, flat_type b,
                      flat_type *result) {
  flat_type product = a;
  if (!sema_join_domain(s, e, a, b, &product)) return false;
  if (!sema_check_rank(s, left, a, 1) || !sema_check_rank(s, right, b, 1)) return false;
  bool is_batch_of_vectors = a.rank > 1 && b.rank == a.rank + 1;
  bool is_batch = is_batch_of_vectors || (a.rank > 2 && b.rank == a.rank);
  if (b.rank != 2 && !is_batch) {
    sema_error(s, e->span, DIAG_shape_mismatch,
               "%s is %s and %s is %s, but '@' takes [..., K] @ [K, N], [H, K] @ [H, K, N] or "
               "[H, M, K] @ [H, K, N]%s",
               sema_quote(s, left), sema_type_text(s, payload(a)), sema_quote(s, right), sema_type_text(s, payload(b)),
               b.rank == 1 ? "; 'dot' is the product of vectors" : "");
    sema_note_operand(s, right);
    return false;
  }
  for (unsigned i = 0; is_batch && i + 2 < b.rank; i++)
    if (!sema_unify(s, a.dims[i], b.dims[i], e->span, "both sides of '@' have it"))
      return wrong_shapes(s, e, left, right, a, b, i);
  dim columns = a.dims[a.rank - 1];
  dim rows = b.dims[b.rank - 2];
  if (!sema_unify(s, columns, rows, e->span, "the columns of the left side of '@' meet the rows of the right side"))
    return wrong_columns(s, e, left, right, columns, rows);
  product.dims[a.rank - 1] = b.dims[b.rank - 1];
  *result = product;
  return true;
}

bool sema_type_inner(sema *s, const ast_expr *e, const ast_expr *left, const ast_expr *right, flat_type a, flat_type b,
                     flat_type *result) {
  if (!sema_check_rank(s, left, a, 1) || !sema_check_rank(s, right, b, 1)) return false;
  dim last_a = a.dims[--a.rank];
  dim last_b = b.dims[--b.rank];
  if (!sema_unify(s, last_a, last_b, e->span, "'dot' sums over it")) {
    sema_error(s, e->span, DIAG_shape_mismatch, "%s has %s columns, but %s has %s", sema_quote(s, left),
               sema_dim_text(s, last_a), sema_quote(s, right), sema_dim_text(s, last_b));
    sema_note_operand(s, left);
    sema_note_operand(s, right);
    sema_note_sizes(s, last_a, last_b);
    return false;
  }
  return sema_type_binary(s, e, left, right, a, b, result);
}

bool sema_type_concat(sema *s, const ast_expr *e, const ast_expr *left, const ast_expr *right, flat_type a, flat_type b,
                      flat_type *result) {
  flat_type joined = a;
  if (!sema_check_rank(s, left, a, 1) || !sema_join_domain(s, e, a, b, &joined)) return false;
  bool is_equal = a.rank == b.rank;
  for (unsigned i = 0; is_equal && i + 1 < a.rank; i++)
    is_equal = sema_unify(s, a.dims[i], b.dims[i], e->span, "'concat' joins along the last dimension only");
  if (!is_equal) {
    sema_error(s, e->span, DIAG_shape_mismatch, "%s is %s, but %s is %s; all dimensions but the last must agree",
               sema_quote(s, left), sema_type_text(s, payload(a)), sema_quote(s, right), sema_type_text(s, payload(b)));
    sema_note_operand(s, left);
    sema_note_operand(s, right);
    return false;
  }
  joined.dims[a.rank - 1] = dim_add(s->dims, a.dims[a.rank - 1], b.dims[b.rank - 1]);
  *result = joined;
  return true;
}

static dim elements(sema *s, flat_type t) {
  dim product = dim_constant(s->dims, 1);
  for (unsigned i = 0; i < t.rank; i++) product = dim_multiply(s->dims, product, t.dims[i]);
  return product;
}

bool sema_type_reshape(sema *s, const ast_expr *e, const ast_expr *x, flat_type a, flat_type *result) {
  dim before = elements(s, a);
  dim after = elements(s, *result);
  result->domain = a.domain;
  result->set = a.set;
  if (sema_unify(s, before, after, e->span, "'reshape' keeps the number of elements")) return true;
  sema_error(s, e->span, DIAG_shape_mismatch, "%s is %s with %s elements, but %s has %s", sema_quote(s, x),
             sema_type_text(s, payload(a)), sema_dim_text(s, before), sema_type_text(s, payload(*result)),
             sema_dim_text(s, after));
  sema_note_operand(s, x);
  for (unsigned i = 0; i < result->rank; i++) sema_note_sizes(s, result->dims[i], result->dims[i]);
  return false;
}
