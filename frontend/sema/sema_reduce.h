/* Reductions and folds: what the files that evaluate them share. Internal to sema*.c. */
#ifndef GNNC_FRONTEND_SEMA_SEMA_REDUCE_H
#define GNNC_FRONTEND_SEMA_SEMA_REDUCE_H

#include "frontend/sema/sema_state.h"

/* ---- sema_reduce.c: the edges at a node, the nodes of each graph ---- */

/* sum(e in n.incoming: e.a), first(3, e in n.incoming by e.w: e.a), ... */
sema_value sema_eval_reduce(sema *s, const ast_expr *e);
/* The members of a reduction in the order of `by KEY`: gnn.order, FLAT_NONE where nothing is said.
 * To be called inside of the loop; false after an error. */
bool sema_eval_order(sema *s, const ast_expr *e, const sema_loop *loop, flat_id *order);
/* "in", "out" or "graph": whose members a loop runs over. */
const char *sema_members_over(const sema_loop *loop);
/* The domain and set of a value per group: per node, or per graph. */
flat_type sema_group_type(sema *s, const sema_loop *loop, flat_type value);

/* ---- sema_reduce_known.c: relations, types of nodes, numbers ---- */

/* Members that are known when the model is compiled. */
typedef struct sema_members {
  const sema_value *items; /* relations or types of nodes; NULL: numbers */
  int64_t first, count;
} sema_members;

/* The numbers first .. last or, without `last`, the items of g.relations or g.node_types. False where they are not known,
 * which is reported unless a layer is checked by itself. */
bool sema_eval_members(sema *s, const ast_expr *first, const ast_expr *last, sema_members *out);
sema_value sema_member(sema *s, const sema_members *m, int64_t i);
/* Whether the members are known when the model is compiled: g.relations, g.node_types, 0..K. */
bool sema_has_known_members(const ast_expr *domain);
/* The reduction over such members; `reduce` is NULL after an error. */
sema_value sema_reduce_known(sema *s, const ast_expr *e, const char *reduce);

/* ---- sema_fold.c ---- */

/* fold(e in n.incoming, h = 0: ...) */
sema_value sema_eval_fold(sema *s, const ast_expr *e);

/* ---- sema_total.c: all nodes, all edges ---- */

/* The reduction of a value per node or edge of the loop over the whole graph. */
sema_value sema_reduce_all(sema *s, const sema_loop *loop, flat_id value, const char *reduce, span where);
flat_id sema_count_nodes(sema *s, flat_id graph, span where);
flat_id sema_count_edges(sema *s, flat_id graph, span where);

#endif
