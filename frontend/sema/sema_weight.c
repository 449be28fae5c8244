/* Declares weights and inputs: finds their names in the files and unifies their declared shapes
 * with the shapes in the files.
 *
 *   weight W : f32[F, H] from "lin.weight" transposed;   in "conv1": the file's conv1.lin.weight is [H, F]; its sizes
 * bind H and F */
#include "frontend/sema/sema_kinds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "[16, 1433]" */
static const char *shape_text(sema *s, const sema_tensor *t, unsigned first) {
  text out = {0};
  text_append(&out, "[");
  for (unsigned i = first; i < t->rank; i++) text_printf(&out, "%s%" PRId64, i > first ? ", " : "", t->dims[i]);
  text_append(&out, "]");
  return text_keep(&out, s->arena);
}

static bool is_float(const char *dtype) {
  return !strcmp(dtype, "F32") || !strcmp(dtype, "F16") || !strcmp(dtype, "BF16") || !strcmp(dtype, "F64");
}

/* I64, U8, BOOL, ...: whole numbers of any size. */
static bool is_integer(const char *dtype) {
  return *dtype == 'I' || *dtype == 'U' || !strcmp(dtype, "BOOL");
}

static void swap_last(flat_type *t) {
  if (t->rank < 2) return;
  dim last = t->dims[t->rank - 1];
  t->dims[t->rank - 1] = t->dims[t->rank - 2];
  t->dims[t->rank - 2] = last;
}

static bool is_typed(flat_type t) {
  return t.domain == FLAT_DOMAIN_etype || t.domain == FLAT_DOMAIN_ntype;
}

/* ---- against the files ---- */

/* A comparison of the file's sizes with the declared ones, from dimension `first` of the file on;
 * `leading` is the required size of dimension 0 when first is 1. */
typedef struct comparison {
  const char *what; /* "weight" or "input" */
  const char *name; /* in the file */
  const char *file;
  span declared;
  diag_id id;
  dim leading;
  const char *leading_text; /* "nodes" */
  bool takes_integers;      /* a field of the graph, which becomes f32 */
  const char *swapped_hint; /* the hint when the last two sizes are swapped */
} comparison;

static bool matches(sema *s, const comparison *c, const sema_tensor *t, flat_type declared, unsigned *bad) {
  unsigned first = c->leading ? 1 : 0;
  const char *reason = arena_printf(s->arena, "'%s' in %s is %s", c->name, c->file, shape_text(s, t, 0));
  *bad = UINT32_MAX;
  if (t->rank != declared.rank + first) return false;
  if (s->held && first && !sema_unify(s, c->leading, dim_constant(s->dims, t->dims[0]), c->declared, reason))
    return false; /* before it binds sizes */
  for (unsigned i = first; i < t->rank; i++) {
    if (t->dims[i] >= 1 &&
        sema_unify(s, declared.dims[i - first], dim_constant(s->dims, t->dims[i]), c->declared, reason))
      continue;
    *bad = i - first;
    return false;
  }
  return !first || sema_unify(s, c->leading, dim_constant(s->dims, t->dims[0]), c->declared, reason);
}

static const char *declared_shape(sema *s, flat_type t, const comparison *c) {
  text out = {0};
  text_append(&out, "[");
  int64_t rows = 0;
  if (c->leading && dim_value(s->dims, c->leading, &rows)) text_printf(&out, "%" PRId64 " ", rows);
  if (c->leading) text_append(&out, c->leading_text);
  for (unsigned i = 0; i < t.rank; i++) {
    if (i || c->leading) text_append(&out, ", ");
    dim_print(s->dims, t.dims[i], &out);
  }
  text_append(&out, "]");
  return text_keep(&out, s->arena);
}

/* Whether the sizes that are bound already equal those of the file. */
static bool agrees(sema *s, const sema_tensor *t, flat_type declared, unsigned first) {
  int64_t value = 0;
  if (declared.rank < 2 || t->rank != declared.rank + first) return false;
  for (unsigned i = first; i < t->rank; i++)
    if (dim_value(s->dims, declared.dims[i - first], &value) && value != t->dims[i]) return false;
  return true;
}

