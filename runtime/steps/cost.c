/* The cost of host steps. FLOPs follow the rules of passes/cost/gnn_cost.def: a sum of n products
 * takes 2 n, whatever its first term is; a maximum takes none; a mean takes 1 more per element;
 * functions take the number in support/elementwise.def. Every edge of a list with weights takes a
 * multiplication, also where its weight is 1. Bytes: each operand is read once and the result is
 * written once, edge lists with their indices. Relayouts have a rule of their own. */
#include "runtime/steps/steps.h"

#include "support/unreachable.h"

static double count_of(const step_array *a) {
  return (double)a->rows * (double)a->width;
}

static double sum_flops(const program_steps *p, const program_step *s, const step_array *out) {
  const step_edge_list *l = &p->lists[s->spmm.list];
  bool is_weighted = l->has_weight || (s->in[0] >= 0 && s->in[1] >= 0);
  double adds = s->spmm.reduction == KERNEL_MAX || s->spmm.reduction == KERNEL_MIN ? 0 : 1;
  double divisions = s->spmm.reduction == KERNEL_MEAN ? count_of(out) : 0;
  return (double)l->edges * (double)out->width * (adds + is_weighted) + divisions;
}

static double inner_flops(const program_steps *p, const program_step *s) {
  const step_array *x = &p->arrays[s->in[0] >= 0 && s->sddmm.inner != KERNEL_INNER_dst ? s->in[0] : s->in[1]];
  double per_column = s->sddmm.inner == KERNEL_INNER_dot || s->sddmm.inner == KERNEL_INNER_add ? 2 : 1;
  double combine = s->sddmm.combine == BINARY_none ? 0 : elementwise_binaries[s->sddmm.combine].flops;
  return (double)p->lists[s->sddmm.list].edges * (per_column * (double)x->width + combine * (double)s->sddmm.heads);
}

static double flops_of(const program_steps *p, const program_step *s) {
  const step_array *out = &p->arrays[s->out];
  switch (s->op) {
  case STEP_gemm: return 2 * count_of(out) * (double)p->arrays[s->in[0]].width;
  case STEP_spmm: return sum_flops(p, s, out);
  case STEP_sddmm: return inner_flops(p, s);
  case STEP_vadd: {
    double each = s->vadd.function == BINARY_none ? 0 : elementwise_binaries[s->vadd.function].flops;
    return count_of(out) * (each + (s->vadd.scale != 1));
  }
  case STEP_outer_sum: return 2 * count_of(out) * (double)p->arrays[s->in[0]].rows;
  case STEP_lookup:
  case STEP_map:
  case STEP_columns:
  case STEP_concat: return 0;
  case STEP_run:
  case STEP_relayout:
  case STEP_OPS: break;
  }
  UNREACHABLE("the step is no operation of the host");
}

/* Terms of the sums of a step. A copy of rows has none, and neither has a maximum. */
static double multiply_adds_of(const program_steps *p, const program_step *s) {
  const step_array *out = &p->arrays[s->out];
  if (s->op == STEP_gemm) return count_of(out) * (double)p->arrays[s->in[0]].width;
  if (s->op == STEP_outer_sum) return count_of(out) * (double)p->arrays[s->in[0]].rows;
  if (s->op == STEP_spmm) {
    const step_edge_list *l = &p->lists[s->spmm.list];
    bool is_sum = s->spmm.reduction == KERNEL_SUM || s->spmm.reduction == KERNEL_MEAN;
    bool is_copy = l->is_copy && s->in[1] < 0;
    return is_sum && !is_copy ? (double)l->edges * (double)out->width : 0;
  }
  bool is_dot = s->op == STEP_sddmm && s->sddmm.inner == KERNEL_INNER_dot;
  return is_dot ? (double)p->lists[s->sddmm.list].edges * (double)p->arrays[s->in[0]].width : 0;
}

static double list_bytes(const step_edge_list *l) {
  return (double)l->edges * (l->has_weight ? 12 : 8);
}

/* The cost of moving rows over the link. A layout that folds moves the whole place, with its
 * padding, and the host adds up the rows of memory that are the same one of the array. */
static step_cost relayout_cost(const program_steps *p, const program_step *s) {
  const layout *l = s->place.layout;
  const layout_tensor *t = &s->place.tensor;
  bool is_from_device = s->out >= 0;
  const int64_t number = l->number_bytes ? l->number_bytes : 4;
  if (!l->folds) return (step_cost){.bytes = (double)number * count_of(&p->arrays[is_from_device ? s->out : s->in[0]])};
  return (step_cost){.flops = is_from_device ? (double)t->repeats * (double)layout_row_numbers(l, t) : 0,
                     .bytes = (double)l->count_parts(t) * (double)s->place.part_bytes};
}

step_cost steps_cost(const program_steps *p, const program_step *s) {
  step_cost cost = {0};
  if (s->op == STEP_run) return cost;
  if (s->op == STEP_relayout) return relayout_cost(p, s);
  /* a lookup reads one row of the table, not all of them, for each row of its result */
  if (s->op == STEP_lookup) cost.bytes += 4 * (count_of(&p->arrays[s->out]) + (double)p->arrays[s->in[1]].rows);
  for (int i = 0; i < STEP_MAX_OPERANDS && s->op != STEP_lookup; i++)
    if (s->in[i] >= 0) cost.bytes += 4 * count_of(&p->arrays[s->in[i]]);
  if (s->out >= 0) cost.bytes += 4 * count_of(&p->arrays[s->out]);
  if (s->op == STEP_spmm) cost.bytes += list_bytes(&p->lists[s->spmm.list]);
  if (s->op == STEP_sddmm) cost.bytes += list_bytes(&p->lists[s->sddmm.list]);
  cost.flops = flops_of(p, s);
  cost.multiply_adds = multiply_adds_of(p, s);
  for (int32_t i = 0; i < s->num_functions; i++)
    cost.flops += count_of(&p->arrays[s->out]) * elementwise_unaries[s->functions[i].function].flops;
  return cost;
}
