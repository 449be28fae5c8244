/* Partitions of the edge lists of a plan. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_PARTITION_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_PARTITION_H

#include "codegen/graphagile/plan/plan.h"

/* Partitions each edge list in its shape: pieces in the orders that layers take and, unless
 * no_data, records and the positions of edges. Returns false with p->error. */
bool graphagile_plan_partition(graphagile_plan *p);

/* Frees what graphagile_plan_partition made, except for the records, which the host owns. */
void graphagile_plan_free_partitions(graphagile_plan *p);

#endif
