#include "data/cells/cells_order.h"

#include <stdlib.h>

/* The graph of cells, and cells that are being divided into a left and a right half. */
typedef struct halving {
  int32_t count;
  int64_t *edges;            /* [count * count] edges between two cells; 0 on the diagonal */
  int64_t *gain;             /* [count] edges of a cell to the other half minus those to its own */
  char *is_left, *is_locked; /* [count] */
  int32_t *order;            /* [count] cells in their new order */
  int32_t *best;             /* [count] the best halves so far */
} halving;

static int64_t edges_between(const halving *h, int32_t a, int32_t b) {
  return h->edges[(size_t)a * (size_t)h->count + (size_t)b];
}

static void count_edges(const cells_adjacency *a, const int32_t *cell, halving *h) {
  for (int64_t v = 0; v < a->num_nodes; v++)
    for (int32_t i = a->begin[v]; i < a->begin[v + 1]; i++) {
      const int32_t from = cell[v], to = cell[a->ends[i]];
      if (from != to) h->edges[(size_t)from * (size_t)h->count + (size_t)to] += a->edges[i];
    }
}

/* Moves the cell with the most edges to the left half, among those on the right, into it. */
static void grow(halving *h, const int32_t *cells, int32_t count) {
  int32_t best = -1;
  for (int32_t i = 0; i < count; i++)
    if (!h->is_left[cells[i]] && (best < 0 || h->gain[cells[i]] > h->gain[best])) best = cells[i];
  h->is_left[best] = 1;
  for (int32_t i = 0; i < count; i++) h->gain[cells[i]] += 2 * edges_between(h, best, cells[i]);
}

/* Divides the cells from scratch: `first` and the cells nearest to it are the left half. */
static void grow_half(halving *h, const int32_t *cells, int32_t count, int32_t left, int32_t first) {
  for (int32_t i = 0; i < count; i++) {
    h->is_left[cells[i]] = 0;
    h->gain[cells[i]] = 0; /* while the half grows: edges to the left minus those to the right */
    for (int32_t k = 0; k < count; k++) h->gain[cells[i]] -= edges_between(h, cells[i], cells[k]);
  }
  h->gain[first] = INT64_MAX / 2; /* comes first */
  for (int32_t i = 0; i < left; i++) grow(h, cells, count);
}

static void measure_gains(halving *h, const int32_t *cells, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    const int32_t c = cells[i];
    h->gain[c] = 0;
    for (int32_t k = 0; k < count; k++)
      h->gain[c] += (h->is_left[c] == h->is_left[cells[k]] ? -1 : 1) * edges_between(h, c, cells[k]);
  }
}

/* Exchanges two cells of different halves and updates the gains of the others. */
static void swap(halving *h, const int32_t *cells, int32_t count, int32_t left, int32_t right) {
  for (int32_t i = 0; i < count; i++) {
    const int64_t change = 2 * (edges_between(h, cells[i], left) - edges_between(h, cells[i], right));
    h->gain[cells[i]] += h->is_left[cells[i]] ? change : -change;
  }
  h->is_left[left] = 0;
  h->is_left[right] = 1;
  h->is_locked[left] = h->is_locked[right] = 1;
}

/* Finds the pair of cells without a lock whose exchange saves most edges, or costs fewest; returns what
 * it saves. */
static int64_t find_pair(const halving *h, const int32_t *cells, int32_t count, int32_t *left, int32_t *right) {
  int64_t most = INT64_MIN;
  for (int32_t i = 0; i < count; i++) {
    const int32_t l = cells[i];
    if (!h->is_left[l] || h->is_locked[l]) continue;
    for (int32_t k = 0; k < count; k++) {
      const int32_t r = cells[k];
      if (h->is_left[r] || h->is_locked[r]) continue;
      const int64_t saved = h->gain[l] + h->gain[r] - 2 * edges_between(h, l, r);
      if (saved <= most) continue;
      most = saved;
      *left = l;
      *right = r;
    }
  }
  return most;
}

