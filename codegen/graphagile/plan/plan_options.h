/* What the caller of the compiler chooses: the device, and which optimisations are done for it. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_OPTIONS_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_OPTIONS_H

#include "isa/device.h"

typedef struct graphagile_options {
  device device;
  bool overlap;    /* double and triple buffering with loads ahead (Figure 16) */
  bool skip_empty; /* empty subshards are left out; off: each is a piece without edges, with its loads */
  bool balance;    /* sizes of tiles so that all PEs have work; off: the largest tiles that fit */
  bool broadcast;  /* MEMRD with bcast where PEs share sources; needs device.has_broadcast */
  bool packed;     /* 4-byte edges where weights are 1, values, or factors of rows; needs
                    * device.has_packed_edges */
  bool fuse;       /* element-wise layers are done to the sums of the layer before, in its Feature
                    * Buffer (Figure 15) */
  bool attention;  /* values of edges are made on the piece that reads them, where that pays
                    * (fuse_attention.h) */
  bool paper;      /* --preset=paper: the paper's partitioning (N1 = clamp(V/32, 1024,
                    * 16384), one fiber per block) */
  bool no_data;    /* edges and weights are not in the image; counted only */
  bool no_weights; /* weights are not in the image */
  int threads;
} graphagile_options;

#endif
