/* The state of semantic analysis while it walks the tree: values, names, loops, calls. Internal to
 * sema*.c.
 *
 * One sema works through one "root" at a time (the model, then each uncalled layer, with opaque
 * arguments); one scope is one expanded layer call. An expression with an error has a poisoned
 * value, and poisoned values are accepted everywhere, so that each error is reported once. */
#ifndef GNNC_FRONTEND_SEMA_SEMA_STATE_H
#define GNNC_FRONTEND_SEMA_SEMA_STATE_H

#include "frontend/sema/sema.h"
#include "frontend/sema/sema_functions.h"
#include "frontend/sema/sema_held.h"
#include "frontend/sema/sema_map.h"

typedef enum sema_kind {
  SEMA_poison,    /* an error was reported for it */
  SEMA_nothing,   /* the result of a layer that returns nothing */
  SEMA_none,      /* the value `none`: an optional weight or argument that is absent */
  SEMA_tensor,    /* id */
  SEMA_graph,     /* id */
  SEMA_number,    /* number; size too when it is an integer */
  SEMA_size,      /* size, whose value may not be known yet */
  SEMA_function,  /* function or layer */
  SEMA_reduction, /* name: one of sema_reductions */
  SEMA_string,    /* name */
  SEMA_tuple,     /* items: the results of a layer */
  SEMA_by_type,   /* items: one value per node type, SEMA_nothing where there is none; name of an input, else NULL */
  SEMA_node_type, /* name, count: its number */
} sema_kind;

typedef struct sema_layer sema_layer;

typedef struct sema_value {
  sema_kind kind;
  flat_id id;
  double number;
  dim size;
  const char *name;
  const sema_function *function;
  sema_layer *layer;
  const struct sema_value *items;
  size_t count;
  bool is_reversed; /* of a graph: its edges are read against their direction */
} sema_value;

/* A layer of the program with results that all its calls share. */
struct sema_layer {
  const ast_layer *ast;
  bool is_expanded;   /* was checked in some call */
  bool is_scanned;    /* dims below are filled in */
  ast_name_list dims; /* names that stand in its types and are not declared otherwise */
};

/* A loop that is being expanded, or a reduction over edges. */
typedef struct sema_loop sema_loop;

typedef enum sema_end { SEMA_END_self, SEMA_END_src, SEMA_END_dst } sema_end;

/* A node as seen from the loops: n, e.src or e.dst; or the edge e itself (end self of an edge
 * loop). loop NULL = none. The ends are those of the stored edges: in a loop over reverse(g), e.src is
 * the stored destination. */
typedef struct sema_position {
  const sema_loop *loop;
  sema_end end;
} sema_position;

struct sema_loop {
  sema_loop *outer;
  const char *variable;
  span declared;
  bool is_edge;
  bool is_reduction;
  bool is_unknown;                /* after an error: it is unknown whether nodes or edges are meant */
  flat_id graph;                  /* FLAT_NONE after an error: then fields of any set are seen */
  const char *set;                /* edge set of edges, node set of nodes; NULL with FLAT_NONE */
  bool is_reversed;               /* of reverse(g): sources are the stored destinations */
  sema_position owner;            /* of `e in n.incoming`: n; else none */
  sema_end owner_end;             /* which end of e the owner is */
  bool is_group;                  /* of `d in e.dst.incoming[e.type]` */
  bool is_graphs;                 /* of `n in g.graphs.nodes`: reduced to a value per graph */
  const char *part;               /* of `n in g.nodes.paper`: its node set "g:0"; else NULL */
  const ast_statement_list *body; /* NULL for reductions */
  size_t mark;                    /* of its block */
  struct sema_binding *hidden;    /* the binding that already had the variable's name, after that error */
};

/* A value, field or weight defined at one place of the text, for all expansions of that place. */
typedef struct sema_use {
  span where;
  const char *what; /* "value 'a'" */
  bool is_used;
} sema_use;

typedef enum sema_binding_kind {
  SEMA_BINDING_let,
  SEMA_BINDING_parameter,
  SEMA_BINDING_input,
  SEMA_BINDING_weight,
  SEMA_BINDING_graph,
  SEMA_BINDING_dim,
  SEMA_BINDING_index, /* of repeat */
  SEMA_BINDING_loop,
  SEMA_BINDING_output, /* of a name that nothing else declares */
} sema_binding_kind;

