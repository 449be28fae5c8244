/* Memory blocks of the caller cut into sections. See real.h for how parts are used. */
#include <stddef.h>
#include <stdint.h>

//@ section
/* Cuts a section off a block: returns where it begins and moves *at behind it, both multiples of 64 bytes. A size that does not fit
 * into memory makes *at SIZE_MAX, and so it stays. */
static size_t section(size_t *at, int64_t rows, size_t row_size) {
  const size_t begin = *at;
  if (rows < 0 || (row_size && (uint64_t)rows > (SIZE_MAX / 2 - 64) / row_size)) *at = SIZE_MAX;
  if (*at == SIZE_MAX) return SIZE_MAX;
  const size_t size = ((size_t)rows * row_size + 63) / 64 * 64;
  *at = size > SIZE_MAX / 2 - begin ? SIZE_MAX : begin + size;
  return begin;
}

//@ align_block
/* Bytes from the start of a caller's block to its first 64-byte boundary. */
static size_t align_block(const void *block) {
  return (64 - (size_t)((uintptr_t)block % 64)) % 64;
}

//@ chunk_end
/* The end of the chunk of rows that starts at `begin`. */
static inline int64_t chunk_end(int64_t begin, int64_t size, int64_t rows) {
  return rows - begin < size ? rows : begin + size;
}

//@ PARALLEL_CHUNKS
/* Chunks of rows are independent: their order and their threads change no result. */
#ifdef _OPENMP
#define PARALLEL_CHUNKS _Pragma("omp parallel for schedule(dynamic) num_threads(threads)")
#else
#define PARALLEL_CHUNKS
#endif

//@ FEATURE_LOOP
/* Iterations over features are independent. gcc unrolls short loops instead of vectorising them unless it is told, and with "unroll and jam"
 * it turns rows into gathers, four times slower. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-loop-unroll-and-jam")
#endif
#if defined(_OPENMP) && defined(__GNUC__) && !defined(__clang__)
#define FEATURE_LOOP _Pragma("omp simd")
#else
#define FEATURE_LOOP
#endif
