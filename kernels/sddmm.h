/* A number per edge and head from the rows at its ends, in fp32: Vector-Inner. */
#ifndef GNNC_KERNELS_SDDMM_H
#define GNNC_KERNELS_SDDMM_H

#include "support/elementwise.h"

#include <stdint.h>

typedef enum kernel_inner {
  KERNEL_INNER_dot, /* the sum of src * dst */
  KERNEL_INNER_add, /* of src + dst */
  KERNEL_INNER_src, /* of src */
  KERNEL_INNER_dst  /* of dst */
} kernel_inner;

/* r = the sum over the columns of head h, columns h * width / heads and so on; out[e][h] = r, or
 * combine(values[e][h], r). */
typedef struct kernel_sddmm {
  kernel_inner inner;
  elementwise_binary combine; /* BINARY_none: replace */
  int64_t edges, heads, width;
  const int32_t *src, *dst;         /* [edges] */
  const float *src_rows, *dst_rows; /* [.., width] */
  const float *values;              /* [edges, heads]; may be `out` */
} kernel_sddmm;

void kernel_sddmm_run(const kernel_sddmm *s, float *out);

#endif
