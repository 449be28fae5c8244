/* Finds Linear layers that alone read the sums of an Aggregate, and makes one layer of both
 * (fuse_product.h). */
#include "codegen/graphagile/fuse/fuse_product.h"

/* The index of the only layer that reads a tensor; the number of layers where there is none, or
 * more than one. */
static size_t only_reader(const graphagile_plan *p, const graphagile_plan_tensor *t) {
  const size_t none = p->layers.count;
  size_t reader = none;
  for (size_t i = 0; i < none; i++) {
    if (!graphagile_plan_reads(&p->layers.items[i], t)) continue;
    if (reader < none) return none;
    reader = i;
  }
  return reader;
}

static bool has_windows(const graphagile_plan *p, const graphagile_plan_tensor *t) {
  if (t->whole) return true;
  for (size_t i = 0; i < p->tensors.count; i++)
    if (p->tensors.items[i]->whole == t) return true;
  return false;
}

/* Whether a Linear has one matrix for all rows, which fits a Weight Buffer, and no tensor of which
 * each fiber needs a load of its own. */
static bool fits(const graphagile_plan *p, const graphagile_plan_layer *linear) {
  const graphagile_plan_gemm *g = &linear->gemm;
  graphagile_plan_tensor *operands[GRAPHAGILE_PLAN_MAX_OPERANDS];
  int count = graphagile_plan_operands(linear, operands);
  for (int i = 0; i < count; i++)
    if (graphagile_plan_is_high(operands[i])) return false;
  if (g->start.bias.fibers && !g->start.bias.is_merged) return false; /* one load brings the bias, too */
  int64_t fibers = linear->result->fibers, depth = g->matrix.depth + g->matrix.head;
  return !g->segments.count && !graphagile_plan_is_high(linear->result) && fibers > 0 &&
         fibers <= GRAPHAGILE_PLAN_MAX_FIBERS && g->matrix.depth > 0 &&
         depth <= graphagile_plan_most_depth(p->device, fibers) &&
         p->device->width + g->matrix.head <= p->device->weight_rows;
}

static bool is_candidate(const graphagile_plan *p, const graphagile_plan_layer *sum, size_t *linear) {
  const graphagile_plan_tensor *t = sum->result;
  if (sum->kind != GRAPHAGILE_PLAN_spdmm || sum->spdmm.product || t->is_output || has_windows(p, t)) return false;
  if (t->place != GRAPHAGILE_PLAN_HIDDEN || sum->spdmm.kept) return false; /* layers before the Linear read `kept` */
  *linear = only_reader(p, t);
  if (*linear == p->layers.count) return false;
  const graphagile_plan_layer *l = &p->layers.items[*linear];
  return l->kind == GRAPHAGILE_PLAN_gemm && l->gemm.in == t && l->gemm.start.addend != t && fits(p, l);
}

static graphagile_plan_layer join(graphagile_plan *p, const graphagile_plan_layer *sum,
                                  const graphagile_plan_layer *linear) {
  graphagile_plan_layer both = *sum, *product = arena_alloc(p->arena, sizeof *product);
  *product = *linear;
  product->gemm.matrix.group = linear->result->fibers;
  both.spdmm.product = product;
  both.name = arena_printf(p->arena, "%s, %s", sum->name, linear->name);
  both.multiply_adds += linear->multiply_adds;
  return both;
}

/* An epilogue of the Linear may read the sums, too. */
static bool reads_in_epilogue(const graphagile_plan_layer *linear) {
  for (int i = 0; i < linear->num_epilogues; i++)
    if (linear->epilogues[i].other == linear->gemm.in) return true;
  return false;
}

graphagile_fuse_products graphagile_fuse_find_products(graphagile_plan *p) {
  graphagile_fuse_products found = {0};
  if (!p->options->product || p->options->paper) return found;
  for (size_t i = 0; i < p->layers.count; i++) {
    graphagile_fuse_product made = {.sum = i};
    const graphagile_plan_layer *layers = p->layers.items;
    if (!is_candidate(p, &layers[i], &made.linear) || reads_in_epilogue(&layers[made.linear])) continue;
    made.both = join(p, &layers[i], &layers[made.linear]);
    VEC_PUSH(p->arena, &found, made);
  }
  return found;
}

/* The new layer takes the place of the Linear, where the operands of both are there. */
void graphagile_fuse_apply_products(graphagile_plan *p, const graphagile_fuse_products *products,
                                    const bool *is_chosen) {
  bool *is_absorbed = arena_alloc_array(p->arena, p->layers.count + 1, sizeof *is_absorbed);
  size_t kept = 0, count = p->layers.count;
  for (size_t i = 0; i < products->count; i++) {
    const graphagile_fuse_product *f = &products->items[i];
    if (!is_chosen[i]) continue;
    p->layers.items[f->linear] = f->both;
    f->both.result->is_gone = true;
    is_absorbed[f->sum] = true;
  }
  for (size_t i = 0; i < count; i++)
    if (!is_absorbed[i]) p->layers.items[kept++] = p->layers.items[i];
  p->layers.count = kept;
  if (kept < count) graphagile_plan_find_lives(p);
}