typedef struct sema_binding {
  const char *name;
  span declared;
  sema_binding_kind kind;
  sema_value value;
  sema_loop *loop; /* the loop variable's own loop; of a let: the loop it was declared in, NULL outside */
  size_t stamp;    /* when its value was made, beside those of fields */
  sema_use *use;   /* of its present value; NULL = not tracked */
} sema_binding;

/* A field n.y or e.a: its latest version. */
typedef struct sema_field {
  const char *name;
  bool is_edge;
  const char *set; /* NULL = unknown after an error */
  sema_value value;
  span assigned;
  bool is_united;          /* of a part: the version for all nodes has it */
  bool is_stale;           /* of a part: the version for all nodes is newer */
  size_t stamp;            /* when it was assigned, beside those of names */
  sema_use *use;           /* NULL = not tracked */
  struct sema_field *next; /* of the same name */
} sema_field;

/* The meaning of `n` in the last loop over it, for n.y outside of loops. */
typedef struct sema_last_loop {
  bool is_unknown;
  bool is_edge;
  flat_id graph;
  const char *set;
  bool is_reversed;
} sema_last_loop;

typedef struct sema_scope {
  sema_layer *layer; /* NULL: the model */
  const char *name;
  const ast_statement_list *body;
  const char *prefix; /* of weights: "conv1" or "" */
  const flat_frame *frame;
  sema_map names;               /* -> sema_binding */
  sema_map fields;              /* -> sema_field, the first of its name */
  sema_map last_loops;          /* -> sema_last_loop */
  VEC(sema_binding *) declared; /* in order, for leaving blocks and for suggestions */
  sema_loop *loop;              /* the innermost one */
  unsigned block_depth;         /* of repeat blocks */
  bool has_graph;
  bool has_returned;
  bool is_left; /* the return stood in an `if`: what follows it is not expanded */
  sema_value result;
} sema_scope;

/* A tensor of the weights file as the model uses it. */
typedef struct sema_weight_use {
  flat_id id;
  flat_domain domain;
  span declared;
  const char *name;
  const flat_frame *frame; /* of the call that declares it */
  bool is_free;            /* its last two sizes were unbound before its own shape bound them */
} sema_weight_use;

/* A part first .. last - 1 of a dimension that must lie inside of it. */
typedef struct sema_bound {
  span where;
  const flat_frame *frame;
  dim first, last, size;
  unsigned axis;
  bool is_index;
} sema_bound;

typedef struct sema {
  arena *arena;
  diag *diag;
  const ast_program *program;
  const sema_environment *env; /* of this root: the caller's, or an empty one */
  flat_program *flat;
  dim_system *dims;
  sema_layer *root; /* the layer that is checked by itself; NULL in a model */
  sema_map layers;  /* -> sema_layer, of the user's files */
  sema_map library_layers;
  VEC(sema_layer *) layer_list;
  sema_scope *scope;
  sema_map weights;                     /* file name -> sema_weight_use, of this root */
  bool is_wrapper_reported;             /* that names in the file have a prefix */
  bool is_prefix_known;                 /* weight_prefix is set */
  size_t weight_prefix;                 /* length in bytes of the common prefix of all names in the file */
  const char *graph_set;                /* of this root: "g"; NULL before the graph is declared */
  flat_id graph;                        /* of this root; FLAT_NONE before */
  const ast_statement *graph_statement; /* of this root; NULL in a layer by itself */
  const ast_graph_type *stacked_type;   /* for which {type} stands while the name of a stacked weight is made */
  dim *part_rows;                       /* the number of nodes of each type, a symbol each */
  dim etype_count;                      /* a symbol each, of this root */
  dim ntype_count;
  size_t dropout_sites; /* of this root: calls of dropout in training */
  bool may_lack;        /* what the files lack is reported after the expansion, as only the loss may read it */
  sema_held *held;      /* where messages go now; NULL = to the user */
  VEC(sema_held *) held_back;
  bool is_check;          /* this root is checked without files: conditions may be unknown */
  size_t steps;           /* statements and values of this root */
  size_t expansions;      /* calls of layers of this root */
  size_t clock;           /* numbers definitions of names and fields */
  unsigned depth;         /* of recursion */
  bool is_stopped;        /* a limit was hit: nothing more is expanded */
  VEC(sema_bound) bounds; /* of this root: those whose sizes are not known yet */
  VEC(sema_use *) uses;
  sema_map uses_by_place;
  /* reporting */
  sema_map reported; /* place and id of each message */
  bool is_silent;    /* the error just reported was a repetition: its notes are dropped */
  bool has_pending;  /* the notes of calls of the last error are not reported yet */
  const flat_frame *pending;
} sema;

