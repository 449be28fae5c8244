/* Resolves calls: finds the callee, assigns arguments to parameters, and replaces {k} in names. */
#include "frontend/library.h"
#include "frontend/sema/sema_kinds.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

const char *sema_join_names(sema *s, const char *prefix, const char *name) {
  if (!*prefix) return name;
  if (!*name) return prefix;
  return arena_printf(s->arena, "%s.%s", prefix, name);
}

/* {r}, {r.src} and {t} of the indices of repeat over types. */
static const char *interpolate_type(sema *s, const char *name) {
  const char *dot = strchr(name, '.');
  const ast_graph_type *stacked = s->stacked_type;
  if (stacked && !strcmp(name, "type")) return stacked->name.text;
  if (stacked && !strcmp(name, "type.src")) return stacked->src.text;
  if (stacked && !strcmp(name, "type.dst")) return stacked->dst.text;
  const sema_binding *binding =
      sema_find_name(s->scope, dot ? arena_strndup(s->arena, name, (size_t)(dot - name)) : name);
  sema_value v = binding ? binding->value : sema_poisoned();
  if (dot && (!binding || !sema_end_type(s, v, dot + 1, &v))) return NULL;
  const char *type = sema_type_name(s, v);
  if (type) sema_mark(binding->use);
  return type;
}

static bool interpolate_name(sema *s, const char *name, span where, text *out) {
  const char *type = interpolate_type(s, name);
  if (type) {
    text_append(out, type);
    return true;
  }
  const char *dot = strchr(name, '.'); /* of a relation: an end, which has no name where no types are declared */
  const sema_binding *binding =
      sema_find_name(s->scope, dot ? arena_strndup(s->arena, name, (size_t)(dot - name)) : name);
  int64_t value = 0;
  if (binding && dot && s->is_check && binding->value.kind == SEMA_poison) {
    sema_mark(binding->use);
    return false;
  }
  if (dot) binding = NULL;
  if (!binding) {
    sema_error(s, where, DIAG_unknown_name, "unknown name '%s' in '{%s}'; expected an index of repeat or a dimension",
               name, name);
    return false;
  }
  sema_mark(binding->use);
  if (binding->value.kind == SEMA_poison) return false;
  if (s->is_check && binding->value.size && !dim_value(s->dims, binding->value.size, &value)) return false;
  if (!binding->value.size || !dim_value(s->dims, binding->value.size, &value)) {
    sema_error(s, where, binding->value.size ? DIAG_unbound_dimension : DIAG_type_mismatch,
               "'{%s}' needs a known integer, but '%s' is %s", name, name, sema_describe(s, binding->value));
    sema_note(s, binding->declared, "'%s' is declared here as %s", name, sema_binding_text(binding->kind));
    return false;
  }
  text_printf(out, "%" PRId64, value);
  return true;
}

const char *sema_interpolate(sema *s, const char *pattern, span where) {
  if (!strchr(pattern, '{')) return pattern;
  text out = {0};
  bool is_good = true;
  while (*pattern) {
    size_t plain = strcspn(pattern, "{");
    text_append_bytes(&out, pattern, plain);
    pattern += plain;
    if (!*pattern) break;
    size_t length = strcspn(pattern, "}");
    if (!pattern[length]) {
      sema_error(s, where, DIAG_type_mismatch, "'{' in \"%s\" has no '}'", pattern);
      is_good = false;
      break;
    }
    is_good = interpolate_name(s, arena_strndup(s->arena, pattern + 1, length - 1), where, &out) && is_good;
    pattern += length + 1;
  }
  const char *result = is_good ? arena_strdup(s->arena, text_str(&out)) : NULL;
  text_free(&out);
  return result;
}

static void note_declaration(sema *s, span declared, const char *callee) {
  if (declared.source) sema_note(s, declared, "'%s' is declared here", callee);
}

static size_t find_parameter(const char *name, const char *const *parameters, size_t count) {
  size_t i = 0;
  while (i < count && strcmp(parameters[i], name) != 0) i++;
  return i;
}

/* Assigns one argument to its parameter; false after an error. */
static bool match_one(sema *s, const ast_argument *argument, size_t position, const char *callee, span declared,
                      const char *const *parameters, size_t count, const ast_argument **out) {
  size_t at = argument->name.text ? find_parameter(argument->name.text, parameters, count) : position;
  if (at >= count) {
    if (argument->name.text)
      sema_error(s, argument->name.span, DIAG_arity, "'%s' has no parameter '%s'%s", callee, argument->name.text,
                 sema_suggest(s, argument->name.text, parameters, count));
    else
      sema_error(s, argument->value->span, DIAG_arity, "'%s' takes %s%zu argument%s", callee, count ? "at most " : "",
                 count, count == 1 ? "" : "s");
    note_declaration(s, declared, callee);
    return false;
  }
  if (out[at]) {
    sema_error(s, argument->value->span, DIAG_arity, "parameter '%s' of '%s' is given twice", parameters[at], callee);
    sema_note(s, out[at]->value->span, "it is given here already");
    return false;
  }
  out[at] = argument;
  return true;
}

