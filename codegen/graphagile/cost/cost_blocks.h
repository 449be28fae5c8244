/* What equal blocks of a layer take: iterations of a load and a computation, which overlap in all
 * but the ends. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_BLOCKS_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_BLOCKS_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan_layer.h"

/* Equal blocks of `count` iterations, of which the last may be smaller: 2.5 blocks are two and a
 * half. An iteration loads `fixed` bytes into an Edge or Weight Buffer and `rows` bytes into a
 * Feature Buffer and computes `cycles`; besides, a block computes `once` cycles, loads `added`
 * bytes to add to its sums and stores `stored` bytes. */
typedef struct graphagile_cost_blocks {
  double blocks, count, cycles, fixed, rows, once, added, stored;
  double loads;                   /* blocks that load all `rows`, small ones too; 0: as there are blocks */
  double waves;                   /* blocks that share loads run in waves; 0: they do not */
  double fixed_share, rows_share; /* PEs that one transfer of these serves; 0: one */
  bool is_single; /* Feature Buffers of sources do not alternate: their load waits for the computation */
} graphagile_cost_blocks;

/* Bytes of rows x columns of an operand or result; 0 where there is none. */
double graphagile_cost_bytes(const graphagile_plan_tensor *t, double rows, double fibers, double width);

/* Sets what the ends of a block take, of so many rows and fibers: the fill of its sums, the
 * additions and functions that follow, the store. */
void graphagile_cost_ends(const graphagile_cost_machine *m, const graphagile_plan_layer *l, double rows, double fibers,
                          graphagile_cost_blocks *b);

/* Cycles of the layer that the blocks are. */
double graphagile_cost_of_blocks(const graphagile_cost_machine *m, const graphagile_cost_blocks *b);

#endif
