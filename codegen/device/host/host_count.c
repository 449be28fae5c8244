/* Counts the occurrences of each row in a list, on all threads. */
#include "codegen/device/host/host_private.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
  const int32_t *key;
  int64_t count, rows;
  int32_t *counts; /* [shares, rows] */
  int shares;
} tally;

static void count_share(void *user, int share, int shares) {
  const tally *t = user;
  int64_t begin, end;
  int32_t *counts = t->counts + share * t->rows;
  thread_pool_cut(t->count, share, shares, &begin, &end);
  for (int64_t i = begin; i < end; i++) counts[t->key[i]]++;
}

/* A list that was counted before. */
typedef struct counted {
  int64_t count, rows;
  const int32_t *counts;
} counted;

static const int32_t *find_counts(const program_host *h, const int32_t *key, int64_t count, int64_t rows) {
  const counted *known = count ? map_get_pointer(&h->counts, key) : NULL;
  return known && known->count == count && known->rows == rows ? known->counts : NULL;
}

static void keep_counts(program_host *h, const int32_t *key, counted c) {
  if (!c.count) return;
  counted *kept = arena_alloc(h->memory, sizeof *kept);
  *kept = c;
  map_set_pointer(&h->counts, key, kept);
}

status host_count(program_host *h, const int32_t *key, int64_t count, int64_t rows, const int32_t **out) {
  *out = find_counts(h, key, count, rows);
  if (*out) return STATUS_OK;
  tally t = {.key = key, .count = count, .rows = rows, .shares = thread_pool_shares(h->pool)};
  if (rows > count) t.shares = 1; /* adding the counts of shares would cost more than counting */
  RETURN_IF_ERROR(HOST_ARRAY(h, rows * t.shares, &t.counts));
  memset(t.counts, 0, (size_t)(rows * t.shares) * sizeof *t.counts);
  thread_pool_run(t.shares > 1 ? h->pool : NULL, count, count_share, &t);
  for (int s = 1; s < t.shares; s++)
    for (int64_t r = 0; r < rows; r++) t.counts[r] += t.counts[s * rows + r];
  *out = t.counts;
  keep_counts(h, key, (counted){count, rows, t.counts});
  return STATUS_OK;
}

typedef struct marking {
  const int32_t *key;
  int64_t count;
  atomic_uchar *marks; /* [rows] */
} marking;

static void mark_share(void *user, int share, int shares) {
  const marking *m = user;
  int64_t begin, end;
  thread_pool_cut(m->count, share, shares, &begin, &end);
  for (int64_t i = begin; i < end; i++) {
    atomic_uchar *mark =
        &m->marks[m->key[i]]; /* written once, because writes of several threads to one cache line are slow */
    if (!atomic_load_explicit(mark, memory_order_relaxed)) atomic_store_explicit(mark, 1, memory_order_relaxed);
  }
}

static bool are_all_marked(const marking *m, int64_t rows) {
  int64_t marked = 0;
  for (int64_t r = 0; r < rows; r++) marked += atomic_load_explicit(&m->marks[r], memory_order_relaxed);
  return marked == rows;
}

/* Looks at the end of the list first: new self loops are there and often cover all rows. */
status host_covers(program_host *h, const int32_t *key, int64_t count, int64_t rows, bool *out) {
  *out = rows == 0;
  if (count < rows || !rows) return STATUS_OK;
  const int32_t *counts = find_counts(h, key, count, rows);
  if (counts) {
    int64_t covered = 0;
    for (int64_t r = 0; r < rows; r++) covered += counts[r] > 0;
    *out = covered == rows;
    return STATUS_OK;
  }
  marking m = {.key = key + (count - rows), .count = rows, .marks = calloc((size_t)rows, sizeof *m.marks)};
  if (!m.marks) return status_error(STATUS_CODE_memory, "no memory for %lld rows", (long long)rows);
  mark_share(&m, 0, 1);
  *out = are_all_marked(&m, rows);
  if (!*out) {
    m.key = key;
    m.count = count - rows;
    thread_pool_run(h->pool, m.count, mark_share, &m);
    *out = are_all_marked(&m, rows);
  }
  free(m.marks);
  return STATUS_OK;
}
