/* Reading a module of the intra level into a model. */
#ifndef GNNC_CODEGEN_C_MODEL_READ_H
#define GNNC_CODEGEN_C_MODEL_READ_H

#include "codegen/c/model/model.h"

/* Reads m->module; returns false after reporting what is wrong with it. */
bool c_read_module(c_model *m);

#endif
