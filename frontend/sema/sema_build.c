/* Appends values to the flat program. These functions check nothing: types come from sema_type.c. */
#include "frontend/sema/sema_kinds.h"

#include <assert.h>
#include <string.h>

flat_value *sema_flat(const sema *s, flat_id id) {
  return s->flat->values.items[id];
}

flat_type sema_type(const sema *s, flat_id id) {
  return id == FLAT_NONE ? (flat_type){0} : sema_flat(s, id)->type;
}

bool sema_step(sema *s, span where) {
  if (s->is_stopped) return false;
  bool is_long = ++s->steps > SEMA_MAX_STEPS;
  bool is_large = s->flat->values.count >= SEMA_MAX_VALUES;
  bool is_hopeless = diag_is_full(s->diag);
  if (!is_long && !is_large && !is_hopeless) return true;
  s->is_stopped = true;
  if (is_hopeless) return false;
  if (is_long && diag_has_errors(s->diag)) return false; /* steps of errors are no statements */
  if (is_large)
    sema_error(s, where, DIAG_expansion_limit, "the model expands to more than %d values", SEMA_MAX_VALUES);
  else
    sema_error(s, where, DIAG_expansion_limit, "the model expands to more than %d statements", SEMA_MAX_STEPS);
  return false;
}

flat_id sema_add(sema *s, flat_op op, flat_type type, span where, const flat_id *operands, size_t operand_count) {
  assert(operand_count <= FLAT_MAX_OPERANDS);
  if (!sema_step(s, where)) return FLAT_NONE;
  flat_value *v = arena_alloc(s->arena, sizeof *v);
  *v = (flat_value){.op = op, .type = type, .span = where, .frame = s->scope ? s->scope->frame : NULL};
  for (size_t i = 0; i < FLAT_MAX_OPERANDS; i++) v->operands[i] = i < operand_count ? operands[i] : FLAT_NONE;
  VEC_PUSH(s->arena, &s->flat->values, v);
  return (flat_id)s->flat->values.count - 1;
}

static flat_attribute *add_attribute(sema *s, flat_id id, const char *name, flat_attribute_kind kind) {
  static flat_attribute nowhere;
  if (id == FLAT_NONE) return &nowhere;
  flat_value *v = sema_flat(s, id);
  assert(v->attribute_count < FLAT_MAX_ATTRIBUTES);
  flat_attribute *a = &v->attributes[v->attribute_count++];
  *a = (flat_attribute){.name = name, .kind = kind};
  return a;
}

void sema_add_string(sema *s, flat_id id, const char *name, const char *value) {
  add_attribute(s, id, name, FLAT_ATTRIBUTE_string)->string = value;
}

void sema_add_number(sema *s, flat_id id, const char *name, double value) {
  add_attribute(s, id, name, FLAT_ATTRIBUTE_number)->number = value;
}

void sema_add_size(sema *s, flat_id id, const char *name, dim value) {
  add_attribute(s, id, name, FLAT_ATTRIBUTE_size)->size = value;
}

void sema_add_integer(sema *s, flat_id id, const char *name, int64_t value) {
  add_attribute(s, id, name, FLAT_ATTRIBUTE_integer)->integer = value;
}

void sema_add_whole(sema *s, flat_id id, const char *name, dim value) {
  add_attribute(s, id, name, FLAT_ATTRIBUTE_whole)->size = value;
}

void sema_add_sizes(sema *s, flat_id id, const char *name, const dim *values, unsigned count) {
  flat_attribute *a = add_attribute(s, id, name, FLAT_ATTRIBUTE_sizes);
  a->sizes = arena_alloc_array(s->arena, count + 1, sizeof *a->sizes);
  a->integer = count;
  for (unsigned i = 0; i < count; i++) a->sizes[i] = values[i];
}

void sema_add_flag(sema *s, flat_id id, const char *name) {
  add_attribute(s, id, name, FLAT_ATTRIBUTE_flag);
}

void sema_add_shape(sema *s, flat_id id, const char *name) {
  add_attribute(s, id, name, FLAT_ATTRIBUTE_shape);
}

void sema_name_result(sema *s, sema_value v, size_t first, const char *name) {
  if ((v.kind != SEMA_tensor && v.kind != SEMA_graph) || v.id < first) return;
  flat_value *value = sema_flat(s, v.id);
  if (!value->name) value->name = sema_join_names(s, s->scope->prefix, name);
}