/* Whether the file has the last two sizes swapped. The check comes before any size is bound to the
 * tensor; the sizes are then bound in the declared order, so that this is the only error. */
static bool is_swapped(sema *s, const comparison *c, const sema_tensor *t, flat_type declared) {
  unsigned first = c->leading ? 1 : 0;
  flat_type swapped = declared;
  unsigned bad = 0;
  swap_last(&swapped);
  if (!*c->swapped_hint || t->rank != declared.rank + first || agrees(s, t, declared, first)) return false;
  return agrees(s, t, swapped, first) && matches(s, c, t, swapped, &bad);
}

/* ---- a weight that bound sizes the wrong way round ---- */

/* Returns the length in bytes of the common prefix of two names. */
static size_t common_prefix(const char *a, const char *b) {
  size_t length = 0;
  while (a[length] && a[length] == b[length]) length++;
  return length;
}

static bool has_last_two(const sema_tensor *t, int64_t a, int64_t b) {
  int64_t rows = t->dims[t->rank - 2], columns = t->dims[t->rank - 1];
  return (rows == a && columns == b) || (rows == b && columns == a);
}

/* Finds an earlier weight whose last two sizes were bound by its own shape alone and are `expected`
 * and `found`. Returns the one with the most similar name, or NULL. */
static const sema_weight_use *find_swapped_before(sema *s, const char *name, int64_t expected, int64_t found,
                                                  sema_tensor *out) {
  const sema_weight_use *best = NULL;
  for (size_t i = 0; i < s->env->weight_count; i++) {
    const char *other = s->env->weight_names[i];
    const sema_weight_use *use = sema_map_get(&s->weights, other);
    sema_tensor t = {0};
    if (!use || !use->is_free || !s->env->find_weight(s->env->user, other, &t)) continue;
    if (t.rank < 2 || !has_last_two(&t, expected, found)) continue;
    if (best && common_prefix(other, name) <= common_prefix(best->name, name)) continue;
    best = use;
    *out = t;
  }
  return best;
}

/* Reports an earlier weight that bound its sizes in the wrong order. The sizes are wrong from there
 * on, so the analysis stops. */
static bool report_swapped_before(sema *s, const comparison *c, const sema_tensor *t, unsigned at, dim declared) {
  int64_t expected = 0;
  sema_tensor other = {0};
  if (!*c->swapped_hint || !dim_value(s->dims, declared, &expected) || expected == t->dims[at]) return false;
  const sema_weight_use *use = find_swapped_before(s, c->name, expected, t->dims[at], &other);
  if (!use) return false;
  const char *found = shape_text(s, &other, 0);
  int64_t rows = other.dims[other.rank - 2];
  other.dims[other.rank - 2] = other.dims[other.rank - 1];
  other.dims[other.rank - 1] = rows;
  sema_error_in(s, use->frame, use->name, use->declared, c->id,
                "weight '%s' is %s in %s; transposed? As %s it would fit '%s', which is %s", use->name, found, c->file,
                shape_text(s, &other, 0), c->name, shape_text(s, t, 0));
  s->is_stopped = true;
  return true;
}

static bool compare(sema *s, const comparison *c, const sema_tensor *t, flat_type declared) {
  unsigned bad = 0;
  bool is_whole = is_integer(t->dtype) && t->storage == SEMA_STORAGE_dense;
  bool is_fit = declared.is_integer ? is_whole : is_float(t->dtype) || (c->takes_integers && is_whole);
  if (!is_fit) {
    sema_error_in(s, s->scope->frame, c->name, c->declared, DIAG_weight_dtype, "%s '%s' holds %s%s in %s; expected %s",
                  c->what, c->name, t->storage == SEMA_STORAGE_sparse ? "sparse " : "", t->dtype, c->file,
                  declared.is_integer ? "whole numbers: I64, I32, I16, U8 or BOOL"
                  : c->takes_integers ? "numbers: F32, F16, BF16, F64, I64, I32, I16, U8 or BOOL"
                                      : "F32, F16, BF16 or F64");
    return false;
  }
  if (is_swapped(s, c, t, declared)) {
    sema_error_in(s, s->scope->frame, c->name, c->declared, c->id, "%s '%s' is %s in %s, but the model needs %s%s",
                  c->what, c->name, shape_text(s, t, 0), c->file, declared_shape(s, declared, c), c->swapped_hint);
    return false;
  }
  if (matches(s, c, t, declared, &bad)) return true;
  unsigned first = c->leading ? 1 : 0;
  if (bad < declared.rank && report_swapped_before(s, c, t, bad + first, declared.dims[bad])) return false;
  sema_error_in(s, s->scope->frame, c->name, c->declared, c->id, "%s '%s' is %s in %s, but the model needs %s", c->what,
                c->name, shape_text(s, t, 0), c->file, declared_shape(s, declared, c));
  if (bad < declared.rank)
    sema_note_sizes(s, declared.dims[bad], declared.dims[bad]);
  else if (bad == UINT32_MAX && t->rank == declared.rank + first)
    sema_note_sizes(s, c->leading, c->leading);
  return false;
}

