/* Rows times a packed matrix. See real.h for how parts are used.
 *
 * The packed matrix is cut into panels of 48 columns, or of 64 where that leaves no rest, each stored row by row. A tile, some rows by some columns of the product,
 * stays in registers while k runs over the whole depth: the order of a sum is that of k, whatever the tile. */
#include "codegen/c/prelude/block.h"
#include "codegen/c/prelude/real.h"

//@ panel_columns
/* Columns of the first panel of a matrix with so many: 64 or 48, or what is left, padded to 8 or a multiple of 16. */
static inline int64_t panel_columns(int64_t columns) {
  return columns > 0 && columns % 64 == 0 ? 64 : columns >= 48 ? 48 : columns <= 8 ? 8 : (columns + 15) / 16 * 16;
}

//@ UNROLL
/* Loops over the registers of a tile disappear. */
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 16")
#else
#define UNROLL
#endif

//@ wide
/* What a vector register holds; the same at any address; eight numbers, for products that are no wider. TILE_ROWS x TILE_VECTORS sums
 * fit the registers of the machine, FLAT_ROWS x FLAT_VECTORS those of panels of 64 columns. */
#if defined(__GNUC__) && defined(__AVX512F__)
#define WIDE_BYTES 64
enum { TILE_ROWS = 8, TILE_VECTORS = 3, FLAT_ROWS = 6, FLAT_VECTORS = 4 };
#else
#if defined(__GNUC__) && defined(__AVX__)
#define WIDE_BYTES 32
#else
#define WIDE_BYTES 16
#endif
enum { TILE_ROWS = 4, TILE_VECTORS = 2, FLAT_ROWS = 4, FLAT_VECTORS = 2 };
#endif
enum { LANES = WIDE_BYTES / sizeof(real) };
#if defined(__GNUC__)
typedef real wide __attribute__((vector_size(WIDE_BYTES)));
typedef real wide_memory __attribute__((vector_size(WIDE_BYTES), aligned(sizeof(real)), may_alias));
typedef real eight __attribute__((vector_size(8 * sizeof(real))));
typedef real eight_memory __attribute__((vector_size(8 * sizeof(real)), aligned(sizeof(real)), may_alias));
#endif

//@ ADD_PRODUCT
/* sum += x * w, where w and the sum are vectors of a type. Where C computes in more than `real` (FLT_EVAL_METHOD), gcc refuses to put a
 * number into a vector, and no cast makes it narrow: it is stored in each lane. */
#if defined(__GNUC__) && __FLT_EVAL_METHOD__ != 0
#define ADD_PRODUCT(type, sum, x, w)                                                                                   \
  do {                                                                                                                 \
    type lanes;                                                                                                        \
    for (int l = 0; l < (int)(sizeof lanes / sizeof(real)); l++) lanes[l] = (x);                                       \
    (sum) += lanes * (w);                                                                                              \
  } while (0)
#else
#define ADD_PRODUCT(type, sum, x, w) ((sum) += (x) * (w))
#endif

//@ gemm_tile
/* `rows` rows by `vectors` registers of columns. The rows at `next` are asked for meanwhile, a cache line every 16 numbers, and the
 * lines that the products go to. */
