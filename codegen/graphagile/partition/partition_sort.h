/* Partitions an edge list with very many subshards. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_SORT_H
#define GNNC_CODEGEN_GRAPHAGILE_PARTITION_PARTITION_SORT_H

#include "codegen/graphagile/partition/partition_job.h"

/* Used where there are more cells than edges are worth counters for: sorts the edges by two stable
 * counting sorts. Returns an error where there is no memory. */
status graphagile_partition_sort(graphagile_partition_job *j);

#endif
