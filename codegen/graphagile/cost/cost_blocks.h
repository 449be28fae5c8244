/* The cycles of equal blocks: iterations of a load and a computation, which overlap except at
 * both ends of a block. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_BLOCKS_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_BLOCKS_H

#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan_layer.h"

/* A product behind the sums: cycles of `once`, which the loads of the next block overlap; bytes of
 * its matrix; and parts in which it is computed and stored. All 0: none. */
typedef struct graphagile_cost_product {
  double cycles, matrix, parts;
} graphagile_cost_product;

/* Equal blocks of `count` iterations each; the last block may be smaller, so that `blocks` may
 * be 2.5. An iteration loads `fixed` bytes into an Edge or Weight Buffer and `rows` bytes into a
 * Feature Buffer, and computes for `cycles` cycles. In addition each block computes for `once`
 * cycles, loads `added` bytes that are added to its sums, and stores `stored` bytes. */
typedef struct graphagile_cost_blocks {
  double blocks, count, cycles, fixed, rows, once, added, stored;
  double loads;                   /* blocks that load all `rows`, small blocks too; 0: `blocks` */
  double waves;                   /* number of waves, where blocks that share loads run in waves; else 0 */
  double fixed_share, rows_share; /* PEs that one transfer of `fixed`, or of `rows`, serves; 0: one */
  graphagile_cost_product product;
  bool is_single; /* sources have one Feature Buffer, so a load waits for the computation before it */
} graphagile_cost_blocks;

/* Bytes of so many rows and fibers of an operand or result; 0 where t is NULL. */
double graphagile_cost_bytes(const graphagile_plan_tensor *t, double rows, double fibers, double width);

/* Sets `once`, `added` and `stored` of blocks of so many rows and fibers: the fill of the sums,
 * the additions and functions behind the sums, the store. */
void graphagile_cost_ends(const graphagile_cost_machine *m, const graphagile_plan_layer *l, double rows, double fibers,
                          graphagile_cost_blocks *b);

/* Cycles of a store behind the last computation, of `store` in all: that of the last part of a
 * product, and what the other parts do not overlap. */
double graphagile_cost_tail(const graphagile_cost_product *product, double store);

/* Estimated cycles of the layer that consists of these blocks. */
double graphagile_cost_of_blocks(const graphagile_cost_machine *m, const graphagile_cost_blocks *b);

#endif
