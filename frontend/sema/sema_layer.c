/* Expands a layer at a call: the arguments are evaluated in the scope of the caller, then the body
 * in a scope of its own.
 *
 *   let h = gcn_conv(g, x, 16) from "conv1";     weights of the body are named conv1.*, its fields and dimensions are
 * its own */
#include "frontend/sema/sema_kinds.h"

#include <string.h>

typedef struct parameters {
  size_t count;
  const char **names;
  bool *is_required;
  const ast_argument **arguments;
  sema_value *values;
  VEC(ast_argument) sizes; /* arguments for dimensions that only types of the layer name: bases = 30 ... */
  VEC(dim) given;          /* ... and their values */
} parameters;

/* Returns the name that an argument uses for a parameter: a for `inout e.a`. */
static const ast_name *parameter_name(const ast_parameter *p) {
  return p->field.text ? &p->field : &p->name;
}

/* ---- recursion ---- */

static bool is_recursive(sema *s, const ast_expr *call, const sema_layer *layer) {
  const flat_frame *frame = s->scope->frame;
  const char *name = layer->ast->name.text;
  bool is_own = s->root == layer;
  while (frame && strcmp(frame->layer, name) != 0) frame = frame->parent;
  if (!frame && !is_own) {
    if (!s->scope->frame || s->scope->frame->depth < SEMA_MAX_CALL_DEPTH) return false;
    sema_error(s, call->span, DIAG_expansion_limit, "calls of layers nest deeper than %d", SEMA_MAX_CALL_DEPTH);
    return true;
  }
  text chain = {0};
  text_append(&chain, name);
  for (const flat_frame *f = s->scope->frame; f && f != frame; f = f->parent) {
    text longer = {0};
    text_printf(&longer, "%s -> %s", f->layer, text_str(&chain));
    text_free(&chain);
    chain = longer;
  }
  sema_error(s, call->span, DIAG_recursion, "layer '%s' calls itself: %s -> %s", name, name, text_str(&chain));
  text_free(&chain);
  return true;
}

/* ---- arguments ---- */

static void scan_dims(sema *s, sema_layer *layer) {
  if (!layer->is_scanned) sema_scan_dims(s, &layer->ast->parameters, &layer->ast->body, &layer->dims);
  layer->is_scanned = true;
}

static const char *type_kind_text(ast_type_kind kind) {
  static const char *const texts[] = {"a value",
                                      "a plain tensor",
                                      "a value per node",
                                      "a value per edge",
                                      "a value per edge type",
                                      "a value per node type",
                                      "a value per graph",
                                      "a graph",
                                      "a dimension",
                                      "a function",
                                      "a reduction"};
  return texts[kind];
}

static sema_value wrong_argument(sema *s, const ast_expr *e, const ast_parameter *p, sema_value v) {
  const ast_name *name = parameter_name(p);
  if (v.kind == SEMA_poison || (v.kind == SEMA_none && sema_is_optional(p))) return v;
  sema_error(s, e->span, DIAG_type_mismatch, "parameter '%s' takes %s, but %s is %s", name->text,
             type_kind_text(p->type.kind), sema_quote(s, e), sema_describe(s, v));
  sema_note(s, name->span, "'%s' is declared here", name->text);
  sema_note_operand(s, e);
  return sema_poisoned();
}

static sema_value as_reduction(sema_value v) {
  bool is_name = v.kind == SEMA_function || v.kind == SEMA_string || v.kind == SEMA_reduction;
  if (is_name && sema_is_reduction(v.name))
    return (sema_value){.kind = SEMA_reduction, .id = FLAT_NONE, .name = v.name};
  return v;
}

static bool is_none(sema *s, const ast_expr *e) {
  if (e->kind != AST_EXPR_name) return false;
  const sema_binding *binding = sema_find_name(s->scope, e->name.text);
  sema_value v = {0};
  return binding ? binding->value.kind == SEMA_none : sema_find_literal(s, e->name.text, &v) && v.kind == SEMA_none;
}

