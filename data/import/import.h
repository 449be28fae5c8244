/* Readers of foreign file formats. All take the whole content of a file; `name` is the name of the
 * file in messages, which also give the line of a text file. The caller owns the set; it is NULL
 * after a failure. */
#ifndef GNNC_DATA_IMPORT_IMPORT_H
#define GNNC_DATA_IMPORT_IMPORT_H

#include "data/import/folder.h"
#include "data/tensor.h"
#include "support/thread_pool.h"

/* Whether the first line of a table names its columns: the names decide, or the user. */
typedef enum import_header { IMPORT_HEADER_auto, IMPORT_HEADER_yes, IMPORT_HEADER_no } import_header;

typedef struct import_options {
  bool is_undirected; /* add the reverse of each edge at the end; an untyped self loop is its own reverse */
  bool keeps_ids;     /* keep the node ids of the file; else number the nodes */
  bool drops_loops;
  bool drops_duplicates;
  /* The file is a matrix, not a graph: it need not be square, NaN is a value, and the entries become
   * entry_row, entry_column, entry_value with metadata rows and cols, in the order of the file. An
   * edge is the entry [target, source]. Of the other options only keeps_ids has an effect. */
  bool is_matrix;
  import_header header; /* of tables: csv, snap, triples */
  const char *split;    /* the split of a folder that becomes masks; NULL: the only one */
  thread_pool *pool;    /* threads for the sort of the edges; NULL: only the calling one */
} import_options;

/* Reads a SNAP edge list: lines "source target" or "source target weight", comments with # or %,
 * any whole numbers as ids. Commas may separate the columns, and the first line may then name them.
 * Nodes are numbered in the order of their ids. */
status import_snap(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out);

/* Reads a Matrix Market file in coordinate format: pattern, real or integer; general, symmetric or
 * skew-symmetric. Entry (i, j) becomes the edge j -> i, so that the sum over incoming edges is the
 * product of the matrix and the features; values become edge_weight. A matrix that is not square
 * becomes adj_indptr, adj_indices, adj_data. */
status import_mtx(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out);

/* Reads triples "subject relation object", one per line: names or numbers, separated by tabs,
 * commas or blanks; "..." quotes a name, and a header may give another order. Nodes and relations
 * are numbered by first appearance; node names become tensors, relation names metadata. */
status import_triples(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out);

/* Reads a table with commas or tabs: edges with or without weights, or triples, as the header or
 * the columns show. Fields may have quotes. Fails if header and columns are ambiguous. */
status import_csv(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out);

/* Reads a numpy .npz archive: adj_data, adj_indices, adj_indptr and adj_shape (row -> column
 * becomes source -> target), attr_* as x, labels as y. An archive of scipy.sparse.save_npz (csr,
 * csc or coo) has the edges alone, or with is_matrix the matrix as it is; the arrays of other
 * archives keep their names. */
status import_npz(const char *name, const void *bytes, size_t size, const import_options *options, tensor_set **out);

/* Reads a folder of the Open Graph Benchmark, with tables as text or in an archive: a graph, a
 * batch, or a graph with types of nodes and relations (import_ogb.c has the layouts). Numbers of
 * nodes stay, and edges have the order of other importers. Files without a place in the result are
 * listed in metadata "left_out". */
status import_ogb(const data_folder *f, const import_options *options, tensor_set **out);

/* Reads the files ind.NAME.x, .tx, .allx, .y, .ty, .ally, .graph and .test.index of a Planetoid
 * data set; `name` is NULL where the folder has one. Numbers of nodes stay; self loops and duplicate
 * edges are dropped. */
status import_planetoid(const data_folder *f, const char *name, const import_options *options, tensor_set **out);

/* Whether a folder has files of these layouts. */
bool import_ogb_is_likely(const data_folder *f);
bool import_planetoid_is_likely(const data_folder *f);

#endif
