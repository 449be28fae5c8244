/* The options of the compiler for this target: the device, and the optimisations that are on. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_OPTIONS_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_OPTIONS_H

#include "isa/device.h"

typedef struct graphagile_options {
  device device;
  bool overlap;    /* double and triple buffering, loads ahead of computations (GraphAGILE, Figure 16) */
  bool skip_empty; /* leaves out empty subshards; off: each is a piece without edges, with its loads */
  bool balance;    /* chooses tile sizes that give all PEs work; off: the largest tiles that fit */
  bool broadcast;  /* loads with bcast where PEs need the same rows or edges; needs device.has_broadcast */
  bool packed;     /* edges of 4 bytes where weights are 1, values, or factors of rows; needs device.has_packed_edges */
  bool fuse;       /* fuses element-wise layers with the layer before, in its Feature Buffer (GraphAGILE, Figure 15) */
  bool permute_always; /* does so wherever the rows may have another order */
  bool permute;        /* stores the rows of nodes in an order that spreads hubs, where that costs less (permute.h) */
  bool attention; /* computes values of edges on the piece that reads them, where that costs less (fuse_attention.h) */
  bool paper;   /* --preset=paper: the paper's partitioning, N1 = clamp(V / 32, 1024, 16384) and one fiber per block */
  bool no_data; /* the image has no edges and no weights; its program can only be counted */
  bool remarks; /* reports decisions that follow from the graph */
  bool no_weights; /* the image has no weights */
  /* of the compiler, to partition edge lists */
  int threads;
} graphagile_options;

#endif
