#include "codegen/graphagile/plan/plan_compact.h"

/* Whether other tensors are windows of t. */
static bool has_windows(const graphagile_plan *p, const graphagile_plan_tensor *t) {
  for (size_t i = 0; i < p->tensors.count; i++)
    if (p->tensors.items[i]->whole == t) return true;
  return false;
}

void graphagile_plan_compact(graphagile_plan *p) {
  if (!p->options->compact || p->options->paper) return;
  for (size_t i = 0; i < p->tensors.count; i++) {
    graphagile_plan_tensor *t = p->tensors.items[i];
    bool is_column = t->width == 1 && !t->edges && !t->weight;
    bool is_users = t->is_output || !mlirOperationIsNull(t->input);
    if (!is_column || is_users || t->whole || has_windows(p, t)) continue;
    t->is_compact = true;
    graphagile_plan_size_tensor(p, t);
  }
}
