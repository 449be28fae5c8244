/* The options of the compiler for this target: the device, and the optimisations that are on. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_OPTIONS_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_OPTIONS_H

#include "isa/device.h"

typedef struct graphagile_options {
  device device;
  /* double and triple buffering, loads ahead of computations (GraphAGILE, Figure 16) */
  bool overlap;
  /* leaves out empty subshards; off: each is a piece without edges, with its loads */
  bool skip_empty;
  /* orders the records of pieces for the networks (partition_order.h) */
  bool order_records;
  /* chooses tile sizes that give all PEs work; off: the largest tiles that fit */
  bool balance;
  /* loads with bcast where PEs need the same rows or edges; needs device.has_broadcast */
  bool broadcast;
  /* edges of 4 bytes where weights are 1, values, or factors of rows; needs device.has_packed_edges */
  bool packed;
  /* rows of one column take 4 bytes in DDR; needs device.has_compact_columns */
  bool compact;
  /* rows of fp16 in DDR; needs device.has_half_rows */
  bool half;
  /* fuses element-wise layers with the layer before, in its Feature Buffer (GraphAGILE, Figure 15) */
  bool fuse;
  /* stores the rows of nodes in an order that spreads hubs, where that costs less (permute.h);
   * permute_always: wherever the rows may have another order */
  bool permute, permute_always;
  /* computes values of edges on the piece that reads them, where that costs less (fuse_attention.h) */
  bool attention;
  /* multiplies sums by the matrix of the Linear that reads them, where that costs less; every_product:
   * wherever a block has room for sums and product (fuse_product.h) */
  bool product, every_product;
  bool paper;   /* --preset=paper: the paper's partitioning, N1 = clamp(V / 32, 1024, 16384) and one fiber per block */
  bool no_data; /* the image has no edges and no weights; its program can only be counted */
  bool remarks; /* reports decisions that follow from the graph */
  bool no_weights; /* the image has no weights */
  /* of the compiler, to partition edge lists */
  int threads;
} graphagile_options;

#endif
