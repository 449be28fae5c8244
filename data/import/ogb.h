/* Parts of the reader of folders of the Open Graph Benchmark; internal to data/import. */
#ifndef GNNC_DATA_IMPORT_OGB_H
#define GNNC_DATA_IMPORT_OGB_H

#include "data/edge_list.h"
#include "data/import/folder.h"
#include "support/text.h"

typedef struct ogb {
  const data_folder *folder;
  const char *raw; /* the folder of the tables: "raw", or "" */
  const import_options *options;
  arena *memory;
  tensor_set *set; /* the result */
  text left_out;   /* files that have no place in the result, with the reason */
} ogb;

/* Nodes of the graph that the rows of a list name: all of them, or those of one type. */
typedef struct ogb_range {
  int64_t begin, count;
} ogb_range;

/* Read a graph or a batch of graphs, one with types of nodes and relations, and the masks of a
 * split. `inside` is the folder of the split's lists within that of its name: "" or a type. */
status ogb_read_graph(ogb *o);
status ogb_read_typed(ogb *o);
status ogb_read_split(ogb *o, const char *inside, int64_t mask_count, ogb_range range, const char *what);

/* Returns the name of a file in the folder of the tables, in the arena. */
const char *ogb_path(const ogb *o, const char *name);

/* Fails for a number of nodes that the numbers of all tables cannot be about, so that a small folder
 * does not fill the memory. */
status ogb_check_nodes(const ogb *o, int64_t nodes, int64_t numbers);

/* Notes a file as left out. */
void ogb_leave_out(ogb *o, const char *name, const char *reason);

/* Adds a table to the result as a field with one entry per row. A table of one column becomes a
 * list unless `keeps_column`. The memory of the table becomes that of the field. */
status ogb_add_field(ogb *o, const char *field, const tensor *table, bool keeps_column);

/* Reads the node numbers at an edge of a table [edges, 2] or, if is_by_column, [2, edges]. Fails
 * for a number that is not in 0 .. limits[end].count - 1, and adds limits[end].begin to it. */
status ogb_read_edge(const tensor *t, bool is_by_column, int64_t edge, const ogb_range limits[2], edge_record *out);

/* Fails unless the table has two columns of whole numbers and one row per edge (two rows and one
 * column per edge if is_by_column). */
status ogb_check_edges(const ogb *o, const tensor *t, bool is_by_column, int64_t edges);

#endif
