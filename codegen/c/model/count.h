/* Numbers of rows as text of generated C, read from the header of the bound block. */
#ifndef GNNC_CODEGEN_C_MODEL_COUNT_H
#define GNNC_CODEGEN_C_MODEL_COUNT_H

#include "codegen/c/model/model.h"

/* "header->g_edges". */
const char *c_count_edges(const c_model *m, const c_set *set);
/* "header->num_nodes", or "header->g_2_nodes" for nodes of one type. */
const char *c_count_nodes(const c_model *m, const c_set *set);
/* The number of rows of a value, "header->num_edges"; NULL for rows one. */
const char *c_count_rows(const c_model *m, c_rows rows, int set, int64_t count);
/* The same before a graph is bound, in terms of v nodes, e edges, g graphs: an upper bound, "1" for
 * rows one. */
const char *c_count_most_rows(const c_model *m, c_rows rows, int set, int64_t count);

#endif
