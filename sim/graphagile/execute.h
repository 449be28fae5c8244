/* What instructions do to the buffers of a PE (GraphAGILE section V-C), apart from time and
 * mutexes: the machine (sim/) resolves `alt`, `inc` and `ind` first and asks when.
 *
 * fp32 throughout. A function that returns a text returns NULL when all went well, else a fault
 * (what was found, what was expected) that lives in the buffers until the next call; nothing beyond
 * the buffers is touched, whatever the instruction or the edges say. */
#ifndef GNNC_SIM_GRAPHAGILE_EXECUTE_H
#define GNNC_SIM_GRAPHAGILE_EXECUTE_H

#include "isa/graphagile/graphagile.h"

/* Feature Buffers are device->feature_rows rows of device->width words, Weight Buffers weight_rows
 * rows, Edge Buffers `edges` edges. Physical buffers: the index in an instruction's field is the
 * index here, so the caller rotates it before. */
typedef struct graphagile_sim_buffers {
  float *feature[3];
  float *weight[2];
  uint32_t *edge_src[2], *edge_dst[2];
  float *edge_weight[2];
  const graphagile_device *device;
  const float *constants;
  int64_t num_constants;
  char fault[200]; /* the last one */
} graphagile_sim_buffers;

/* Bytes of DDR from the first to the last that a memrd or memwr touches, with `rows` rows per fiber
 * (or `rows` edges): count, or what the descriptor says with ind. 0 for other instructions. */
uint64_t graphagile_execute_span(const graphagile_insn *in, uint64_t rows, const graphagile_device *d);

/* memrd: `source` holds graphagile_execute_span bytes. Edges have in->memrd.count; with ind the
 * caller passes the descriptor's number as `rows`. */
const char *graphagile_execute_load(graphagile_sim_buffers *b, const graphagile_insn *in, uint64_t rows,
                                    const void *source);

/* memwr: the other way. */
const char *graphagile_execute_store(graphagile_sim_buffers *b, const graphagile_insn *in, uint64_t rows, void *target);

/* gemm, spdmm, sddmm, vadd, post, init; num_edges (rows of vadd and post on edges) hold what a
 * descriptor said. */
const char *graphagile_execute_compute(graphagile_sim_buffers *b, const graphagile_insn *in);

#endif
