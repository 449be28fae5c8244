/* The edges that there are, counted by what they keep busy, for an order of the rows. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_CELLS_H
#define GNNC_CODEGEN_GRAPHAGILE_PERMUTE_PERMUTE_CELLS_H

#include "codegen/device/host/host.h"
#include "codegen/graphagile/partition/partition_shape.h"
#include "support/arena.h"

/* The rows with the most edges; each may keep a PE busy longer than all its other rows. */
typedef struct graphagile_permute_hubs {
  int64_t count;
  const int32_t *rows;    /* [count] */
  const uint16_t *number; /* [rows of the set] 1 + index in `rows`; 0: no hub */
} graphagile_permute_hubs;

/* Finds at most 256 rows that sum up the most edges, none with less than 8. */
graphagile_permute_hubs graphagile_permute_find_hubs(arena *a, const uint32_t *in, int64_t rows);

/* The edges of each subshard. */
typedef struct graphagile_permute_cells {
  int64_t shards, tiles;    /* of destinations, of sources */
  int64_t edges;            /* of the sample */
  double of_shard, of_tile; /* the part of all rows that a shard has, and that a source tile has */
  int pipelines, banks;
  double scale;    /* edges of the list per edge of the sample */
  uint32_t *count; /* [shards][tiles][pipelines + banks]: by destination, then by source */
  uint32_t *row;   /* [shards][tiles] edges of the hub that has the most; 0 where hubs are not asked for */
} graphagile_permute_cells;

/* Counts the edges of a sample; its src_place and dst_place are the order to try. edges: how many the
 * sample stands for. hubs: of the set of destinations, or NULL. */
graphagile_permute_cells graphagile_permute_count(arena *a, const program_edge_list *sample, int64_t edges,
                                                  graphagile_partition_shape shape, int width,
                                                  const graphagile_permute_hubs *hubs);

/* Whether the edges are spread over shards, subshards, pipelines and banks as evenly as those of a
 * random graph, so that no order is much better. */
bool graphagile_permute_is_even(const graphagile_permute_cells *c);

/* A subshard. */
typedef struct graphagile_permute_cell {
  double edges, fullest, row; /* all edges; those of the fullest pipeline or bank; those of the largest row */
} graphagile_permute_cell;
graphagile_permute_cell graphagile_permute_cell_of(const graphagile_permute_cells *c, int64_t shard, int64_t tile);

#endif
