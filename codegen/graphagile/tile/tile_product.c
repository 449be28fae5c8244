/* Compares each product that its sums could be fused with, over the shape that their edge list
 * has. */
#include "codegen/graphagile/tile/tile_product.h"

#include "codegen/device/steps/place.h"
#include "codegen/graphagile/fuse/fuse_product.h"
#include "codegen/graphagile/tile/tile_edges.h"
#include "codegen/graphagile/tile/tile_gemm.h"

#include <math.h>

double graphagile_tile_cost_linear(graphagile_plan *p, const graphagile_cost_machine *m,
                                   const graphagile_plan_layer *linear) {
  graphagile_plan_layer copy = *linear;
  graphagile_tile_gemm(p, m, &copy);
  return copy.cycles;
}

static void remark(graphagile_plan *p, const graphagile_fuse_product *f, bool is_fused, double apart, double both) {
  const graphagile_plan_layer *sum = &p->layers.items[f->sum], *linear = &p->layers.items[f->linear];
  if (!p->options->remarks) return;
  if (both == INFINITY)
    place_remark(p->arena, p->diag, linear->op, "'%s' is a layer of its own: blocks of '%s' have no room for it",
                 linear->name, sum->name);
  else
    place_remark(p->arena, p->diag, linear->op, "'%s' %s: about %.0f cycles for both instead of %.0f", linear->name,
                 is_fused ? arena_printf(p->arena, "is made with the sums of '%s'", sum->name)
                          : "is a layer of its own",
                 is_fused ? both : apart, is_fused ? apart : both);
}

static bool pays(graphagile_plan *p, const graphagile_cost_machine *m, const graphagile_fuse_product *f) {
  const graphagile_plan_layer *sum = &p->layers.items[f->sum];
  const graphagile_partition_shape shape = sum->spdmm.edges->shape->shape;
  double apart, both;
  graphagile_tile_edges(p, m, sum, shape, &apart);
  graphagile_tile_edges(p, m, &f->both, shape, &both);
  apart += graphagile_tile_cost_linear(p, m, &p->layers.items[f->linear]);
  const bool is_fused = both < (p->options->every_product ? INFINITY : apart);
  remark(p, f, is_fused, apart, both);
  return is_fused;
}

void graphagile_tile_products(graphagile_plan *p, const graphagile_cost_machine *m) {
  const graphagile_fuse_products products = graphagile_fuse_find_products(p);
  bool *is_chosen = arena_alloc_array(p->arena, products.count + 1, sizeof *is_chosen);
  for (size_t i = 0; i < products.count; i++) is_chosen[i] = pays(p, m, &products.items[i]);
  graphagile_fuse_apply_products(p, &products, is_chosen);
}
