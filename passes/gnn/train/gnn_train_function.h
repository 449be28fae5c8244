/* Arguments and results of functions, which the passes of training add and choose. */
#ifndef GNNC_PASSES_GNN_TRAIN_GNN_TRAIN_FUNCTION_H
#define GNNC_PASSES_GNN_TRAIN_GNN_TRAIN_FUNCTION_H

#include "passes/manager/pass.h"
#include "support/vec.h"

/* A result of a function with its attributes. */
typedef struct train_result {
  MlirValue value;
  MlirAttribute attributes; /* a dictionary */
} train_result;

typedef VEC(train_result) train_results;

/* A dictionary of attributes; those with a null value are left out. */
MlirAttribute train_attributes(MlirContext context, const ir_attr *list);
/* The same dictionary with one more entry. */
MlirAttribute train_attributes_with(MlirAttribute dictionary, const char *name, MlirAttribute value);
/* The value of an entry; null: absent. */
MlirAttribute train_attribute(MlirAttribute dictionary, const char *name);

/* The results of a function in their order. */
train_results train_results_of(pass_context *p, MlirOperation func);
/* Makes these the results of a function. */
void train_set_results(pass_context *p, MlirOperation func, const train_results *results);
/* Adds an argument behind the others. */
MlirValue train_add_argument(pass_context *p, MlirOperation func, MlirType type, MlirLocation where,
                             MlirAttribute attributes);

/* The phase that computes a result of a training function: "gradients" or "evaluate"; in a program of
 * derivatives "forward", "evaluate" or "backward". */
#define TRAIN_OF "gnn.of"

/* Whether the module is compiled for training. */
bool train_is_wanted(MlirOperation module);
/* Of a program of derivatives (gnn.backward), which takes the adjoints of its outputs instead of lowering a loss: what
 * it has gradients of besides weights: "all" inputs, inputs by their names ("x,pos"), or "weights" alone. NULL: the module is none. */
const char *train_backward_of(MlirOperation module);

#endif
