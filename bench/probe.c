/* Measures the limits of this machine: fused multiply-adds per second from registers, bytes per second
 * of a triad on arrays that no cache can hold, and bytes per second of random rows gathered from such an
 * array, by the bytes of a row.
 *
 *   cc -std=c17 -O3 -march=native -ffp-contract=fast -fopenmp probe.c -o probe && ./probe 2
 *   {"threads": 2, "gflops": 541.2, "gbytes": 44.7, "gather": {"64": 12.3, "128": 17.8, "256": 22.5, "512": 24.9, "1024": 27.0}}
 *
 * The benchmarks compile it with the flags of the kernels and run it beside them, so that a result
 * can be given as a share of the machine's limit. */
#define _DEFAULT_SOURCE 1
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#ifdef __AVX512F__
enum { LANES = 16 };
#elif defined __AVX__
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));

enum { CHAINS = 12, ROUNDS = 1 << 22, TRIAD = 1 << 25, REPEATS = 9 };
enum { LINE = 64, WIDEST = 1024, TABLE = 1 << 28, HUGE_PAGE = 1 << 21, GATHER_REPEATS = 3 };

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Twelve independent chains hide the latency of one multiply-add. The sum is returned so that the
 * compiler keeps the work. */
static float multiply_add(float start) {
  lanes a[CHAINS], x = {0}, y = {0};
  x += start, y += 1e-9f;
  for (int c = 0; c < CHAINS; c++) a[c] = x + (float)c;
  for (int r = 0; r < ROUNDS; r++) {
#pragma GCC unroll 12
    for (int c = 0; c < CHAINS; c++) a[c] = a[c] * x + y;
  }
  float sum = 0;
  for (int c = 0; c < CHAINS; c++)
    for (int l = 0; l < LANES; l++) sum += a[c][l];
  return sum;
}

static double measure_flops(int threads, volatile float *sink) {
  double best = 0;
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    double start = seconds();
    float sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (int t = 0; t < threads; t++) sum += multiply_add(0.5f);
    double flops = 2.0 * LANES * CHAINS * (double)ROUNDS * threads / (seconds() - start);
    *sink = sum;
    if (flops > best) best = flops;
  }
  return best;
}

/* Returns the bytes per second of a = b + 3 c over arrays of 128 MiB each. Three streams are
 * counted, as STREAM does. */
static double measure_bytes(int threads) {
  float *a = malloc(3 * sizeof(float) * TRIAD), *b = a ? a + TRIAD : NULL, *c = a ? b + TRIAD : NULL;
  double best = 0;
  if (!a) return 0;
#pragma omp parallel for num_threads(threads)
  for (int64_t i = 0; i < TRIAD; i++) a[i] = 0, b[i] = 1, c[i] = 2;
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    double start = seconds();
#pragma omp parallel for num_threads(threads)
    for (int64_t i = 0; i < TRIAD; i++) a[i] = b[i] + 3 * c[i];
    double bytes = 3.0 * sizeof(float) * TRIAD / (seconds() - start);
    if (bytes > best) best = bytes;
  }
  if (a[TRIAD / 2] < 0) best = 0;
  free(a);
  return best;
}

/* Adds up the rows of `bytes` bytes that `index` lists, as a sum over edges does; rows `ahead` of the
 * present one are prefetched. The bytes are a constant of each caller, so that the sum stays in registers. */
static inline __attribute__((always_inline)) float add_rows(int bytes, const char *table, const int32_t *index,
                                                            int64_t count, int ahead) {
  lanes sum[WIDEST / sizeof(lanes)] = {0};
  const int vectors = bytes / (int)sizeof(lanes);
  for (int64_t i = 0; i < count; i++) {
    const char *next = table + (int64_t)index[i + ahead] * bytes;
    for (int line = 0; line < bytes; line += LINE) __builtin_prefetch(next + line);
    const lanes *row = (const lanes *)(const void *)(table + (int64_t)index[i] * bytes);
    for (int v = 0; v < vectors; v++) sum[v] += row[v];
  }
  float total = 0;
  for (int v = 0; v < vectors; v++)
    for (int l = 0; l < LANES; l++) total += sum[v][l];
  return total;
}

static float gather(int bytes, const char *table, const int32_t *index, int64_t count, int ahead) {
  switch (bytes) {
  case 64: return add_rows(64, table, index, count, ahead);
  case 128: return add_rows(128, table, index, count, ahead);
  case 256: return add_rows(256, table, index, count, ahead);
  case 512: return add_rows(512, table, index, count, ahead);
  default: return add_rows(1024, table, index, count, ahead);
  }
}

static void fill_index(int32_t *index, int64_t count, int64_t rows) {
  uint64_t state = 88172645463325252u;
  for (int64_t i = 0; i < count; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    index[i] = (int32_t)(state % (uint64_t)rows);
  }
}

/* Returns the bytes per second at which rows of `bytes` bytes in random order arrive from a table of 256
 * MiB: the best of several prefetch distances. As many bytes are gathered as the table has. */
static double measure_gather(int bytes, int threads, const char *table, int32_t *index, volatile float *sink) {
  static const int ahead[] = {4, 8, 16, 32};
  const int64_t count = TABLE / bytes / threads * threads, part = count / threads;
  double best = 0;
  fill_index(index, count + ahead[3], TABLE / bytes);
  for (int repeat = 0; repeat < 4 * GATHER_REPEATS; repeat++) {
    double start = seconds();
    float sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (int t = 0; t < threads; t++) sum += gather(bytes, table, index + t * part, part, ahead[repeat % 4]);
    double rate = (double)count * bytes / (seconds() - start);
    *sink = sum;
    if (rate > best) best = rate;
  }
  return best;
}

/* Prints the gather rates of all widths as a JSON object; an empty one without memory. */
static void print_gather(int threads, volatile float *sink) {
  char *table = aligned_alloc(HUGE_PAGE, TABLE); /* huge pages, as gnn-run asks for */
  int32_t *index = malloc((TABLE / LINE + LINE) * sizeof *index);
#ifdef MADV_HUGEPAGE
  if (table) (void)madvise(table, TABLE, MADV_HUGEPAGE);
#endif
  printf("{");
  for (int bytes = LINE; table && index && bytes <= WIDEST; bytes *= 2) {
    if (bytes == LINE)
#pragma omp parallel for num_threads(threads)
      for (int64_t i = 0; i < TABLE; i += (int64_t)sizeof(float)) *(float *)(void *)(table + i) = 1;
    printf("%s\"%d\": %.2f", bytes > LINE ? ", " : "", bytes,
           measure_gather(bytes, threads, table, index, sink) * 1e-9);
  }
  printf("}");
  free(table);
  free(index);
}

int main(int count, char **arguments) {
  int threads = count > 1 ? atoi(arguments[1]) : 1;
  if (threads < 1) return 2;
  volatile float sink = 0;
  double flops = measure_flops(threads, &sink), bytes = measure_bytes(threads);
  printf("{\"threads\": %d, \"gflops\": %.1f, \"gbytes\": %.2f, \"gather\": ", threads, flops * 1e-9, bytes * 1e-9);
  print_gather(threads, &sink);
  printf("}\n");
  return 0;
}
