/* Contents of device memory that are known when a program is compiled: lists and scale factors in
 * .edges, descriptors in .desc, weights and constant rows in .weights. Lists are written last, because
 * they name rows by their addresses. */
#include "codegen/agile/program.h"

#include "codegen/agile/precision.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

agile_constant *agile_store_find(const agile_program *p, const char *key) {
  return map_get_pointer(&p->constant_of, key);
}

status agile_store_constant(agile_program *p, const char *key, int64_t rows, int64_t width, int64_t pitch,
                            const float *numbers, agile_constant **out) {
  agile_constant *c = arena_alloc(p->arena, sizeof *c);
  *c = (agile_constant){.rows = rows, .width = width, .pitch = pitch, .numbers = numbers};
  for (int64_t i = 0; numbers && i < rows * width; i++) c->largest = fmaxf(c->largest, fabsf(numbers[i]));
  c->offset = sections_reserve(&p->sections, IMAGE_WEIGHTS, rows * pitch);
  VEC_PUSH(p->arena, &p->constants, c);
  map_set_pointer(&p->constant_of, key, c);
  *out = c;
  return STATUS_OK;
}

/* ---- lists ---- */

/* The type of a row: the last one that begins at the row or before it, and is not empty. */
static int64_t type_of_row(const step_segments *types, int64_t row) {
  int64_t type = 0;
  while (types->offsets && row >= types->offsets[type + 1]) type++;
  return type;
}

typedef struct list_writer {
  const agile_list *l;
  uint32_t *to;  /* NULL: scale factors are written */
  float *scales; /* NULL: the host writes them */
  uint64_t zeros, messages;
  uint64_t extra[AGILE_MOST_EXTRAS]; /* addresses */
} list_writer;

static void put(const list_writer *w, int64_t at, uint64_t offset, float scale) {
  w->to[at] = (uint32_t)offset;
  if (w->scales) w->scales[at] = scale;
}

static void write_row(const list_writer *w, int64_t row) {
  const agile_list *l = w->l;
  int64_t at = l->first[row], begin = l->m ? l->m->pos[row] : 0, end = l->m ? l->m->pos[row + 1] : 0;
  uint64_t messages = l->is_fixed ? w->messages - CHAIN_BASE : 0;
  for (int64_t j = begin; j < end; j++)
    put(w, at++, messages + (uint64_t)(l->m->col[j] * l->stride), l->m->value ? l->m->value[j] : 0);
  for (int i = 0; i < l->num_extras; i++) {
    const agile_extra *e = &l->extras[i];
    int64_t number = e->is_by_type ? type_of_row(&e->types, row) : row;
    put(w, at++, w->extra[i] + (uint64_t)(number * e->stride) - CHAIN_BASE, 1);
  }
  if (begin == end && !l->num_extras) put(w, at, w->zeros - CHAIN_BASE, 0);
}

static void write_lists(const agile_program *p, const image *im, unsigned char *data) {
  const agile_constant *zeros = agile_store_find(p, "zeros");
  for (size_t i = 0; i < p->lists.count; i++) {
    const agile_list *l = p->lists.items[i];
    list_writer w = {
        .l = l, .to = (uint32_t *)(void *)(data + l->list_at), .messages = sections_resolve(im, l->messages)};
    if (!l->has_values) w.scales = (float *)(void *)(data + l->scale_at);
    if (zeros) w.zeros = sections_resolve(im, sections_tagged(IMAGE_WEIGHTS, zeros->offset));
    for (int k = 0; k < l->num_extras; k++) w.extra[k] = sections_resolve(im, l->extras[k].address);
    for (int64_t r = 0; r < l->rows; r++) write_row(&w, r);
  }
}

static void write_descs(const agile_program *p, unsigned char *data) {
  for (size_t i = 0; i < p->descs.count; i++) {
    const agile_descs *d = p->descs.items[i];
    unsigned char *to = data + d->at;
    for (int64_t r = d->lo; r < d->hi; r++, to += AGILE_DESC_BYTES) {
      int64_t count = agile_list_count(d->list, r);
      uint64_t bits = agile_desc_pack((agile_desc){
          .node = (uint32_t)r,
          .count = (uint32_t)count,
          .precision = agile_precision_of(p, d->list->set, r, count, d->f, d->o),
          .list = (uint32_t)((d->list->first[r] - d->list->first[d->from]) / AGILE_BEAT_WORDS),
          .is_valid = true,
      });
      memcpy(to, &bits, sizeof bits);
    }
  }
}

static void write_weights(const agile_program *p, unsigned char *data) {
  for (size_t i = 0; i < p->constants.count; i++) {
    const agile_constant *c = p->constants.items[i];
    for (int64_t r = 0; c->numbers && r < c->rows; r++)
      memcpy(data + c->offset + r * c->pitch, c->numbers + r * c->width, (size_t)c->width * sizeof *c->numbers);
  }
}

/* ---- sections ---- */

/* Offsets of messages have 32 bits. */
static bool is_in_reach(const agile_program *p, const image *im, diag *d) {
  const image_section *w = &im->sections[IMAGE_WEIGHTS];
  const char *file = NULL;
  unsigned line = 0, column = 0;
  uint64_t bytes = w->address + w->size - CHAIN_BASE;
  if (bytes <= UINT64_C(1) << 32) return true;
  ir_location_position(mlirOperationGetLocation(p->steps->function), &file, &line, &column);
  diag_report_at(d, file, line, column, DIAG_unsupported,
                 "model '%s' needs %" PRIu64 " bytes of rows and weights for this graph, messages are in reach of 2^32",
                 p->steps->manifest->model, bytes);
  return false;
}

status agile_store_write(agile_program *p, diag *d, image *out) {
  static const image_section_kind order[] = {IMAGE_FEATURES, IMAGE_WEIGHTS, IMAGE_EDGES, IMAGE_DESC, IMAGE_TEXT};
  unsigned char *edges, *descs, *weights;
  VEC_PUSH(p->arena, &p->code, ((agile_insn){.op = AGILE_OP_halt}));
  p->sections.size[IMAGE_FEATURES] = p->chain.size;
  p->sections.size[IMAGE_TEXT] = p->code.count * AGILE_INSN_BYTES;
  sections_lay_out(&p->sections, CHAIN_BASE, order, 5, out);
  p->is_too_large = !is_in_reach(p, out, d);
  if (p->is_too_large) return STATUS_OK;
  RETURN_IF_ERROR(sections_alloc(p->arena, IMAGE_EDGES, out, &edges));
  RETURN_IF_ERROR(sections_alloc(p->arena, IMAGE_DESC, out, &descs));
  write_lists(p, out, edges);
  write_descs(p, descs);
  if (!p->no_data) {
    RETURN_IF_ERROR(sections_alloc(p->arena, IMAGE_WEIGHTS, out, &weights));
    write_weights(p, weights);
  }
  for (size_t i = 0; i < p->code.count; i++)
    if (p->code.items[i].op == AGILE_OP_write)
      p->code.items[i].write.value = sections_resolve(out, p->code.items[i].write.value);
  return sections_write_text(p->arena, &agile_isa, p->code.items, p->code.count, out);
}
