/* Readers of tables of known form; internal to data/import. */
#ifndef GNNC_DATA_IMPORT_TABLE_H
#define GNNC_DATA_IMPORT_TABLE_H

#include "data/import/import.h"

typedef struct table_form {
  char separator; /* '\t', ',' or ' ' */
  bool has_header;
  bool is_relation_last; /* triples are source, target, relation */
} table_form;

/* The same as import_snap and import_triples, with the form of the table; NULL: it is derived from
 * the first line. */
status table_read_edges(const char *name, const char *text, size_t size, const table_form *form,
                        const import_options *options, tensor_set **out);
status table_read_triples(const char *name, const char *text, size_t size, const table_form *form,
                          const import_options *options, tensor_set **out);

#endif
