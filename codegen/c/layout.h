/* Where things lie in the bound block and the workspace: structs of offsets, computed from the numbers of nodes, edges and graphs. */
#ifndef GNNC_CODEGEN_C_LAYOUT_H
#define GNNC_CODEGEN_C_LAYOUT_H

#include "codegen/c/kernel.h"

/* Writes bound_header, bound_layout, place_bound, work_layout, place_work and open_<set> for each set. */
void c_layout_emit(c_model *m, c_writer *w);

/* ---- arrays.c ---- */

const char *c_array_name(c_array array);
const char *c_array_type(c_array array);
/* Whether the bound block keeps that array of the set; whether bind makes it at all. */
bool c_array_is_kept(const c_set *set, c_array array);
bool c_array_is_made(const c_set *set, c_array array);
/* How many elements it has in terms of v nodes and e edges, an upper bound. */
const char *c_array_rows(const c_model *m, const c_set *set, c_array array);

/* An array that all sets share: of nodes, of graphs, of pairs of types. */
typedef struct c_shared_array {
  const char *name, *type;
  const char *rows; /* NULL where the model does not keep it */
} c_shared_array;

enum { C_SHARED_COUNT = 11 };
/* Writes C_SHARED_COUNT of them, in the order of edge_set. */
void c_shared_arrays(const c_model *m, c_shared_array *out);

/* ---- layout.c ---- */

/* True where some set gets self loops in bind: it needs scratch for more edges. */
bool c_model_has_derived(const c_model *m);
/* "header->g_edges". */
const char *c_set_edges(const c_model *m, const c_set *set);
/* "header->num_nodes", or "header->g_2_nodes" for nodes of one type. */
const char *c_set_nodes(const c_model *m, const c_set *set);
/* The number of rows of a value in a bound block, "header->num_edges"; NULL for rows one. */
const char *c_rows_text(const c_model *m, c_rows rows, int set, int64_t count);

#endif