/* Records the source that could give the sizes, for the message "unbound dimension". */
static void hint_sizes(sema *s, flat_type t, const char *hint) {
  for (unsigned i = 0; i < t.rank; i++) {
    dim d = dim_resolve(s->dims, t.dims[i]);
    for (uint32_t j = 0; d && j < d->count; j++)
      for (uint32_t k = 0; k < d->terms[j].degree; k++) {
        dim_symbol *symbol = &s->dims->symbols.items[d->terms[j].symbols[k]];
        if (!symbol->hint) symbol->hint = hint;
      }
  }
}

/* ---- weights ---- */

static void missing_weight(sema *s, const ast_statement *st, const char *name) {
  const sema_environment *env = s->env;
  const char *wrapper = sema_weight_wrapper(s, name);
  if (wrapper && s->is_wrapper_reported) return;
  if (wrapper) {
    s->is_wrapper_reported = !s->held;
    sema_error_in(s, NULL, name, st->weight.name.span, DIAG_missing_weight,
                  "the names of all tensors in %s begin with '%s'; strip it: {k.removeprefix(\"%s\"): v for k, v in "
                  "state.items()}",
                  env->weights_file, wrapper, wrapper);
    return;
  }
  sema_error_in(s, s->scope->frame, name, st->weight.name.span, DIAG_missing_weight,
                "%s has no tensor '%s' for weight '%s'%s", env->weights_file, name, st->weight.name.text,
                sema_suggest_weight(s, name));
  if (env->weight_count == 0 || env->weight_count > 12) return;
  text list = {0};
  for (size_t i = 0; i < env->weight_count; i++) text_printf(&list, "%s%s", i ? ", " : "", env->weight_names[i]);
  sema_note(s, st->weight.name.span, "it has %s", text_str(&list));
  text_free(&list);
}

/* The tensor in the file's shape: one value per name, however often it is declared. */
static flat_id use_weight(sema *s, const ast_statement *st, const char *name, flat_type type, bool is_free) {
  sema_weight_use *use = sema_map_get(&s->weights, name);
  span where = st->weight.name.span;
  if (!use || use->id == FLAT_NONE) {
    use = arena_alloc(s->arena, sizeof *use);
    *use = (sema_weight_use){
        sema_add(s, FLAT_weight, type, where, NULL, 0), type.domain, where, name, s->scope->frame, is_free};
    if (use->id == FLAT_NONE) return FLAT_NONE;
    flat_value *v = sema_flat(s, use->id);
    v->name = sema_stack_label(s, st, name);
    v->from = name;
    v->count = type.domain == FLAT_DOMAIN_etype   ? s->etype_count
               : type.domain == FLAT_DOMAIN_ntype ? s->ntype_count
                                                  : NULL;
    sema_map_set(s->arena, &s->weights, name, use);
    return use->id;
  }
  flat_type before = sema_type(s, use->id);
  bool is_same = use->domain == type.domain && before.rank == type.rank;
  for (unsigned i = 0; is_same && i < type.rank; i++)
    is_same = sema_unify(s, type.dims[i], before.dims[i], where,
                         arena_printf(s->arena, "weight '%s' is declared twice", name));
  if (is_same) return use->id;
  sema_error(s, where, DIAG_weight_shape, "weight '%s' is %s here, but %s where it is declared first", name,
             sema_type_text(s, type), sema_type_text(s, before));
  sema_note(s, use->declared, "it is declared here first");
  return FLAT_NONE;
}