static ALWAYS_INLINE void gemm_tile(const int rows, const int vectors, int64_t depth, const real *const *x,
                                    const real *const *next, const real *w, int64_t w_stride, real *y,
                                    int64_t y_stride) {
#if defined(__GNUC__)
  const real *row[TILE_ROWS];
  wide sum[TILE_ROWS][FLAT_VECTORS];
  UNROLL
  for (int r = 0; r < rows; r++) {
    row[r] = x[r];
    UNROLL
    for (int v = 0; v < vectors; v++) {
      sum[r][v] = (wide){0};
      PREFETCH_WRITE(y + r * y_stride + v * LANES);
    }
  }
  for (int64_t k = 0, stop; k < depth;) {
    UNROLL
    for (int r = 0; r < rows; r++) PREFETCH(next[r] + k);
    for (stop = k + 16 < depth ? k + 16 : depth; k < stop; k++, w += w_stride) {
      wide w_k[FLAT_VECTORS];
      UNROLL
      for (int v = 0; v < vectors; v++) w_k[v] = *(const wide_memory *)(w + v * LANES);
      UNROLL
      for (int r = 0; r < rows; r++) {
        UNROLL
        for (int v = 0; v < vectors; v++) ADD_PRODUCT(wide, sum[r][v], row[r][k], w_k[v]);
      }
    }
  }
  UNROLL
  for (int r = 0; r < rows; r++) {
    UNROLL
    for (int v = 0; v < vectors; v++) *(wide_memory *)(y + r * y_stride + v * LANES) = sum[r][v];
  }
#else
  (void)next;
  for (int r = 0; r < rows; r++) {
    for (int j = 0; j < vectors * LANES; j++) y[r * y_stride + j] = 0;
    for (int64_t k = 0; k < depth; k++)
      for (int j = 0; j < vectors * LANES; j++) y[r * y_stride + j] += x[r][k] * w[k * w_stride + j];
  }
#endif
}

//@ gemm_tile_eight
/* `rows` rows by 8 columns where a register holds more. */
static ALWAYS_INLINE void gemm_tile_eight(const int rows, int64_t depth, const real *const *x, const real *const *next,
                                          const real *w, real *y, int64_t y_stride) {
#if defined(__GNUC__)
  const real *row[TILE_ROWS];
  eight sum[TILE_ROWS];
  UNROLL
  for (int r = 0; r < rows; r++) row[r] = x[r], sum[r] = (eight){0};
  for (int64_t k = 0, stop; k < depth;) {
    UNROLL
    for (int r = 0; r < rows; r++) PREFETCH(next[r] + k);
    for (stop = k + 16 < depth ? k + 16 : depth; k < stop; k++, w += 8) {
      const eight w_k = *(const eight_memory *)w;
      UNROLL
      for (int r = 0; r < rows; r++) ADD_PRODUCT(eight, sum[r], row[r][k], w_k);
    }
  }
  UNROLL
  for (int r = 0; r < rows; r++) *(eight_memory *)(y + r * y_stride) = sum[r];
#else
  (void)rows, (void)depth, (void)x, (void)next, (void)w, (void)y, (void)y_stride; /* no register holds more */
#endif
}

//@ TILE_FUNCTION
/* Each tile is a function of its own: together they would not find enough registers. */
#if defined(ROUNDS_PRODUCTS)
#define TILE_FUNCTION static __attribute__((noinline, optimize("fp-contract=fast"))) void
#elif defined(__GNUC__)
#define TILE_FUNCTION static __attribute__((noinline)) void
#else
#define TILE_FUNCTION static void
#endif

//@ gemm_tiles
typedef void gemm_tile_function(int64_t depth, const real *const *x, const real *const *next, const real *w,
                                int64_t w_stride, real *y, int64_t y_stride);
#define GEMM_TILE(name, rows, vectors)                                                                                 \
  TILE_FUNCTION name(int64_t depth, const real *const *x, const real *const *next, const real *w, int64_t w_stride,    \
                     real *y, int64_t y_stride) {                                                                      \
    if (vectors)                                                                                                       \
      gemm_tile(rows, vectors ? vectors : 1, depth, x, next, w, w_stride, y, y_stride);                                \
    else                                                                                                               \
      gemm_tile_eight(rows, depth, x, next, w, y, y_stride);                                                           \
  }
