/* What the files that read a module share. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_READ_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_READ_H

#include "codegen/graphagile/plan/plan.h"

/* The tensor that a value of rows or values is, NULL for a null value. */
graphagile_plan_tensor *graphagile_plan_read_tensor(graphagile_plan *p, MlirValue value);

/* A new one for the value, without rows where it is values of edges, and without size. */
graphagile_plan_tensor *graphagile_plan_add_tensor(graphagile_plan *p, MlirValue rows, graphagile_plan_place place,
                                                   const char *name);

/* Fibers, stride and bytes, from rows and width. */
void graphagile_plan_size_tensor(graphagile_plan *p, graphagile_plan_tensor *t);

/* Adds a layer that copies rows, for an operation at whose place in the model it is reported; returns the copy. */
graphagile_plan_tensor *graphagile_plan_copy(graphagile_plan *p, MlirOperation op, graphagile_plan_tensor *t);

/* Makes an element-wise layer an epilogue of the layer that makes its operand; false where that cannot be. */
bool graphagile_plan_fuse(graphagile_plan *p, const graphagile_plan_layer *layer);

/* Lives of windows become those of what has their memory, once those of all tensors are known. */
void graphagile_plan_join_lives(graphagile_plan *p);

/* Begins sums with those that are added to them; not in the paper's accounting. */
void graphagile_plan_join_sums(graphagile_plan *p);

/* Factors of rows instead of weights of edges, where the device has packed edges; not in the paper's accounting. */
void graphagile_plan_factor_weights(graphagile_plan *p);

/* Self loops instead of epilogues that add a multiple of what is summed up; not in the paper's accounting. */
void graphagile_plan_add_self_loops(graphagile_plan *p);

/* Adds the layer of an operation of the device level; does nothing for others. */
void graphagile_plan_read_layer(graphagile_plan *p, MlirOperation op);

#endif
