/* Prints flat programs, one line per value, for tests, debugging and messages. */
#include "frontend/sema/flat.h"

#include <inttypes.h>

const char *flat_op_name(flat_op op) {
  static const char *const names[] = {
#define OP(dialect, name, traits, summary, doc) #name,
#define OPS_OF_GNN
#include "dialects/ops.def"
      "graph", "input", "weight", "state"};
  return names[op];
}

void flat_print_type(dim_system *dims, flat_type type, text *out) {
  static const char *const prefixes[] = {"", "node ", "edge ", "etype ", "ntype ", "graph ", ""};
  if (type.domain == FLAT_DOMAIN_graph) {
    text_printf(out, "graph \"%s\"", type.set);
    return;
  }
  text_printf(out, "%s%s", prefixes[type.domain], type.is_integer ? "i32" : "f32");
  for (unsigned i = 0; i < type.rank; i++) {
    text_append(out, i ? ", " : "[");
    dim_print(dims, type.dims[i], out);
  }
  if (type.rank) text_append(out, "]");
}

static void print_attribute(dim_system *dims, const flat_value *v, const flat_attribute *a, text *out) {
  text_printf(out, "%s = ", a->name);
  switch (a->kind) {
  case FLAT_ATTRIBUTE_string: text_printf(out, "\"%s\"", a->string); break;
  case FLAT_ATTRIBUTE_number: text_printf(out, "%.17g", a->number); break;
  case FLAT_ATTRIBUTE_size: dim_print(dims, a->size, out); break;
  case FLAT_ATTRIBUTE_whole: dim_print(dims, a->size, out); break;
  case FLAT_ATTRIBUTE_sizes:
    for (int64_t i = 0; i < a->integer; i++) {
      text_append(out, i ? ", " : "[");
      dim_print(dims, a->sizes[i], out);
    }
    text_append(out, a->integer ? "]" : "[]");
    break;
  case FLAT_ATTRIBUTE_integer: text_printf(out, "%" PRId64, a->integer); break;
  case FLAT_ATTRIBUTE_flag: text_append(out, "true"); break;
  case FLAT_ATTRIBUTE_shape:
    text_append(out, "[");
    for (unsigned i = 0; i < v->type.rank; i++) {
      if (i) text_append(out, ", ");
      dim_print(dims, v->type.dims[i], out);
    }
    text_append(out, "]");
    break;
  }
}

static void print_value(dim_system *dims, const flat_value *v, size_t index, text *out) {
  text_printf(out, "%%%zu", index);
  if (v->name) text_printf(out, " %s", v->name);
  text_append(out, " : ");
  flat_print_type(dims, v->type, out);
  text_printf(out, " = %s", flat_op_name(v->op));
  const char *separator = "(";
  for (unsigned i = 0; i < FLAT_MAX_OPERANDS; i++) {
    if (v->operands[i] == FLAT_NONE) continue;
    text_printf(out, "%s%%%" PRIu32, separator, v->operands[i]);
    separator = ", ";
  }
  if (v->from) {
    text_printf(out, "%s\"%s\"%s", separator, v->from, v->from_weights ? " of the weights" : "");
    separator = ", ";
  }
  if (v->count) {
    text_printf(out, "%scount = ", separator);
    dim_print(dims, v->count, out);
    separator = ", ";
  }
  if (v->is_frozen) text_printf(out, "%sfrozen", separator);
  if (v->is_trained) text_printf(out, "%strained", separator);
  if (v->is_frozen || v->is_trained) separator = ", ";
  for (unsigned i = 0; i < v->attribute_count; i++) {
    text_append(out, separator);
    print_attribute(dims, v, &v->attributes[i], out);
    separator = ", ";
  }
  text_append(out, *separator == '(' ? "()\n" : ")\n");
}

void flat_print(const flat_program *p, text *out) {
  text_printf(out, "model %s\n", p->model);
  for (size_t i = 0; i < p->values.count; i++) print_value(p->dims, p->values.items[i], i, out);
  for (size_t i = 0; i < p->outputs.count; i++)
    text_printf(out, "output %s = %%%" PRIu32 "\n", p->outputs.items[i].name, p->outputs.items[i].value);
  if (p->loss.name) text_printf(out, "loss %s = %%%" PRIu32 "\n", p->loss.name, p->loss.value);
}