GEMM_TILE(gemm_tile_2x8, 2, 0)
GEMM_TILE(gemm_tile_4x8, 4, 0)
GEMM_TILE(gemm_tile_2x1, 2, 1)
GEMM_TILE(gemm_tile_4x1, 4, 1)
GEMM_TILE(gemm_tile_2x2, 2, 2)
GEMM_TILE(gemm_tile_4x2, 4, 2)
#if WIDE_BYTES == 64
GEMM_TILE(gemm_tile_2x3, 2, 3)
GEMM_TILE(gemm_tile_4x3, 4, 3)
GEMM_TILE(gemm_tile_8x8, 8, 0)
GEMM_TILE(gemm_tile_8x1, 8, 1)
GEMM_TILE(gemm_tile_8x2, 8, 2)
GEMM_TILE(gemm_tile_8x3, 8, 3)
GEMM_TILE(gemm_tile_2x4, 2, 4)
GEMM_TILE(gemm_tile_4x4, 4, 4)
GEMM_TILE(gemm_tile_6x4, 6, 4)
#endif
/* For 2, 4 and 8 rows (6 of 4 registers): 8 columns, or 1 to 4 registers of them. */
static gemm_tile_function *const gemm_tiles[][5] = {
#if WIDE_BYTES == 64
    {gemm_tile_2x8, gemm_tile_2x1, gemm_tile_2x2, gemm_tile_2x3, gemm_tile_2x4},
    {gemm_tile_4x8, gemm_tile_4x1, gemm_tile_4x2, gemm_tile_4x3, gemm_tile_4x4},
    {gemm_tile_8x8, gemm_tile_8x1, gemm_tile_8x2, gemm_tile_8x3, gemm_tile_6x4},
#else
    {gemm_tile_2x8, gemm_tile_2x1, gemm_tile_2x2},
    {gemm_tile_4x8, gemm_tile_4x1, gemm_tile_4x2},
#endif
};

//@ gemm_rows
/* y[i] = rows[i] @ w for `count` rows: [depth] @ [depth, width], w packed. As many columns of y are written as w is padded to. Each row
 * has the same bits wherever it stands. So no tile has one row: for some processors compilers fuse products and sums only where they see
 * several sums, and one register would be rounded once more. */
static void gemm_rows(int64_t count, int64_t depth, int64_t width, const real *const *rows, const real *restrict w,
                      real *restrict y, int64_t y_stride) {
  for (int64_t j = 0, columns; j < width; j += columns, w += depth * columns) {
    columns = panel_columns(width - j);
    const int64_t most = columns == 64 ? FLAT_VECTORS : TILE_VECTORS;
    for (int64_t i = 0, size = columns == 64 ? FLAT_ROWS : TILE_ROWS, exponent = TILE_ROWS / 4; i < count;) {
      const int is_last = i + 1 == count; /* a tile of two has it twice */
      const real *const pair[] = {rows[i], rows[i]};
      if (count - i < size && !(is_last && size == 2)) { /* the rest in tiles of fewer rows */
        size = size > 4 ? 4 : 2;
        exponent--;
        continue;
      }
      const real *const *next = is_last ? pair : rows + (j == 0 && i + 2 * size <= count ? i + size : i);
      for (int64_t v = 0, vectors; v < columns; v += vectors * LANES) {
        vectors = (columns - v) / LANES < most ? (columns - v) / LANES : most;
        gemm_tiles[exponent][vectors](depth, is_last ? pair : rows + i, next, w + v, columns, y + i * y_stride + j + v,
                                      is_last ? 0 : y_stride);
        if (!vectors) break;
      }
      i += size;
    }
  }
}

//@ pack_matrix
/* Cuts w [depth, width] (or its transpose) into panels for gemm_rows, with zeros where they are wider. */
static void pack_matrix(int64_t depth, int64_t width, const real *restrict w, int transposed, real *restrict packed) {
  for (int64_t j = 0, columns; j < width; j += columns) {
    columns = panel_columns(width - j);
    for (int64_t k = 0; k < depth; k++)
      for (int64_t i = j; i < j + columns; i++)
        *packed++ = i >= width ? 0 : transposed ? w[i * depth + k] : w[k * width + i];
  }
}
