/* Calls of the routines that make edges or choose nodes while the model runs. */
#ifndef GNNC_CODEGEN_C_INTERFACE_ROUTINES_H
#define GNNC_CODEGEN_C_INTERFACE_ROUTINES_H

#include "codegen/c/body/body.h"

/* Writes, in bind, a check that the edges of a set can be counted. */
void c_routines_emit_check(const c_model *m, c_writer *w, const c_set *set);
/* Writes, in bind, the count of a power's edges, for which run has room. */
void c_routines_emit_count(c_model *m, c_writer *w, const c_set *set);
/* Whether run makes the power of a graph. */
bool c_routines_have_power(const c_model *m);
/* Writes the fields of a layout for what the routines need besides the arrays of sets. */
void c_routines_list_memory(const c_model *m, c_writer *w, bool is_struct);
/* Writes the call of a kernel that is a routine. `names` are those of its parameters, in order. */
void c_routines_emit(c_model *m, c_writer *w, const c_kernel *kernel, const char *const *names, c_timed timed);

#endif
