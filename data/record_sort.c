/* A sort in two rounds. The first one distributes the records to buckets of neighbouring keys: the
 * array is divided into parts, and for each part it is known where its records begin in each
 * bucket. The second one sorts each bucket, which fits into a cache, by the remaining bits of the
 * key. Parts and buckets depend on the counts alone, not on the threads.
 *
 *   keys 5 1 4 1 6 0, two buckets of 4 keys    1 1 0 | 5 4 6    0 1 1 | 4 5 6 */
#include "data/record_sort.h"

#include "support/pool_parts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the lower half of an int64_t comes first");

enum { MOST_BUCKETS = 2048, BUCKET_RECORDS = 1 << 12, DIGIT_BITS = 13, DIGITS = 1 << DIGIT_BITS };

typedef struct sorting {
  record_sort o;
  unsigned char *records, *spare;
  int64_t *starts;
  int64_t *
      begins; /* [parts * buckets] where the records of a part begin in a bucket; later [buckets]: where the buckets begin */
  int64_t parts, buckets;
  int shift; /* the bucket of a key is key >> shift */
} sorting;

static inline uint32_t key_at(const unsigned char *record, size_t key_offset) {
  uint32_t key;
  memcpy(&key, record + key_offset, sizeof key);
  return key;
}

/* ---- distribution to buckets ---- */

static inline __attribute__((always_inline)) void count_part(const sorting *s, int64_t part, size_t bytes) {
  const int64_t end = pool_parts_begin(s->o.count, part + 1);
  int64_t *counts = s->begins + part * s->buckets;
  memset(counts, 0, (size_t)s->buckets * sizeof *counts);
  for (int64_t i = pool_parts_begin(s->o.count, part); i < end; i++)
    counts[key_at(s->records + (size_t)i * bytes, s->o.key_offset) >> s->shift]++;
}

static inline __attribute__((always_inline)) void scatter_part(const sorting *s, int64_t part, size_t bytes) {
  const int64_t end = pool_parts_begin(s->o.count, part + 1);
  int64_t at[MOST_BUCKETS];
  memcpy(at, s->begins + part * s->buckets, (size_t)s->buckets * sizeof *at);
  for (int64_t i = pool_parts_begin(s->o.count, part); i < end; i++) {
    const unsigned char *record = s->records + (size_t)i * bytes;
    memcpy(s->spare + (size_t)at[key_at(record, s->o.key_offset) >> s->shift]++ * bytes, record, bytes);
  }
}

/* Turns the counts into positions: by bucket, then by part. */
static void add_up(sorting *s) {
  int64_t begin = 0;
  for (int64_t b = 0; b < s->buckets; b++)
    for (int64_t p = 0; p < s->parts; p++) {
      int64_t *place = &s->begins[p * s->buckets + b], count = *place;
      *place = begin;
      begin += count;
    }
}

/* ---- within a bucket ---- */

/* A stable counting sort by some bits of the key. */
static inline __attribute__((always_inline)) void sort_digit(const unsigned char *from, unsigned char *to,
                                                             int64_t count, size_t key_offset, int shift, int bits,
                                                             size_t bytes) {
  const uint32_t mask = (1u << bits) - 1;
  uint32_t next[DIGITS];
  memset(next, 0, ((size_t)mask + 1) * sizeof *next);
  for (int64_t i = 0; i < count; i++) next[key_at(from + (size_t)i * bytes, key_offset) >> shift & mask]++;
  uint32_t begin = 0;
  for (uint32_t d = 0; d <= mask; d++) {
    const uint32_t here = next[d];
    next[d] = begin;
    begin += here;
  }
  for (int64_t i = 0; i < count; i++) {
    const unsigned char *record = from + (size_t)i * bytes;
    memcpy(to + (size_t)next[key_at(record, key_offset) >> shift & mask]++ * bytes, record, bytes);
  }
}

