/* Sorting of records and the statistics that rest on it, against plain loops: at sizes on both sides
 * of the borders of parts and buckets, with 1, 2, 3 and 7 threads. */
#include "data/record_sort.h"

#include "data/statistics.h"
#include "unit.h"

#include <stddef.h>
#include <stdlib.h>

static uint64_t random_state = 7;
static uint32_t draw(uint32_t bound) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((random_state >> 33) % bound);
}

static const int thread_counts[] = {1, 2, 3, 7};
enum { THREAD_COUNTS = 4 };

/* A record of any size: the key at its place, the number of the record at the end. */
static void put_record(unsigned char *record, size_t bytes, size_t key_offset, int32_t key, int32_t number) {
  memset(record, 0, bytes);
  memcpy(record + bytes - sizeof number, &number, sizeof number);
  memcpy(record + key_offset, &key, sizeof key);
}

/* Whether records are in order, equal keys in the order of their numbers, and starts say where keys begin. */
static bool is_sorted(const record_sort *s, const unsigned char *records, const int64_t *starts) {
  int32_t last = -1, last_number = -1;
  int64_t *counts = calloc((size_t)s->num_keys + 1, sizeof *counts);
  bool is_good = true;
  for (int64_t i = 0; i < s->count; i++) {
    int32_t key, number;
    memcpy(&key, records + (size_t)i * s->record_bytes + s->key_offset, sizeof key);
    memcpy(&number, records + (size_t)(i + 1) * s->record_bytes - sizeof number, sizeof number);
    is_good &= key > last || (key == last && number > last_number);
    last = key;
    last_number = number;
    counts[key]++;
  }
  for (int64_t k = 0, at = 0; starts && k <= s->num_keys; at += counts[k++]) is_good &= starts[k] == at;
  free(counts);
  return is_good;
}

static void check_sort(size_t bytes, size_t key_offset, int64_t count, int64_t keys, bool has_hub) {
  size_t size = (size_t)count * bytes + 1;
  unsigned char *made = calloc(1, size), *records = malloc(size), *spare = malloc(size);
  int64_t *starts = malloc(((size_t)keys + 1) * sizeof *starts);
  for (int64_t i = 0; i < count; i++)
    put_record(made + (size_t)i * bytes, bytes, key_offset,
               has_hub && draw(9) ? (int32_t)(keys - 1) : (int32_t)draw((uint32_t)keys), (int32_t)i);
  for (int t = 0; t < THREAD_COUNTS; t++) {
    record_sort s = {.pool = thread_pool_create(thread_counts[t]),
                     .count = count,
                     .record_bytes = bytes,
                     .key_offset = key_offset,
                     .num_keys = keys};
    memcpy(records, made, size);
    memset(starts, 0x55, ((size_t)keys + 1) * sizeof *starts);
    CHECK_OK(record_sort_run(&s, records, spare, starts));
    if (!is_sorted(&s, records, starts))
      unit_fail(__FILE__, __LINE__, "%zu bytes, %lld records, %lld keys, %d threads: another order", bytes,
                (long long)count, (long long)keys, thread_counts[t]);
    thread_pool_destroy(s.pool);
  }
  free(made);
  free(records);
  free(spare);
  free(starts);
}

TEST(records_of_all_sizes_are_sorted_stably_at_the_borders_of_parts_and_buckets) {
  static const int64_t counts[] = {0, 1, 2, 4095, 4096, 8191, 8192, 8193, 32767, 32768, 100003};
  static const int64_t keys[] = {1, 2, 255, 256, 257, 8192, 8193, 70001, 20000000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
      if (keys[k] > 100000 && counts[i] != 100003) continue;
      check_sort(8, 0, counts[i], keys[k], false);
      check_sort(12, 4, counts[i], keys[k], i % 2);
      check_sort(24, 8, counts[i], keys[k], i % 3 == 0);
    }
}

TEST(keys_may_be_as_large_as_numbers_of_31_bits) {
  int32_t records[3][2] = {{INT32_MAX, 0}, {5, 1}, {INT32_MAX - 1, 2}}, spare[3][2];
  const record_sort s = {.count = 3, .record_bytes = 8, .num_keys = (int64_t)INT32_MAX + 1};
  CHECK_OK(record_sort_run(&s, records, spare, NULL));
  CHECK(records[0][1] == 1 && records[1][1] == 2 && records[2][1] == 0);
}

/* ---- statistics ---- */

static bool has_edge(const graph *g, int32_t src, int32_t dst) {
  for (int64_t e = 0; e < g->num_edges; e++)
    if (g->src[e] == src && g->dst[e] == dst) return true;
  return false;
}

