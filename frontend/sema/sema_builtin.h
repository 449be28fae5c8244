/* One call of a builtin function: what the functions that expand calls share. Internal to
 * sema_builtin*.c. */
#ifndef GNNC_FRONTEND_SEMA_SEMA_BUILTIN_H
#define GNNC_FRONTEND_SEMA_SEMA_BUILTIN_H

#include "frontend/sema/sema_state.h"

/* The arguments of one call, by parameter. */
typedef struct sema_call {
  const ast_expr *e;
  const sema_function *f;
  const ast_expr *exprs[SEMA_MAX_PARAMETERS]; /* NULL = not given */
  flat_id ids[SEMA_MAX_PARAMETERS];           /* of value and graph parameters; FLAT_NONE = not given */
  double numbers[SEMA_MAX_PARAMETERS];        /* of number parameters */
  sema_value values[SEMA_MAX_PARAMETERS];     /* of parameters of any kind */
} sema_call;

/* ---- sema_builtin_shapes.c: functions that rearrange elements ---- */

flat_id sema_make_permute(sema *s, const sema_call *c);
flat_id sema_make_expand(sema *s, const sema_call *c);
flat_id sema_make_filled(sema *s, const sema_call *c); /* ones, zeros */
flat_id sema_make_iota(sema *s, const sema_call *c);
sema_value sema_make_split(sema *s, const sema_call *c);

/* ---- sema_builtin_graphs.c: graphs that are made while the model runs ---- */

sema_value sema_make_near(sema *s, const sema_call *c); /* knn_graph, radius_graph */
flat_id sema_make_induced(sema *s, const sema_call *c);
flat_id sema_make_power(sema *s, const sema_call *c);
flat_id sema_make_top_k(sema *s, const sema_call *c);
/* The graph that a graph was made from in the first place. */
flat_id sema_caller_graph(sema *s, flat_id graph);

/* ---- sema_builtin_training.c: losses, dropout ---- */

flat_id sema_make_dropout(sema *s, const sema_call *c);
flat_id sema_make_one_hot(sema *s, const sema_call *c);
flat_id sema_make_sum_all(sema *s, const sema_call *c);
flat_id sema_make_num_rows(sema *s, const sema_call *c);
sema_value sema_make_num_columns(sema *s, const sema_call *c);

/* ---- sema_union.c: edges of several graphs ---- */

sema_value sema_make_union(sema *s, const sema_call *c);

/* ---- shared ---- */

/* False, with an error, where a function of the whole graph stands in a loop. */
bool sema_is_outside_loops(sema *s, const sema_call *c);
/* The dimension that the parameter `axis` names; negative numbers count from the end. False after
 * an error. */
bool sema_read_axis(sema *s, const sema_call *c, size_t parameter, flat_type type, unsigned *axis);
/* The value with dimension `axis` as its last one, and back. */
flat_id sema_axis_to_last(sema *s, flat_id value, unsigned axis, span where);
flat_id sema_axis_from_last(sema *s, flat_id value, unsigned axis, span where);

/* The sizes in the list [H, C]; false after an error. */
bool sema_read_shape(sema *s, const ast_expr *list, flat_type *type);

#endif
