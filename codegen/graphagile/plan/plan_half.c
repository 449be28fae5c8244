#include "codegen/graphagile/plan/plan_half.h"

void graphagile_plan_halve(graphagile_plan *p) {
  if (!p->options->half) return;
  for (size_t i = 0; i < p->tensors.count; i++) {
    graphagile_plan_tensor *t = p->tensors.items[i];
    if (t->edges || t->weight) continue;
    t->is_compact_in_cost = t->is_compact;
    if (t->is_compact) continue;
    t->is_half = true;
    graphagile_plan_size_tensor(p, t);
  }
}