/* Finds where the records of each key of a bucket begin; for the last bucket also the end. */
static inline __attribute__((always_inline)) void find_starts(const sorting *s, int64_t bucket, int64_t begin,
                                                              int64_t end, size_t bytes) {
  const bool is_last = bucket + 1 == s->buckets;
  const int64_t high = is_last ? s->o.num_keys : (bucket + 1) << s->shift;
  int64_t key = bucket << s->shift;
  for (int64_t i = begin; i < end; i++) {
    const int64_t here = key_at(s->records + (size_t)i * bytes, s->o.key_offset);
    while (key <= here) s->starts[key++] = i;
  }
  while (key < high + is_last) s->starts[key++] = end;
}

static inline __attribute__((always_inline)) void sort_bucket(const sorting *s, int64_t bucket, size_t bytes) {
  const int64_t begin = s->begins[bucket], end = bucket + 1 < s->buckets ? s->begins[bucket + 1] : s->o.count;
  unsigned char *from = s->spare + (size_t)begin * bytes, *to = s->records + (size_t)begin * bytes;
  bool is_in_spare = true;
  const int most_bits = end - begin < BUCKET_RECORDS ? 8 : DIGIT_BITS; /* few records need fewer counters */
  for (int shift = 0; shift < s->shift && end - begin > 1; shift += most_bits) {
    sort_digit(from, to, end - begin, s->o.key_offset, shift,
               s->shift - shift < most_bits ? s->shift - shift : most_bits, bytes);
    unsigned char *sorted = to;
    to = from;
    from = sorted;
    is_in_spare = !is_in_spare;
  }
  if (is_in_spare) memcpy(s->records + (size_t)begin * bytes, from, (size_t)(end - begin) * bytes);
  if (s->starts) find_starts(s, bucket, begin, end, bytes);
}

/* ---- bodies for each record size ---- */

#define BODIES(bytes)                                                                                                  \
  static void count_part_##bytes(void *user, int64_t part) {                                                           \
    count_part(user, part, bytes);                                                                                     \
  }                                                                                                                    \
  static void scatter_part_##bytes(void *user, int64_t part) {                                                         \
    scatter_part(user, part, bytes);                                                                                   \
  }                                                                                                                    \
  static void sort_bucket_##bytes(void *user, int64_t bucket) {                                                        \
    sort_bucket(user, bucket, bytes);                                                                                  \
  }
BODIES(8)
BODIES(12)
BODIES(24)

typedef void part_body(void *user, int64_t part);

static const struct {
  size_t bytes;
  part_body *count, *scatter, *sort;
} sizes[] = {{8, count_part_8, scatter_part_8, sort_bucket_8},
             {12, count_part_12, scatter_part_12, sort_bucket_12},
             {24, count_part_24, scatter_part_24, sort_bucket_24}};

static void choose_buckets(sorting *s) {
  int64_t most = s->o.count / BUCKET_RECORDS;
  most = most < 1 ? 1 : most > MOST_BUCKETS ? MOST_BUCKETS : most;
  int64_t last = s->o.num_keys > 0 ? s->o.num_keys - 1 : 0;
  while (last >> s->shift >= most) s->shift++;
  s->buckets = (last >> s->shift) + 1;
}

status record_sort_run(const record_sort *o, void *records, void *spare, int64_t *starts) {
  sorting s = {.o = *o, .records = records, .spare = spare, .starts = starts, .parts = pool_parts_count(o->count)};
  choose_buckets(&s);
  s.begins = malloc((size_t)(s.parts * s.buckets) * sizeof *s.begins);
  if (!s.begins) return status_error(STATUS_CODE_memory, "no memory to sort %lld records", (long long)o->count);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    if (sizes[i].bytes != o->record_bytes) continue;
    pool_parts_run(o->pool, o->count, s.parts, sizes[i].count, &s);
    add_up(&s);
    pool_parts_run(o->pool, o->count, s.parts, sizes[i].scatter, &s);
    pool_parts_run(o->pool, o->count, s.buckets, sizes[i].sort, &s);
  }
  free(s.begins);
  return STATUS_OK;
}
