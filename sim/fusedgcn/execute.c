/* Computes rows as the array does: sums of a column from PE row to PE row, then the accumulators in
 * the order of the issues. Columns of OUT do not depend on one another, so several are computed
 * together; and products with 0, which are +0 and change no sum, are left out. */
#include "sim/fusedgcn/execute.h"

#include "isa/fusedgcn/bf16.h"

#include <stdlib.h>

enum { WIDTH = 4, GROUPS = FUSEDGCN_LANES / WIDTH };
typedef float floats __attribute__((vector_size(WIDTH * sizeof(float))));
typedef uint32_t words __attribute__((vector_size(WIDTH * sizeof(uint32_t))));

/* The products of a non-zero and a segment of a row of H that are not known to be 0. */
typedef struct segment {
  int count;
  int *at; /* [K] rows of PEs */
  float *x;
} segment;

/* ---- arrays ---- */

status fusedgcn_arrays_open(const image *im, memory *m, const fusedgcn_layer *layer, const fusedgcn_weights *w,
                            fusedgcn_arrays *out) {
  *out = (fusedgcn_arrays){.layer = layer, .weights = w};
  RETURN_IF_ERROR(fusedgcn_view_open(im, layer, &out->s));
  if (!m) return STATUS_OK;
  fusedgcn_place s_val = fusedgcn_place_s_val(layer), h = fusedgcn_place_h(layer), rows = fusedgcn_place_out(layer);
  uint64_t sizes[] = {fusedgcn_place_bytes(&s_val), fusedgcn_place_bytes(&h), fusedgcn_place_bytes(&rows)};
  out->s_val = (const void *)memory_read(m, s_val.base, sizes[0]);
  out->h = (const void *)memory_read(m, h.base, sizes[1]);
  out->out = (void *)memory_write(m, rows.base, sizes[2], true);
  if ((!sizes[0] || out->s_val) && (!sizes[1] || out->h) && (!sizes[2] || out->out)) return STATUS_OK;
  return status_error(STATUS_CODE_format, "an array does not lie in its section");
}

/* ---- rows ---- */

void fusedgcn_row_begin(const fusedgcn_arrays *a, int64_t row, float *sums) {
  const fusedgcn_layer *in = a->layer;
  int64_t pitch = a->weights->pitch, columns = a->weights->columns;
  memset(sums, 0, in->rt * (size_t)pitch * sizeof *sums);
  const uint16_t *old = in->acc_in ? a->out + row * (int64_t)in->out_stride : NULL;
  for (int64_t q = 0; old && q < (int64_t)in->o; q++) sums[q / columns * pitch + q % columns] = bf16_load(old[q]);
}

static void add_biases(const fusedgcn_arrays *a, uint64_t first, float *sums) {
  for (uint64_t r = 0; r < a->layer->rt; r++) {
    const float *bias = a->weights->biases[first + r].numbers;
    float *group = sums + r * (uint64_t)a->weights->pitch;
    for (int q = 0; q < a->weights->columns; q++) group[q] = bf16_round(group[q] + bias[q]);
  }
}

/* The published design begins with -65535, which is -65280 in bf16. */
static float find_largest(const fusedgcn_arrays *a, const float *sums) {
  float most = -65280;
  int64_t pitch = a->weights->pitch, columns = a->weights->columns;
  for (int64_t q = 0; q < (int64_t)a->layer->o; q++) {
    float x = sums[q / columns * pitch + q % columns];
    if (x > most) most = x;
  }
  return most;
}

void fusedgcn_row_end(const fusedgcn_arrays *a, uint64_t first, int64_t row, float *sums) {
  const fusedgcn_layer *in = a->layer;
  int64_t pitch = a->weights->pitch, columns = a->weights->columns;
  uint16_t *out = a->out + row * (int64_t)in->out_stride;
  if (in->bias) add_biases(a, first, sums);
  float most = in->act == FUSEDGCN_ACT_hardmax ? find_largest(a, sums) : 0;
  for (int64_t q = 0; q < (int64_t)in->o; q++) {
    float x = sums[q / columns * pitch + q % columns];
    if (in->act == FUSEDGCN_ACT_hardmax)
      out[q] = x == most ? BF16_ONE : 0;
    else
      out[q] = in->act == FUSEDGCN_ACT_relu && x < 0 ? 0 : bf16_store(x);
  }
}

/* ---- issues ---- */