/* Every number, the slow way. */
static graph_statistics count_plainly(const graph *g) {
  graph_statistics s = {0};
  int32_t *name = malloc((size_t)g->num_nodes * sizeof *name);
  for (int32_t n = 0; n < g->num_nodes; n++) name[n] = n;
  for (int64_t e = 0; e < g->num_edges; e++) {
    const int32_t a = name[g->src[e]], b = name[g->dst[e]];
    for (int64_t n = 0; a != b && n < g->num_nodes; n++)
      if (name[n] == a) name[n] = b;
    s.self_loops += g->src[e] == g->dst[e];
    s.reciprocal += g->src[e] != g->dst[e] && has_edge(g, g->dst[e], g->src[e]);
    for (int64_t f = 0; f < e; f++)
      if (g->src[e] == g->src[f] && g->dst[e] == g->dst[f] && (!g->edge_type || g->edge_type[e] == g->edge_type[f])) {
        s.duplicates++;
        break;
      }
  }
  for (int32_t n = 0; n < g->num_nodes; n++) {
    int64_t size = 0, in = 0, out = 0;
    for (int32_t m = 0; m < g->num_nodes; m++) size += name[m] == n;
    for (int64_t e = 0; e < g->num_edges; e++) {
      out += g->src[e] == n;
      in += g->dst[e] == n;
    }
    s.components += size > 0;
    s.largest_component = size > s.largest_component ? size : s.largest_component;
    s.isolated += !in && !out;
    s.in.most = in > s.in.most ? in : s.in.most;
    s.out.most = out > s.out.most ? out : s.out.most;
  }
  free(name);
  return s;
}

static void check_statistics(int64_t nodes, int64_t edges, int64_t types, bool is_sorted_by_src) {
  tensor_set *set = tensor_set_create("g");
  void *ends, *type = NULL;
  CHECK_OK(tensor_set_add(set, "edge_index", DTYPE_I32, 2, (int64_t[]){2, edges}, &ends));
  if (types) CHECK_OK(tensor_set_add(set, "edge_type", DTYPE_I32, 1, &edges, &type));
  for (int64_t e = 0; e < edges; e++) {
    ((int32_t *)ends)[e] = is_sorted_by_src ? (int32_t)(e * nodes / edges) : (int32_t)draw((uint32_t)nodes);
    ((int32_t *)ends)[edges + e] = (int32_t)draw((uint32_t)nodes);
    if (types) ((int32_t *)type)[e] = (int32_t)draw((uint32_t)types);
  }
  tensor_set_put_metadata_int(set, "num_nodes", nodes);
  graph *g = NULL;
  CHECK_OK(graph_create(set, &g));
  const graph_statistics expected = count_plainly(g);
  for (int t = 0; t < THREAD_COUNTS; t++) {
    thread_pool *pool = thread_pool_create(thread_counts[t]);
    graph_statistics found;
    CHECK_OK(statistics_collect(g, pool, &found));
    CHECK_INT(found.self_loops, expected.self_loops);
    CHECK_INT(found.reciprocal, expected.reciprocal);
    CHECK_INT(found.duplicates, expected.duplicates);
    CHECK_INT(found.components, expected.components);
    CHECK_INT(found.largest_component, expected.largest_component);
    CHECK_INT(found.isolated, expected.isolated);
    CHECK_INT(found.in.most, expected.in.most);
    CHECK_INT(found.out.most, expected.out.most);
    thread_pool_destroy(pool);
  }
  graph_close(g);
  tensor_set_destroy(set);
}

TEST(statistics_are_those_of_plain_loops) {
  for (int is_sorted_by_src = 0; is_sorted_by_src < 2; is_sorted_by_src++) {
    check_statistics(1, 4, 0, is_sorted_by_src);
    check_statistics(50, 300, 0, is_sorted_by_src);
    check_statistics(50, 300, 3, is_sorted_by_src);
    check_statistics(700, 350, 0, is_sorted_by_src); /* many components */
    check_statistics(700, 900, 40, is_sorted_by_src);
  }
}

/* Chains of nodes that are far from each other. */
TEST(components_of_many_nodes_are_counted_by_any_number_of_threads) {
  enum { NODES = 200000, LENGTH = 1000 };
  tensor_set *set = tensor_set_create("g");
  const int64_t edges = NODES - NODES / LENGTH;
  void *ends;
  CHECK_OK(tensor_set_add(set, "edge_index", DTYPE_I32, 2, (int64_t[]){2, edges}, &ends));
  int32_t *src = ends, *dst = src + edges;
  int64_t e = 0;
  for (int64_t n = 0; n < NODES; n++) {
    if (n % LENGTH == 0) continue;
    src[e] = (int32_t)(n * 7919 % NODES); /* 7919 and NODES have no common divisor */
    dst[e++] = (int32_t)((n - 1) * 7919 % NODES);
  }
  CHECK_INT(e, edges);
  tensor_set_put_metadata_int(set, "num_nodes", NODES);
  graph *g = NULL;
  CHECK_OK(graph_create(set, &g));
  for (int t = 0; t < THREAD_COUNTS; t++) {
    thread_pool *pool = thread_pool_create(thread_counts[t]);
    graph_statistics found;
    CHECK_OK(statistics_collect(g, pool, &found));
    CHECK_INT(found.components, NODES / LENGTH);
    CHECK_INT(found.largest_component, LENGTH);
    CHECK_INT(found.reciprocal, 0);
    thread_pool_destroy(pool);
  }
  graph_close(g);
  tensor_set_destroy(set);
}
