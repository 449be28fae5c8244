/* Writes counts of kernels as terms: see gnnc_costs.h. */
#include "tools/gnnc/gnnc_costs.h"

#include "passes/intra/intra_counts.h"

#include <string.h>

typedef VEC(model_term) terms;

/* Adds a term. Rows whose number the model determines, such as types, become a constant. */
static void add_term(arena *a, const intra_counts *counts, intra_term from, terms *to) {
  model_term made = {from.rows, from.factor};
  for (size_t i = 0; i < counts->types.count; i++)
    if (!strcmp(from.rows, counts->types.items[i].rows))
      made = (model_term){"one", from.factor * counts->types.items[i].count};
  for (size_t i = 0; i < to->count; i++) {
    if (strcmp(to->items[i].rows, made.rows) != 0) continue;
    to->items[i].factor += made.factor;
    return;
  }
  VEC_PUSH(a, to, made);
}

static terms add_sums(arena *a, const intra_counts *counts, const intra_sum *first, const intra_sum *second) {
  terms made = {0};
  for (size_t i = 0; i < first->count; i++) add_term(a, counts, first->items[i], &made);
  for (size_t i = 0; i < second->count; i++) add_term(a, counts, second->items[i], &made);
  return made;
}

void gnnc_costs_add(MlirOperation module, bool is_f64, arena *a, model_source *out) {
  intra_counts counts;
  intra_counts_collect(module, a, is_f64, &counts);
  model_cost *costs = arena_alloc_array(a, counts.kernels.count + 1, sizeof *costs);
  for (size_t i = 0; i < counts.kernels.count; i++) {
    const intra_kernel *k = &counts.kernels.items[i];
    terms flops = add_sums(a, &counts, &k->products, &k->others), bytes = add_sums(a, &counts, &k->read, &k->written);
    costs[i] = (model_cost){flops.items, bytes.items, flops.count, bytes.count};
  }
  out->costs = costs;
  out->num_costs = counts.kernels.count;
}
