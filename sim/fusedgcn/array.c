/* Moves numbers through the registers of the array, a cycle at a time:
 *
 *   multipliers   K products of a non-zero and a segment of a row of H
 *   skew lines    PE row p gets its product p cycles later, through p registers
 *   PE rows       each adds its products to the partial sums of the row above, M at a time
 *   accumulators  add the sums of the last PE row; the tag says to which row and tile they belong
 *
 * All registers take what was before them at the end of the cycle before. */
#include "sim/fusedgcn/array.h"

#include "isa/fusedgcn/bf16.h"

#include <assert.h>
#include <stdlib.h>

/* What travels with a wave of numbers. */
typedef struct tag {
  bool is_valid, is_first, is_last; /* of a row of S */
  int64_t row, nonzero;
  uint64_t k, r;
} tag;

typedef struct array {
  const fusedgcn_arrays *a;
  uint64_t first;
  int rows, columns, pitch;
  tag multiplied, *in_rows; /* [rows] */
  float *products;          /* [rows] in the multipliers */
  float *skew;              /* [rows][rows]: p registers of row p, the newest first */
  tag *skew_tags;           /* [rows]: the same delays, once for all rows */
  float *partial;           /* [rows][pitch] behind each row of PEs */
  float *sums;              /* [rt][pitch] accumulators */
  float *empty;             /* [rt][pitch] of rows without non-zeros, while others are still in the array */
  tag next;                 /* the next issue; not valid: there is none */
  int64_t hi;
} array;

/* ---- issues ---- */

/* Moves to the first issue of the next row that has non-zeros; others end at once. */
static void begin_row(array *y, int64_t row) {
  y->next = (tag){0};
  for (; row < y->hi; row++) {
    int64_t begin = fusedgcn_view_pos(&y->a->s, row);
    if (fusedgcn_view_pos(&y->a->s, row + 1) > begin) {
      y->next = (tag){.is_valid = true, .row = row, .nonzero = begin};
      return;
    }
    fusedgcn_row_begin(y->a, row, y->empty);
    fusedgcn_row_end(y->a, y->first, row, y->empty);
  }
}

/* Counts one place on; true: it began anew. */
static bool step(uint64_t *at, uint64_t count) {
  *at = *at + 1 < count ? *at + 1 : 0;
  return !*at;
}

static bool step_nonzero(array *y) {
  int64_t begin = fusedgcn_view_pos(&y->a->s, y->next.row), end = fusedgcn_view_pos(&y->a->s, y->next.row + 1);
  uint64_t at = (uint64_t)(y->next.nonzero - begin);
  bool is_over = step(&at, (uint64_t)(end - begin));
  y->next.nonzero = begin + (int64_t)at;
  return is_over;
}

/* Takes the next issue: what y->next says, which moves on. */
static tag take_issue(array *y) {
  const fusedgcn_layer *in = y->a->layer;
  tag taken = y->next;
  if (!taken.is_valid) return taken;
  taken.is_first = !taken.k && !taken.r && taken.nonzero == fusedgcn_view_pos(&y->a->s, taken.row);
  if (in->order == FUSEDGCN_ORDER_jkr)
    taken.is_last = step(&y->next.r, in->rt) && step(&y->next.k, in->kt) && step_nonzero(y);
  else
    taken.is_last = step_nonzero(y) && step(&y->next.r, in->rt) && step(&y->next.k, in->kt);
  if (taken.is_last) begin_row(y, taken.row + 1);
  return taken;
}

static void multiply(array *y) {
  const fusedgcn_layer *in = y->a->layer;
  tag t = y->multiplied = take_issue(y);
  if (!t.is_valid) return;
  const uint16_t *h = y->a->h + fusedgcn_view_col(&y->a->s, t.nonzero) * (int64_t)in->h_stride;
  float s = bf16_load(y->a->s_val[t.nonzero]);
  for (int p = 0; p < y->rows; p++) {
    uint64_t column = t.k * (uint64_t)y->rows + (uint64_t)p;
    y->products[p] = bf16_round(s * (column < in->i ? bf16_load(h[column]) : 0));
  }
}

/* ---- a cycle ---- */

