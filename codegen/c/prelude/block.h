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

//@ count_parts
/* Parts that rows and the entries at them (ptr says how many; NULL for none) are cut into, each of about `units` rows and entries.
 * Fewer than `least` are not worth waking threads, and more than 1024 parts would only cost. */
static inline int64_t count_parts(const int64_t *ptr, int64_t rows, int64_t units, int64_t least) {
  const int64_t all = rows + (ptr ? ptr[rows] - ptr[0] : 0), parts = all / units;
  return all < least || parts < 1 ? 1 : parts > 1024 ? 1024 : parts;
}

//@ cut_rows
/* The first row of a part: about as many rows and entries lie before it as in `part` parts. Without entries at a multiple of 16, so
 * that tiles of a product are full. */
static inline int64_t cut_rows(const int64_t *ptr, int64_t rows, int64_t part, int64_t parts) {
  if (part >= parts) return rows;
  if (!ptr) return rows * part / parts / 16 * 16;
  const int64_t before = (int64_t)((double)(rows + ptr[rows] - ptr[0]) * (double)part / (double)parts);
  int64_t low = 0, high = rows;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (middle + ptr[middle] - ptr[0] < before)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

//@ row_parts
/* Rows cut into parts, by the entries at them where ptr says how many. */
typedef struct row_parts {
  const int64_t *ptr;
  int64_t rows, parts, first; /* the rows first .. first + rows - 1; ptr is that of the first one */
} row_parts;

//@ make_parts
static inline row_parts make_parts(const int64_t *ptr, int64_t rows, int64_t units, int64_t least) {
  const row_parts made = {ptr, rows, count_parts(ptr, rows, units, least), 0};
  return made;
}

//@ make_parts_behind
/* The same for the rows from `first` on. */
static inline row_parts make_parts_behind(const int64_t *ptr, int64_t first, int64_t rows, int64_t units,
                                          int64_t least) {
  row_parts made = make_parts(ptr ? ptr + first : NULL, rows - first, units, least);
  made.first = first;
  return made;
}

//@ first_row
/* Where a part begins, and the one before it ends. */
static inline int64_t first_row(const row_parts *p, int64_t part) {
  return p->first + cut_rows(p->ptr, p->rows, part, p->parts);
}

//@ for_parts
/* Parts of rows are independent: their order and their threads change no result. */
static void for_parts(const gnnc_context *context, int64_t parts, void (*body)(void *data, int64_t part), void *data) {
  const gnnc_executor *executor = context ? context->executor : NULL;
  if (parts > 1 && executor)
    executor->for_parts(executor->user, parts, body, data);
  else
    for (int64_t part = 0; part < parts; part++) body(data, part);
}

//@ FEATURE_LOOP
/* Iterations over features are independent. gcc unrolls short loops instead of vectorising them unless it is told, and with "unroll and jam"
 * it turns rows into gathers, four times slower. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-loop-unroll-and-jam")
#endif
#if (defined(_OPENMP) || defined(GNNC_OPENMP_SIMD)) && defined(__GNUC__) && !defined(__clang__)
#define FEATURE_LOOP _Pragma("omp simd")
#else
#define FEATURE_LOOP
#endif

//@ REDUCTION_LOOP
/* -O3: the iterations may be added up in any order, REDUCTION_LOOP(+ : sum). clang warns of loops that are too short for vectors. */
#if defined(_OPENMP) || defined(GNNC_OPENMP_SIMD)
#define PRAGMA(text) _Pragma(#text)
#define REDUCTION_LOOP(...) PRAGMA(omp simd reduction(__VA_ARGS__))
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
#else
#define REDUCTION_LOOP(...)
#endif

//@ PREFETCH
/* Asks for the cache line at an address that is read, or written, soon; any address will do. */
#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#define PREFETCH_WRITE(address) __builtin_prefetch(address, 1)
#else
#define PREFETCH(address) (void)(address)
#define PREFETCH_WRITE(address) (void)(address)
#endif

//@ PREFETCH_LATER
/* The same for a line that is read after many others: not into the nearest cache. */
#if defined(__GNUC__)
#define PREFETCH_LATER(address) __builtin_prefetch(address, 0, 2)
#else
#define PREFETCH_LATER(address) (void)(address)
#endif

//@ prefetch_row
/* Asks for a row that will be read soon. */
static inline void prefetch_row(const void *row, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += 64) PREFETCH((const char *)row + at);
}
