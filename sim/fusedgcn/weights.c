/* Fills the memory of the PEs. */
#include "sim/fusedgcn/weights.h"

#include "isa/fusedgcn/bf16.h"
#include "isa/fusedgcn/timing.h"

#include <inttypes.h>
#include <stdlib.h>

status fusedgcn_weights_create(const fusedgcn_device *d, fusedgcn_weights *out) {
  *out = (fusedgcn_weights){.rows = d->rows, .columns = d->columns, .mem = d->mem};
  out->pitch = (d->columns + FUSEDGCN_LANES - 1) / FUSEDGCN_LANES * FUSEDGCN_LANES;
  out->tiles = calloc((size_t)d->mem, sizeof *out->tiles);
  out->biases = calloc((size_t)d->mem, sizeof *out->biases);
  return out->tiles && out->biases ? STATUS_OK : status_error(STATUS_CODE_memory, "no memory for the PEs");
}

void fusedgcn_weights_destroy(fusedgcn_weights *w) {
  for (int i = 0; w->tiles && i < w->mem; i++) free(w->tiles[i].numbers);
  for (int i = 0; w->biases && i < w->mem; i++) free(w->biases[i].numbers);
  free(w->tiles);
  free(w->biases);
  *w = (fusedgcn_weights){0};
}

void fusedgcn_weights_forget(fusedgcn_weights *w) {
  for (int i = 0; i < w->mem; i++) w->tiles[i].is_loaded = w->biases[i].is_loaded = false;
}

/* Reads rows of `columns` numbers. */
static status fill(const fusedgcn_weights *w, fusedgcn_tile *t, int rows, const unsigned char *stream) {
  t->is_loaded = t->is_finite = true;
  if (!stream) return STATUS_OK;
  if (!t->numbers) t->numbers = calloc((size_t)rows * (size_t)w->pitch, sizeof *t->numbers);
  if (!t->numbers) return status_error(STATUS_CODE_memory, "no memory for the weights of the PEs");
  for (int p = 0; p < rows; p++)
    for (int q = 0; q < w->columns; q++) {
      uint16_t bits;
      memcpy(&bits, stream + ((size_t)p * (size_t)w->columns + (size_t)q) * sizeof bits, sizeof bits);
      float x = bf16_load(bits);
      t->numbers[p * w->pitch + q] = x;
      t->is_finite &= (number_bits(x) & BF16_EXPONENT) != BF16_EXPONENT;
    }
  return STATUS_OK;
}

status fusedgcn_weights_load(fusedgcn_weights *w, const fusedgcn_loadw *in, const unsigned char *stream) {
  size_t bias_bytes = FUSEDGCN_WORD * (size_t)w->columns, tile_bytes = bias_bytes * (size_t)w->rows;
  const unsigned char *behind = stream ? stream + in->tiles * tile_bytes : NULL;
  for (uint64_t i = 0; i < in->tiles; i++)
    RETURN_IF_ERROR(fill(w, &w->tiles[in->first + i], w->rows, stream ? stream + i * tile_bytes : NULL));
  for (uint64_t i = 0; i < in->biases; i++)
    RETURN_IF_ERROR(fill(w, &w->biases[in->first + i], 1, behind ? behind + i * bias_bytes : NULL));
  return STATUS_OK;
}

static status check(const fusedgcn_tile *tiles, const char *what, uint64_t first, uint64_t count) {
  for (uint64_t i = first; i < first + count; i++)
    if (!tiles[i].is_loaded) return status_error(STATUS_CODE_format, "no loadw has filled %s %" PRIu64, what, i);
  return STATUS_OK;
}

status fusedgcn_weights_check(const fusedgcn_weights *w, const fusedgcn_layer *layer, uint64_t first) {
  RETURN_IF_ERROR(check(w->tiles, "tile", first, layer->kt * layer->rt));
  return layer->bias ? check(w->biases, "group of biases", first, layer->rt) : STATUS_OK;
}