/* Returns whether a row of S is done. */
static bool accumulate(array *y) {
  tag t = y->in_rows[y->rows - 1];
  if (!t.is_valid) return false;
  const float *column = y->partial + (y->rows - 1) * y->pitch;
  float *sums = y->sums + t.r * (uint64_t)y->pitch;
  if (t.is_first) fusedgcn_row_begin(y->a, t.row, y->sums);
  for (int q = 0; q < y->columns; q++) sums[q] = bf16_round(sums[q] + column[q]);
  if (t.is_last) fusedgcn_row_end(y->a, y->first, t.row, y->sums);
  return t.is_last;
}

/* Row p takes its product from the end of its skew line and the sums from row p - 1. */
static void compute_row(array *y, int p) {
  tag t = p ? y->skew_tags[p - 1] : y->multiplied;
  y->in_rows[p] = t;
  if (!t.is_valid) return;
  float x = p ? y->skew[p * y->rows + p - 1] : y->products[0];
  const float *weight = y->a->weights->tiles[y->first + t.k * y->a->layer->rt + t.r].numbers + p * y->pitch;
  const float *above = p ? y->partial + (p - 1) * y->pitch : NULL;
  float *sum = y->partial + p * y->pitch;
  for (int q = 0; q < y->columns; q++) sum[q] = bf16_round((above ? above[q] : 0) + bf16_round(x * weight[q]));
}

static void shift_skew(array *y) {
  for (int p = 1; p < y->rows; p++) {
    float *line = y->skew + p * y->rows;
    memmove(line + 1, line, (size_t)(p - 1) * sizeof *line);
    line[0] = y->products[p];
  }
  memmove(y->skew_tags + 1, y->skew_tags, (size_t)(y->rows - 1) * sizeof *y->skew_tags);
  y->skew_tags[0] = y->multiplied;
}

/* Returns whether a row of S is done. The last rows come first, because each takes what the one
 * before it had. */
static bool run_cycle(array *y) {
  bool is_done = accumulate(y);
  for (int p = y->rows - 1; p >= 0; p--) {
    assert(!p || (y->in_rows[p - 1].is_valid == y->skew_tags[p - 1].is_valid &&
                  y->in_rows[p - 1].nonzero == y->skew_tags[p - 1].nonzero));
    compute_row(y, p);
  }
  shift_skew(y);
  multiply(y);
  return is_done;
}

/* ---- a run ---- */

static bool allocate(array *y) {
  size_t rows = (size_t)y->rows, pitch = (size_t)y->pitch;
  y->in_rows = calloc(rows, sizeof *y->in_rows);
  y->products = calloc(rows, sizeof *y->products);
  y->skew = calloc(rows * rows, sizeof *y->skew);
  y->skew_tags = calloc(rows, sizeof *y->skew_tags);
  y->partial = calloc(rows * pitch, sizeof *y->partial);
  y->sums = calloc(y->a->layer->rt * pitch, sizeof *y->sums);
  y->empty = calloc(y->a->layer->rt * pitch, sizeof *y->empty);
  return y->in_rows && y->products && y->skew && y->skew_tags && y->partial && y->sums && y->empty;
}

static void release(array *y) {
  free(y->in_rows);
  free(y->products);
  free(y->skew);
  free(y->skew_tags);
  free(y->partial);
  free(y->sums);
  free(y->empty);
}

status fusedgcn_array_run(const fusedgcn_arrays *a, uint64_t first, int64_t lo, int64_t hi, uint64_t *cycles) {
  array y = {.a = a,
             .first = first,
             .rows = a->weights->rows,
             .columns = a->weights->columns,
             .pitch = a->weights->pitch,
             .hi = hi};
  bool is_there = allocate(&y);
  int64_t rows = 0;
  *cycles = 0;
  for (int64_t row = lo; row < hi; row++) rows += fusedgcn_view_pos(&a->s, row + 1) > fusedgcn_view_pos(&a->s, row);
  /* without non-zeros the end of the RUN passes alone through the registers */
  if (!rows) *cycles = (uint64_t)y.rows + 1;
  if (is_there) begin_row(&y, lo);
  while (is_there && rows) {
    rows -= run_cycle(&y);
    ++*cycles;
  }
  release(&y);
  return is_there ? STATUS_OK : status_error(STATUS_CODE_memory, "no memory for the registers of the array");
}