static bool check_weight_type(sema *s, const ast_statement *st) {
  ast_type_kind kind = st->weight.type.kind;
  if (st->weight.type.is_integer) {
    sema_error(s, st->weight.type.span, DIAG_type_mismatch, "a weight is f32; integers are inputs");
    return false;
  }
  if (kind == AST_TYPE_tensor || kind == AST_TYPE_etype || kind == AST_TYPE_ntype) return true;
  if (kind == AST_TYPE_node || kind == AST_TYPE_edge)
    sema_error(s, st->weight.type.span, DIAG_type_mismatch,
               "a weight with a row per %s is an input: 'input %s : %s ... from \"%s\"'",
               kind == AST_TYPE_node ? "node" : "edge", st->weight.name.text, kind == AST_TYPE_node ? "node" : "edge",
               st->weight.from ? st->weight.from : st->weight.name.text);
  else
    sema_error(s, st->weight.type.span, DIAG_type_mismatch,
               "a weight is a tensor, one for all or one per etype or ntype");
  return false;
}

/* Checks that a weight per type has at least as many rows as the graph has types. */
static bool covers_types(sema *s, const ast_statement *st, const char *name, flat_type declared, int64_t rows) {
  bool is_edge = declared.domain == FLAT_DOMAIN_etype;
  int64_t types = is_edge ? s->env->num_edge_types : s->env->num_node_types;
  if (types <= rows) return true;
  sema_error_in(s, s->scope->frame, name, st->weight.name.span, DIAG_graph_mismatch,
                "weight '%s' is for %" PRId64 " %s types, but %s has %" PRId64, name, rows, is_edge ? "edge" : "node",
                s->env->graph_file, types);
  return false;
}

/* Whether neither of the last two sizes is known. */
static bool has_no_last_two(sema *s, flat_type t) {
  int64_t value = 0;
  return t.rank >= 2 && !dim_value(s->dims, t.dims[t.rank - 2], &value) &&
         !dim_value(s->dims, t.dims[t.rank - 1], &value);
}

/* Makes the weight in the shape that the model uses from the file's tensor. */
static flat_id load_weight(sema *s, const ast_statement *st, const char *name, flat_type declared) {
  flat_type stored = declared;
  if (st->weight.is_transposed && declared.rank < 2) {
    sema_error(s, st->weight.name.span, DIAG_shape_mismatch,
               "only a weight with at least 2 dimensions can be 'transposed'; '%s' has %u", st->weight.name.text,
               declared.rank);
    return FLAT_NONE;
  }
  if (st->weight.is_transposed) swap_last(&stored);
  sema_tensor tensor = {0};
  bool is_missing = s->env->weights_file && !s->env->find_weight(s->env->user, name, &tensor);
  bool is_held = is_missing && sema_hold(s);
  if (is_missing) missing_weight(s, st, name);
  if (is_missing && !is_held) return FLAT_NONE;
  comparison c = {.what = "weight",
                  .name = name,
                  .file = s->env->weights_file,
                  .declared = st->weight.name.span,
                  .id = DIAG_weight_shape};
  c.swapped_hint = sema_is_in_library(s)      ? "; transposed?"
                   : st->weight.is_transposed ? "; it fits without 'transposed'"
                                              : "; it fits as 'transposed'";
  bool is_free = has_no_last_two(s, stored);
  if (is_typed(declared)) {
    c.leading = declared.domain == FLAT_DOMAIN_etype ? s->etype_count : s->ntype_count;
    c.leading_text = declared.domain == FLAT_DOMAIN_etype ? "edge types" : "node types";
  }
  bool is_found = s->env->weights_file && !is_missing;
  if (is_found && !compare(s, &c, &tensor, stored)) return FLAT_NONE;
  if (is_found && is_typed(declared) && !covers_types(s, st, name, declared, tensor.dims[0])) return FLAT_NONE;
  hint_sizes(s, stored, arena_printf(s->arena, "tensor '%s' of the weights", name));
  sema_held *held = sema_release(s);
  flat_id id = use_weight(s, st, name, stored, is_free);
  sema_keep_held(s, held, id);
  if (id != FLAT_NONE) sema_set_training(s, id, &st->weight.training, declared);
  if (id != FLAT_NONE && !st->weight.default_value) sema_flat(s, id)->is_required = true;
  if (id == FLAT_NONE || !st->weight.is_transposed) return id;
  return sema_add(s, FLAT_transpose, declared, st->weight.name.span, &id, 1);
}

