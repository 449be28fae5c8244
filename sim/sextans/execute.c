/* Computes a launch, 8 columns at a time. Each PE adds its products in the order of its slots, each
 * product rounded to fp32 before the sum; PEs have rows of their own, so the order among PEs does
 * not matter. */
#include "sim/sextans/execute.h"

#include <inttypes.h>
#include <stdlib.h>

typedef float tile_row[SEXTANS_TILE];

struct sextans_execution {
  const sextans_spmm *in;
  const sextans_decoded *lists;
  uint64_t window, rows; /* rows of B in a whole window, and of C in a PE */
  float alpha, beta;
  const float *b[SEXTANS_B_CHANNELS], *c_in[SEXTANS_C_CHANNELS]; /* c_in: NULL with no_c */
  float *c_out[SEXTANS_C_CHANNELS];
  tile_row *b_window; /* [window] */
  tile_row *sums;     /* [SEXTANS_PES * rows] */
};

static float real_of(uint64_t bits) {
  uint32_t word = (uint32_t)bits;
  float real;
  memcpy(&real, &word, sizeof real);
  return real;
}

static const float *read_channel(const memory *m, const sextans_place *p, int channel) {
  return (const float *)(const void *)memory_read(m, p->base + (uint64_t)channel * p->stride, p->bytes);
}

static float *write_channel(memory *m, const sextans_place *p, int channel) {
  return (float *)(void *)memory_write(m, p->base + (uint64_t)channel * p->stride, p->bytes, true);
}

static status find_arrays(sextans_execution *e, memory *m) {
  sextans_place b = sextans_place_b(e->in), in = sextans_place_c(e->in, false), out = sextans_place_c(e->in, true);
  bool is_there = true;
  for (int c = 0; c < SEXTANS_B_CHANNELS && b.bytes; c++) is_there &= (e->b[c] = read_channel(m, &b, c)) != NULL;
  for (int c = 0; c < SEXTANS_C_CHANNELS && out.bytes; c++) {
    is_there &= (e->c_out[c] = write_channel(m, &out, c)) != NULL;
    if (!e->in->no_c) is_there &= (e->c_in[c] = read_channel(m, &in, c)) != NULL;
  }
  return is_there ? STATUS_OK : status_error(STATUS_CODE_format, "an array does not lie in '.features'");
}

status sextans_execution_create(memory *m, const sextans_spmm *in, const sextans_device *d,
                                const sextans_decoded *lists, sextans_execution **out) {
  sextans_execution *e = calloc(1, sizeof *e);
  if (!e) return status_error(STATUS_CODE_memory, "no memory for a launch");
  *out = e; /* the caller destroys it also after an error */
  e->in = in;
  e->lists = lists;
  e->window = (uint64_t)sextans_window(d);
  e->rows = sextans_rows_of_pe(in->m);
  e->alpha = real_of(in->alpha);
  e->beta = real_of(in->beta);
  e->b_window = malloc(e->window * sizeof *e->b_window);
  e->sums = malloc((SEXTANS_PES * e->rows + 1) * sizeof *e->sums);
  if (!e->b_window || !e->sums) return status_error(STATUS_CODE_memory, "no memory for %" PRIu64 " rows of C", in->m);
  return find_arrays(e, m);
}

void sextans_execution_destroy(sextans_execution *e) {
  if (!e) return;
  free(e->b_window);
  free(e->sums);
  free(e);
}

/* Gathers 8 columns of a window of B. */
static void load_window(sextans_execution *e, uint64_t window, int64_t pass) {
  int64_t first = (int64_t)(window * e->window), tile = sextans_b_tile((int64_t)e->in->k);
  int64_t rest = (int64_t)e->in->k - first, count = rest < (int64_t)e->window ? rest : (int64_t)e->window;
  for (int64_t column = 0; column < SEXTANS_TILE; column++) {
    const float *from = e->b[sextans_b_channel(column)];
    for (int64_t i = 0; i < count; i++)
      e->b_window[i][column] = from[sextans_b_index(first + i, SEXTANS_TILE * pass + column, tile)];
  }
}

static void add_products(tile_row *restrict sums, const tile_row *restrict b, const sextans_item *items,
                         uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    float *restrict sum = sums[items[i].sum];
    const float *restrict row = b[items[i].column];
    const float value = items[i].value;
    for (int n = 0; n < SEXTANS_TILE; n++) sum[n] += value * row[n];
  }
}

/* Writes the rows of C; those that pad its last beats stay as they are. */
static void store(const sextans_execution *e, int64_t pass) {
  int64_t tile = sextans_c_tile((int64_t)e->in->m), column = SEXTANS_TILE * pass;
  for (int64_t m = 0; m < (int64_t)e->in->m; m++) {
    int channel = sextans_c_channel(m);
    int64_t at = sextans_c_index(m, column, tile);
    const float *sum = e->sums[(uint64_t)(m % SEXTANS_PES) * e->rows + (uint64_t)(m / SEXTANS_PES)];
    float *out = e->c_out[channel] + at;
    if (e->in->no_c) {
      for (int n = 0; n < SEXTANS_TILE; n++) out[n] = e->alpha * sum[n];
      continue;
    }
    const float *c_in = e->c_in[channel] + at;
    for (int n = 0; n < SEXTANS_TILE; n++) out[n] = e->alpha * sum[n] + e->beta * c_in[n];
  }
}

void sextans_execution_pass(sextans_execution *e, int64_t pass) {
  memset(e->sums, 0, SEXTANS_PES * e->rows * sizeof *e->sums);
  for (uint64_t j = 0; j < e->in->windows; j++) {
    uint64_t first = e->lists->first[j];
    if (e->lists->first[j + 1] == first) continue;
    load_window(e, j, pass);
    add_products(e->sums, (const tile_row *)e->b_window, e->lists->items + first, e->lists->first[j + 1] - first);
  }
  store(e, pass);
}
