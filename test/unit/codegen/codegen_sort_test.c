/* The sort of edges by an end, self loops and the check of edges in generated C, against plain
 * loops: at sizes on both sides of the borders of chunks and buckets, with 1, 2, 3 and 7 threads. */
#include "runtime/gnnc/executor.h"
#include "unit.h"

#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunused-function"
#include "codegen/c/prelude/graph.h"

static uint64_t random_state = 1;
static uint32_t draw(uint32_t bound) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((random_state >> 33) % bound);
}

static int32_t *make_array(int64_t count) {
  return calloc((size_t)count + 1, sizeof(int32_t));
}

static const int32_t thread_counts[] = {1, 2, 3, 7};
enum { THREAD_COUNTS = 4 };

/* What one sort and everything that moves with it comes to, and the plain way. */
typedef struct sorted {
  int64_t *ptr;
  int32_t *values, *numbers, *places, *keys;
} sorted;

static sorted make_sorted(int64_t keys, int64_t edges) {
  return (sorted){calloc((size_t)keys + 1, sizeof(int64_t)), make_array(edges), make_array(edges), make_array(edges),
                  make_array(edges)};
}

static void free_sorted(sorted *s) {
  free(s->ptr);
  free(s->values);
  free(s->numbers);
  free(s->places);
  free(s->keys);
}

static void sort_plainly(int64_t keys, int64_t edges, const int32_t *key, const int32_t *value, sorted *out) {
  int64_t at = 0;
  int64_t *next = calloc((size_t)keys + 1, sizeof *next);
  for (int64_t e = 0; e < edges; e++) out->ptr[key[e] + 1]++;
  for (int64_t k = 0; k < keys; k++) out->ptr[k + 1] += out->ptr[k];
  for (int64_t k = 0; k < keys; k++) next[k] = out->ptr[k];
  for (int64_t e = 0; e < edges; e++) {
    at = next[key[e]]++;
    out->values[at] = value[e];
    out->numbers[at] = (int32_t)e;
    out->places[e] = (int32_t)at;
    out->keys[at] = key[e];
  }
  free(next);
}

static bool is_same(const sorted *a, const sorted *b, int64_t keys, int64_t edges) {
  size_t bytes = (size_t)edges * sizeof(int32_t);
  return !memcmp(a->ptr, b->ptr, ((size_t)keys + 1) * sizeof *a->ptr) && !memcmp(a->values, b->values, bytes) &&
         !memcmp(a->numbers, b->numbers, bytes) && !memcmp(a->places, b->places, bytes) &&
         !memcmp(a->keys, b->keys, bytes);
}

static void check_sort(int64_t keys, int64_t edges, const int32_t *key, const int32_t *value) {
  sorted expected = make_sorted(keys, edges);
  sort_plainly(keys, edges, key, value, &expected);
  int32_t *counters = make_array(sort_counters(keys, edges)), *place = make_array(edges), *moved = make_array(edges);
  for (int t = 0; t < THREAD_COUNTS; t++) {
    gnnc_pool *pool = gnnc_pool_create(thread_counts[t]);
    const gnnc_context context = {.size = sizeof context, .executor = gnnc_pool_executor(pool)};
    sorted found = make_sorted(keys, edges);
    edge_sort s = {.context = &context,
                   .num_keys = keys,
                   .num_edges = edges,
                   .key = key,
                   .ptr = found.ptr,
                   .counters = counters,
                   .place = place,
                   .moved = moved};
    sort_edges(&s);
    move_edges(&s, value, found.values);
    move_edges(&s, NULL, found.numbers);
    place_edges(&s, found.places);
    move_keys(&s, found.keys);
    if (!is_same(&found, &expected, keys, edges))
      unit_fail(__FILE__, __LINE__, "%lld keys, %lld edges, %d threads: another order", (long long)keys,
                (long long)edges, (int)thread_counts[t]);
    free_sorted(&found);
    gnnc_pool_destroy(pool);
  }
  free_sorted(&expected);
  free(counters);
  free(place);
  free(moved);
}

