/* A peer of the benchmarks: runs the steps of a model as calls of libraries and prints the median
 * time of a run in milliseconds to standard output.
 *
 *   ./peer EDGES STEPS THREADS        STEPS: L500x16,A16,L16x7,A7
 *
 * L is a dense product by OpenBLAS, any other letter a sum over incoming edges; the numbers are the
 * columns of the operand and of the result. EDGES is a binary file of int64_t: nodes, edges, the
 * source of each edge, the target of each edge. With -DWITH_GRAPHBLAS a sum is GrB_mxm of
 * SuiteSparse:GraphBLAS with a full matrix, else a loop over the rows of a CSR matrix. */
#define _DEFAULT_SOURCE 1
#include <cblas.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef WITH_GRAPHBLAS
#include <GraphBLAS.h>
#endif

enum { MAX_STEPS = 64, RUNS = 7 };

typedef struct step {
  char kind;
  int64_t depth, width;
  float *w;
} step;

typedef struct graph {
  int64_t nodes, edges;
  int64_t *start, *source; /* CSR by target */
#ifdef WITH_GRAPHBLAS
  GrB_Matrix adjacency;
#endif
} graph;

static void *take(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) exit(1);
  return p;
}

static int64_t *read_edges(const char *path, graph *g) {
  FILE *f = fopen(path, "rb");
  int64_t head[2];
  if (!f || fread(head, sizeof(int64_t), 2, f) != 2) exit(1);
  g->nodes = head[0], g->edges = head[1];
  int64_t *ends = take(sizeof(int64_t) * 2 * (size_t)g->edges);
  if (fread(ends, sizeof(int64_t), 2 * (size_t)g->edges, f) != 2 * (size_t)g->edges) exit(1);
  fclose(f);
  return ends;
}

static void group(graph *g, const int64_t *source, const int64_t *target) {
  g->start = take(sizeof(int64_t) * (size_t)(g->nodes + 2));
  g->source = take(sizeof(int64_t) * (size_t)g->edges);
  memset(g->start, 0, sizeof(int64_t) * (size_t)(g->nodes + 2));
  for (int64_t e = 0; e < g->edges; e++) g->start[target[e] + 2]++;
  for (int64_t n = 1; n <= g->nodes; n++) g->start[n + 1] += g->start[n];
  for (int64_t e = 0; e < g->edges; e++) g->source[g->start[target[e] + 1]++] = source[e];
}

static void sum_edges(const graph *g, const float *x, int64_t width, float *y, int threads) {
#ifdef WITH_GRAPHBLAS
  GrB_Matrix a, c;
  const GrB_Index count = (GrB_Index)(g->nodes * width);
  void *px = (void *)x, *py = y;
  GrB_Matrix_new(&a, GrB_FP32, (GrB_Index)g->nodes, (GrB_Index)width);
  GrB_Matrix_new(&c, GrB_FP32, (GrB_Index)g->nodes, (GrB_Index)width);
  GxB_Matrix_pack_FullR(a, &px, count * sizeof(float), false, NULL);
  GrB_mxm(c, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, g->adjacency, a, NULL);
  GrB_wait(c, GrB_MATERIALIZE);
  GrB_Index size = 0;
  bool iso = false;
  GxB_Matrix_unpack_FullR(a, &px, &size, &iso, NULL);
  (void)py, (void)threads;
  GrB_free(&a);
  GrB_free(&c);
#else
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64)
  for (int64_t n = 0; n < g->nodes; n++) {
    float *row = y + n * width;
    memset(row, 0, sizeof(float) * (size_t)width);
    for (int64_t e = g->start[n]; e < g->start[n + 1]; e++)
      for (int64_t j = 0; j < width; j++) row[j] += 0.1f * x[g->source[e] * width + j];
  }
#endif
}

static size_t parse(char *text, step *steps) {
  size_t count = 0;
  for (char *at = strtok(text, ","); at && count < MAX_STEPS; at = strtok(NULL, ",")) {
    step *s = &steps[count++];
    s->kind = at[0];
    char *end = NULL;
    s->depth = strtoll(at + 1, &end, 10);
    s->width = *end == 'x' ? strtoll(end + 1, NULL, 10) : s->depth;
    s->w = take(sizeof(float) * (size_t)(s->depth * s->width));
    for (int64_t i = 0; i < s->depth * s->width; i++) s->w[i] = 0.01f;
  }
  return count;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Runs all steps once. The first step reads x; the results go to the two other arrays by turns. */
static void run(const graph *g, const step *steps, size_t count, const float *x, float *const to[2], int threads) {
  const float *from = x;
  for (size_t i = 0; i < count; i++) {
    float *y = to[i % 2];
    if (steps[i].kind == 'L')
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)g->nodes, (int)steps[i].width, (int)steps[i].depth, 1,
                  from, (int)steps[i].depth, steps[i].w, (int)steps[i].width, 0, y, (int)steps[i].width);
    else
      sum_edges(g, from, steps[i].width, y, threads);
    from = y;
  }
}

int main(int argument_count, char **arguments) {
  if (argument_count != 4) return 2;
  graph g = {0};
  int64_t *ends = read_edges(arguments[1], &g);
  group(&g, ends, ends + g.edges);
  step steps[MAX_STEPS];
  size_t count = parse(arguments[2], steps);
  int threads = atoi(arguments[3]);
#ifdef WITH_GRAPHBLAS
  GrB_init(GrB_NONBLOCKING);
  GxB_Global_Option_set(GxB_NTHREADS, threads);
  GrB_Matrix_new(&g.adjacency, GrB_FP32, (GrB_Index)g.nodes, (GrB_Index)g.nodes);
  float *ones = take(sizeof(float) * (size_t)g.edges);
  for (int64_t e = 0; e < g.edges; e++) ones[e] = 0.1f;
  GrB_Matrix_build(g.adjacency, (GrB_Index *)(ends + g.edges), (GrB_Index *)ends, ones, (GrB_Index)g.edges,
                   GrB_PLUS_FP32);
#endif
  int64_t widest = 1;
  for (size_t i = 0; i < count; i++) {
    if (steps[i].depth > widest) widest = steps[i].depth;
    if (steps[i].width > widest) widest = steps[i].width;
  }
  size_t numbers = (size_t)(g.nodes * widest);
  float *memory[3];
  for (int i = 0; i < 3; i++) {
    memory[i] = take(sizeof(float) * numbers);
    for (size_t k = 0; k < numbers; k++) memory[i][k] = 0.5f;
  }
  double times[RUNS];
  run(&g, steps, count, memory[0], memory + 1, threads);
  for (int r = 0; r < RUNS; r++) {
    double start = now();
    run(&g, steps, count, memory[0], memory + 1, threads);
    times[r] = now() - start;
  }
  qsort(times, RUNS, sizeof(double), compare);
  printf("%.4f\n", times[RUNS / 2]);
  return 0;
}
