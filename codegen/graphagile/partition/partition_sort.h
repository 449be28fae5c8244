/* The way to distribute edges over very many subshards. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_SORT_H
#define GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_SORT_H

#include "codegen/graphagile/partition/partition_job.h"

/* Where there are more cells than a counter each would pay for: two stable counting sorts, by
 * source shard and by destination shard. */
status graphagile_partition_sort(graphagile_partition_job *j);

#endif
