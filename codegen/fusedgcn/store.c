/* Contents of device memory that are known when a program is compiled: S in .edges, W and constant
 * rows in .weights. Rows are converted to bf16 as the device's 'conversion' says. */
#include "codegen/fusedgcn/program.h"

#include "isa/fusedgcn/bf16.h"
#include "isa/fusedgcn/timing.h"

#include <string.h>

status fusedgcn_store_constant(fusedgcn_program *p, const void *key, int64_t rows, int64_t width, const float *numbers,
                               fusedgcn_constant **out) {
  fusedgcn_constant *c = arena_alloc(p->arena, sizeof *c);
  *c = (fusedgcn_constant){.rows = rows, .width = width, .numbers = numbers};
  c->offset = sections_reserve(&p->sections, IMAGE_WEIGHTS, rows * fusedgcn_stride(width) * FUSEDGCN_WORD);
  VEC_PUSH(p->arena, &p->constants, c);
  map_set_pointer(&p->constant_of, key, c);
  *out = c;
  return STATUS_OK;
}

/* ---- writing ---- */

/* Sections are written as words of the device; arrays in them are aligned. */
static uint16_t *words_at(unsigned char *data, uint64_t offset) {
  return (uint16_t *)(void *)(data + offset);
}

static void write_edges(const fusedgcn_program *p, unsigned char *data) {
  fusedgcn_conversion how = (fusedgcn_conversion)fusedgcn_device_of(p)->conversion;
  for (size_t i = 0; i < p->sparse.count; i++) {
    const fusedgcn_sparse *s = p->sparse.items[i];
    memcpy(data + s->pos_at, s->m.pos, (size_t)(s->m.rows + 1) * sizeof *s->m.pos);
    if (s->m.count) memcpy(data + s->col_at, s->m.col, (size_t)s->m.count * sizeof *s->m.col);
    uint16_t *value = words_at(data, s->value_at);
    for (int64_t j = 0; !s->has_values && s->m.value && j < s->m.count; j++)
      value[j] = bf16_convert(how, s->m.value[j]);
  }
}

static float weight_of(const fusedgcn_stream *s, int64_t k, int64_t n) {
  const fusedgcn_weights *w = s->of;
  if (!w->key) return k == n;
  return w->numbers[(s->type * w->k + s->k0 + k) * w->n + s->n0 + n];
}

/* An identity serves slices of any width, so its tile is whole. */
static void write_stream(const fusedgcn_program *p, const fusedgcn_stream *s, uint16_t *to) {
  const fusedgcn_device *d = fusedgcn_device_of(p);
  fusedgcn_conversion how = (fusedgcn_conversion)d->conversion;
  bool is_whole = !s->of->key;
  int64_t kt = (int64_t)fusedgcn_kt(d, (uint64_t)s->kn), rt = (int64_t)fusedgcn_rt(d, (uint64_t)s->nn);
  for (int64_t k = 0; k < kt; k++)
    for (int64_t r = 0; r < rt; r++)
      for (int64_t i = k * d->rows; i < (k + 1) * d->rows; i++)
        for (int64_t j = r * d->columns; j < (r + 1) * d->columns; j++)
          *to++ = is_whole || (i < s->kn && j < s->nn) ? bf16_convert(how, weight_of(s, i, j)) : 0;
  for (int64_t j = 0; j < s->biases * d->columns; j++)
    *to++ = j < s->nn ? bf16_convert(how, s->of->bias[s->type * s->of->n + s->n0 + j]) : 0;
}

static void write_weights(const fusedgcn_program *p, unsigned char *data) {
  fusedgcn_conversion how = (fusedgcn_conversion)fusedgcn_device_of(p)->conversion;
  for (size_t i = 0; i < p->streams.count; i++)
    write_stream(p, p->streams.items[i], words_at(data, p->streams.items[i]->offset));
  for (size_t i = 0; i < p->constants.count; i++) {
    const fusedgcn_constant *c = p->constants.items[i];
    for (int64_t r = 0; r < c->rows; r++) {
      uint16_t *row = words_at(data, c->offset) + r * fusedgcn_stride(c->width);
      for (int64_t j = 0; j < c->width; j++) row[j] = bf16_convert(how, c->numbers[r * c->width + j]);
    }
  }
}

/* Replaces the tagged addresses of all records. */
static void resolve(fusedgcn_program *p, const image *im) {
  for (size_t i = 0; i < p->code.count; i++) {
    fusedgcn_insn *in = &p->code.items[i];
    uint64_t *const addresses[] = {&in->layer.s_pos, &in->layer.s_col, &in->layer.s_val, &in->layer.h, &in->layer.out};
    for (int k = 0; k < 5 && in->op == FUSEDGCN_OP_layer; k++) *addresses[k] = sections_resolve(im, *addresses[k]);
    if (in->op == FUSEDGCN_OP_loadw) in->loadw.w = sections_resolve(im, in->loadw.w);
  }
}

status fusedgcn_store_write(fusedgcn_program *p, image *out) {
  static const image_section_kind order[] = {IMAGE_FEATURES, IMAGE_EDGES, IMAGE_WEIGHTS, IMAGE_TEXT};
  unsigned char *data;
  VEC_PUSH(p->arena, &p->code, ((fusedgcn_insn){.op = FUSEDGCN_OP_halt}));
  p->sections.size[IMAGE_FEATURES] = p->chain.size;
  p->sections.size[IMAGE_TEXT] = p->code.count * FUSEDGCN_INSN_BYTES;
  sections_lay_out(&p->sections, CHAIN_BASE, order, 4, out);
  RETURN_IF_ERROR(sections_alloc(p->arena, IMAGE_EDGES, out, &data));
  write_edges(p, data);
  if (!p->no_data) {
    RETURN_IF_ERROR(sections_alloc(p->arena, IMAGE_WEIGHTS, out, &data));
    write_weights(p, data);
  }
  resolve(p, out);
  return sections_write_text(p->arena, &fusedgcn_isa, p->code.items, p->code.count, out);
}
