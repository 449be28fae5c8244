/* Where things lie in the bound block and the workspace: structs of offsets, computed from the numbers of nodes, edges and graphs. */
#ifndef GNNC_CODEGEN_C_LAYOUT_H
#define GNNC_CODEGEN_C_LAYOUT_H

#include "codegen/c/kernel.h"

/* Writes bound_header, bound_layout, place_bound, work_layout, place_work and open_<set> for each set. */
void c_layout_emit(c_model *m, c_writer *w);

/* The arrays of an edge set in the bound block. */
typedef enum c_array {
  C_ARRAY_in_ptr,
  C_ARRAY_src,
  C_ARRAY_dst,
  C_ARRAY_number,
  C_ARRAY_position,
  C_ARRAY_base,
  C_ARRAY_type,
  C_ARRAY_out_ptr,
  C_ARRAY_out_dst,
  C_ARRAY_out_position,
  C_ARRAY_count
} c_array;

const char *c_array_name(c_array array);
const char *c_array_type(c_array array);
/* Whether the model keeps that array of the set. */
bool c_array_is_kept(const c_set *set, c_array array);
/* True for a set that has arrays at all. */
bool c_set_is_kept(const c_set *set);
/* True where some set is made in bind, or edges are grouped: bind needs scratch for the order of edges. */
bool c_model_has_derived(const c_model *m);
/* "header->g_edges". */
const char *c_set_edges(const c_model *m, const c_set *set);

#endif
