/* The edge lists of a plan in pieces, with their records. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_PARTITION_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_PARTITION_H

#include "codegen/graphagile/plan/plan.h"

/* Partitions the edge lists: pieces in the orders that layers take and, unless no_data, records and
 * positions. False with p->error. */
bool graphagile_plan_partition(graphagile_plan *p);

/* Frees what it made, but the records, which are the host's. */
void graphagile_plan_free_partitions(graphagile_plan *p);

#endif
