/* Sampled dense-dense products (SDDMM) in fp32: a number per edge and head from the rows at both
 * ends. */
#ifndef GNNC_KERNELS_SDDMM_H
#define GNNC_KERNELS_SDDMM_H

#include "support/elementwise.h"

#include <stdint.h>

typedef enum kernel_inner {
  KERNEL_INNER_dot, /* r = the sum of src * dst */
  KERNEL_INNER_add, /* the sum of src + dst */
  KERNEL_INNER_src, /* the sum of src */
  KERNEL_INNER_dst  /* the sum of dst */
} kernel_inner;

/* With r the sum over the columns of head h, which are columns h * width / heads and on: out[e][h]
 * = r, or combine(values[e][h], r). */
typedef struct kernel_sddmm {
  kernel_inner inner;
  elementwise_binary combine; /* BINARY_none: r alone */
  int64_t edges, heads, width;
  const int32_t *src, *dst;         /* [edges] */
  const float *src_rows, *dst_rows; /* [.., width] */
  const float *values;              /* [edges, heads]; may be `out` */
} kernel_sddmm;

/* out is [edges, heads]. */
void kernel_sddmm_run(const kernel_sddmm *s, float *out);

#endif