TEST(edges_are_sorted_stably_at_all_borders_of_chunks_and_buckets) {
  static const int64_t edge_counts[] = {0, 1, 2, 4095, 8192, 8193, 32767, 32768, 32769, 100003, 1048575, 1048577};
  static const int64_t key_counts[] = {1, 2, 3, 1000, 65536, 65537, 70001};
  for (size_t i = 0; i < sizeof edge_counts / sizeof *edge_counts; i++)
    for (size_t k = 0; k < sizeof key_counts / sizeof *key_counts; k++) {
      int64_t edges = edge_counts[i], keys = key_counts[k];
      if (edges > 200000 && k % 3) continue;
      int32_t *key = make_array(edges), *value = make_array(edges);
      for (int64_t e = 0; e < edges; e++) {
        key[e] = (int32_t)draw((uint32_t)keys);
        value[e] = (int32_t)draw(1u << 30);
      }
      check_sort(keys, edges, key, value);
      for (int64_t e = 0; e < edges; e++) /* most edges at one node */
        if (draw(10)) key[e] = (int32_t)(keys - 1);
      if (k % 3 == 0) check_sort(keys, edges, key, value);
      free(key);
      free(value);
    }
}

TEST(there_is_room_for_the_counters_of_fewer_edges_and_of_any_number_of_nodes) {
  int64_t before = 0;
  for (int64_t edges = 0; edges < INT32_MAX; edges = edges * 3 / 2 + 1) {
    int64_t counters = sort_counters(10000000, edges);
    CHECK(counters >= before && counters <= 64 * 1024);
    CHECK(sort_counters(INT32_MAX, edges) <= 64 * 1024);
    CHECK(sort_counters(0, edges) >= 1);
    before = counters;
  }
}

/* ---- self loops ---- */

static int64_t add_plainly(int64_t nodes, int64_t edges, const int32_t *src, const int32_t *dst, int most,
                           int32_t *const to[3]) {
  int64_t count = 0;
  int32_t *mark = make_array(nodes);
  for (int64_t n = 0; n < nodes; n++) mark[n] = -1;
  for (int64_t e = 0; e < edges; e++)
    if (most && src[e] == dst[e]) mark[src[e]] = (int32_t)e;
  for (int64_t e = 0; e < edges; e++) {
    if (src[e] == dst[e] && most >= 0 && mark[src[e]] != e) continue;
    to[0][count] = src[e];
    to[1][count] = dst[e];
    to[2][count++] = (int32_t)e;
  }
  for (int64_t n = 0; n < nodes; n++) {
    if (mark[n] >= 0) continue;
    to[0][count] = to[1][count] = (int32_t)n;
    to[2][count++] = -1;
  }
  free(mark);
  return count;
}

static void check_loops(int64_t nodes, int64_t edges, const int32_t *src, const int32_t *dst, int most, bool has_base) {
  int32_t *expected[3], *found[3], *mark = make_array(nodes);
  for (int i = 0; i < 3; i++) {
    expected[i] = make_array(edges + nodes);
    found[i] = make_array(edges + nodes);
  }
  int64_t count = add_plainly(nodes, edges, src, dst, most, expected);
  for (int t = 0; t < THREAD_COUNTS; t++) {
    gnnc_pool *pool = gnnc_pool_create(thread_counts[t]);
    const gnnc_context context = {.size = sizeof context, .executor = gnnc_pool_executor(pool)};
    made_set s = {.context = &context,
                  .num_nodes = nodes,
                  .num_edges = edges,
                  .src = src,
                  .dst = dst,
                  .most = most,
                  .adds = 1,
                  .mark = mark,
                  .to_src = found[0],
                  .to_dst = found[1],
                  .to_base = has_base ? found[2] : NULL};
    CHECK_INT(make_edge_set(&s), count);
    for (int i = 0; i < 2 + has_base; i++) CHECK(!memcmp(found[i], expected[i], (size_t)count * sizeof(int32_t)));
    for (int i = 0; i < 3; i++) memset(found[i], 0, (size_t)(edges + nodes) * sizeof(int32_t));
    gnnc_pool_destroy(pool);
  }
  for (int i = 0; i < 3; i++) {
    free(expected[i]);
    free(found[i]);
  }
  free(mark);
}

