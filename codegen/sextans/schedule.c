/* Schedules one list of a PE: each non-zero gets a slot, and non-zeros of a row are at least
 * `distance` slots apart.
 *
 * Best: in each slot, of the rows that may be used again the one with most non-zeros left. The list
 * takes max(n, (f - 1) D + m) slots for n non-zeros, at most f of a row, and m rows with f of them;
 * no schedule is shorter.
 *
 * Published (Sextans, Section 3.3): non-zeros in the order of columns, each in the first free slot
 * at least `distance` after the last one of its row. */
#include "codegen/sextans/lists_private.h"

#include "support/number.h"

#include <stdlib.h>

static void count_items(const list_item *items, int64_t count, int64_t *nonzeros, int64_t *longest) {
  *nonzeros = *longest = 0;
  for (int64_t i = 0; i < count; i++) {
    *nonzeros += items[i].count;
    *longest = number_max(*longest, items[i].count);
  }
}

int64_t sextans_schedule_room(const list_item *items, int64_t count, int64_t distance) {
  int64_t nonzeros, longest;
  count_items(items, count, &nonzeros, &longest);
  return longest ? nonzeros + (longest - 1) * distance : 0;
}

size_t sextans_schedule_bytes(const list_item *items, int64_t count, int64_t distance) {
  int64_t nonzeros, longest;
  count_items(items, count, &nonzeros, &longest);
  size_t best = ((size_t)count + 1 + (size_t)distance) * sizeof(uint64_t) + (size_t)count * sizeof(int64_t);
  size_t published = (size_t)nonzeros * 3 * sizeof(int64_t) + (size_t)count * sizeof(int64_t) +
                     ((size_t)sextans_schedule_room(items, count, distance) + (size_t)distance + 2) * sizeof(int64_t);
  return best > published ? best : published;
}

/* ---- best: a heap of rows by non-zeros left, and a ring of rows that wait ---- */

/* The key of a row in the heap: non-zeros left, then the smaller index first. */
static uint64_t key_of(int64_t left, int64_t index) {
  return (uint64_t)left << 32 | (UINT32_MAX - (uint32_t)index);
}

static void sift_up(uint64_t *heap, int64_t at) {
  uint64_t key = heap[at];
  for (; at > 0 && heap[(at - 1) / 2] < key; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = key;
}

static void sift_down(uint64_t *heap, int64_t size) {
  uint64_t key = heap[size];
  int64_t at = 0;
  for (int64_t child; (child = 2 * at + 1) < size; at = child) {
    if (child + 1 < size && heap[child + 1] > heap[child]) child++;
    if (heap[child] <= key) break;
    heap[at] = heap[child];
  }
  heap[at] = key;
}

int64_t sextans_schedule_best(const list_entries *e, const list_item *items, int64_t count, int64_t distance,
                              void *scratch, int64_t *slots) {
  uint64_t *heap = scratch, *ring = heap + count + 1; /* ring: keys that return in slot t, by t % distance; 0: none */
  int64_t *used = (int64_t *)(ring + distance), size = 0, left = 0, t = 0;
  (void)e;
  for (int64_t i = 0; i < distance; i++) ring[i] = 0;
  for (int64_t i = 0; i < count; i++) {
    left += items[i].count;
    used[i] = 0;
    heap[size] = key_of(items[i].count, i);
    sift_up(heap, size++);
  }
  for (; left; t++) {
    uint64_t *returns = &ring[t % distance];
    if (*returns) {
      heap[size] = *returns;
      sift_up(heap, size++);
      *returns = 0;
    }
    slots[t] = -1;
    if (!size) continue;
    uint64_t key = heap[0];
    int64_t i = UINT32_MAX - (uint32_t)key, more = (int64_t)(key >> 32) - 1;
    sift_down(heap, --size);
    slots[t] = items[i].begin + used[i]++;
    left--;
    if (more) *returns = key_of(more, i);
  }
  return t;
}

/* ---- published: the first free slot, found with path compression ---- */

typedef struct ordered_item {
  int64_t nonzero, column, item;
} ordered_item;

static int compare_columns(const void *a, const void *b) {
  const ordered_item *x = a, *y = b;
  if (x->column != y->column) return x->column < y->column ? -1 : 1;
  if (x->item != y->item) return x->item < y->item ? -1 : 1;
  return (x->nonzero > y->nonzero) - (x->nonzero < y->nonzero);
}

static int64_t first_free(int64_t *next, int64_t at) {
  int64_t root = at;
  while (next[root] != root) root = next[root];
  while (next[at] != root) {
    int64_t further = next[at];
    next[at] = root;
    at = further;
  }
  return root;
}

int64_t sextans_schedule_published(const list_entries *e, const list_item *items, int64_t count, int64_t distance,
                                   void *scratch, int64_t *slots) {
  int64_t room = sextans_schedule_room(items, count, distance), nonzeros = 0, length = 0;
  ordered_item *order = scratch;
  for (int64_t i = 0; i < count; i++)
    for (int64_t k = 0; k < items[i].count; k++) {
      int64_t at = items[i].begin + k;
      order[nonzeros++] = (ordered_item){at, e->col[at], i};
    }
  qsort(order, (size_t)nonzeros, sizeof *order, compare_columns);
  int64_t *ready = (int64_t *)(order + nonzeros), *next = ready + count;
  for (int64_t i = 0; i < count; i++) ready[i] = 0;
  for (int64_t t = 0; t <= room + distance; t++) next[t] = t;
  for (int64_t t = 0; t < room; t++) slots[t] = -1;
  for (int64_t k = 0; k < nonzeros; k++) {
    int64_t t = first_free(next, ready[order[k].item]);
    slots[t] = order[k].nonzero;
    next[t] = t + 1;
    ready[order[k].item] = t + distance;
    length = number_max(length, t + 1);
  }
  return length;
}
