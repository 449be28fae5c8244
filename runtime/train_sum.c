/* Sums of lists in a fixed tree: see train_sum.h.
 *
 *   level 0   0   1   2   3   4      five lists; a list without a neighbour goes up alone
 *   level 1   0 + 1   2 + 3   4
 *   level 2     0 .. 3        4
 *   level 3         0 .. 4
 *
 * Done in the order of their numbers, at most one list waits at each level, as in a binary counter. */
#include "runtime/train_sum.h"

#include <pthread.h>
#include <stdlib.h>

enum { MOST_LEVELS = 64 };

struct train_sum {
  int64_t length, count;
  float **nodes;              /* lists that wait, level after level */
  int64_t first[MOST_LEVELS]; /* of each level */
  int64_t room;               /* nodes that there is memory for */
  float **spare;              /* lists that nobody has */
  int64_t spares, spare_room;
  float *result;
  pthread_mutex_t mutex;
};

train_sum *train_sum_create(int64_t length) {
  train_sum *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->length = length;
  pthread_mutex_init(&s->mutex, NULL);
  return s;
}

void train_sum_destroy(train_sum *s) {
  if (!s) return;
  train_sum_clear(s);
  for (int64_t i = 0; i < s->spares; i++) free(s->spare[i]);
  pthread_mutex_destroy(&s->mutex);
  free(s->spare);
  free(s->nodes);
  free(s);
}

/* ---- lists ---- */

/* Keeps a list for later; frees it where there is no memory to remember it. */
static void give_back(train_sum *s, float *list) {
  if (s->spares == s->spare_room) {
    const int64_t room = 2 * s->spare_room + 8;
    float **made = realloc(s->spare, (size_t)room * sizeof *made);
    if (!made) {
      free(list);
      return;
    }
    s->spare = made;
    s->spare_room = room;
  }
  s->spare[s->spares++] = list;
}

float *train_sum_take(train_sum *s) {
  pthread_mutex_lock(&s->mutex);
  float *list = s->spares ? s->spare[--s->spares] : NULL;
  pthread_mutex_unlock(&s->mutex);
  return list ? list : malloc(((size_t)s->length + 1) * sizeof *list);
}

void train_sum_clear(train_sum *s) {
  const int64_t nodes = s->nodes ? s->room : 0;
  for (int64_t i = 0; i < nodes; i++) {
    if (s->nodes[i]) give_back(s, s->nodes[i]);
    s->nodes[i] = NULL;
  }
  if (s->result) give_back(s, s->result);
  s->result = NULL;
}

/* ---- the tree ---- */

status train_sum_begin(train_sum *s, int64_t count) {
  int64_t nodes = 0;
  int level = 0;
  train_sum_clear(s);
  for (int64_t width = count; width > 1; width = (width + 1) / 2) {
    s->first[level++] = nodes;
    nodes += width;
  }
  if (nodes > s->room) {
    float **made = realloc(s->nodes, (size_t)nodes * sizeof *made);
    if (!made) return status_error(STATUS_CODE_memory, "out of memory");
    for (int64_t i = s->room; i < nodes; i++) made[i] = NULL;
    s->nodes = made;
    s->room = nodes;
  }
  s->count = count;
  return STATUS_OK;
}

static void add(int64_t length, const float *from, float *to) {
  for (int64_t i = 0; i < length; i++) to[i] += from[i];
}

/* Takes a list up the tree, as far as its neighbours are there. */
static void climb(train_sum *s, int64_t number, float *list) {
  int64_t at = number, width = s->count;
  for (int level = 0; width > 1; level++, at /= 2, width = (width + 1) / 2) {
    float **row = s->nodes + s->first[level];
    if (at % 2 == 0 && at + 1 == width) continue;
    float **neighbour = &row[at ^ 1];
    if (!*neighbour) {
      row[at] = list;
      return;
    }
    float *left = at % 2 ? *neighbour : list, *right = at % 2 ? list : *neighbour;
    *neighbour = NULL;
    add(s->length, right, left);
    give_back(s, right);
    list = left;
  }
  s->result = list;
}

void train_sum_put(train_sum *s, int64_t number, float factor, float *list) {
  for (int64_t i = 0; i < s->length; i++) list[i] *= factor;
  pthread_mutex_lock(&s->mutex);
  climb(s, number, list);
  pthread_mutex_unlock(&s->mutex);
}

float *train_sum_result(train_sum *s) {
  return s->result;
}
