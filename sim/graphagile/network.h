/* Level L2: the data paths of SpDMM and SDDMM, cycle by cycle (GraphAGILE sections V-D, V-E).
 * SpDMM: each cycle p/2 edges at most leave the Edge Buffer, cross a buffered butterfly (the Index
 * Shuffle Network) to the bank of their source row, read it, cross a second one (the Data Shuffle
 * Network) to the Update/Reduce pipeline of their destination row, and wait there, reordered by the
 * RAW unit, while their row is in the accumulator. SDDMM: the p ends of p/2 edges go to their
 * banks, each by a port of its own, and what is read there to the pipeline that has the edge's
 * number modulo p/2. */
#ifndef GNNC_SIM_GRAPHAGILE_NETWORK_H
#define GNNC_SIM_GRAPHAGILE_NETWORK_H

#include "isa/device.h"

typedef struct graphagile_network_config {
  int32_t width;               /* p, a power of two: ports and banks; p/2 edges enter per cycle, p/2 pipelines */
  int32_t depth;               /* entries per switch input, 1 .. 32 */
  int32_t accumulator_latency; /* cycles between two edges of one destination row, of one fiber */
  int32_t reorder;             /* entries of a pipeline's reorder FIFO, 1 .. 64 */
} graphagile_network_config;

/* The networks of a device: switch inputs hold 8, reorder FIFOs 16. */
graphagile_network_config graphagile_network_default(const graphagile_device *d);

/* The networks, empty. Rows are local to their buffers and below 2^26. Runs follow one another and
 * know nothing of those before. The caller destroys them. Aborts when memory is out. */
typedef struct graphagile_network graphagile_network;
graphagile_network *graphagile_network_create(const graphagile_network_config *config);
void graphagile_network_destroy(graphagile_network *n);

/* SpDMM: cycles until the last of `count` edges is accumulated, for one fiber, with so many cycles
 * between two edges of one destination row. src is NULL where values of edges alone are added: no
 * bank is read then. */
uint64_t graphagile_network_sum(graphagile_network *n, const uint32_t *src, const uint32_t *dst, int64_t count,
                                int32_t latency);

/* The latency where an edge occupies its bank and its pipeline for nfib cycles: the other fibers
 * hide the rest of the accumulator's. Cycles are then those of one fiber, times nfib. */
int32_t graphagile_network_latency(const graphagile_network_config *config, int32_t nfib);

/* SDDMM: cycles until both rows (or the one that is read; the other list is NULL) of `count` edges
 * have come to the edge's pipeline, for one fiber; several follow one another through each bank. */
uint64_t graphagile_network_inner(graphagile_network *n, const uint32_t *src, const uint32_t *dst, int64_t count);

#endif
