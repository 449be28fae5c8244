/* How much fits the fields of an instruction and a buffer. The choice of tiles and the emission
 * of instructions keep to these limits. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_LIMITS_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_LIMITS_H

#include "codegen/graphagile/plan/plan_tensor.h"
#include "support/number.h"

/* The largest values that the fields of instructions hold. */
enum {
  GRAPHAGILE_PLAN_MAX_FIBERS = 1 << GRAPHAGILE_WIDTH_memrd_nfib,
  GRAPHAGILE_PLAN_MAX_STRIDE = 1 << GRAPHAGILE_WIDTH_memrd_stride,
  GRAPHAGILE_PLAN_MAX_BODY = (1 << GRAPHAGILE_WIDTH_loop_body_len) - 1,
  GRAPHAGILE_PLAN_MAX_LOOP = 1 << GRAPHAGILE_WIDTH_loop_count,
  GRAPHAGILE_PLAN_MAX_SHARE = (1 << GRAPHAGILE_WIDTH_memrd_share) - 1,
  GRAPHAGILE_PLAN_MAX_ACT_PARAM = (1 << GRAPHAGILE_WIDTH_sddmm_param) - 1,
};

/* Whether fibers lie so far apart in DDR that one load or store can move only one of them. */
static inline bool graphagile_plan_is_high(const graphagile_plan_tensor *t) {
  return t && t->stride >= GRAPHAGILE_PLAN_MAX_STRIDE;
}

/* The most fibers of so many rows that one load brings into a Feature Buffer. */
static inline int64_t graphagile_plan_most_fibers(const graphagile_device *d, const graphagile_plan_tensor *t,
                                                  int64_t rows) {
  int64_t most = number_min(GRAPHAGILE_PLAN_MAX_FIBERS, d->feature_rows / rows);
  return graphagile_plan_is_high(t) ? number_min(most, 1) : most;
}

/* The most columns of a product's inner dimension for which the rows of the matrix fit a Weight
 * Buffer, for so many fibers of the result. */
static inline int64_t graphagile_plan_most_depth(const graphagile_device *d, int64_t fibers) {
  return d->weight_rows / fibers;
}

#endif