/* A pass of Kernighan and Lin: exchanges pairs, each cell at most once and the best pair first, also
 * where that costs edges, and takes the last exchanges back behind the best point. Returns the edges
 * that it saved. */
static int64_t improve(halving *h, const int32_t *cells, int32_t count, int32_t pairs) {
  enum { MOST_PAIRS = 64 };
  int32_t left[MOST_PAIRS], right[MOST_PAIRS], best = 0, done = 0;
  int64_t saved = 0, most = 0;
  measure_gains(h, cells, count);
  for (int32_t i = 0; i < count; i++) h->is_locked[cells[i]] = 0;
  while (done < pairs && done < MOST_PAIRS) {
    saved += find_pair(h, cells, count, &left[done], &right[done]);
    swap(h, cells, count, left[done], right[done]);
    done++;
    if (saved <= most) continue;
    most = saved;
    best = done;
  }
  while (done > best) {
    done--;
    h->is_left[left[done]] = 1;
    h->is_left[right[done]] = 0;
  }
  return most;
}

static int64_t cut_of(const halving *h, const int32_t *cells, int32_t count) {
  int64_t cut = 0;
  for (int32_t i = 0; i < count; i++)
    for (int32_t k = 0; k < count; k++)
      if (h->is_left[cells[i]] > h->is_left[cells[k]]) cut += edges_between(h, cells[i], cells[k]);
  return cut;
}

/* Sorts the cells: first those of the best left half that was found. */
static void divide(halving *h, int32_t *cells, int32_t count, int32_t left) {
  enum { FEW = 128, STARTS = 16, STARTS_OF_MANY = 2, MOST_PASSES = 8 };
  const int32_t starts = count > FEW ? STARTS_OF_MANY : count < STARTS ? count : STARTS;
  int64_t least = INT64_MAX;
  for (int32_t start = 0; start < starts; start++) {
    grow_half(h, cells, count, left, cells[(int64_t)start * count / starts]);
    for (int pass = 0; pass < MOST_PASSES && improve(h, cells, count, count - left) > 0;) pass++;
    int64_t cut = cut_of(h, cells, count);
    if (cut >= least) continue;
    least = cut;
    for (int32_t i = 0, l = 0, r = left; i < count; i++) h->best[h->is_left[cells[i]] ? l++ : r++] = cells[i];
  }
  for (int32_t i = 0; i < count; i++) cells[i] = h->best[i];
}

static void order_cells(halving *h, int32_t *cells, int32_t count) {
  if (count < 2) return;
  const int32_t left = (count + 1) / 2;
  divide(h, cells, count, left);
  order_cells(h, cells, left);
  order_cells(h, cells + left, count - left);
}

static void renumber(const halving *h, int64_t nodes, int32_t *cell) {
  int32_t *number = h->best;
  for (int32_t i = 0; i < h->count; i++) number[h->order[i]] = i;
  for (int64_t v = 0; v < nodes; v++) cell[v] = number[cell[v]];
}

status cells_order(const cells_adjacency *a, int32_t count, int32_t *cell) {
  halving h = {.count = count};
  h.edges = calloc((size_t)count * (size_t)count, sizeof *h.edges);
  h.gain = malloc((size_t)count * sizeof *h.gain);
  h.is_left = calloc((size_t)count, sizeof *h.is_left);
  h.is_locked = calloc((size_t)count, sizeof *h.is_locked);
  h.order = malloc((size_t)count * sizeof *h.order);
  h.best = malloc((size_t)count * sizeof *h.best);
  status s = STATUS_OK;
  if (h.edges && h.gain && h.is_left && h.is_locked && h.order && h.best) {
    count_edges(a, cell, &h);
    for (int32_t i = 0; i < count; i++) h.order[i] = i;
    order_cells(&h, h.order, count);
    renumber(&h, a->num_nodes, cell);
  } else {
    s = status_error(STATUS_CODE_memory, "no memory to order %d cells", count);
  }
  free(h.edges);
  free(h.gain);
  free(h.is_left);
  free(h.is_locked);
  free(h.order);
  free(h.best);
  return s;
}