bool sema_as_tensor(sema *s, sema_value v, const ast_expr *e, flat_id *id) {
  *id = FLAT_NONE;
  if (v.kind == SEMA_tensor && sema_type(s, v.id).is_integer) {
    sema_error(s, e->span, DIAG_integer_value,
               "%s is %s; integers are looked up with (W[i]), compared (i == 3) or converted (float(i))",
               sema_quote(s, e), sema_describe(s, v));
    sema_note_operand(s, e);
    return false;
  }
  switch (v.kind) {
  case SEMA_tensor: *id = v.id; return true;
  case SEMA_poison: return false;
  case SEMA_number:
  case SEMA_size:
    *id = sema_add(s, FLAT_constant, (flat_type){0}, e->span, NULL, 0);
    if (v.kind == SEMA_size)
      sema_add_size(s, *id, "value", v.size);
    else
      sema_add_number(s, *id, "value", v.number);
    return *id != FLAT_NONE;
  case SEMA_nothing:
    sema_error(s, e->span, DIAG_type_mismatch, "%s returns nothing, but a value is needed here", sema_quote(s, e));
    return false;
  case SEMA_tuple:
    sema_error(s, e->span, DIAG_type_mismatch, "%s gives %zu values, but one is needed here", sema_quote(s, e),
               v.count);
    return false;
  case SEMA_none:
    sema_error(s, e->span, DIAG_type_mismatch, "%s is none, but a tensor is needed here", sema_quote(s, e));
    sema_note(s, e->span, "an optional value is tested first: 'x @ W if has(W) else 0'");
    return false;
  case SEMA_by_type: {
    const char *name = e->kind == AST_EXPR_name ? e->name.text : e->kind == AST_EXPR_field ? e->field.name.text : "it";
    return sema_as_tensor(s, sema_read_by_type(s, v, name, s->graph_set, e->span), e, id);
  }
  case SEMA_graph:
  case SEMA_node_type:
  case SEMA_function:
  case SEMA_reduction:
  case SEMA_string: break;
  }
  sema_error(s, e->span, DIAG_type_mismatch, "%s is %s, but a tensor is needed here", sema_quote(s, e),
             sema_describe(s, v));
  return false;
}

flat_id sema_gather(sema *s, flat_id graph, flat_id value, sema_end end, span where) {
  flat_type type = sema_type(s, value);
  type.domain = FLAT_DOMAIN_edge;
  type.set = sema_type(s, graph).set;
  flat_id id = sema_add(s, FLAT_gather, type, where, (flat_id[]){graph, value}, 2);
  sema_add_string(s, id, "end", end == SEMA_END_src ? "src" : "dst");
  return id;
}

/* The nodes of all edge sets "g", "g.replace" are those of "g". */
const char *sema_node_set(sema *s, const char *set) {
  const char *dot = set ? strchr(set, '.') : NULL;
  return dot ? arena_strndup(s->arena, set, (size_t)(dot - set)) : set;
}

bool sema_is_run_set(const char *set) {
  return strstr(set, ".knn_") || strstr(set, ".radius_") || strstr(set, ".induced_") || strstr(set, ".power");
}

flat_id sema_degree(sema *s, flat_id graph, const char *direction, span where) {
  flat_type type = {.domain = FLAT_DOMAIN_node, .set = sema_node_set(s, sema_type(s, graph).set)};
  flat_id id = sema_add(s, FLAT_degree, type, where, &graph, 1);
  sema_add_string(s, id, "direction", direction);
  return id;
}

flat_id sema_activation(sema *s, const char *function, flat_id x, span where) {
  if (x == FLAT_NONE) return x;
  flat_id id = sema_add(s, FLAT_activation, sema_type(s, x), where, &x, 1);
  sema_add_string(s, id, "function", function);
  return id;
}

/* Makes select(degree, v, v), because no operation gives every node the same value; the result is
 * exact. */
flat_id sema_spread(sema *s, flat_id value, bool is_edge, flat_id graph, span where) {
  if (value == FLAT_NONE || graph == FLAT_NONE || sema_type(s, value).domain != FLAT_DOMAIN_plain) return value;
  flat_id rows = sema_degree(s, graph, "in", where);
  if (is_edge && rows != FLAT_NONE) rows = sema_gather(s, graph, rows, SEMA_END_dst, where);
  if (rows == FLAT_NONE) return FLAT_NONE;
  flat_type type = sema_type(s, value);
  type.domain = is_edge ? FLAT_DOMAIN_edge : FLAT_DOMAIN_node;
  type.set = sema_type(s, rows).set;
  return sema_add(s, FLAT_select, type, where, (flat_id[]){rows, value, value}, 3);
}

flat_id sema_aggregate(sema *s, flat_id graph, flat_id value, const char *reduce, const char *direction, span where) {
  flat_type type = sema_type(s, value);
  type.domain = FLAT_DOMAIN_node;
  type.set = sema_node_set(s, sema_type(s, graph).set);
  flat_id id = sema_add(s, FLAT_aggregate, type, where, (flat_id[]){graph, value}, 2);
  sema_add_string(s, id, "reduce", reduce);
  sema_add_string(s, id, "direction", direction);
  return id;
}