bool sema_match_arguments(sema *s, const ast_expr *e, const char *callee, span declared, const char *const *parameters,
                          const bool *is_required, size_t count, const ast_argument **out) {
  bool is_good = true;
  bool is_named = false;
  for (size_t i = 0; i < e->call.arguments.count && is_good; i++) {
    const ast_argument *argument = &e->call.arguments.items[i];
    if (is_named && !argument->name.text) {
      sema_error(s, argument->value->span, DIAG_arity, "an argument without a name follows one with a name");
      is_good = false;
    }
    is_named = is_named || argument->name.text;
    is_good = is_good && match_one(s, argument, i, callee, declared, parameters, count, out);
  }
  for (size_t i = 0; i < count && is_good; i++) {
    if (out[i] || !is_required[i]) continue;
    sema_error(s, e->span, DIAG_arity, "'%s' needs an argument for '%s'", callee, parameters[i]);
    note_declaration(s, declared, callee);
    is_good = false;
  }
  return is_good;
}

static sema_value unknown_callee(sema *s, const ast_expr *e, const sema_binding *binding) {
  const char *name = e->call.callee.text;
  if (binding) {
    sema_error(s, e->call.callee.span, DIAG_type_mismatch, "'%s' is %s, not a function or layer", name,
               sema_describe(s, binding->value));
    sema_note(s, binding->declared, "'%s' is declared here as %s", name, sema_binding_text(binding->kind));
    return sema_poisoned();
  }
  VEC(const char *) names = {0};
  size_t count = 0;
  const sema_function *functions = sema_function_table(&count);
  for (size_t i = 0; i < count; i++) VEC_PUSH(s->arena, &names, functions[i].name);
  for (size_t i = 0; i < s->layer_list.count; i++) VEC_PUSH(s->arena, &names, s->layer_list.items[i]->ast->name.text);
  for (size_t i = 0; i < library_layer_count; i++) VEC_PUSH(s->arena, &names, library_layers[i].name);
  sema_error(s, e->call.callee.span, DIAG_unknown_name, "unknown function or layer '%s'%s", name,
             sema_suggest(s, name, names.items, names.count));
  return sema_poisoned();
}

/* Evaluates the arguments of a call that cannot be made, so that the names in them are checked,
 * too. */
static sema_value poison_call(sema *s, const ast_expr *e) {
  for (size_t i = 0; i < e->call.arguments.count; i++) sema_eval(s, e->call.arguments.items[i].value);
  return sema_poisoned();
}

/* Checks that a layer called in a loop computes a value per node or edge of that loop. */
static sema_value check_domain(sema *s, const ast_expr *e, sema_value v) {
  const sema_loop *loop = s->scope->loop;
  if (!loop || v.kind != SEMA_tensor) return v;
  flat_type type = sema_type(s, v.id);
  bool is_same =
      type.domain == FLAT_DOMAIN_plain || type.domain == (loop->is_edge ? FLAT_DOMAIN_edge : FLAT_DOMAIN_node);
  if (is_same) return v;
  sema_error(s, e->span, DIAG_domain_mismatch, "%s gives %s inside the loop over '%s'; call it outside of the loop",
             sema_quote(s, e), sema_describe(s, v), loop->variable);
  return sema_poisoned();
}

sema_value sema_eval_call(sema *s, const ast_expr *e) {
  const char *name = e->call.callee.text;
  const sema_binding *binding = sema_find_name(s->scope, name);
  if (binding) sema_mark(binding->use);
  sema_value callee = binding ? binding->value : (sema_value){.kind = SEMA_nothing};
  if (callee.kind == SEMA_poison) return poison_call(s, e);
  const sema_function *function = callee.kind == SEMA_function || callee.kind == SEMA_nothing ? callee.function : NULL;
  sema_layer *layer = callee.kind == SEMA_function ? callee.layer : NULL;
  if (callee.kind == SEMA_reduction) function = sema_function_find(callee.name);
  if (!function && !layer) function = sema_function_find(name);
  if (!function && !layer && !binding) layer = sema_find_layer(s, name);
  if (function) return sema_apply_function(s, e, function);
  if (layer) return check_domain(s, e, sema_expand_layer(s, e, layer));
  unknown_callee(s, e, binding);
  return poison_call(s, e);
}
