/* The k nearest rows to each row in the plain way, which bench/near.py compares generated C with: a distance at a time, its
 * terms in order, and an insertion where it is small enough. Prints the median milliseconds of so many runs.
 *
 *   near NODES WIDTH K GRAPHS RUNS */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void insert(float d, int32_t node, int64_t k, int64_t *count, float *distance, int32_t *nodes) {
  if (*count == k && !(d < distance[k - 1])) return;
  int64_t at = *count < k ? (*count)++ : k - 1;
  for (; at > 0 && d < distance[at - 1]; at--) {
    distance[at] = distance[at - 1];
    nodes[at] = nodes[at - 1];
  }
  distance[at] = d;
  nodes[at] = node;
}

static void find(int64_t nodes, int64_t width, int64_t k, int64_t size, const float *x, float *distance,
                 int32_t *near) {
  for (int64_t n = 0; n < nodes; n++) {
    int64_t count = 0, first = n / size * size, end = first + size < nodes ? first + size : nodes;
    for (int64_t m = first; m < end; m++) {
      float d = 0;
      for (int64_t f = 0; f < width; f++)
        d += (x[n * width + f] - x[m * width + f]) * (x[n * width + f] - x[m * width + f]);
      insert(d, (int32_t)m, k, &count, distance, near + n * k);
    }
  }
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  int64_t nodes = atoll(argv[1]), width = atoll(argv[2]), k = atoll(argv[3]), graphs = atoll(argv[4]),
          runs = atoll(argv[5]);
  float *x = malloc((size_t)(nodes * width) * sizeof *x), *distance = malloc((size_t)k * sizeof *distance);
  int32_t *near = malloc((size_t)(nodes * k) * sizeof *near);
  double *times = malloc((size_t)runs * sizeof *times);
  if (!x || !distance || !near || !times) return 1;
  uint32_t seed = 1;
  for (int64_t i = 0; i < nodes * width; i++) x[i] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0f;
  for (int64_t r = 0; r < runs; r++) {
    double begin = now();
    find(nodes, width, k, (nodes + graphs - 1) / graphs, x, distance, near);
    times[r] = now() - begin;
  }
  qsort(times, (size_t)runs, sizeof *times, by_size);
  printf("%.4f %d\n", times[runs / 2], near[nodes * k / 2]);
  free(x), free(distance), free(near), free(times);
  return 0;
}