/* Evaluates an argument in the current scope as the kind of value that the parameter takes. */
static sema_value eval_argument(sema *s, const ast_expr *e, const ast_parameter *p) {
  sema_value v = {0};
  switch (p->type.kind) {
  case AST_TYPE_dim:
    if (is_none(s, e)) return wrong_argument(s, e, p, (sema_value){.kind = SEMA_none, .id = FLAT_NONE});
    return sema_from_size(s, sema_eval_dim(s, e));
  case AST_TYPE_function: v = sema_eval(s, e); return v.kind == SEMA_function ? v : wrong_argument(s, e, p, v);
  case AST_TYPE_reduction:
    v = as_reduction(sema_eval(s, e));
    return v.kind == SEMA_reduction ? v : wrong_argument(s, e, p, v);
  case AST_TYPE_graph: v = sema_eval(s, e); return v.kind == SEMA_graph ? v : wrong_argument(s, e, p, v);
  default: break;
  }
  v = sema_eval(s, e);
  bool is_united = v.kind == SEMA_by_type && (p->type.kind != AST_TYPE_none || p->is_inout);
  if (v.kind != SEMA_nothing && v.kind != SEMA_tuple && !is_united) return v;
  flat_id id = FLAT_NONE;
  return sema_as_tensor(s, v, e, &id) ? sema_from_id(s, id) : sema_poisoned();
}

/* Checks a value against the declared type of a parameter; dims of the type are those of the layer,
 * which is the current scope. `e` was written by the caller, so the names in it are not looked up
 * in this scope. */
static sema_value check_type(sema *s, const ast_expr *e, const ast_parameter *p, sema_value v) {
  const ast_name *name = parameter_name(p);
  if (p->type.kind == AST_TYPE_none || p->type.kind >= AST_TYPE_graph || v.kind == SEMA_poison) return v;
  if (v.kind == SEMA_none && sema_is_optional(p)) return v;
  flat_type declared = {0};
  if (!sema_eval_type(s, &p->type, &declared)) return sema_poisoned();
  bool is_scalar = v.kind == SEMA_number || v.kind == SEMA_size;
  flat_type found = v.kind == SEMA_tensor ? sema_type(s, v.id) : (flat_type){0};
  bool is_fit = (v.kind == SEMA_tensor || is_scalar) && found.domain == declared.domain &&
                found.rank == declared.rank && found.is_integer == declared.is_integer;
  unsigned bad = 0;
  for (unsigned i = 0; is_fit && i < found.rank; i++) {
    is_fit = sema_unify(s, declared.dims[i], found.dims[i], p->type.span,
                        arena_printf(s->arena, "the argument for '%s' has it", name->text));
    bad = i;
  }
  if (is_fit) return v;
  bool is_domain = v.kind == SEMA_tensor && found.domain != declared.domain;
  bool is_element = v.kind == SEMA_tensor && found.is_integer != declared.is_integer;
  sema_error(s, e->span,
             is_element                           ? DIAG_type_mismatch
             : is_domain                          ? DIAG_domain_mismatch
             : is_scalar || v.kind == SEMA_tensor ? DIAG_shape_mismatch
                                                  : DIAG_type_mismatch,
             "parameter '%s' takes %s, but %s is %s", name->text, sema_type_text(s, declared), sema_quote(s, e),
             sema_describe(s, v));
  sema_note(s, name->span, "'%s' is declared here", name->text);
  if (found.rank == declared.rank) sema_note_sizes(s, declared.dims[bad], found.dims[bad]);
  return sema_poisoned();
}

static bool check_inout(sema *s, const ast_argument *argument, const ast_parameter *p) {
  const ast_name *name = parameter_name(p);
  if (argument->is_inout == p->is_inout) {
    bool is_place = argument->value->kind == AST_EXPR_name || argument->value->kind == AST_EXPR_field;
    if (!p->is_inout || is_place) return true;
    sema_error(s, argument->value->span, DIAG_assignment, "an 'inout' argument is a field or a name, not %s",
               sema_quote(s, argument->value));
    return false;
  }
  if (p->is_inout)
    sema_error(s, argument->value->span, DIAG_arity, "parameter '%s' is changed by the layer: write 'inout' before %s",
               name->text, sema_quote(s, argument->value));
  else
    sema_error(s, argument->value->span, DIAG_arity, "parameter '%s' is not changed by the layer: leave 'inout' away",
               name->text);
  sema_note(s, name->span, "'%s' is declared here", name->text);
  return false;
}

