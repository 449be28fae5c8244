/* The part of the generated bind function that prepares types: pairs, segments, parts and members
 * of graphs. */
#ifndef GNNC_CODEGEN_C_INTERFACE_BIND_TYPES_H
#define GNNC_CODEGEN_C_INTERFACE_BIND_TYPES_H

#include "codegen/c/model/model.h"

/* Writes it; to be called after edges are grouped by their ends. */
void c_bind_types_emit(c_model *m, c_writer *w);

#endif