static bool has_tensor(sema *s, const char *name) {
  sema_tensor tensor = {0};
  return s->env->find_weight(s->env->user, name, &tensor);
}

/* The name with the prefix of the call; that of a stack, and the first tensor of it that the file lacks. */
static const char *full_name(sema *s, const ast_statement *st, const char *pattern, span where, const char **missing) {
  if (sema_is_stacked(&st->weight.type, pattern))
    return sema_stacked_name(s, &st->weight.type, pattern, where, missing);
  const char *own = sema_interpolate(s, pattern, where);
  return own ? sema_join_names(s, s->scope->prefix, own) : NULL;
}

/* Returns the name that the file has: the first one, or an older spelling, which is noted. Without a
 * file it is the first one; where the file has none of them, *is_absent is set. NULL after an
 * error. */
static const char *find_spelling(sema *s, const ast_statement *st, bool *is_absent) {
  const char *missing = NULL, *ignored = NULL;
  const char *first = full_name(s, st, st->weight.from ? st->weight.from : st->weight.name.text,
                                st->weight.from ? st->weight.from_span : st->weight.name.span, &missing);
  if (!first || !s->env->weights_file || has_tensor(s, first)) return first;
  for (size_t i = 0; i < st->weight.older.count; i++) {
    const char *older = full_name(s, st, st->weight.older.items[i].text, st->weight.older.items[i].span, &ignored);
    if (!older) return NULL;
    if (!has_tensor(s, older)) continue;
    sema_error_in(s, s->scope->frame, "older spelling", st->weight.name.span, DIAG_older_name,
                  "%s has '%s', an older spelling of '%s'", s->env->weights_file, older, first);
    return older;
  }
  *is_absent = true;
  return missing ? missing : first;
}

/* The value of a weight that the file does not have: a number, none, or a value of the weight's type. */
static sema_value eval_default(sema *s, const ast_statement *st, flat_type declared) {
  const ast_expr *e = st->weight.default_value;
  sema_value v = sema_eval(s, e);
  if (v.kind != SEMA_tensor) return v;
  flat_type type = sema_type(s, v.id);
  bool is_same = type.domain == declared.domain && type.rank == declared.rank;
  for (unsigned i = 0; is_same && i < type.rank; i++)
    is_same = sema_unify(s, declared.dims[i], type.dims[i], e->span, "the default of a weight has its shape");
  if (is_same || (type.domain == FLAT_DOMAIN_plain && !type.rank)) return v;
  sema_error(s, e->span, DIAG_shape_mismatch, "weight '%s' is %s, but its default %s is %s", st->weight.name.text,
             sema_type_text(s, declared), sema_quote(s, e), sema_type_text(s, type));
  return sema_poisoned();
}

void sema_run_weight(sema *s, const ast_statement *st) {
  size_t first = s->flat->values.count;
  flat_type declared = {0};
  bool is_absent = false;
  const char *found = find_spelling(s, st, &is_absent);
  bool is_good = check_weight_type(s, st);
  is_good = sema_eval_type(s, &st->weight.type, &declared) && is_good && found;
  sema_value v = sema_poisoned();
  if (is_absent && st->weight.default_value)
    v = is_good ? eval_default(s, st, declared) : v;
  else if (is_good)
    v = sema_from_id(s, load_weight(s, st, found, declared));
  if (v.kind == SEMA_tensor) sema_name_result(s, v, first, st->weight.name.text);
  const char *name = st->weight.name.text;
  sema_declare(s, st->weight.name, SEMA_BINDING_weight, v)->use =
      sema_track(s, st->weight.name.span, name, "weight '%s'", name);
}

