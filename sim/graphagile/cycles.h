/* Cycles of the ACK for each instruction (docs/devices/graphagile.md, "Cycles"), and the conflicts
 * of a piece's edges on banks and pipelines. */
#ifndef GNNC_SIM_GRAPHAGILE_CYCLES_H
#define GNNC_SIM_GRAPHAGILE_CYCLES_H

#include "isa/graphagile/graphagile.h"
#include "sim/common/memory.h"
#include "sim/sim.h"

/* The DDR source of some edges in an Edge Buffer: `count` edges from address `address`, at edge
 * `base` of the buffer. */
typedef struct graphagile_cycles_edges {
  uint64_t address, form;
  uint32_t base, count;
} graphagile_cycles_edges;

/* The content of an Edge Buffer in the order of loads. After four loads the rest is unknown, and
 * timed as at L0. */
enum { GRAPHAGILE_CYCLES_LOADS = 4 };
typedef struct graphagile_cycles_piece {
  graphagile_cycles_edges loads[GRAPHAGILE_CYCLES_LOADS];
  int num_loads;
} graphagile_cycles_piece;

typedef struct graphagile_cycles_table graphagile_cycles_table;

/* Creates the table for a device. It caches what it finds out about pieces; the caller empties the
 * cache with graphagile_cycles_forget when edges in DDR may have changed, and destroys the table.
 * Aborts when memory is out. */
graphagile_cycles_table *graphagile_cycles_create(const graphagile_device *d, sim_level level, const memory *m);
void graphagile_cycles_destroy(graphagile_cycles_table *c);
void graphagile_cycles_forget(graphagile_cycles_table *c);

/* The part of an instruction's cycles above the peak rate: `conflict` is caused by banks, pipelines
 * and the RAW unit, `hub_row` by the edges into the one destination row that has most. */
typedef struct graphagile_cycles_lost {
  uint64_t conflict, hub_row;
} graphagile_cycles_lost;

/* Cycles of a gemm, spdmm, sddmm, vadd, post or init whose fields are final, without the fill of
 * the ACK's pipelines; 0 for other instructions. `piece` is the content of its Edge Buffer (spdmm
 * and sddmm). Edges that are not in DDR are timed as at L0. `lost` is contained in the result. */
uint64_t graphagile_cycles_of(graphagile_cycles_table *c, const graphagile_insn *in,
                              const graphagile_cycles_piece *piece, graphagile_cycles_lost *lost);

/* Multiply-adds of an instruction: rows * len * p * gfib for gemm; edges * nfib * columns that take
 * part for spdmm and sddmm. */
uint64_t graphagile_cycles_multiply_adds(const graphagile_insn *in, const graphagile_device *d);

/* Whether an instruction uses one of the ACK's modes (GraphAGILE, Section V-D). A change of mode
 * costs one cycle and the fill. init and post use none. */
bool graphagile_cycles_has_mode(graphagile_opcode op);

/* Multiply-adds per cycle of one PE in a layer of a type (GRAPHAGILE_LAYER_*): p * p for gemm, p *
 * p / 2 for the others (GraphAGILE, Section V-D). */
double graphagile_cycles_peak(int layer_type, const graphagile_device *d);

#endif
