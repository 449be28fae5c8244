/* Tables of numbers without a header, as the Open Graph Benchmark has them:
 *
 *   -0.057,0.0153,1.5        a row per node
 *   0.12,,-2                 an empty field is NaN */
#ifndef GNNC_DATA_IMPORT_NUMBER_TABLE_H
#define GNNC_DATA_IMPORT_NUMBER_TABLE_H

#include "data/import/folder.h"
#include "data/tensor.h"

/* Reads a table into the arena: I64 where all fields are whole numbers, else F32, with shape
 * [rows, columns]; a table without rows is [0, 0]. Rows end at line ends, blank lines are left out.
 * The caller sets the name. Fails with STATUS_CODE_unsupported where the first field is no number,
 * and with STATUS_CODE_format for other fields and for rows of different lengths; messages have the
 * path and the line. */
status number_table_read(arena *a, const folder_text *file, tensor *out);

/* The same for a file of a folder. */
status number_table_read_file(arena *a, const data_folder *f, const char *name, tensor *out);

/* Fails unless the table is a list of `count` whole numbers (any number of them for -1), which are
 * in 0 .. limit - 1. `what` is the limit for messages: "nodes". */
status number_table_check_list(const tensor *t, int64_t count, int64_t limit, const char *what);

#endif
