/* Tensors that are stacked from several of a file: the weights of all types, which PyTorch Geometric keeps apart. */
#ifndef GNNC_DATA_TENSOR_STACK_H
#define GNNC_DATA_TENSOR_STACK_H

#include "data/tensor.h"

/* Finds a tensor by name; "{lin.paper|lin.author}" are these tensors, of one shape, along a new first dimension; as F32
 * where their types of numbers differ. The data of a stack is made in `memory`; NULL there leaves it out. Fails with the
 * name that is missing, or with both shapes where two tensors differ. */
status tensor_stack_find(const tensor_set *set, const char *name, arena *memory, tensor *out);
/* The number of tensors that the name stacks, 0 for a plain name; the names are made in the arena. */
size_t tensor_stack_names(arena *a, const char *name, const char *const **names);

#endif
