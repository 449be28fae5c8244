/* How the rows of a kernel are cut into parts that threads take. */
#ifndef GNNC_CODEGEN_C_KERNEL_PARTITION_H
#define GNNC_CODEGEN_C_KERNEL_PARTITION_H

#include "codegen/c/body/body.h"

typedef struct c_partition {
  int64_t units;       /* rows (and entries, if there are such) that are worth a part */
  int64_t least;       /* fewer in all are run by one thread */
  MlirValue entries;   /* the graph, or the sparse rows, whose entries at a row are counted as well; null if none */
  const char *pointer; /* its array of row pointers: in_ptr, out_ptr or indptr */
} c_partition;

c_partition c_partition_find(const c_kernel *kernel);

#endif
