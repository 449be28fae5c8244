/* A table of names that are numbered in the order of their first appearance. */
#ifndef GNNC_DATA_IMPORT_NAME_TABLE_H
#define GNNC_DATA_IMPORT_NAME_TABLE_H

#include "data/formats/token.h"
#include "data/tensor.h"

typedef struct name_table {
  token *names; /* copies in the arena */
  size_t count, capacity;
  int32_t *slots; /* 1 + number of a name, open addressing; 0: free */
  size_t slot_count;
} name_table;

/* Sets *number to the number of the name; a new name gets the next number and is copied to the
 * arena. Fails beyond INT32_MAX names. */
status name_table_number(name_table *table, arena *a, token name, int64_t *number);

/* Adds the names to the set as PREFIX_bytes (u8) and PREFIX_ptr (i64, number of names + 1). Fails
 * when memory is out. */
status name_table_add_tensors(const name_table *table, const char *prefix, tensor_set *set);

/* Returns the names in one string with `separator` between them, in the arena. */
char *name_table_join(const name_table *table, arena *a, const char *separator);

#endif
