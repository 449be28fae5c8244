/* Files of cells: safetensors with the tensor `cell` [nodes] i32 and metadata `cells`, `method` and
 * `graph`, the fingerprint of the graph. */
#ifndef GNNC_DATA_CELLS_CELLS_FILE_H
#define GNNC_DATA_CELLS_CELLS_FILE_H

#include "data/cells/cells.h"

/* Writes the cells of a graph in one step; made_by: the command, for the metadata. */
status cells_write(const char *path, const graph *g, const cells *c, cells_method method, const char *made_by);

/* Reads the cells of a graph; the caller frees them with cells_free. Fails where the file is damaged,
 * where the number of nodes or a cell is wrong, or where the cells are those of another graph. Messages
 * name the path. */
status cells_open(const char *path, const graph *g, cells *out);

/* The same for a tensor set, which may be freed afterwards. */
status cells_read(const tensor_set *set, const graph *g, cells *out);

#endif