/* ---- inputs ---- */

static bool check_input_type(sema *s, const ast_statement *st) {
  ast_type_kind kind = st->input.type.kind;
  bool is_table = (kind == AST_TYPE_node || kind == AST_TYPE_edge) && !st->input.type.is_integer;
  if (st->input.training.is_trained && !is_table) {
    sema_error(s, st->input.type.span, DIAG_type_mismatch,
               "an input that is trained has a row of f32 for each node or edge; other trained tensors are weights");
    return false;
  }
  if (st->input.node_type.text && kind != AST_TYPE_node) {
    sema_error(s, st->input.type.span, DIAG_type_mismatch, "'%s.%s' has a row per node of one type: 'node f32[...]'",
               st->input.name.text, st->input.node_type.text);
    return false;
  }
  if (kind == AST_TYPE_etype || kind == AST_TYPE_ntype) {
    sema_error(s, st->input.type.span, DIAG_unsupported,
               "an input is a value per node, edge or graph, or a plain tensor; a value per type is a weight");
    return false;
  }
  if (kind != AST_TYPE_tensor && !s->scope->has_graph) {
    sema_error(s, st->span, DIAG_missing_graph, "'%s' is a value per %s, so 'graph g;' comes before it",
               st->input.name.text,
               kind == AST_TYPE_node   ? "node"
               : kind == AST_TYPE_edge ? "edge"
                                       : "graph");
    return false;
  }
  return true;
}

/* Finds the field in the graph file, else in the weights file, where training alone looks for a trained input. Returns
 * false when neither has it; without a file it returns true with an empty tensor. */
static bool find_input(sema *s, const ast_statement *st, const char *field, sema_tensor *tensor, bool *from_weights) {
  const sema_environment *env = s->env;
  bool is_trained = env->is_training && st->input.training.is_trained;
  *from_weights = is_trained;
  if (!is_trained && env->graph_file && env->find_field(env->user, field, tensor)) return true;
  if (env->weights_file && env->find_weight(env->user, field, tensor)) {
    *from_weights = true;
    return true;
  }
  *tensor = (sema_tensor){0};
  *from_weights = st->input.training.is_trained;
  return *from_weights ? !env->weights_file : !env->graph_file; /* it may come later */
}

/* Returns the input's name: x.paper for the input of a node type. */
static const char *input_name(sema *s, const ast_statement *st) {
  if (!st->input.node_type.text) return st->input.name.text;
  return arena_printf(s->arena, "%s.%s", st->input.name.text, st->input.node_type.text);
}

static void missing_input(sema *s, const ast_statement *st, const char *field) {
  const sema_environment *env = s->env;
  if (st->input.training.is_trained) {
    sema_error(s, st->input.from ? st->input.from_span : st->input.name.span, DIAG_missing_input,
               "%s has no tensor '%s' for the trained input '%s'%s", env->weights_file, field, input_name(s, st),
               sema_suggest(s, field, env->weight_names, env->weight_count));
    return;
  }
  sema_error(s, st->input.from ? st->input.from_span : st->input.name.span, DIAG_missing_input,
             "%s has no field '%s' for input '%s'%s", env->graph_file, field, input_name(s, st),
             sema_suggest(s, field, env->field_names, env->field_count));
  if (env->weights_file) sema_note(s, st->input.name.span, "%s does not have it either", env->weights_file);
}

/* Sets the number of rows of an input of this type and their name in messages. */
static void count_rows(sema *s, const ast_statement *st, flat_type type, const sema_tensor *tensor, comparison *c) {
  bool is_node = type.domain == FLAT_DOMAIN_node, is_edge = type.domain == FLAT_DOMAIN_edge;
  int64_t count = is_node ? s->env->num_nodes : is_edge ? s->env->num_edges : s->env->num_graphs;
  c->leading_text = is_node ? "nodes" : is_edge ? "edges" : "graphs";
  if (sema_is_part(type.set)) {
    bool is_empty = tensor->rank && !tensor->dims[0]; /* a type without nodes; a symbol cannot be 0 */
    c->leading = is_empty ? dim_constant(s->dims, 0) : s->part_rows[strtoul(strchr(type.set, ':') + 1, NULL, 10)];
    c->leading_text = arena_printf(s->arena, "nodes of type '%s'", sema_part_name(s, type.set));
  } else {
    c->leading = count >= 0 ? dim_constant(s->dims, count) : dim_new_symbol(s->dims, "rows", st->input.name.span);
  }
}

