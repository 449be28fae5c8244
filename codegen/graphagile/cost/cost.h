/* What a layer takes on a device, estimated before there are instructions: it steers the choice of partitions and tiles (GraphAGILE section VI-E; timing of sim/). */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_H

#include "codegen/graphagile/plan/plan.h"

/* The device as the estimates see it; cycles and bytes. */
typedef struct graphagile_cost_machine {
  double pes, width, latency, fill, dispatch;
  double rate;   /* bytes per cycle of all PEs together; infinite in the paper's accounting */
  double reload; /* bytes per cycle of one PE for large hidden tensors in that accounting, else 0 */
  double reload_free;
  bool overlaps, shares;
  bool keeps_empty;   /* subshards without edges cost a piece */
  bool has_conflicts; /* edges meet in banks and pipelines (level L1) */
  const graphagile_device *device;
} graphagile_cost_machine;

graphagile_cost_machine graphagile_cost_machine_of(const graphagile_options *options);

/* A GEMM layer with blocks of tile.rows rows and tile.fibers output fibers, tile.inner input fibers at a time. */
double graphagile_cost_gemm(const graphagile_cost_machine *m, const graphagile_plan_layer *layer,
                            graphagile_plan_tile tile);

/* An Aggregate or Vector-Inner layer over a partition of that shape, with tile.fibers fibers, tile.targets shards and tile.groups groups; pieces are estimated as for edges at random. */
double graphagile_cost_edges(const graphagile_cost_machine *m, const graphagile_plan_layer *layer,
                             graphagile_partition_shape shape, graphagile_plan_tile tile);

/* An Aggregate layer in waves: its groups of fibers, bands of tile.targets shards - the last may be a part -, destination and source shards. */
typedef struct graphagile_cost_wave {
  graphagile_plan_tile tile;
  double groups, bands, shards, tiles;
  double edges, record, value; /* bytes of an edge: loaded once by the PEs that share it, and by each */
  double sources;              /* bytes of all source rows, for all groups */
  double cycles, switches;     /* of a group: per p / 2 edges, and per piece */
  double once, added, stored;  /* cycles and bytes at the ends of a block */
} graphagile_cost_wave;

/* Cycles of it (cost_wave.c). */
double graphagile_cost_of_wave(const graphagile_cost_machine *m, const graphagile_cost_wave *w);

/* The shape of the list that a layer's blocks begin with (graphagile_plan_layer.before), for the shape and the tile of the layer itself: its shards, and 16 source tiles. */
graphagile_partition_shape graphagile_cost_shape_before(const graphagile_cost_machine *m,
                                                        const graphagile_plan_layer *before,
                                                        graphagile_partition_shape shape, graphagile_plan_tile tile);

/* A bound below which no program of the device gets the module's layers, in cycles: per layer max(compute, compulsory traffic), summed.
 *
 *   compute   GEMM ceil(V / p) K ceil(N / p); SpDMM and SDDMM E ceil(w / p) / (p / 2); element-wise V ceil(w / p) / (p / 2); all over the number of PEs (level L0)
 *   traffic   operands and result once each, edges 12 (or 4) bytes once, weights once; a hidden tensor that fits all Feature Buffers together costs nothing.
 *             Without broadcast each PE loads its own sources: SpDMM on w columns reads the source rows min(ceil(to / feature_rows), in-degree) times (spec A.5, D)
 *   time      traffic over ddr_gb_s, of all PEs together; in the paper's accounting (memory = paper) traffic is the reload of large hidden tensors alone */
double graphagile_cost_floor(const graphagile_plan *p);

#endif
