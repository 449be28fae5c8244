/* What the files that read a module share. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_READ_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_READ_H

#include "codegen/graphagile/plan/plan.h"

/* The tensor that a value of rows or values is, NULL for a null value. */
plan_tensor *plan_read_tensor(plan *p, MlirValue value);

/* A new one for the value, without rows where it is values of edges, and without size. */
plan_tensor *plan_add_tensor(plan *p, MlirValue rows, plan_place place, const char *name);

/* Fibers, stride and bytes, from rows and width. */
void plan_size_tensor(plan *p, plan_tensor *t);

/* Adds a layer that copies rows, for an operation at whose place in the model it is reported; returns the copy. */
plan_tensor *plan_copy(plan *p, MlirOperation op, plan_tensor *t);

/* Makes an element-wise layer an epilogue of the layer that makes its operand; false where that cannot be. */
bool plan_fuse(plan *p, const plan_layer *layer);

/* Lives of windows become those of what has their memory, once those of all tensors are known. */
void plan_join_lives(plan *p);

/* Begins sums with those that are added to them; not in the paper's accounting. */
void plan_join_sums(plan *p);

/* Factors of rows instead of weights of edges, where the device has packed edges; not in the paper's accounting. */
void plan_factor_weights(plan *p);

/* Self loops instead of epilogues that add a multiple of what is summed up; not in the paper's accounting. */
void plan_add_self_loops(plan *p);

/* Adds the layer of an operation of the device level; does nothing for others. */
void plan_read_layer(plan *p, MlirOperation op);

#endif
