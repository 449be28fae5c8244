/* From a module of the device level to a program: partitioning, kernel mapping to Layer Blocks and tiling blocks, buffers and mutexes, addresses (GraphAGILE section VI-E, VI-F). */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COMPILE_H
#define GNNC_CODEGEN_GRAPHAGILE_COMPILE_H

#include "codegen/device/host.h"
#include "isa/graphagile/graphagile.h"
#include "isa/image.h"
#include "support/diag.h"

typedef struct backend_options {
  device device;
  bool overlap;    /* double and triple buffering with loads ahead (Figure 16) */
  bool skip_empty; /* empty subshards are left out; off: each is a piece without edges, with its loads */
  bool balance;    /* sizes of tiles so that all PEs have work; off: the largest tiles that fit */
  bool broadcast;  /* MEMRD with bcast where PEs share sources; needs device.has_broadcast */
  bool packed;     /* 4-byte edges where weights are 1, values, or factors of rows; needs device.has_packed_edges */
  bool fuse;       /* element-wise layers are done to the sums of the layer before, in its Feature Buffer (Figure 15) */
  bool attention;  /* values of edges are made on the piece that reads them, where that pays (plan_attention.h) */
  bool
      paper; /* --preset=paper: the paper's partitioning (spec A.1: N1 = clamp(V/32, 1024, 16384), one fiber per block) */
  bool no_data;    /* edges and weights are not in the image; counted only */
  bool no_weights; /* weights are not in the image */
  int threads;
} backend_options;

/* The partitioning and addresses of every layer, as attributes on the module ('tile' etc.), for --emit=graphagile; compile does it itself. */
status graphagile_compile_plan(MlirModule module, program_host *host, const backend_options *options);

/* The whole program as an image in the arena (with instructions, descriptors, constants, edges, manifest; weights too unless no_data or no_weights). What does not fit the device is a
 * diagnostic at the line of the model and a false return with *error ok; the world failing is *error. `seconds` (may be NULL): T_LoC, up to and without packing weights (decision 26). */
bool graphagile_compile(MlirModule module, program_host *host, const backend_options *options, const char *source_text,
                        diag *d, arena *a, image *out, double *seconds, status *error);

#endif
