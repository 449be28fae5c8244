/* Measures the limits of this machine: fused multiply-adds per second from registers, and bytes per
 * second of a triad on arrays that no cache can hold.
 *
 *   cc -std=c17 -O3 -march=native -ffp-contract=fast -fopenmp probe.c -o probe && ./probe 2
 *   {"threads": 2, "gflops": 541.2, "gbytes": 44.7}
 *
 * The benchmarks compile it with the flags of the kernels and run it beside them, so that a result
 * can be given as a share of the machine's limit. */
#define _DEFAULT_SOURCE 1
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

int main(int count, char **arguments) {
  int threads = count > 1 ? atoi(arguments[1]) : 1;
  if (threads < 1) return 2;
  volatile float sink = 0;
  double flops = measure_flops(threads, &sink), bytes = measure_bytes(threads);
  printf("{\"threads\": %d, \"gflops\": %.1f, \"gbytes\": %.2f}\n", threads, flops * 1e-9, bytes * 1e-9);
  return 0;
}
