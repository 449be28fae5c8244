/* The weights of a program of training, and what it computes for them, as members of its interface. */
#ifndef GNNC_CODEGEN_C_MODEL_TRAINED_H
#define GNNC_CODEGEN_C_MODEL_TRAINED_H

#include "codegen/c/model/model.h"

/* Reads the weights of a phase, which are buffers of it, and its gradients: for each weight, in the order of the
 * weights, its gradient or its next value where it has one, then the loss, or the gradients of inputs. */
void c_trained_read(c_model *m, c_phase *phase);

/* The member of M_gradients_out or M_updates for a weight; NULL where it has none. */
const c_buffer *c_trained_gradient(const c_model *m, const c_buffer *weight);
/* The member of M_gradients_out for an input; NULL where it has none. */
const c_buffer *c_trained_input_gradient(const c_model *m, const c_buffer *input);

/* How a weight is filled: "glorot", "uniform 0.1", ... */
const char *c_trained_init(const c_buffer *weight);

#endif