static flat_id make_input(sema *s, const ast_statement *st, flat_type type) {
  const char *field = st->input.from ? st->input.from : input_name(s, st);
  sema_tensor tensor = {0};
  bool from_weights = false;
  bool is_held = sema_hold(s);
  bool is_good = find_input(s, st, field, &tensor, &from_weights);
  if (!is_good) missing_input(s, st, field);
  if (!is_good && !is_held) return FLAT_NONE;
  const sema_environment *env = s->env;
  comparison c = {.what = "input",
                  .name = field,
                  .file = from_weights ? env->weights_file : env->graph_file,
                  .declared = st->input.name.span,
                  .id = DIAG_feature_width,
                  .takes_integers = !from_weights,
                  .swapped_hint = ""};
  if (type.domain != FLAT_DOMAIN_plain) count_rows(s, st, type, &tensor, &c);
  if (tensor.storage != SEMA_STORAGE_none && !compare(s, &c, &tensor, type) && !is_held) return FLAT_NONE;
  if (from_weights) {
    sema_weight_use *use = arena_alloc(s->arena, sizeof *use);
    use->id = FLAT_NONE;
    sema_map_set(s->arena, &s->weights, field, use); /* counts as used, so that there is no warning */
  }
  hint_sizes(s, type, arena_printf(s->arena, "field '%s' of the graph", field));
  sema_held *held = sema_release(s);
  flat_id id = sema_add(s, FLAT_input, type, st->input.name.span, NULL, 0);
  sema_keep_held(s, held, id);
  if (id == FLAT_NONE) return id;
  sema_flat(s, id)->name = input_name(s, st);
  sema_flat(s, id)->from = field;
  sema_flat(s, id)->from_weights = from_weights;
  sema_set_training(s, id, &st->input.training, type);
  return id;
}

/* `input x.paper` is known as "x.paper"; the first one of them also makes x, which stands for the
 * inputs of all node types. */
static void declare_typed_input(sema *s, const ast_statement *st, sema_value v) {
  ast_name field = st->input.name;
  field.text = arena_printf(s->arena, "%s.%s", field.text, st->input.node_type.text);
  const sema_binding *before = sema_find_name(s->scope, st->input.name.text);
  bool is_first = !before || before->value.kind != SEMA_by_type;
  sema_value all = is_first ? sema_new_by_type(s, st->input.name.text) : before->value;
  if (is_first) sema_declare(s, st->input.name, SEMA_BINDING_input, all);
  if (before && is_first) return; /* the name is taken, which was reported */
  bool is_declared = sema_find_name(s->scope, field.text) != NULL;
  sema_declare(s, field, SEMA_BINDING_input, v);
  sema_value *items = (sema_value *)all.items;
  const sema_value *item = sema_find_type(s, st->input.node_type.text, items);
  if (item && !is_declared) items[item - items] = v;
}

void sema_run_input(sema *s, const ast_statement *st) {
  flat_type type = {0};
  bool is_good = check_input_type(s, st);
  is_good = sema_eval_type(s, &st->input.type, &type) && is_good;
  if (is_good && (type.domain == FLAT_DOMAIN_node || type.domain == FLAT_DOMAIN_edge)) type.set = s->graph_set;
  if (is_good && st->input.node_type.text) is_good = sema_find_part(s, st->input.node_type, &type.set);
  sema_value v = sema_from_id(s, is_good ? make_input(s, st, type) : FLAT_NONE);
  if (st->input.node_type.text) {
    declare_typed_input(s, st, v);
    return;
  }
  const char *name = st->input.name.text;
  sema_declare(s, st->input.name, SEMA_BINDING_input, v)->use =
      sema_track(s, st->input.name.span, name, "input '%s'", name);
}