static bool is_dimension(const sema_layer *layer, const ast_argument *argument) {
  for (size_t i = 0; argument->name.text && i < layer->dims.count; i++)
    if (!strcmp(layer->dims.items[i].text, argument->name.text)) return true;
  return false;
}

/* Takes the arguments for dimensions of the layer out of the call, and evaluates them. */
static const ast_expr *take_sizes(sema *s, const ast_expr *e, sema_layer *layer, parameters *ps) {
  scan_dims(s, layer);
  ast_expr *rest = arena_alloc(s->arena, sizeof *rest);
  *rest = *e;
  rest->call.arguments = (ast_argument_list){0};
  for (size_t i = 0; i < e->call.arguments.count; i++) {
    const ast_argument *argument = &e->call.arguments.items[i];
    if (!is_dimension(layer, argument)) {
      VEC_PUSH(s->arena, &rest->call.arguments, *argument);
      continue;
    }
    VEC_PUSH(s->arena, &ps->sizes, *argument);
    VEC_PUSH(s->arena, &ps->given, sema_eval_size(s, argument->value));
  }
  return rest;
}

/* Evaluates all arguments in the scope of the caller; false when the call cannot be expanded. */
static bool eval_arguments(sema *s, const ast_expr *call, sema_layer *of, parameters *ps) {
  const ast_layer *layer = of->ast;
  const ast_expr *e = take_sizes(s, call, of, ps);
  size_t count = layer->parameters.count;
  ps->count = count;
  ps->names = arena_alloc_array(s->arena, count + 1, sizeof *ps->names);
  ps->is_required = arena_alloc_array(s->arena, count + 1, sizeof *ps->is_required);
  ps->arguments = arena_alloc_array(s->arena, count + 1, sizeof(const ast_argument *));
  ps->values = arena_alloc_array(s->arena, count + 1, sizeof *ps->values);
  for (size_t i = 0; i < count; i++) {
    ps->names[i] = parameter_name(&layer->parameters.items[i])->text;
    ps->is_required[i] = !layer->parameters.items[i].default_value;
  }
  if (!sema_match_arguments(s, e, layer->name.text, layer->name.span, ps->names, ps->is_required, count, ps->arguments))
    return false;
  bool is_good = true;
  for (size_t i = 0; i < count; i++) {
    if (!ps->arguments[i]) continue;
    const ast_parameter *p = &layer->parameters.items[i];
    is_good = check_inout(s, ps->arguments[i], p) && is_good;
    if (is_good && p->is_inout && s->scope->loop) {
      sema_error(s, ps->arguments[i]->value->span, DIAG_misplaced,
                 "an 'inout' argument changes a whole field, so the call stands outside of loops");
      is_good = false;
    }
    ps->values[i] = eval_argument(s, ps->arguments[i]->value, p);
  }
  return is_good;
}

/* ---- the scope of the body ---- */

/* Gives the dimensions of the layer the sizes that the call has for them. */
static void bind_sizes(sema *s, const parameters *ps) {
  for (size_t i = 0; i < ps->sizes.count; i++) {
    const ast_argument *argument = &ps->sizes.items[i];
    const sema_binding *own = sema_find_name(s->scope, argument->name.text);
    dim size = own ? own->value.size : NULL;
    if (!size || !ps->given.items[i]) continue;
    if (sema_unify(s, size, ps->given.items[i], argument->value->span, "the call says so")) continue;
    sema_error(s, argument->value->span, DIAG_shape_mismatch, "'%s' is given twice: %s and %s", argument->name.text,
               sema_dim_text(s, size), sema_dim_text(s, ps->given.items[i]));
  }
}

static bool is_edge_value(const sema *s, sema_value v) {
  return v.kind == SEMA_tensor && sema_type(s, v.id).domain == FLAT_DOMAIN_edge;
}

/* Declares the parameter `inout e.a`: the field a, and e.a outside of loops. */
static void declare_field(sema *s, const ast_parameter *p, sema_value v) {
  bool is_poison = v.kind != SEMA_tensor;
  bool is_edge = is_edge_value(s, v);
  sema_last_loop *last = arena_alloc(s->arena, sizeof *last);
  *last = (sema_last_loop){.is_edge = is_edge, .graph = FLAT_NONE, .set = is_poison ? NULL : sema_type(s, v.id).set};
  sema_map_set(s->arena, &s->scope->last_loops, p->name.text, last);
  sema_set_field(s, p->field.text, is_edge, last->set, v, p->field.span);
  if (is_poison) sema_set_field(s, p->field.text, true, NULL, v, p->field.span);
}

