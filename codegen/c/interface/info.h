/* M_info: the model for programs that do not know its header. */
#ifndef GNNC_CODEGEN_C_INTERFACE_INFO_H
#define GNNC_CODEGEN_C_INTERFACE_INFO_H

#include "codegen/c/model/model.h"

/* The type of what M_info returns: "gnnc_model_info", or "gnnc_train_info" of a program of training. */
const char *c_info_type(const c_model *m);
/* Writes the ranges of integer inputs, which run checks and M_info refers to. */
void c_info_emit_ranges(const c_model *m, c_writer *w);
/* Writes the static tables and functions that M_info refers to, and M_info. */
void c_info_emit(c_model *m, c_writer *w);

#endif
