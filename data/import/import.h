/* Foreign files read into tensor sets. All take the whole text or bytes; `name` appears in
 * messages, which tell the line. The set is owned by the caller. */
#ifndef GNNC_DATA_IMPORT_IMPORT_H
#define GNNC_DATA_IMPORT_IMPORT_H

#include "data/tensor.h"
#include "support/thread_pool.h"

typedef struct import_options {
  bool is_undirected; /* add the reverse of every edge (after the others), self loops once */
  bool keeps_ids;     /* node ids of the file are used as they are; else nodes are numbered in the order of their ids */
  bool drops_loops;
  bool drops_duplicates;
  thread_pool *pool; /* threads that take part where edges are sorted; NULL: the calling one alone */
} import_options;

/* SNAP edge list: lines "source target" or "source target weight", comments # or %, ids any whole
 * numbers; also with commas, and with a first line that names the columns. */
status import_snap(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out);

/* Matrix Market, coordinate: pattern, real or integer; general, symmetric or skew-symmetric. Entry
 * (i, j) becomes the edge j -> i, so that aggregating over incoming edges is the product of the
 * matrix with the features; values become edge_weight. A matrix that is not square becomes
 * adj_indptr, adj_indices, adj_data. */
status import_mtx(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out);

/* Triples "subject relation object" separated by tabs, commas or blanks, names or numbers, one per
 * line; "..." quotes a name; a header may say another order. Nodes and relations are numbered by
 * first appearance; their names become metadata. */
status import_triples(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out);

/* A table separated by commas or tabs: edges with or without weights, or triples, as its header or its columns say.
 * Fields may stand in quotes. Fails where header and columns leave it open. */
status import_csv(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out);

/* numpy .npz: adj_data/adj_indices/adj_indptr/adj_shape (row -> column becomes source -> target),
 * attr_* as x, labels as y; what scipy.sparse.save_npz writes (csr, csc or coo) is adj_* alone; other archives give their
 * arrays under their own names. */
status import_npz(const char *name, const void *bytes, size_t size, const import_options *options, tensor_set **out);

#endif
