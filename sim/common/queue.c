/* A binary heap of (time, number of the event). */
#include "sim/common/queue.h"

#include <stdlib.h>

typedef struct event {
  uint64_t time, number;
  uint32_t tag;
} event;

struct queue {
  event *items; /* items[i] is no later than items[2 i + 1] and items[2 i + 2] */
  size_t count, capacity;
  uint64_t pushed;
};

queue *queue_create(void) {
  queue *q = calloc(1, sizeof *q);
  if (!q) abort();
  return q;
}

void queue_destroy(queue *q) {
  if (!q) return;
  free(q->items);
  free(q);
}

static bool is_before(const event *a, const event *b) {
  return a->time != b->time ? a->time < b->time : a->number < b->number;
}

void queue_push(queue *q, uint64_t time, uint32_t tag) {
  enum { LEAST = 256 };
  if (q->count == q->capacity) {
    q->capacity = q->capacity ? 2 * q->capacity : LEAST;
    event *more = realloc(q->items, q->capacity * sizeof *more);
    if (!more) abort();
    q->items = more;
  }
  event made = {time, q->pushed++, tag};
  size_t at = q->count++;
  for (; at && is_before(&made, &q->items[(at - 1) / 2]); at = (at - 1) / 2) q->items[at] = q->items[(at - 1) / 2];
  q->items[at] = made;
}

bool queue_pop(queue *q, uint64_t *time, uint32_t *tag) {
  if (!q->count) return false;
  *time = q->items[0].time;
  *tag = q->items[0].tag;
  event last = q->items[--q->count];
  size_t at = 0;
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= q->count) break;
    if (child + 1 < q->count && is_before(&q->items[child + 1], &q->items[child])) child++;
    if (!is_before(&q->items[child], &last)) break;
    q->items[at] = q->items[child];
    at = child;
  }
  q->items[at] = last;
  return true;
}
