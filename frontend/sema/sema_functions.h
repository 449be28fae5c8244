/* The table of builtin functions, the functions of support/elementwise.def and functions.def as
 * data: for checking calls, suggestions and documentation. */
#ifndef GNNC_FRONTEND_SEMA_SEMA_FUNCTIONS_H
#define GNNC_FRONTEND_SEMA_SEMA_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum sema_parameter_kind {
  SEMA_PARAMETER_value,    /* a tensor of any domain, or a number */
  SEMA_PARAMETER_graph,    /* a graph */
  SEMA_PARAMETER_number,   /* a number that is known when the model is compiled */
  SEMA_PARAMETER_shape,    /* [H, C] */
  SEMA_PARAMETER_size,     /* K; for split also a list */
  SEMA_PARAMETER_integers, /* integers, or a value */
  SEMA_PARAMETER_any,      /* a value of any kind, also none */
  SEMA_PARAMETER_values,   /* all further arguments, or a list of them */
} sema_parameter_kind;

typedef struct sema_parameter {
  const char *name;
  sema_parameter_kind kind;
  bool is_required;
  double fallback;
} sema_parameter;

/* The function of sema_builtin.c that expands a call. */
typedef enum sema_handler {
  SEMA_HANDLER_unary,
  SEMA_HANDLER_binary,
  SEMA_HANDLER_prelu,
  SEMA_HANDLER_identity,
  SEMA_HANDLER_float,
  SEMA_HANDLER_softmax,
  SEMA_HANDLER_argmax,
  SEMA_HANDLER_reduce,
  SEMA_HANDLER_select,
  SEMA_HANDLER_linear_map,
  SEMA_HANDLER_inner,
  SEMA_HANDLER_outer,
  SEMA_HANDLER_concat,
  SEMA_HANDLER_reshape,
  SEMA_HANDLER_transpose,
  SEMA_HANDLER_row_normalize,
  SEMA_HANDLER_normalize,
  SEMA_HANDLER_pool,
  SEMA_HANDLER_self_loops,
  SEMA_HANDLER_extend_edges,
  SEMA_HANDLER_has,
  SEMA_HANDLER_reverse,
  SEMA_HANDLER_near,
  SEMA_HANDLER_top_k,
  SEMA_HANDLER_induced,
  SEMA_HANDLER_power,
  SEMA_HANDLER_union,
  SEMA_HANDLER_split,
  SEMA_HANDLER_permute,
  SEMA_HANDLER_expand,
  SEMA_HANDLER_filled,
  SEMA_HANDLER_iota,
  SEMA_HANDLER_dropout,
  SEMA_HANDLER_one_hot,
  SEMA_HANDLER_sum_all,
  SEMA_HANDLER_num_rows,
  SEMA_HANDLER_num_columns,
  SEMA_HANDLER_count
} sema_handler;

enum { SEMA_MAX_PARAMETERS = 6 }; /* of a function; the table has room for one more, an empty one */

typedef struct sema_function {
  const char *name;
  sema_handler handler;
  const char *op;
  const char *summary;
  sema_parameter parameters[SEMA_MAX_PARAMETERS + 1]; /* the one after the last has no name */
} sema_function;

/* All functions in the order of the table, and one by name (NULL if none). */
const sema_function *sema_function_table(size_t *count);
const sema_function *sema_function_find(const char *name);

size_t sema_function_arity(const sema_function *f);

/* The reductions that a parameter may stand for, up to NULL: sum, mean, max, min, prod, median. */
extern const char *const sema_reductions[];
bool sema_is_reduction(const char *name);

#endif
