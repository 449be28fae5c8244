/* The offsets of everything in the bound block and the workspace: structs of offsets, computed from
 * the numbers of nodes, edges and graphs. */
#ifndef GNNC_CODEGEN_C_INTERFACE_LAYOUT_H
#define GNNC_CODEGEN_C_INTERFACE_LAYOUT_H

#include "codegen/c/model/model.h"

/* Writes bound_header, bound_layout, place_bound, work_layout, place_work and open_<set> for each
 * set. */
void c_layout_emit(c_model *m, c_writer *w);

/* Text of places for a phase's function, in which `l` is a bound_layout and `k` a work_layout. */

/* The beginning of a slot that the phase uses: "block + l.slot_3". */
const char *c_layout_slot(const c_model *m, const c_phase *phase, c_space space, int slot);
const char *c_layout_packed(const c_model *m, const c_packed *p);
/* A pointer to an array of a set: "(int32_t *)(void *)(block + l.g_src)". The second function
 * returns "NULL" for an array that is not made. */
const char *c_layout_array(const c_model *m, const c_set *set, c_array array);
const char *c_layout_array_or_null(const c_model *m, const c_set *set, c_array array);
/* The same for an array of int32_t, by the name of its field. */
const char *c_layout_numbers(const c_model *m, const char *name);

#endif
