/* The effect of instructions on the buffers of a PE (GraphAGILE, Section V-C), without time and
 * mutexes. The caller has resolved `alt`, `inc` and `ind` and decides when to execute.
 *
 * All arithmetic is fp32. A function that returns a text returns NULL for success, else the fault
 * (what was found, what was expected), which stays valid until the next call. Functions never
 * access memory beyond the buffers, whatever the instruction or the edges contain. */
#ifndef GNNC_SIM_GRAPHAGILE_EXECUTE_H
#define GNNC_SIM_GRAPHAGILE_EXECUTE_H

#include "isa/graphagile/graphagile.h"

/* The buffers of a PE. A Feature Buffer has device->feature_rows rows of device->width words, a
 * Weight Buffer weight_rows rows, an Edge Buffer `edges` edges. Indices are those of physical
 * buffers; the caller has rotated the fields of instructions. */
typedef struct graphagile_sim_buffers {
  float *feature[3];
  float *weight[2];
  uint32_t *edge_src[2], *edge_dst[2];
  float *edge_weight[2];
  const graphagile_device *device;
  const float *constants;
  int64_t num_constants;
  char fault[200]; /* text of the last fault */
} graphagile_sim_buffers;

/* The bytes of DDR from the first to the last that a memrd or memwr touches, with `rows` rows per
 * fiber or `rows` edges: `count`, or with ind the number in the descriptor. 0 for other
 * instructions. */
uint64_t graphagile_execute_span(const graphagile_insn *in, uint64_t rows, const graphagile_device *d);

/* Executes a memrd; `source` has graphagile_execute_span bytes. `rows` is as there. */
const char *graphagile_execute_load(graphagile_sim_buffers *b, const graphagile_insn *in, uint64_t rows,
                                    const void *source);

/* Executes a memwr: copies from the buffer to `target`. */
const char *graphagile_execute_store(graphagile_sim_buffers *b, const graphagile_insn *in, uint64_t rows, void *target);

/* Executes a gemm, spdmm, sddmm, vadd, post or init. With ind, the caller has replaced num_edges
 * (rows of a vadd or post on edges) by the number in the descriptor. */
const char *graphagile_execute_compute(graphagile_sim_buffers *b, const graphagile_insn *in);

#endif