enum {
  SEMA_MAX_STEPS = 1000000,
  SEMA_STEPS_OF_AN_ERROR = 100, /* the search for near names takes time, also for a silent repetition */
  SEMA_MAX_VALUES = 500000,
  SEMA_MAX_REPEAT = 100000,
  SEMA_MAX_EXPANSIONS = 50000,
  SEMA_MAX_CALL_DEPTH = 100,
  SEMA_MAX_DEPTH = 2500
};

/* ---- sema_report.c ---- */

/* An error or warning at a place; notes that explain it follow with sema_note. The calls that led
 * here are noted last, by sema_flush, which the next error and the end of each statement call. The
 * same id at the same place is reported once. */
void sema_error(sema *s, span where, diag_id id, const char *format, ...) __attribute__((format(printf, 4, 5)));
void sema_error_v(sema *s, const flat_frame *frame, const char *key, span where, diag_id id, const char *format,
                  va_list args) __attribute__((format(printf, 6, 0)));
/* The same in the call `frame`, once per `key` instead of once per place when key is given. */
void sema_error_in(sema *s, const flat_frame *frame, const char *key, span where, diag_id id, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void sema_note(sema *s, span where, const char *format, ...) __attribute__((format(printf, 3, 4)));
void sema_flush(sema *s);
/* "; did you mean 'x'?" in the arena, or "". */
const char *sema_suggest(sema *s, const char *name, const char *const *candidates, size_t count);
/* Describes a value, in the arena: "node f32[64]", "a graph", "the number 3", ... */
const char *sema_describe(sema *s, sema_value v);
const char *sema_type_text(sema *s, flat_type type);
const char *sema_dim_text(sema *s, dim d);
/* The text of an expression in quotes, shortened; in the arena. */
const char *sema_quote(sema *s, const ast_expr *e);
/* Notes where an operand was declared or assigned, when it is a name or a field. */
void sema_note_operand(sema *s, const ast_expr *e);
/* Adds notes with the origins of the bindings of the symbols in these sizes. */
void sema_note_sizes(sema *s, dim a, dim b);
/* Reports deferred equations that proved false. */
void sema_report_failures(sema *s);

/* ---- sema_scope.c ---- */

sema_value sema_poisoned(void);
sema_value sema_from_id(const sema *s, flat_id id);
sema_value sema_from_size(sema *s, dim size);
sema_value sema_from_number(sema *s, double number, bool is_integer);
/* The visible binding of a name, or NULL. */
sema_binding *sema_find_name(const sema_scope *scope, const char *name);
/* An output as a value for statements behind it, where no name or field is called so; NULL if none. */
const sema_binding *sema_find_output(sema *s, const char *name);
/* Declares a name in the current block, reporting redeclaration and shadowing; returns the binding
 * also then (not entered). */
sema_binding *sema_declare(sema *s, ast_name name, sema_binding_kind kind, sema_value value);
/* Open and close a block: closing removes the names declared after `mark`. */
size_t sema_open_block(const sema_scope *scope);
void sema_close_block(sema_scope *scope, size_t mark);
const char *sema_binding_text(sema_binding_kind kind); /* "a weight", "an input", ... */
/* The field of that name on nodes or edges of a set, or NULL; set NULL = any. */
sema_field *sema_find_field(const sema_scope *scope, const char *name, bool is_edge, const char *set);
sema_field *sema_set_field(sema *s, const char *name, bool is_edge, const char *set, sema_value value, span assigned);
/* The same in a given scope; versions for parts stay as they are. */
sema_field *sema_enter_field(sema *s, sema_scope *scope, const char *name, bool is_edge, const char *set,
                             sema_value value, span assigned);
/* The layer of the program, or NULL. */
sema_layer *sema_find_layer(const sema *s, const char *name);

/* ---- sema_newest.c: one name for a value and a field ---- */

/* Returns the visible name that n.NAME or e.NAME reads on a set because no field is newer, or NULL
 * when it reads the field. `loop` is the loop of the variable n or e itself; NULL for ends of edges
 * and outside of loops. */
const sema_binding *sema_newest_name(sema *s, const char *name, bool is_edge, const char *set, const sema_loop *loop);
/* Call before a field is assigned at some nodes: the other nodes keep the values of the newest
 * name. */
void sema_keep_newest(sema *s, const char *name, const char *part);
/* Warn, outside of the library, of a `let` with the name of a field, a field with the name of a
 * `let`, and a read of such a name in a loop. */
void sema_warn_let(sema *s, const sema_binding *binding);
void sema_warn_field(sema *s, const ast_expr *target, bool is_edge, const char *set);
void sema_warn_read(sema *s, const ast_expr *e, const sema_binding *binding, bool is_edge, const char *set);
bool sema_is_in_library(const sema *s); /* the statement that is run */

/* ---- sema_use.c: values that nothing uses ---- */

/* Returns the use record of a definition at a place; NULL in layers of the library and for names
 * that begin with '_'. */
sema_use *sema_track(sema *s, span where, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void sema_mark(sema_use *use);
/* Marks every visible name as used, for a block that is not expanded. */
void sema_mark_visible(const sema_scope *scope);
void sema_warn_unused_values(sema *s);

/* ---- sema_build.c ---- */

flat_value *sema_flat(const sema *s, flat_id id);
/* The type of a value. FLAT_NONE, which occurs once the analysis is stopped, is a scalar. */
flat_type sema_type(const sema *s, flat_id id);
/* Appends a value. Stops the analysis with an error when the program grows too large. */
flat_id sema_add(sema *s, flat_op op, flat_type type, span where, const flat_id *operands, size_t operand_count);
void sema_add_string(sema *s, flat_id id, const char *name, const char *value);
void sema_add_number(sema *s, flat_id id, const char *name, double value);
void sema_add_size(sema *s, flat_id id, const char *name, dim value);
void sema_add_integer(sema *s, flat_id id, const char *name, int64_t value);
void sema_add_whole(sema *s, flat_id id, const char *name, dim value); /* a size as an integer */
void sema_add_sizes(sema *s, flat_id id, const char *name, const dim *values, unsigned count);
void sema_add_flag(sema *s, flat_id id, const char *name);
/* An attribute that repeats the dims of the value's type. */
void sema_add_shape(sema *s, flat_id id, const char *name);
/* "g" for "g.replace". */
const char *sema_node_set(sema *s, const char *set);
/* Whether a set is made while the model runs, or from such a set: "g.knn_0". */
bool sema_is_run_set(const char *set);
/* Names the values made since `first` after the target of their assignment. */
void sema_name_result(sema *s, sema_value v, size_t first, const char *name);
/* The value as a tensor: numbers and sizes become constants. False after an error or for poison. */
bool sema_as_tensor(sema *s, sema_value v, const ast_expr *e, flat_id *id);
flat_id sema_gather(sema *s, flat_id graph, flat_id value, sema_end end, span where);
flat_id sema_degree(sema *s, flat_id graph, const char *direction, span where);
flat_id sema_activation(sema *s, const char *function, flat_id x, span where);
/* A plain value as a value per node or per edge of the graph; others are returned as they are. */
flat_id sema_spread(sema *s, flat_id value, bool is_edge, flat_id graph, span where);
flat_id sema_aggregate(sema *s, flat_id graph, flat_id value, const char *reduce, const char *direction, span where);

/* ---- sema_type.c: result types; false after an error ---- */

/* States that two sizes are equal; false when they cannot be. Nothing is reported. `reason` is text
 * for later notes. */
bool sema_unify(sema *s, dim a, dim b, span where, const char *reason);
bool sema_join_domain(sema *s, const ast_expr *where, flat_type a, flat_type b, flat_type *result);
/* Element by element: leading dimensions aligned. `left` and `right` are the operands as written,
 * for messages. */
bool sema_type_binary(sema *s, const ast_expr *e, const ast_expr *left, const ast_expr *right, flat_type a, flat_type b,
                      flat_type *result);
bool sema_type_linear(sema *s, const ast_expr *e, const ast_expr *left, const ast_expr *right, flat_type a, flat_type b,
                      flat_type *result);
bool sema_type_inner(sema *s, const ast_expr *e, const ast_expr *left, const ast_expr *right, flat_type a, flat_type b,
                     flat_type *result);
bool sema_type_concat(sema *s, const ast_expr *e, const ast_expr *left, const ast_expr *right, flat_type a, flat_type b,
                      flat_type *result);
bool sema_type_reshape(sema *s, const ast_expr *e, const ast_expr *x, flat_type a, flat_type *result);
/* rank >= least, else an error. */
bool sema_check_rank(sema *s, const ast_expr *e, flat_type a, unsigned least);

/* ---- sema_dim.c ---- */

/* An integer expression over dimension names; NULL after an error. */
dim sema_eval_dim(sema *s, const ast_expr *e);
/* The same, and an error when it is known to be less than 1. */
dim sema_eval_size(sema *s, const ast_expr *e);
/* The value of an integer expression that must be known now; false after an error. `what` as in
 * "the bound of repeat".
 */
bool sema_eval_known(sema *s, const ast_expr *e, const char *what, int64_t *value);
/* Dims of a type as written; false after an error (bad dims are NULL then). */
bool sema_eval_type(sema *s, const ast_type *t, flat_type *out);
/* The --dim of that name, NULL if none. */
const sema_dim_option *sema_find_dim_option(const sema *s, const char *name);
/* Returns a new dimension of the model or layer; --dim binds those of the model. */
dim sema_new_dim(sema *s, ast_name name);
/* Declares the dimensions that types of the body (and parameters) name. */
void sema_declare_dims(sema *s, const ast_name_list *names);
void sema_scan_dims(sema *s, const ast_parameter_list *parameters, const ast_statement_list *body, ast_name_list *out);

/* ---- sema_finish.c, sema_opaque.c ---- */

/* Call after the whole model is expanded: replaces all sizes by numbers and reports unbound
 * dimensions. */
void sema_finish_dims(sema *s);
void sema_check_dim_options(sema *s);                       /* reports those that name no dimension of the model */
void sema_declare_opaque(sema *s, const sema_layer *layer); /* parameters of an uncalled layer, by their types */

/* ---- sema_loss.c: training ---- */

/* Without training takes out the loss and what only the loss reads, and reports what the files lack of the rest. */
void sema_finish_loss(sema *s);
/* Checks that the inputs whose gradients are asked for are there. */
void sema_check_gradients(sema *s, span where);
/* Holds messages back where only the loss may read what they are about; false where that cannot be. */
bool sema_hold(sema *s);
sema_held *sema_release(sema *s);                          /* the end of sema_hold; NULL where nothing was held back */
void sema_keep_held(sema *s, sema_held *held, flat_id id); /* they are about this value */
/* How training begins with a weight or input, and whether it changes it. */
void sema_set_training(sema *s, flat_id id, const ast_training *training, flat_type declared);

/* ---- sema_expr.c ---- */

sema_value sema_eval(sema *s, const ast_expr *e);
/* The same for an expression that must be a tensor; false after an error. */
bool sema_eval_tensor(sema *s, const ast_expr *e, flat_id *id);
/* Element by element operation on two values, as in `n.y /= e`. */
sema_value sema_eval_operator(sema *s, const ast_expr *e, ast_binary op, const ast_expr *left_text, sema_value left,
                              const ast_expr *right_text, sema_value right);

/* ---- sema_view.c: elements of a value ---- */

/* x[2], x[0..F] where no subscript depends on a loop. */
sema_value sema_eval_subscripts(sema *s, const ast_expr *e, flat_id value);
/* The items of a list side by side along a new first dimension. */
sema_value sema_stack(sema *s, const ast_expr *e);
/* Reports a part that does not lie inside of its dimension, now or when all sizes are known; false
 * after an error. */
bool sema_require_bound(sema *s, sema_bound bound);
void sema_check_bounds(sema *s);

/* ---- sema_lookup.c: integers ---- */

/* Whether the value is integers: an integer input, or elements of one. */
bool sema_is_integer(const sema *s, sema_value v);
/* Integers as f32; other values as they are. */
sema_value sema_convert(sema *s, sema_value v, span where);
/* Whether a subscript is a value, which picks a row when the model runs. */
bool sema_is_lookup(sema *s, const ast_expr *e);
/* W[n.z], W[min(n.in_degree, 4)]: the row of a plain tensor. */
sema_value sema_eval_lookup(sema *s, const ast_expr *e, sema_value base);

/* ---- sema_choice.c: what is known when the model is compiled ---- */

sema_value sema_eval_choice(sema *s, const ast_expr *e);
/* The chosen side of `a if c else b`; NULL where it is not known, which is reported. */
const ast_expr *sema_choose(sema *s, const ast_expr *e);
void sema_run_if(sema *s, const ast_statement *st);
/* The literals none, true and false. False for other names. */
bool sema_find_literal(sema *s, const char *name, sema_value *out);
/* Whether the parameter may be none. */
bool sema_is_optional(const ast_parameter *p);

/* ---- sema_position.c ---- */

/* Returns true when the expression is a position of a loop: n, e.src, e.dst, or e. Nothing is
 * reported when it is none. */
bool sema_as_position(sema *s, const ast_expr *e, sema_position *out);
bool sema_position_is_edge(sema_position p);
/* The stored end that a loop calls src, or dst. */
sema_end sema_stored_end(bool is_reversed, bool is_src);
sema_value sema_eval_field(sema *s, const ast_expr *e);
/* True for a name that is one of two. */
bool sema_is_either(const char *name, const char *a, const char *b);
/* Converts a value read at a position to the innermost loop: node values are gathered, edge values
 * must belong to the loop's own edge. */
sema_value sema_bring(sema *s, sema_position p, sema_value v, span where);
const char *sema_position_text(sema *s, sema_position p); /* "n", "e.src" */
/* The set from which values at this position are read: of n in g.nodes.paper, and of the ends of edges of a relation,
 * the part. NULL after an error. */
const char *sema_position_set(sema *s, sema_position p);
sema_value sema_eval_index(sema *s, const ast_expr *e);
sema_value sema_eval_name(sema *s, const ast_expr *e);
/* Converts a value of a node position to the innermost loop; SEMA_poison after an error. */
sema_value sema_bring_node(sema *s, sema_position p, flat_id value, span where);

/* ---- sema_domain.c: what loops run over ---- */

/* Fills in the loop from its domain; false after an error, and then the loop can still be used. */
bool sema_eval_domain(sema *s, const ast_expr *domain, sema_loop *loop);
void sema_enter_loop(sema *s, sema_loop *loop, ast_name variable);
void sema_leave_loop(sema *s, sema_loop *loop);

/* ---- sema_call.c, sema_layer.c, sema_builtin.c ---- */

sema_value sema_eval_call(sema *s, const ast_expr *e);
sema_value sema_expand_layer(sema *s, const ast_expr *call, sema_layer *layer);
/* A scope for the body of a layer; `prefix` of its weights, `frame` is NULL without a call. */
sema_scope *sema_new_scope(sema *s, sema_layer *layer, const char *prefix, const flat_frame *frame);
sema_value sema_apply_function(sema *s, const ast_expr *call, const sema_function *f);
/* "conv1" + "." + "lin.weight"; either may be empty. */
const char *sema_join_names(sema *s, const char *prefix, const char *name);
/* Puts values in place of {k}; NULL after an error. */
const char *sema_interpolate(sema *s, const char *pattern, span where);
/* Assigns parameters to arguments by position and name; `out` has one entry per parameter, NULL =
 * not given. */
bool sema_match_arguments(sema *s, const ast_expr *call, const char *callee, span declared,
                          const char *const *parameters, const bool *is_required, size_t count,
                          const ast_argument **out);

/* ---- sema_statement.c, sema_loop.c, sema_weight.c ---- */

void sema_run_block(sema *s, const ast_statement_list *body);
void sema_run_statement(sema *s, const ast_statement *st);
void sema_run_for(sema *s, const ast_statement *st);
void sema_run_assign(sema *s, const ast_statement *st);
void sema_run_input(sema *s, const ast_statement *st);
void sema_run_weight(sema *s, const ast_statement *st);
/* Stores a new version of the variable or field that an inout argument names. */
void sema_store(sema *s, const ast_expr *target, sema_value v);
void sema_warn_unused_weights(sema *s, span where);
/* The prefix that all names in the file have and this one lacks, "module."; NULL where there is none. */
const char *sema_weight_wrapper(sema *s, const char *name);
/* Returns a suggestion for a name that the file does not have: "; did you mean 'x'?", or "". */
const char *sema_suggest_weight(sema *s, const char *name);
/* The first statement in the body that assigns a field of this name, NULL if none. With an edge
 * loop whose body it is: the first one that accumulates the field at a node. */
const ast_statement *sema_find_assignment(const ast_statement_list *body, const char *field,
                                          const sema_loop *accumulating);

/* Counts a step; false when the analysis has to stop. */
bool sema_step(sema *s, span where);

#endif
