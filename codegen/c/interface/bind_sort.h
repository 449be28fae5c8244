/* The sort of a set's edges by one end in the generated bind function. */
#ifndef GNNC_CODEGEN_C_INTERFACE_BIND_SORT_H
#define GNNC_CODEGEN_C_INTERFACE_BIND_SORT_H

#include "codegen/c/model/model.h"

/* Opens a block that begins with the sort by `key`, as `sort`, and makes the row pointers `ptr` of the
 * set; what is moved by it comes before the block is closed. */
void c_bind_sort_open(c_model *m, c_writer *w, const c_set *set, const char *key, c_array ptr);
void c_bind_sort_close(c_writer *w);

#endif
