/* The device level beyond types: functions that exist, with a parameter where they take one; matrices per type where rows are ordered by it. */
#include "dialects/verify/verify.h"

#include <stdlib.h>
#include <string.h>

static bool takes_parameter(const char *name) {
  return ir_choice_has("leaky_relu|elu|add_constant|mul_constant", name);
}

/* "relu", "leaky_relu 0.2". */
static bool verify_function(const infer *in, const char *function) {
  char name[32];
  size_t size = strcspn(function, " ");
  if (size >= sizeof name) return infer_error(in, "there is no function '%s'", function);
  memcpy(name, function, size);
  name[size] = 0;
  if (!ir_choice_has("unary", name) && !takes_parameter(name))
    return infer_error(in, "there is no function '%s'", name);
  const char *parameter = function + size + (function[size] == ' ');
  if (!takes_parameter(name)) return !function[size] || infer_error(in, "'%s' takes no number", name);
  char *end = NULL;
  (void)strtof(parameter, &end);
  return (*parameter && !*end) || infer_error(in, "'%s' takes a number, as in \"%s 0.5\"", name, name);
}

static bool verify_functions(const infer *in) {
  size_t count = ir_get_array_size(in->existing, "functions");
  for (size_t i = 0; i < count; i++)
    if (!verify_function(in, ir_get_string_at(in->existing, "functions", i))) return false;
  return count || in->op != IR_OP(device, map) || infer_error(in, "a map has at least one function");
}

/* Rows of edges are ordered by edge type, rows of nodes by node type; rows per type are as they are numbered. */
static bool verify_order(const infer *in) {
  ir_type w = in->types[IR_IN(device, gemm, w)];
  if (w.kind != IR_KIND_per) return true;
  const char *set = in->types[0].set, *dot = strrchr(set, '.');
  bool are_edges = dot && !strcmp(dot, ".edges"), by_edge = !strncmp(w.set, "etype", 5);
  if (are_edges) {
    const char *end = strncmp(w.set, "etype_", 6) ? NULL : w.set + 6;
    const char *unique = end ? strstr(set, ".unique_") : NULL; /* pairs of types order the pairs of their end alone */
    if (by_edge && (!end || (unique && !strncmp(unique + strlen(".unique_"), end, strlen(end))))) return true;
  } else if (!strcmp(set, w.set) || (!strcmp(w.set, "ntype") && !ir_choice_has(IR_PER_KINDS "|one|columns", set))) {
    return true;
  }
  return infer_error(in, "'%s' is per %s, but rows of '%s' are not ordered by that",
                     infer_name(in, IR_IN(device, gemm, w)), w.set, set);
}

bool verify_device(const infer *in) {
  switch (in->op) {
  case IR_OP(device, gemm): return verify_functions(in) && verify_order(in);
  case IR_OP(device, spdmm):
  case IR_OP(device, sddmm):
  case IR_OP(device, vadd):
  case IR_OP(device, scaled_add):
  case IR_OP(device, map):
  case IR_OP(device, values_vadd): return verify_functions(in);
  default: return true;
  }
}
