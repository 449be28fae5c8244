/* Replaces the sizes of an expanded model by numbers. A dimension without a number is reported
 * once, with the files or options that could give it. */
#include "frontend/sema/sema_state.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_ELEMENTS_LOG2 = 40 };

static void report_unbound(sema *s, const flat_value *v, dim_symbol *symbol) {
  if (symbol->is_reported) return;
  symbol->is_reported = true;
  sema_error_in(s, symbol->is_option ? NULL : v->frame, symbol->is_option ? symbol->name : NULL, symbol->declared,
                DIAG_unbound_dimension, "the size of '%s' is not known", symbol->name);
  const char *origin = symbol->hint ? symbol->hint : "a weight (--weights) or an input (--graph) whose type names it";
  if (symbol->is_option)
    sema_note(s, symbol->declared, "it could come from %s, or from --dim %s=...", origin, symbol->name);
  else
    sema_note(s, symbol->declared, "it could come from %s, or from an argument of the call", origin);
}

/* Reports a size that is representable as a polynomial, but too large with the values of its
 * symbols. */
static void report_too_large(sema *s, const flat_value *v, dim d, const char *what) {
  text stated = {0};
  dim_print_stated(s->dims, d, &stated);
  const char *size = text_keep(&stated, s->arena);
  sema_error_in(s, v->frame, size, v->span, DIAG_shape_mismatch,
                "%s is %s here, which is too large: it must be at most %" PRId64, what, size, INT64_MAX);
  for (uint32_t i = 0; i < d->count; i++)
    for (uint32_t j = 0; j < d->terms[i].degree; j++) {
      dim_symbol *symbol = &s->dims->symbols.items[d->terms[i].symbols[j]];
      dim value = symbol->binding ? dim_resolve(s->dims, symbol->binding) : NULL;
      bool is_repeated = j && d->terms[i].symbols[j] == d->terms[i].symbols[j - 1];
      if (value && !is_repeated) sema_note(s, symbol->declared, "'%s' is %s", symbol->name, sema_dim_text(s, value));
    }
}

/* Returns the size with bound symbols replaced. Reports an error where it is not a number of at
 * least 1. */
static dim finish_dim(sema *s, const flat_value *v, dim d, const char *what) {
  int64_t value = 0;
  dim known = dim_resolve(s->dims, d);
  if (!known) {
    if (d) report_too_large(s, v, d, what); /* none: an error was reported for it */
    return d;
  }
  if (dim_value(s->dims, known, &value)) {
    if (value < 1)
      sema_error_in(s, v->frame, NULL, v->span, DIAG_shape_mismatch,
                    "%s is %" PRId64 " here, but it must be at least 1", what, value);
    return known;
  }
  for (uint32_t i = 0; i < known->count; i++)
    for (uint32_t j = 0; j < known->terms[i].degree; j++)
      report_unbound(s, v, &s->dims->symbols.items[known->terms[i].symbols[j]]);
  return known;
}

/* The same for a number that may be 0 or negative. */
static dim finish_number(sema *s, const flat_value *v, dim d) {
  int64_t value = 0;
  return dim_value(s->dims, d, &value) ? dim_resolve(s->dims, d) : finish_dim(s, v, d, "a dimension");
}

/* Sets the number of types of a value per type: the weights give it, else the graph. */
static void finish_count(sema *s, flat_value *v) {
  int64_t count = 0;
  bool is_edge = v->type.domain == FLAT_DOMAIN_etype;
  const char *type = is_edge ? "edge" : "node";
  int64_t of_graph = is_edge ? s->env->num_edge_types : s->env->num_node_types;
  if (!dim_value(s->dims, v->count, &count) && of_graph >= 1)
    dim_unify(s->dims, v->count, dim_constant(s->dims, of_graph), (dim_origin){.text = "the graph has as many"});
  v->count = dim_resolve(s->dims, v->count);
  if (dim_value(s->dims, v->count, &count)) return;
  sema_error_in(s, v->frame, type, v->span, DIAG_unbound_dimension, "the number of %s types is not known", type);
  sema_note(s, v->span, "it could come from the graph (--graph) or from tensor '%s' of the weights (--weights)",
            v->from);
}

static void finish_value(sema *s, flat_value *v) {
  int64_t elements = 1;
  bool is_huge = false;
  for (unsigned i = 0; i < v->type.rank; i++) {
    int64_t value = 1;
    v->type.dims[i] = finish_dim(s, v, v->type.dims[i], "a size");
    if (dim_value(s->dims, v->type.dims[i], &value) && value > 0)
      is_huge |= __builtin_mul_overflow(elements, value, &elements);
  }
  if (is_huge || elements > (int64_t)1 << MAX_ELEMENTS_LOG2)
    sema_error_in(s, v->frame, NULL, v->span, DIAG_shape_mismatch, "%s has too many elements",
                  sema_type_text(s, v->type));
  for (unsigned i = 0; i < v->attribute_count; i++) {
    flat_attribute *a = &v->attributes[i];
    if (a->kind == FLAT_ATTRIBUTE_size || a->kind == FLAT_ATTRIBUTE_whole) a->size = finish_number(s, v, a->size);
    int64_t number = 0;
    if (a->kind == FLAT_ATTRIBUTE_whole && dim_value(s->dims, a->size, &number) && number > INT32_MAX)
      sema_error_in(s, v->frame, a->name, v->span, DIAG_number_range, "%" PRId64 " is too large here, at most %d",
                    number, INT32_MAX);
    for (int64_t k = 0; a->kind == FLAT_ATTRIBUTE_sizes && k < a->integer; k++)
      a->sizes[k] = finish_number(s, v, a->sizes[k]);
  }
  if (v->count) finish_count(s, v);
  int64_t fan = 0;
  if (v->init_fan && !dim_value(s->dims, v->init_fan, &fan)) v->init = NULL; /* of a matrix that the file lacks */
}

void sema_finish_dims(sema *s) {
  for (size_t i = 0; i < s->flat->values.count; i++) {
    finish_value(s, s->flat->values.items[i]);
    sema_flush(s);
  }
  sema_check_bounds(s);
  sema_flush(s);
}

void sema_check_dim_options(sema *s) {
  VEC(const char *) names = {0};
  for (size_t i = 0; i < s->dims->symbols.count; i++)
    if (s->dims->symbols.items[i].is_option) VEC_PUSH(s->arena, &names, s->dims->symbols.items[i].name);
  for (size_t i = 0; i < s->env->dim_count; i++) {
    const sema_dim_option *option = &s->env->dims[i];
    bool is_known = false;
    for (size_t j = 0; j < names.count && !is_known; j++) is_known = !strcmp(names.items[j], option->name);
    if (!is_known)
      sema_error_in(s, NULL, option->name, (span){0}, DIAG_unknown_name,
                    "--dim %s=%" PRId64 ": model '%s' has no dimension '%s'%s", option->name, option->value,
                    s->flat->model, option->name, sema_suggest(s, option->name, names.items, names.count));
    else if (option->value < 1)
      sema_error_in(s, NULL, option->name, (span){0}, DIAG_shape_mismatch, "--dim %s=%" PRId64 ": a size is at least 1",
                    option->name, option->value);
  }
  sema_flush(s);
}
