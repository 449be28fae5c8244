/* The order of the records inside a piece. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_ORDER_H
#define GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_ORDER_H

#include "codegen/graphagile/partition/partition_shape.h"
#include "support/status.h"
#include "support/thread_pool.h"

/* Reorders the records of each piece of a partition so that the width / 2 edges that enter the
 * networks of SpDMM together meet in no switch, bank or pipeline, as far as the piece's edges allow
 * (docs/devices/graphagile.md, "Data layout"). Positions follow. Equal for any number of threads;
 * pool NULL: one thread. O(edges). Returns an error where there is no memory. */
status graphagile_partition_order(graphagile_partition *p, int32_t width, thread_pool *pool);

#endif
