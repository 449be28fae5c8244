/* The text of the functions of training that belong to no phase: the state, its step, the first values of weights.
 * train_phases.c points to these functions. */
#ifndef GNNC_CODEGEN_C_INTERFACE_TRAIN_H
#define GNNC_CODEGEN_C_INTERFACE_TRAIN_H

#include "codegen/c/model/model.h"

/* Helper functions that the others need, and the functions with their declarations. */
void c_train_emit(c_model *m, c_writer *w);

/* The bodies of these functions. */
void c_train_emit_initialize(c_model *m, c_writer *w);
void c_train_emit_state_bytes(c_model *m, c_writer *w);
void c_train_emit_reset(c_model *m, c_writer *w);
void c_train_emit_step(c_model *m, c_writer *w);
void c_train_emit_apply(c_model *m, c_writer *w);
void c_train_emit_state_tensor(c_model *m, c_writer *w);
void c_train_emit_state_steps(c_model *m, c_writer *w);

#endif
