/* How much fits an instruction and a buffer: tiles are chosen by it, and what is emitted keeps to
 * it. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_LIMITS_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_LIMITS_H

#include "codegen/graphagile/plan/plan_tensor.h"
#include "support/number.h"

/* What the fields of instructions can say. */
enum {
  GRAPHAGILE_PLAN_MAX_FIBERS = 1 << GRAPHAGILE_WIDTH_memrd_nfib,
  GRAPHAGILE_PLAN_MAX_STRIDE = 1 << GRAPHAGILE_WIDTH_memrd_stride,
  GRAPHAGILE_PLAN_MAX_BODY = (1 << GRAPHAGILE_WIDTH_loop_body_len) - 1,
  GRAPHAGILE_PLAN_MAX_LOOP = 1 << GRAPHAGILE_WIDTH_loop_count,
  GRAPHAGILE_PLAN_MAX_SHARE = (1 << GRAPHAGILE_WIDTH_memrd_share) - 1,
  GRAPHAGILE_PLAN_MAX_ACT_PARAM = (1 << GRAPHAGILE_WIDTH_sddmm_param) - 1,
};

/* Whether fibers lie so far apart in DDR that a load or store can only move one at a time. */
static inline bool graphagile_plan_is_high(const graphagile_plan_tensor *t) {
  return t && t->stride >= GRAPHAGILE_PLAN_MAX_STRIDE;
}

/* Fibers of so many rows that one load brings into a Feature Buffer. */
static inline int64_t graphagile_plan_most_fibers(const graphagile_device *d, const graphagile_plan_tensor *t,
                                                  int64_t rows) {
  int64_t most = number_min(GRAPHAGILE_PLAN_MAX_FIBERS, d->feature_rows / rows);
  return graphagile_plan_is_high(t) ? number_min(most, 1) : most;
}

/* Columns of the inner dimension of a product whose rows of the matrix, for so many fibers of the
 * result, a Weight Buffer holds. */
static inline int64_t graphagile_plan_most_depth(const graphagile_device *d, int64_t fibers) {
  return d->weight_rows / fibers;
}

#endif
