/* Edges grouped by one of their ends, by any number of threads, in streams through memory. See real.h for how parts are used. */
#include "codegen/c/prelude/block.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

//@ edge_chunks
/* Edges are cut into at most 64 chunks for threads; how many follows from their number alone. */
static int64_t edge_chunks(int64_t num_edges) {
  const int64_t chunks = num_edges >> 14;
  return chunks < 1 ? 1 : chunks > 64 ? 64 : chunks;
}

//@ first_edge
/* Where a chunk begins, and the one before it ends. */
static inline int64_t first_edge(int64_t num_edges, int64_t chunk) {
  const int64_t chunks = edge_chunks(num_edges);
  return num_edges / chunks * chunk + (chunk < num_edges % chunks ? chunk : num_edges % chunks);
}

//@ sort_shift
/* Keys that agree but for the lowest bits, so many, share a bucket. There are at most 1024 buckets, fewer where edges are few: writes into
 * that many places stay in a cache, and so do the keys and the edges of one bucket. */
static int sort_shift(int64_t num_keys, int64_t num_edges) {
  int64_t most = num_edges >> 12;
  most = most < 1 ? 1 : most > 1024 ? 1024 : most;
  int shift = 0;
  while (num_keys > 0 && (num_keys - 1) >> shift >= most) shift++;
  return shift;
}

//@ sort_buckets
static int64_t sort_buckets(int64_t num_keys, int shift) {
  return num_keys > 0 ? ((num_keys - 1) >> shift) + 1 : 1;
}

//@ sort_counters
/* Counters that a sort needs, no fewer than one of less edges. */
static int64_t sort_counters(int64_t num_keys, int64_t num_edges) {
  return edge_chunks(num_edges) * sort_buckets(num_keys, sort_shift(num_keys, num_edges));
}

//@ edge_sort
/* A stable counting sort of edges by a key in 0 .. num_keys - 1, in two rounds: into buckets of neighbouring keys, then from each bucket
 * to places in the order. What is sorted by the key moves the same way, without a random access per edge. */
typedef struct edge_sort {
  const gnnc_context *context;
  int64_t num_keys, num_edges;
  const int32_t *key; /* [num_edges] */
  int64_t *ptr;       /* [num_keys + 1], made: edges of key k are at places ptr[k] .. ptr[k + 1] - 1 */
  int32_t *counters;  /* [sort_counters] where the edges of a chunk begin in a bucket */
  int32_t *place;     /* [num_edges] edge in a bucket -> its place */
  int32_t *moved;     /* [num_edges] */
  int64_t buckets;
  int shift;
  const int32_t *from;
  int32_t *to;
} edge_sort;

//@ bucket_end
/* Where the edges of a bucket end in `place` and `moved`; bucket -1 ends where the first begins. */
static inline int64_t bucket_end(const edge_sort *s, int64_t bucket) {
  return bucket + 1 < s->buckets ? s->counters[bucket + 1] : s->num_edges;
}

//@ sort_count_chunk
static void sort_count_chunk(void *data, int64_t chunk) {
  const edge_sort *s = (const edge_sort *)data;
  const int64_t end = first_edge(s->num_edges, chunk + 1);
  int32_t *const count = s->counters + chunk * s->buckets;
  memset(count, 0, (size_t)s->buckets * sizeof *count);
  for (int64_t e = first_edge(s->num_edges, chunk); e < end; e++) count[s->key[e] >> s->shift]++;
}

//@ sort_key_chunk
/* Keys into buckets. */
static void sort_key_chunk(void *data, int64_t chunk) {
  const edge_sort *s = (const edge_sort *)data;
  const int64_t end = first_edge(s->num_edges, chunk + 1);
  int32_t at[1024];
  memcpy(at, s->counters + chunk * s->buckets, (size_t)s->buckets * sizeof *at);
  for (int64_t e = first_edge(s->num_edges, chunk); e < end; e++) s->place[at[s->key[e] >> s->shift]++] = s->key[e];
}

