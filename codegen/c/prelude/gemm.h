/* Eight rows times a packed matrix. See real.h for how parts are used. */
#include "codegen/c/prelude/block.h"
#include "codegen/c/prelude/real.h"

//@ gemm_tile_16
/* Columns 0 .. 15 of four rows; the sums live in registers. */
static void gemm_tile_16(int64_t depth, const real *const *rows, const real *restrict w, int64_t w_stride,
                         real *restrict y, int64_t y_stride) {
  const real *restrict x0 = rows[0], *restrict x1 = rows[1], *restrict x2 = rows[2], *restrict x3 = rows[3];
  real y0[16] = {0}, y1[16] = {0}, y2[16] = {0}, y3[16] = {0};
  for (int64_t k = 0; k < depth; k++) {
    const real *restrict w_k = w + k * w_stride;
    const real a0 = x0[k], a1 = x1[k], a2 = x2[k], a3 = x3[k];
    FEATURE_LOOP
    for (int j = 0; j < 16; j++) {
      y0[j] += a0 * w_k[j];
      y1[j] += a1 * w_k[j];
      y2[j] += a2 * w_k[j];
      y3[j] += a3 * w_k[j];
    }
  }
  for (int j = 0; j < 16; j++) {
    y[j] = y0[j];
    y[y_stride + j] = y1[j];
    y[2 * y_stride + j] = y2[j];
    y[3 * y_stride + j] = y3[j];
  }
}

//@ gemm_tile_8
/* Columns 0 .. 7 of eight rows. */
static void gemm_tile_8(int64_t depth, const real *const *rows, const real *restrict w, int64_t w_stride,
                        real *restrict y, int64_t y_stride) {
  const real *restrict x0 = rows[0], *restrict x1 = rows[1], *restrict x2 = rows[2], *restrict x3 = rows[3];
  const real *restrict x4 = rows[4], *restrict x5 = rows[5], *restrict x6 = rows[6], *restrict x7 = rows[7];
  real y0[8] = {0}, y1[8] = {0}, y2[8] = {0}, y3[8] = {0}, y4[8] = {0}, y5[8] = {0}, y6[8] = {0}, y7[8] = {0};
  for (int64_t k = 0; k < depth; k++) {
    const real *restrict w_k = w + k * w_stride;
    const real a0 = x0[k], a1 = x1[k], a2 = x2[k], a3 = x3[k], a4 = x4[k], a5 = x5[k], a6 = x6[k], a7 = x7[k];
    FEATURE_LOOP
    for (int j = 0; j < 8; j++) {
      y0[j] += a0 * w_k[j];
      y1[j] += a1 * w_k[j];
      y2[j] += a2 * w_k[j];
      y3[j] += a3 * w_k[j];
      y4[j] += a4 * w_k[j];
      y5[j] += a5 * w_k[j];
      y6[j] += a6 * w_k[j];
      y7[j] += a7 * w_k[j];
    }
  }
  for (int j = 0; j < 8; j++) {
    y[j] = y0[j];
    y[y_stride + j] = y1[j];
    y[2 * y_stride + j] = y2[j];
    y[3 * y_stride + j] = y3[j];
    y[4 * y_stride + j] = y4[j];
    y[5 * y_stride + j] = y5[j];
    y[6 * y_stride + j] = y6[j];
    y[7 * y_stride + j] = y7[j];
  }
}

//@ gemm_rows
/* y[i] = rows[i] @ w for eight rows: [depth] @ [depth, width]. w is padded with zeros to a multiple of 8 columns; so many are written. */
static void gemm_rows(int64_t depth, int64_t width, const real *const *rows, const real *restrict w, real *restrict y,
                      int64_t y_stride) {
  const int64_t w_stride = (width + 7) / 8 * 8;
  int64_t j = 0;
  for (; j + 16 <= w_stride; j += 16) {
    gemm_tile_16(depth, rows, w + j, w_stride, y + j, y_stride);
    gemm_tile_16(depth, rows + 4, w + j, w_stride, y + 4 * y_stride + j, y_stride);
  }
  if (j < w_stride) gemm_tile_8(depth, rows, w + j, w_stride, y + j, y_stride);
}

//@ pack_matrix
/* w [depth, width] (or its transpose) with zeros up to a multiple of 8 columns. */
static void pack_matrix(int64_t depth, int64_t width, const real *restrict w, int transposed, real *restrict packed) {
  const int64_t stride = (width + 7) / 8 * 8;
  for (int64_t k = 0; k < depth; k++)
    for (int64_t j = 0; j < stride; j++)
      packed[k * stride + j] = j >= width ? 0 : transposed ? w[j * depth + k] : w[k * width + j];
}
