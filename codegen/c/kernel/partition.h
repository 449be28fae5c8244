/* How the rows of a kernel are cut into parts for threads. */
#ifndef GNNC_CODEGEN_C_KERNEL_PARTITION_H
#define GNNC_CODEGEN_C_KERNEL_PARTITION_H

#include "codegen/c/body/body.h"

typedef struct c_partition {
  int64_t units;       /* rows (and entries, if there are any) of a part */
  int64_t least;       /* with fewer units in all one thread does everything */
  MlirValue entries;   /* the graph or the sparse rows whose entries at a row are counted too; null if none */
  const char *pointer; /* the array of row pointers of these: in_ptr, out_ptr or indptr */
} c_partition;

/* The partition of a kernel's rows. */
c_partition c_partition_find(const c_kernel *kernel);

#endif