//@ sort_bucket
/* A bucket's keys become places. */
static void sort_bucket(void *data, int64_t bucket) {
  const edge_sort *s = (const edge_sort *)data;
  const int64_t begin = bucket_end(s, bucket - 1), end = bucket_end(s, bucket);
  const int64_t low = bucket << s->shift;
  const int64_t high = s->num_keys - low < (int64_t)1 << s->shift ? s->num_keys : low + ((int64_t)1 << s->shift);
  int64_t *const ptr = s->ptr, next = begin;
  for (int64_t k = low; k < high; k++) ptr[k] = 0;
  for (int64_t i = begin; i < end; i++) ptr[s->place[i]]++;
  for (int64_t k = low; k < high; k++) {
    const int64_t count = ptr[k];
    ptr[k] = next;
    next += count;
  }
  for (int64_t i = begin; i < end; i++) s->place[i] = (int32_t)ptr[s->place[i]]++;
  for (int64_t k = high - 1; k > low; k--) ptr[k] = ptr[k - 1];
  if (low < high) ptr[low] = begin;
}

//@ sort_edges
/* Makes ptr and place. */
static void sort_edges(edge_sort *s) {
  const int64_t chunks = edge_chunks(s->num_edges);
  int32_t begin = 0;
  s->shift = sort_shift(s->num_keys, s->num_edges);
  s->buckets = sort_buckets(s->num_keys, s->shift);
  for_parts(s->context, chunks, sort_count_chunk, s);
  for (int64_t bucket = 0; bucket < s->buckets; bucket++)
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
      int32_t *const counter = s->counters + chunk * s->buckets + bucket;
      const int32_t count = *counter;
      *counter = begin;
      begin += count;
    }
  for_parts(s->context, chunks, sort_key_chunk, s);
  for_parts(s->context, s->buckets, sort_bucket, s);
  s->ptr[s->num_keys] = s->num_edges;
}

//@ move_chunk
static void move_chunk(void *data, int64_t chunk) {
  const edge_sort *s = (const edge_sort *)data;
  const int64_t end = first_edge(s->num_edges, chunk + 1);
  int32_t at[1024];
  memcpy(at, s->counters + chunk * s->buckets, (size_t)s->buckets * sizeof *at);
  for (int64_t e = first_edge(s->num_edges, chunk); e < end; e++)
    s->moved[at[s->key[e] >> s->shift]++] = s->from ? s->from[e] : (int32_t)e;
}

//@ move_bucket
static void move_bucket(void *data, int64_t bucket) {
  const edge_sort *s = (const edge_sort *)data;
  const int64_t end = bucket_end(s, bucket);
  for (int64_t i = bucket_end(s, bucket - 1); i < end; i++) s->to[s->place[i]] = s->moved[i];
}

//@ move_edges
/* What belongs to edges, in the order of the sort: to[place of e] = from[e]; NULL: the edge's number. */
static void move_edges(edge_sort *s, const int32_t *from, int32_t *to) {
  s->from = from;
  s->to = to;
  for_parts(s->context, edge_chunks(s->num_edges), move_chunk, s);
  for_parts(s->context, s->buckets, move_bucket, s);
}

//@ place_chunk
static void place_chunk(void *data, int64_t chunk) {
  const edge_sort *s = (const edge_sort *)data;
  const int64_t end = first_edge(s->num_edges, chunk + 1);
  int32_t at[1024];
  memcpy(at, s->counters + chunk * s->buckets, (size_t)s->buckets * sizeof *at);
  for (int64_t e = first_edge(s->num_edges, chunk); e < end; e++) s->to[e] = s->place[at[s->key[e] >> s->shift]++];
}

//@ place_edges
/* to[e] = the place of e. */
static void place_edges(edge_sort *s, int32_t *to) {
  s->to = to;
  for_parts(s->context, edge_chunks(s->num_edges), place_chunk, s);
}

//@ key_bucket
static void key_bucket(void *data, int64_t bucket) {
  const edge_sort *s = (const edge_sort *)data;
  const int64_t low = bucket << s->shift;
  const int64_t high = s->num_keys - low < (int64_t)1 << s->shift ? s->num_keys : low + ((int64_t)1 << s->shift);
  for (int64_t k = low; k < high; k++)
    for (int64_t i = s->ptr[k]; i < s->ptr[k + 1]; i++) s->to[i] = (int32_t)k;
}

//@ move_keys
/* The keys in order. */
static void move_keys(edge_sort *s, int32_t *to) {
  s->to = to;
  for_parts(s->context, s->buckets, key_bucket, s);
}
