/* Cycles of the ACK per instruction (spec: GraphAGILE E.2), and how the edges of a piece fall on
 * banks and pipelines. */
#ifndef GNNC_SIM_GRAPHAGILE_CYCLES_H
#define GNNC_SIM_GRAPHAGILE_CYCLES_H

#include "isa/graphagile/graphagile.h"
#include "sim/common/memory.h"
#include "sim/sim.h"

/* Where the edges of an Edge Buffer came from: `count` of them from DDR address `address`, at edge
 * `base` of the buffer. */
typedef struct graphagile_cycles_edges {
  uint64_t address;
  uint32_t base, count;
  bool is_packed; /* 4 bytes each, else records of 12 */
} graphagile_cycles_edges;

/* What an Edge Buffer holds, in the order of loads; beyond four loads the rest is unknown, and
 * timed as at L0. */
enum { GRAPHAGILE_CYCLES_LOADS = 4 };
typedef struct graphagile_cycles_piece {
  graphagile_cycles_edges loads[GRAPHAGILE_CYCLES_LOADS];
  int num_loads;
} graphagile_cycles_piece;

typedef struct graphagile_cycles_table graphagile_cycles_table;

/* The table for a device, with a cache of what it learnt of pieces, which the caller empties when
 * edges in DDR may have changed. Aborts when memory is out. */
graphagile_cycles_table *graphagile_cycles_create(const graphagile_device *d, sim_level level, const memory *m);
void graphagile_cycles_destroy(graphagile_cycles_table *c);
void graphagile_cycles_forget(graphagile_cycles_table *c);

/* Of an instruction's cycles: what banks, pipelines and the RAW unit of the accumulator add to the
 * peak, and what the edges into one destination row add to that. */
typedef struct graphagile_cycles_lost {
  uint64_t conflict, hub_row;
} graphagile_cycles_lost;

/* Cycles of a gemm, spdmm, sddmm, vadd, post or init whose fields are final, apart from filling the
 * ACK's pipelines; 0 for others. `piece` is what its Edge Buffer holds (spdmm and sddmm). Edges
 * that are not in DDR count as at L0. `lost` is part of the cycles. */
uint64_t graphagile_cycles_of(graphagile_cycles_table *c, const graphagile_insn *in,
                              const graphagile_cycles_piece *piece, graphagile_cycles_lost *lost);

/* Products that are summed: gemm rows * len * 16 gfib; spdmm and sddmm edges * nfib * columns that
 * take part. */
uint64_t graphagile_cycles_multiply_adds(const graphagile_insn *in, const graphagile_device *d);

/* The modes of the ACK (paper section V-D): changing it costs a cycle and the fill. init and post
 * use no mode. */
bool graphagile_cycles_has_mode(graphagile_opcode op);

/* Multiply-adds per cycle of one PE in a layer of a type (GRAPHAGILE_LAYER_*): p * p for gemm, p *
 * p / 2 for the others (GraphAGILE section V-D). */
double graphagile_cycles_peak(int layer_type, const graphagile_device *d);

#endif
