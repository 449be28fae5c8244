/* Numbers of rows as text of generated C. After bind they are read from the header of the bound
 * block. */
#ifndef GNNC_CODEGEN_C_MODEL_COUNT_H
#define GNNC_CODEGEN_C_MODEL_COUNT_H

#include "codegen/c/model/model.h"

/* An upper bound of the number of a set's edges, which is known before run makes the set: "header->num_nodes * 8". */
const char *c_count_room(const c_model *m, const c_set *set);
/* The number of a set's edges: "header->g_edges"; of a set that run makes, its variable "g_knn_0_edges". */
const char *c_count_edges(const c_model *m, const c_set *set);
/* An upper bound of the number of a set's edges, in terms of v nodes and e edges: "e + v". */
const char *c_count_most_edges(const c_model *m, const c_set *set);
/* The number of nodes: "header->num_nodes", or "header->g_2_nodes" for the nodes of one type. */
const char *c_count_nodes(const c_model *m, const c_set *set);
/* The number of nodes that a program computes: all, or those that the rank owns. */
const char *c_count_own_nodes(const c_model *m, const c_set *set);
/* The number of nodes of sets that bind makes: own ones, or all where the rank has all edges. */
const char *c_count_made_nodes(const c_model *m, const c_set *set);
/* The number of rows of a value, as "header->num_edges"; NULL for C_ROWS_one. */
const char *c_count_rows(const c_model *m, c_rows rows, int set, int64_t count);
/* An upper bound of the same before a graph is bound, in terms of v nodes, e edges and g graphs;
 * "1" for C_ROWS_one. */
const char *c_count_most_rows(const c_model *m, c_rows rows, int set, int64_t count);

#endif