static inline floats round_floats(floats x) {
  words word;
  memcpy(&word, &x, sizeof word);
  word = (word + 0x7fff + (word >> 16 & 1)) & 0xffff0000;
  word &= (words)((word & BF16_EXPONENT) != 0);
  memcpy(&x, &word, sizeof x);
  return x;
}

/* Adds the column sums of a tile to 16 accumulators; `tile` is the first of its 16 columns. */
static void add_columns(const segment *s, const float *tile, int pitch, float *sums) {
  floats column[GROUPS] = {0}, sum, weight;
  for (int n = 0; n < s->count; n++) {
    const float *row = tile + s->at[n] * pitch;
    for (int g = 0; g < GROUPS; g++) {
      memcpy(&weight, row + g * WIDTH, sizeof weight);
      column[g] = round_floats(column[g] + round_floats(s->x[n] * weight));
    }
  }
  for (int g = 0; g < GROUPS; g++) {
    memcpy(&sum, sums + g * WIDTH, sizeof sum);
    sum = round_floats(sum + column[g]);
    memcpy(sums + g * WIDTH, &sum, sizeof sum);
  }
}

static bool is_finite(const fusedgcn_arrays *a, const fusedgcn_tile *tiles) {
  for (uint64_t r = 0; r < a->layer->rt; r++)
    if (!tiles[r].is_finite) return false;
  return true;
}

/* Multiplies a segment by a non-zero; without zeros where no weight makes them matter. */
static void multiply(const fusedgcn_arrays *a, int64_t nonzero, uint64_t k, bool wants_zeros, segment *out) {
  const fusedgcn_layer *in = a->layer;
  int64_t rows = a->weights->rows, begin = (int64_t)k * rows, rest = (int64_t)in->i - begin;
  const uint16_t *h = a->h + fusedgcn_view_col(&a->s, nonzero) * (int64_t)in->h_stride + begin;
  float s = bf16_load(a->s_val[nonzero]);
  out->count = 0;
  for (int p = 0; p < rows; p++) {
    float x = bf16_round(s * (p < rest ? bf16_load(h[p]) : 0));
    if (x == 0 && !wants_zeros) continue;
    out->at[out->count] = p;
    out->x[out->count++] = x;
  }
}

/* Issues a non-zero for all tiles of a row of tiles. */
static void issue(const fusedgcn_arrays *a, uint64_t first, int64_t nonzero, uint64_t k, segment *s, float *sums) {
  const fusedgcn_tile *tiles = a->weights->tiles + first + k * a->layer->rt;
  int pitch = a->weights->pitch;
  multiply(a, nonzero, k, !is_finite(a, tiles), s);
  if (!s->count) return;
  for (uint64_t r = 0; r < a->layer->rt; r++)
    for (int q = 0; q < pitch; q += FUSEDGCN_LANES)
      add_columns(s, tiles[r].numbers + q, pitch, sums + r * (uint64_t)pitch + q);
}

/* Both orders add to an accumulator in the order of their two outer loops of j and k. */
static void execute_row(const fusedgcn_arrays *a, uint64_t first, int64_t row, segment *s, float *sums) {
  int64_t begin = fusedgcn_view_pos(&a->s, row), end = fusedgcn_view_pos(&a->s, row + 1);
  fusedgcn_row_begin(a, row, sums);
  if (a->layer->order == FUSEDGCN_ORDER_jkr) {
    for (int64_t j = begin; j < end; j++)
      for (uint64_t k = 0; k < a->layer->kt; k++) issue(a, first, j, k, s, sums);
  } else {
    for (uint64_t k = 0; k < a->layer->kt; k++)
      for (int64_t j = begin; j < end; j++) issue(a, first, j, k, s, sums);
  }
  fusedgcn_row_end(a, first, row, sums);
}

status fusedgcn_execute(const fusedgcn_arrays *a, uint64_t first, int64_t lo, int64_t hi) {
  size_t rows = (size_t)a->weights->rows;
  float *sums = malloc(a->layer->rt * (size_t)a->weights->pitch * sizeof *sums);
  segment s = {.at = malloc(rows * sizeof *s.at), .x = malloc(rows * sizeof *s.x)};
  bool is_there = sums && s.at && s.x;
  for (int64_t row = lo; is_there && row < hi; row++) execute_row(a, first, row, &s, sums);
  free(sums);
  free(s.at);
  free(s.x);
  return is_there ? STATUS_OK : status_error(STATUS_CODE_memory, "no memory for a row of OUT");
}
