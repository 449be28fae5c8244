/* The shares of a thread_pool_run claim parts from an atomic counter. */
#include "support/pool_parts.h"

#include <stdatomic.h>

enum { MOST_PARTS = 64, PART_ITEMS = 1 << 14 };

typedef struct round_of_parts {
  void (*body)(void *user, int64_t part);
  void *user;
  int64_t parts;
  atomic_llong next;
} round_of_parts;

static void take_parts(void *user, int share, int shares) {
  (void)share, (void)shares;
  round_of_parts *r = user;
  for (;;) {
    int64_t part = atomic_fetch_add_explicit(&r->next, 1, memory_order_relaxed);
    if (part >= r->parts) return;
    r->body(r->user, part);
  }
}

void pool_parts_run(thread_pool *pool, int64_t cost, int64_t parts, void (*body)(void *user, int64_t part),
                    void *user) {
  round_of_parts r = {.body = body, .user = user, .parts = parts};
  thread_pool_run(pool, cost, take_parts, &r);
}

int64_t pool_parts_count(int64_t count) {
  int64_t parts = count / PART_ITEMS;
  return parts < 1 ? 1 : parts > MOST_PARTS ? MOST_PARTS : parts;
}

int64_t pool_parts_begin(int64_t count, int64_t part) {
  int64_t parts = pool_parts_count(count), rest = count % parts;
  return count / parts * part + (part < rest ? part : rest);
}
