/* Level L2: the data paths of SpDMM and SDDMM, cycle by cycle (GraphAGILE, Section V-D and V-E).
 * SpDMM: each cycle at most p/2 edges leave the Edge Buffer. An edge crosses a buffered butterfly
 * network (the Index Shuffle Network) to the bank of its source row, which is read; it crosses a
 * second network (the Data Shuffle Network) to the Update/Reduce pipeline of its destination row;
 * there the RAW unit lets it wait, while other edges may pass, as long as its destination row is in
 * the accumulator. SDDMM: the p ends of p/2 edges go to their banks, each through a port of its
 * own; the rows that are read go to the pipeline with the edge's number modulo p/2. */
#ifndef GNNC_SIM_GRAPHAGILE_NETWORK_H
#define GNNC_SIM_GRAPHAGILE_NETWORK_H

#include "isa/device.h"

typedef struct graphagile_network_config {
  int32_t width;               /* p, a power of two: number of ports and of banks; p/2 edges enter per cycle, and
                                * there are p/2 pipelines */
  int32_t depth;               /* entries of a switch input, 1 .. 32 */
  int32_t accumulator_latency; /* cycles between two edges of one destination row and one fiber */
  int32_t reorder;             /* entries of a pipeline's reorder FIFO, 1 .. 64 */
} graphagile_network_config;

/* The networks of a device: switch inputs of 8 entries, reorder FIFOs of 16. */
graphagile_network_config graphagile_network_default(const graphagile_device *d);

/* Creates empty networks. Rows are local to their buffers and below 2^26. Runs follow one another
 * and do not influence each other. The caller destroys the networks. Aborts when memory is out. */
typedef struct graphagile_network graphagile_network;
graphagile_network *graphagile_network_create(const graphagile_network_config *config);
void graphagile_network_destroy(graphagile_network *n);

/* SpDMM: the cycles until the last of `count` edges is accumulated, for one fiber, with `latency`
 * cycles between two edges of one destination row. src is NULL where values of edges alone are
 * added: then no bank is read. */
uint64_t graphagile_network_sum(graphagile_network *n, const uint32_t *src, const uint32_t *dst, int64_t count,
                                int32_t latency);

/* The latency to use where an edge occupies its bank and its pipeline for nfib cycles, because the
 * other fibers hide the rest of the accumulator's latency. The total is then nfib times the cycles
 * of one fiber. */
int32_t graphagile_network_latency(const graphagile_network_config *config, int32_t nfib);

/* SDDMM: the cycles until the rows of both ends of `count` edges have arrived at the edges'
 * pipelines, for one fiber. If only one end is read the other list is NULL. */
uint64_t graphagile_network_inner(graphagile_network *n, const uint32_t *src, const uint32_t *dst, int64_t count);

#endif
