/* Orders of rows that spread the work of their edges evenly. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_DEAL_H
#define GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_DEAL_H

#include "support/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* The rows to deal out. in, out: the edges that each row sums up and the edges that read it, in any
 * unit. height: rows of a shard. hub_rows: rows at the start of each shard for those with the most
 * edges into them, which are spread over all pipelines. lanes: banks of a Feature Buffer; row r of a shard is in bank r mod
 * lanes, and two banks share a pipeline. */
typedef struct graphagile_permute_degrees {
  int64_t rows, height, hub_rows;
  int lanes;
  const uint32_t *in, *out;      /* [rows] */
  const int32_t *by_in, *by_all; /* [rows] rows by `in` and by both, the largest first (graphagile_permute_sort) */
} graphagile_permute_degrees;

/* Sorts the rows, once for all ways to deal them; the arrays are in the arena. */
void graphagile_permute_sort(arena *a, graphagile_permute_degrees *r);

/* Fills place[rows], where each row goes. Rows with the most edges choose first: the shard with the
 * least edges that has room, and in it the bank with the least. With `stays` each row stays in its
 * shard. The order depends on the arguments alone. */
void graphagile_permute_deal(arena *a, const graphagile_permute_degrees *r, bool stays, int32_t *place);

#endif
