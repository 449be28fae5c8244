/* When to rewrite, and the words of remarks; see the header. */
#include "passes/gnn_choice.h"

#include <string.h>

gnn_when gnn_when_get(const pass_context *p) {
  const char *when = pass_option_string(p, "when", "profitable");
  if (!strcmp(when, "always")) return GNN_WHEN_always;
  return !strcmp(when, "never") ? GNN_WHEN_never : GNN_WHEN_profitable;
}

const char *gnn_describe_change(const pass_context *p, gnn_work before, gnn_work after) {
  const char *flops = arena_printf(p->arena, "%.3f -> %.3f MFLOP", before.flops / 1e6, after.flops / 1e6);
  if (before.bytes <= 0 && after.bytes <= 0) return flops;
  return arena_printf(p->arena, "%s, %.3f -> %.3f MB", flops, before.bytes / 1e6, after.bytes / 1e6);
}

const char *gnn_describe_value(MlirValue value) {
  const char *name = ir_location_name(mlirValueGetLocation(value));
  return name ? name : "a value";
}
