/* Checks the device level beyond types: functions must exist and have the numbers that they take;
 * matrices per type need rows ordered by type. */
#include "dialects/verify/verify.h"

#include <string.h>

/* Checks a function: "relu", "leaky_relu 0.2", "clamp -1 1". */
static bool verify_function(const infer *in, const char *said) {
  enum { LONGEST = 32 };
  char name[LONGEST];
  elementwise_call call;
  if (elementwise_call_parse(said, &call)) return true;
  size_t size = strcspn(said, " ");
  if (size >= LONGEST) return infer_error(in, "there is no function '%s'", said);
  memcpy(name, said, size);
  name[size] = 0;
  elementwise_unary function = elementwise_unary_find(name);
  if (function == UNARY_none) return infer_error(in, "there is no function '%s'", name);
  int count = elementwise_count_parameters(function);
  if (!count) return infer_error(in, "'%s' takes no number", name);
  if (count == 1) return infer_error(in, "'%s' takes a number, as in \"%s 0.5\"", name, name);
  return infer_error(in, "'%s' takes two numbers, as in \"%s -0.5 0.5\"", name, name);
}

static bool verify_functions(const infer *in) {
  size_t count = ir_get_array_size(in->existing, "functions");
  for (size_t i = 0; i < count; i++)
    if (!verify_function(in, ir_get_string_at(in->existing, "functions", i))) return false;
  return count || in->op != IR_OP(device, map) || infer_error(in, "a map has at least one function");
}

/* Checks that rows are ordered by a kind of type: rows of edges are ordered by edge type, rows of
 * nodes by node type; rows per type are in the order of types. */
static bool verify_order(const infer *in, unsigned matrix, const char *set) {
  ir_type w = in->types[matrix];
  if (w.kind != IR_KIND_per) return true;
  const char *dot = strrchr(set, '.');
  bool are_edges = dot && !strcmp(dot, ".edges"), by_edge = !strncmp(w.set, "etype", 5);
  if (are_edges) {
    const char *end = strncmp(w.set, "etype_", 6) ? NULL : w.set + 6;
    /* Only the pairs of that end are ordered by pairs of types. */
    const char *unique = end ? strstr(set, ".unique_") : NULL;
    if (by_edge && (!end || (unique && !strncmp(unique + strlen(".unique_"), end, strlen(end))))) return true;
  } else if (!strcmp(set, w.set) || (!strcmp(w.set, "ntype") && !ir_choice_has(IR_PER_KINDS "|one|columns", set))) {
    return true;
  }
  return infer_error(in, "'%s' is per %s, but rows of '%s' are not ordered by that", infer_name(in, matrix), w.set,
                     set);
}

bool verify_device(const infer *in) {
  switch (in->op) {
  case IR_OP(device, gemm): return verify_functions(in) && verify_order(in, IR_IN(device, gemm, w), in->types[0].set);
  case IR_OP(device, layer):
    return verify_functions(in) && verify_order(in, IR_IN(device, layer, w), in->types[0].detail);
  case IR_OP(device, spdmm):
  case IR_OP(device, sddmm):
  case IR_OP(device, vadd):
  case IR_OP(device, scaled_add):
  case IR_OP(device, map):
  case IR_OP(device, values_vadd): return verify_functions(in);
  default: return true;
  }
}
