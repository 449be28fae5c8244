/* A Linear behind an Aggregate, in the blocks of the Aggregate (fuse_product.h):
 *
 *   ... sums in F2; MEMRD W1; [INIT F0 by the bias;] GEMM F0 = F2 * W1; [epilogues;] MEMWR F0
 *
 * The product lies in F0: the next block's first sources are then loaded while this one multiplies,
 * because its F0 and F1 are F1 and F2 here (docs/devices/graphagile.md, rule 9). With two shards F1
 * holds sums as well; their product lies in F2, which the first product has released. The matrix is
 * in W1, constant rows are in W0: the first loads of the next block must not wait for the GEMM. */
#include "codegen/graphagile/emit/emit_product.h"

#include "codegen/graphagile/emit/emit_block.h"
#include "codegen/graphagile/emit/emit_code.h"
#include "codegen/graphagile/emit/emit_memo.h"

enum { MATRIX = 1 };

static void load_matrix(graphagile_emit *e, const graphagile_emit_region *r) {
  const graphagile_plan_constant *m = &e->layer->gemm.matrix;
  EMIT(e, memrd, .buffer = GRAPHAGILE_W0 + MATRIX, .lock = 1, .wait = 1, .kind = GRAPHAGILE_KIND_weights,
       .count = (uint64_t)((m->depth + m->head) * r->fibers), .nfib = 1, .addr = m->address / 4);
  graphagile_emit_moves(e, 0, 0);
}

static void multiply(graphagile_emit *e, int sums, const graphagile_emit_region *r) {
  const graphagile_plan_gemm *g = &e->layer->gemm;
  uint64_t stride = graphagile_emit_stride(r);
  EMIT(e, gemm, .acc = g->matrix.head > 0, .unlock_f = 1, .unlock_w = !e->goes_on, .skip = g->matrix.has_zeros,
       .in = (uint64_t)sums, .out = (uint64_t)e->out, .w = MATRIX, .w_base = (uint64_t)(g->matrix.head * r->fibers),
       .rows = (uint64_t)r->rows, .len = (uint64_t)g->matrix.depth, .gfib = (uint64_t)r->fibers, .in_stride = stride,
       .out_stride = stride);
}

void graphagile_emit_product(graphagile_emit *e, const graphagile_emit_region *r) {
  const graphagile_plan_layer *sum = e->layer;
  const int sums = e->out;
  const bool is_pair = e->num_free == 1;
  graphagile_emit_region p = {.first_row = r->first_row, .rows = r->rows, .stride = r->stride};
  e->layer = sum->spdmm.product;
  p.fibers = e->layer->result->fibers;
  e->out = is_pair ? e->free_f : 0;
  if (e->out == 0) load_matrix(e, &p); /* the first shard of the block */
  if (e->layer->gemm.matrix.head) graphagile_emit_fill(e, e->out, GRAPHAGILE_FILL_row, MATRIX, false, &p);
  multiply(e, sums, &p);
  e->free_f = is_pair ? sums : 1;
  e->num_free = 1;
  graphagile_emit_add(e, &p);
  graphagile_emit_end(e, e->out, &p);
  e->layer = sum;
}
