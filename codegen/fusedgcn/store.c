/* Contents of device memory that are known when a program is compiled: S in .edges, W and constant
 * rows in .weights. Rows are converted to bf16 as the device's 'conversion' says. */
#include "codegen/fusedgcn/program.h"

#include "isa/fusedgcn/bf16.h"
#include "isa/fusedgcn/timing.h"
#include "support/number.h"

#include <inttypes.h>
#include <string.h>

enum { ALIGNMENT = 64 };

uint64_t fusedgcn_store_reserve(fusedgcn_program *p, image_section_kind section, int64_t bytes) {
  uint64_t at = p->size[section];
  p->size[section] += (uint64_t)number_round_up(bytes, ALIGNMENT);
  return at;
}

status fusedgcn_store_constant(fusedgcn_program *p, const void *key, int64_t rows, int64_t width, const float *numbers,
                               fusedgcn_constant **out) {
  fusedgcn_constant *c = arena_alloc(p->arena, sizeof *c);
  *c = (fusedgcn_constant){.rows = rows, .width = width, .numbers = numbers};
  c->offset = fusedgcn_store_reserve(p, IMAGE_WEIGHTS, rows * fusedgcn_stride(width) * FUSEDGCN_WORD);
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

static void lay_out(fusedgcn_program *p, image *out) {
  static const image_section_kind order[] = {IMAGE_FEATURES, IMAGE_EDGES, IMAGE_WEIGHTS, IMAGE_TEXT};
  uint64_t at = CHAIN_BASE;
  p->size[IMAGE_FEATURES] = p->chain.size;
  p->size[IMAGE_TEXT] = p->code.count * FUSEDGCN_INSN_BYTES;
  for (int i = 0; i < 4; i++) {
    out->sections[order[i]].address = at;
    out->sections[order[i]].size = p->size[order[i]];
    at += (uint64_t)number_round_up((int64_t)p->size[order[i]], ALIGNMENT);
  }
}

static void resolve(const image *im, uint64_t *address) {
  uint64_t section = *address >> 56;
  if (section) *address = im->sections[section - 1].address + (*address & ((UINT64_C(1) << 56) - 1));
}

static status write_text(fusedgcn_program *p, image *out) {
  unsigned char *code = arena_alloc(p->arena, p->code.count * FUSEDGCN_INSN_BYTES);
  for (size_t i = 0; i < p->code.count; i++) {
    fusedgcn_insn *in = &p->code.items[i];
    uint64_t *const addresses[] = {&in->layer.s_pos, &in->layer.s_col, &in->layer.s_val, &in->layer.h, &in->layer.out};
    for (int k = 0; k < 5 && in->op == FUSEDGCN_OP_layer; k++) resolve(out, addresses[k]);
    if (in->op == FUSEDGCN_OP_loadw) resolve(out, &in->loadw.w);
    RETURN_IF_ERROR(isa_encode(&fusedgcn_isa, in, code + i * FUSEDGCN_INSN_BYTES));
  }
  out->sections[IMAGE_TEXT].data = code;
  return STATUS_OK;
}

static status alloc_section(fusedgcn_program *p, image_section_kind kind, unsigned char **data) {
  *data = arena_try_alloc(p->arena, (size_t)p->size[kind] + 1);
  if (*data) return STATUS_OK;
  return status_error(STATUS_CODE_memory, "no memory for %" PRIu64 " bytes of %s", p->size[kind],
                      image_section_name(kind));
}

status fusedgcn_store_write(fusedgcn_program *p, image *out) {
  unsigned char *data;
  VEC_PUSH(p->arena, &p->code, ((fusedgcn_insn){.op = FUSEDGCN_OP_halt}));
  lay_out(p, out);
  RETURN_IF_ERROR(alloc_section(p, IMAGE_EDGES, &data));
  write_edges(p, data);
  out->sections[IMAGE_EDGES].data = p->size[IMAGE_EDGES] ? data : NULL;
  if (!p->no_data) {
    RETURN_IF_ERROR(alloc_section(p, IMAGE_WEIGHTS, &data));
    write_weights(p, data);
    out->sections[IMAGE_WEIGHTS].data = p->size[IMAGE_WEIGHTS] ? data : NULL;
  }
  return write_text(p, out);
}