/* Types of parameters may name dimensions that come later in the list, so values are declared first
 * and checked then.
 */
static void declare_parameters(sema *s, const ast_layer *layer, const parameters *ps) {
  for (size_t i = 0; i < ps->count; i++) {
    const ast_parameter *p = &layer->parameters.items[i];
    if (!ps->arguments[i]) ps->values[i] = eval_argument(s, p->default_value, p);
    if (!p->field.text) sema_declare(s, p->name, SEMA_BINDING_parameter, ps->values[i]);
  }
  for (size_t i = 0; i < ps->count; i++) {
    const ast_parameter *p = &layer->parameters.items[i];
    const ast_expr *e = ps->arguments[i] ? ps->arguments[i]->value : p->default_value;
    sema_value v = check_type(s, e, p, ps->values[i]);
    if (p->field.text)
      declare_field(s, p, v);
    else if (v.kind == SEMA_poison)
      sema_find_name(s->scope, p->name.text)->value = v;
  }
}

sema_scope *sema_new_scope(sema *s, sema_layer *layer, const char *prefix, const flat_frame *frame) {
  sema_scope *scope = arena_alloc(s->arena, sizeof *scope);
  *scope = (sema_scope){
      .layer = layer, .name = layer->ast->name.text, .body = &layer->ast->body, .prefix = prefix, .frame = frame};
  scope->result.kind = SEMA_nothing;
  scan_dims(s, layer);
  layer->is_expanded = true;
  return scope;
}

/* Stores the new versions of the inout arguments in the scope of the caller. */
static void store_inouts(sema *s, const ast_layer *layer, const parameters *ps, sema_scope *callee) {
  for (size_t i = 0; i < ps->count; i++) {
    const ast_parameter *p = &layer->parameters.items[i];
    if (!p->is_inout || !ps->arguments[i]) continue;
    sema_value before = ps->values[i];
    sema_value after = sema_poisoned();
    const sema_binding *own = p->field.text ? NULL : sema_find_name(callee, p->name.text);
    if (own) {
      after = own->value;
      sema_mark(own->use);
    } else if (before.kind == SEMA_tensor)
      after = sema_read_field(s, callee, p->field.text, is_edge_value(s, before), sema_type(s, before.id).set,
                              ps->arguments[i]->value->span)
                  ->value;
    sema_store(s, ps->arguments[i]->value, after);
  }
}

static bool may_expand(sema *s, const ast_expr *e) {
  if (s->is_stopped) return false;
  if (++s->expansions <= SEMA_MAX_EXPANSIONS) return true;
  s->is_stopped = true;
  sema_error(s, e->span, DIAG_expansion_limit, "the model expands to more than %d calls of layers",
             SEMA_MAX_EXPANSIONS);
  return false;
}

sema_value sema_expand_layer(sema *s, const ast_expr *e, sema_layer *layer) {
  parameters ps = {0};
  if (!may_expand(s, e) || is_recursive(s, e, layer)) return sema_poisoned();
  sema_scope *caller = s->scope;
  const char *own = e->call.prefix ? sema_interpolate(s, e->call.prefix, e->call.prefix_span) : "";
  bool is_good = eval_arguments(s, e, layer, &ps);
  if (!is_good || !own) return sema_poisoned();
  flat_frame *frame = arena_alloc(s->arena, sizeof *frame);
  *frame = (flat_frame){caller->frame, layer->ast->name.text, e->span, caller->frame ? caller->frame->depth + 1 : 1};
  s->scope = sema_new_scope(s, layer, sema_join_names(s, caller->prefix, own), frame);
  sema_declare_dims(s, &layer->dims);
  bind_sizes(s, &ps);
  declare_parameters(s, layer->ast, &ps);
  sema_run_block(s, s->scope->body);
  sema_scope *callee = s->scope;
  s->scope = caller;
  store_inouts(s, layer->ast, &ps, callee);
  return s->is_stopped ? sema_poisoned() : callee->result;
}