TEST(self_loops_are_added_as_by_one_thread) {
  static const int64_t edge_counts[] = {0, 1, 32767, 32768, 100003};
  for (size_t i = 0; i < sizeof edge_counts / sizeof *edge_counts; i++)
    for (int share = 0; share < 3; share++) { /* no loops, some, almost all */
      int64_t nodes = 5001, edges = edge_counts[i];
      int32_t *src = make_array(edges), *dst = make_array(edges);
      for (int64_t e = 0; e < edges; e++) {
        src[e] = (int32_t)draw((uint32_t)nodes - 1);
        bool is_loop = share == 2 ? draw(20) != 0 : share == 1 && e % 30000 < 50;
        dst[e] = is_loop ? src[e] : src[e] + 1;
      }
      for (int most = -1; most < 2; most++) check_loops(nodes, edges, src, dst, most, share != 1);
      free(src);
      free(dst);
    }
}

/* ---- the check ---- */

TEST(the_first_bad_edge_is_found_whatever_thread_meets_it) {
  int64_t edges = 100003, index = 0;
  int32_t *src = make_array(edges), *dst = make_array(edges);
  gnnc_graph graph = {.size = sizeof graph, .num_nodes = 10, .num_edges = edges, .src = src, .dst = dst};
  for (int t = 0; t < THREAD_COUNTS; t++) {
    gnnc_pool *pool = gnnc_pool_create(thread_counts[t]);
    const gnnc_context context = {.size = sizeof context, .executor = gnnc_pool_executor(pool)};
    graph.context = &context;
    CHECK_INT(check_graph(&graph, &index), GNNC_OK);
    dst[edges - 1] = 10;
    CHECK_INT(check_graph(&graph, &index), GNNC_ERROR_EDGE_RANGE);
    CHECK_INT(index, edges - 1);
    src[70000] = -1;
    src[70001] = -1;
    CHECK_INT(check_graph(&graph, &index), GNNC_ERROR_EDGE_RANGE);
    CHECK_INT(index, 70000);
    dst[edges - 1] = src[70000] = src[70001] = 0;
    gnnc_pool_destroy(pool);
  }
  free(src);
  free(dst);
}

/* Edges of type 0 lead from type 1 to type 0, those of type 1 anywhere. */
TEST(the_first_edge_between_other_types_of_nodes_is_found) {
  static const int32_t ends[] = {1, 0, -1, -1};
  int64_t edges = 100003, index = 0;
  int32_t *src = make_array(edges), *dst = make_array(edges), *type = make_array(edges), node_type[] = {0, 1};
  gnnc_graph graph = {.size = sizeof graph, .num_nodes = 2, .num_edges = edges, .src = src, .dst = dst};
  graph.edge_type = type;
  graph.node_type = node_type;
  for (int64_t e = 0; e < edges; e++) type[e] = (src[e] = (int32_t)(e % 2)) ? 0 : 1;
  for (int t = 0; t < THREAD_COUNTS; t++) {
    gnnc_pool *pool = gnnc_pool_create(thread_counts[t]);
    const gnnc_context context = {.size = sizeof context, .executor = gnnc_pool_executor(pool)};
    graph.context = &context;
    CHECK_INT(check_ends(&graph, ends, &index), GNNC_OK);
    dst[99999] = 1;
    CHECK_INT(check_ends(&graph, ends, &index), GNNC_ERROR_EDGE_ENDS);
    CHECK_INT(index, 99999);
    type[70000] = 0;
    CHECK_INT(check_ends(&graph, ends, &index), GNNC_ERROR_EDGE_ENDS);
    CHECK_INT(index, 70000);
    dst[99999] = 0;
    type[70000] = 1;
    gnnc_pool_destroy(pool);
  }
  free(src);
  free(dst);
  free(type);
}

TEST(a_graph_of_the_size_before_context_is_bound_by_the_calling_thread) {
  int64_t index = 0;
  const gnnc_context bad = {.size = 1};
  gnnc_graph graph = {.size = offsetof(gnnc_graph, context), .context = &bad};
  CHECK_INT(check_graph(&graph, &index), GNNC_OK);
  graph.size = sizeof graph;
  CHECK_INT(check_graph(&graph, &index), GNNC_ERROR_VERSION);
  CHECK_INT(index, 1);
  graph.size = offsetof(gnnc_graph, context) - 1;
  CHECK_INT(check_graph(&graph, &index), GNNC_ERROR_VERSION);
  CHECK_INT(index, (int64_t)graph.size);
}
