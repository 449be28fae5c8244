/* Measures the time to partition an edge list, beside the time to copy as many bytes in the same
 * run.
 *
 *   cc -std=c17 -O3 -D_DEFAULT_SOURCE -I. -I$(llvm-config-22 --includedir) bench/partition.c -o partition \
 *      codegen/graphagile/partition/*.c codegen/device/host/host_memory.c support/{status,thread_pool}.c
 *   ./partition [THREADS]
 *
 * The numbers of nodes and edges are those of the paper's data sets; the edges are random and
 * sorted by source. Times are the best of several repetitions. */
#include "codegen/graphagile/partition/partition.h"
#include "codegen/device/host/host_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t next_number(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static double best_of(double best, double time) {
  return best == 0 || time < best ? time : best;
}

static void measure(const char *name, int64_t nodes, int64_t edges, int32_t rows, int threads, bool records) {
  int32_t *src = host_memory_alloc(edges, sizeof *src), *dst = host_memory_alloc(edges, sizeof *dst);
  float *weight = records ? host_memory_alloc(edges, sizeof *weight) : NULL;
  unsigned char *copy = host_memory_alloc(edges, records ? 12 : 8);
  if (!src || !dst || (records && !weight) || !copy) {
    fprintf(stderr, "%s: no memory\n", name);
    exit(EXIT_FAILURE);
  }
  uint64_t state = 1;
  for (int64_t e = 0; e < edges; e++) {
    src[e] = (int32_t)((double)e / (double)edges * (double)nodes);
    dst[e] = (int32_t)(next_number(&state) % (uint64_t)nodes);
    if (weight) weight[e] = 1.0f;
  }
  program_edge_list r = {
      .from_rows = nodes, .to_rows = nodes, .edges = edges, .src = src, .dst = dst, .weight = weight};
  double best = 0, copied = 0;
  int64_t pieces = 0;
  for (int i = 0; i < (edges > 10000000 ? 3 : 20); i++) {
    graphagile_partition p;
    double begin = now();
    status s = graphagile_partition_build(
        &r, (graphagile_partition_shape){.src_rows = rows, .dst_rows = rows, .max_edges = 65536},
        records ? GRAPHAGILE_PARTITION_RECORDS : 0, threads, &p);
    best = best_of(best, now() - begin);
    if (s) {
      fprintf(stderr, "%s: %s\n", name, status_message(s));
      exit(EXIT_FAILURE);
    }
    pieces = p.num_pieces;
    graphagile_partition_free(&p);
    begin = now();
    memcpy(copy, src, (size_t)edges * 4);
    memcpy(copy + (size_t)edges * 4, dst, (size_t)edges * 4);
    if (weight) memcpy(copy + (size_t)edges * 8, weight, (size_t)edges * 4);
    copied = best_of(copied, now() - begin);
  }
  printf("%-10s %11lld %6d %8lld %-7s %9.3f %9.2f %9.2f\n", name, (long long)edges, (int)rows, (long long)pieces,
         records ? "records" : "count", best * 1e3, best * 1e9 / (double)edges, copied * 1e9 / (double)edges);
  free(src);
  free(dst);
  free(weight);
  free(copy);
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  printf("%-10s %11s %6s %8s %-7s %9s %9s %9s\n", "graph", "edges", "rows", "pieces", "what", "ms", "ns/edge",
         "memcpy");
  measure("cora", 2708, 10556, 1024, threads, true);
  measure("pubmed", 19717, 88648, 1024, threads, true);
  measure("flickr", 89250, 989006, 2790, threads, true);
  measure("flickr", 89250, 989006, 16384, threads, true);
  measure("reddit", 232965, 114615892, 7281, threads, false);
  measure("amazon", 1569960, 264339468, 16384, threads, false);
  return EXIT_SUCCESS;
}
