/* A Linear behind an Aggregate, in the blocks of the Aggregate (fuse_product.h):
 *
 *   ... sums in F2; MEMRD W1; per part of the rows { [INIT F0|F1 by the bias;] GEMM F0|F1 = F2 * W1; [epilogues;]
 *                                                    MEMWR F0|F1 }
 *
 * The parts lie in F0 and F1 in turns, so that the store of one overlaps the product of the next.
 * The first sources of the next block are loaded while this one multiplies, because its F0 and F1
 * are F1 and F2 here (docs/devices/graphagile.md, rule 9). With two shards F1 holds sums as well:
 * F0 takes the products of the first shard, F2 and F0 those of the second. Where the product has
 * operands, one of the two buffers is for them. The matrix is in W1, constant rows are in W0: the
 * first loads of the next block must not wait for the GEMM. */
#include "codegen/graphagile/emit/emit_product.h"

#include "codegen/graphagile/emit/emit_block.h"
#include "codegen/graphagile/emit/emit_code.h"
#include "codegen/graphagile/emit/emit_memo.h"
#include "codegen/graphagile/plan/plan_product.h"
#include "support/number.h"

enum { MATRIX = 1 };

static void load_matrix(graphagile_emit *e, const graphagile_emit_region *r) {
  const graphagile_plan_constant *m = &e->layer->gemm.matrix;
  const bool shares = e->matrix_share > 1;
  EMIT(e, memrd, .buffer = GRAPHAGILE_W0 + MATRIX, .lock = 1, .wait = 1, .kind = GRAPHAGILE_KIND_weights,
       .bcast = shares, .share = shares ? (uint64_t)e->matrix_share : 0, .step = shares ? (uint64_t)e->wave : 0,
       .count = (uint64_t)((m->depth + m->head) * r->fibers), .nfib = 1, .addr = m->address / 4);
  graphagile_emit_moves(e, 0, 0);
}

/* Where a block has its sums, and which buffers its products take in turns. */
typedef struct places {
  int sums, products[2], operands;
} places;

static places places_of(const graphagile_emit *e) {
  if (e->num_free > 1) return (places){e->out, {0, 1}, 1};
  if (e->out == 2) return (places){2, {0, 0}, 2};
  return (places){1, {2, 0}, 0};
}

/* Multiplies the rows of region r that begin at row `base` of the sums. */
static void multiply(graphagile_emit *e, const places *at, uint64_t base, uint64_t stride, bool is_last,
                     const graphagile_emit_region *r) {
  const graphagile_plan_gemm *g = &e->layer->gemm;
  if (g->matrix.head) graphagile_emit_fill(e, e->out, GRAPHAGILE_FILL_row, MATRIX, false, r);
  EMIT(e, gemm, .acc = g->matrix.head > 0, .unlock_f = is_last, .unlock_w = is_last && !e->goes_on,
       .skip = g->matrix.has_zeros, .in = (uint64_t)at->sums, .out = (uint64_t)e->out, .w = MATRIX, .in_base = base,
       .w_base = (uint64_t)(g->matrix.head * r->fibers), .rows = (uint64_t)r->rows, .len = (uint64_t)g->matrix.depth,
       .gfib = (uint64_t)r->fibers, .in_stride = stride, .out_stride = graphagile_emit_stride(r));
}

void graphagile_emit_product(graphagile_emit *e, const graphagile_emit_region *r) {
  const graphagile_plan_layer *sum = e->layer, *product = sum->spdmm.product;
  const places at = places_of(e);
  const bool goes_on = e->goes_on, has_operands = graphagile_plan_product_has_operands(product);
  const int64_t rows = graphagile_plan_product_rows(e->plan->device, sum, sum->tile), end = r->first_row + r->rows;
  graphagile_emit_region p = {.first_row = r->first_row, .fibers = product->result->fibers};
  e->layer = product;
  e->is_product = true;
  if (at.sums == 2) load_matrix(e, &p); /* the first shard of the block */
  e->num_free = 1;
  for (int part = 0; p.first_row < end; p.first_row += p.rows, part++) {
    p.rows = number_min(rows, end - p.first_row);
    const bool is_last = p.first_row + p.rows == end;
    e->out = at.products[has_operands ? 0 : part & 1];
    e->free_f = at.operands;
    multiply(e, &at, (uint64_t)(p.first_row - r->first_row), graphagile_emit_stride(r), is_last, &p);
    e->goes_on = goes_on || !is_last;
    graphagile_emit_add(e, &p);
    graphagile_emit_end(e, e->out, &p);
    e->goes_on = goes_on;
  }
  e->free_f = at.sums;
  e->layer = sum;
  e->is_product = false;
}
