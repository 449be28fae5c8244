/* Contents of device memory that are known when a program is compiled: Q in .edges, A and constant
 * B in .weights. A is in .weights because the host writes values into its slots when the program
 * runs. */
#include "codegen/sextans/program.h"
#include "support/number.h"

#include <inttypes.h>
#include <string.h>

enum { FIRST_ADDRESS = 4096, ALIGNMENT = 64 };

static uint64_t reserve(uint64_t *size, int64_t bytes) {
  uint64_t at = *size;
  *size += (uint64_t)number_round_up(bytes, ALIGNMENT);
  return at;
}

sextans_stored *sextans_store_find(const sextans_program *p, const char *key) {
  return map_get_pointer(&p->stored_of, key);
}

/* Reserves room for lists that were made. */
static void keep_lists(sextans_program *p, const char *key, sextans_stored *s) {
  size_t blocks = (size_t)s->num_blocks;
  s->q = arena_alloc_array(p->arena, blocks, sizeof *s->q);
  s->a = arena_alloc_array(p->arena, blocks, sizeof *s->a);
  s->holds = arena_alloc_array(p->arena, blocks, sizeof *s->holds);
  for (size_t i = 0; i < blocks; i++) {
    const sextans_lists *l = &s->blocks[i];
    s->q[i] = reserve(&p->size[IMAGE_EDGES], (l->windows + 1) * (int64_t)sizeof *l->q);
    s->a[i] = reserve(&p->size[IMAGE_WEIGHTS], SEXTANS_A_CHANNELS * sextans_a_bytes(l->slots));
    s->holds[i].array = -1;
  }
  VEC_PUSH(p->arena, &p->stored, s);
  if (key) map_set_pointer(&p->stored_of, key, s);
}

status sextans_store_lists(sextans_program *p, const char *key, const char *name, const sextans_matrix *m,
                           const sextans_lists_options *o, sextans_stored **out) {
  sextans_stored *s = arena_alloc(p->arena, sizeof *s);
  *s = (sextans_stored){.name = name};
  *out = s;
  RETURN_IF_ERROR(sextans_lists_build(p->arena, &p->device->sextans, m, o, &s->blocks, &s->num_blocks));
  keep_lists(p, key, s);
  return STATUS_OK;
}

status sextans_store_dense(sextans_program *p, const char *key, const char *name, int64_t rows, int64_t cols,
                           const sextans_lists_options *o, sextans_stored **out) {
  sextans_stored *s = arena_alloc(p->arena, sizeof *s);
  *s = (sextans_stored){.name = name};
  *out = s;
  RETURN_IF_ERROR(sextans_lists_build_dense(p->arena, &p->device->sextans, rows, cols, o, &s->blocks, &s->num_blocks));
  keep_lists(p, key, s);
  return STATUS_OK;
}

status sextans_store_constant(sextans_program *p, const float *numbers, int64_t columns, const sextans_lists *l,
                              sextans_constant **out) {
  sextans_constant *c = arena_alloc(p->arena, sizeof *c);
  int64_t channel = sextans_b_bytes(l->cols, columns), tile = sextans_b_tile(l->cols);
  *c = (sextans_constant){.rows = l->cols, .columns = columns};
  c->offset = reserve(&p->size[IMAGE_WEIGHTS], SEXTANS_B_CHANNELS * channel);
  VEC_PUSH(p->arena, &p->constants, c);
  *out = c;
  if (!numbers) return STATUS_OK;
  float *made = arena_try_alloc(p->arena, (size_t)(SEXTANS_B_CHANNELS * channel));
  if (!made) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " bytes of B", channel);
  c->numbers = made;
  for (int64_t r = 0; r < l->cols; r++) {
    const float *row = numbers + (l->column_of ? l->column_of[r] : r) * columns;
    for (int64_t n = 0; n < columns; n++)
      made[sextans_b_channel(n) * (channel / (int64_t)sizeof *made) + sextans_b_index(r, n, tile)] = row[n];
  }
  return STATUS_OK;
}

void sextans_store_reserve(sextans_program *p, const sextans_operation *o) {
  for (int64_t i = 0; i < o->lists->num_blocks; i++) {
    const sextans_lists *l = &o->lists->blocks[i];
    uint64_t b = (uint64_t)(SEXTANS_B_CHANNELS * sextans_b_bytes(l->cols, o->columns));
    uint64_t c = (uint64_t)(SEXTANS_C_CHANNELS * sextans_c_bytes(l->rows, o->columns));
    if (!o->b && b > p->b_bytes) p->b_bytes = b;
    if (c > p->c_bytes) p->c_bytes = c;
  }
}

void sextans_store_lay_out(sextans_program *p) {
  static const image_section_kind order[] = {IMAGE_EDGES, IMAGE_WEIGHTS, IMAGE_FEATURES, IMAGE_TEXT};
  uint64_t at = FIRST_ADDRESS;
  p->size[IMAGE_FEATURES] = p->b_bytes + p->c_bytes;
  for (int i = 0; i < 4; i++) {
    p->base[order[i]] = at;
    reserve(&at, (int64_t)p->size[order[i]]);
  }
}

/* ---- writing ---- */

static void write_edges(sextans_program *p, unsigned char *data) {
  for (size_t i = 0; i < p->stored.count; i++) {
    const sextans_stored *s = p->stored.items[i];
    for (int64_t b = 0; b < s->num_blocks; b++)
      memcpy(data + s->q[b], s->blocks[b].q, (size_t)(s->blocks[b].windows + 1) * sizeof *s->blocks[b].q);
  }
}

static void write_weights(sextans_program *p, unsigned char *data) {
  for (size_t i = 0; i < p->stored.count; i++) {
    const sextans_stored *s = p->stored.items[i];
    for (int64_t b = 0; b < s->num_blocks; b++) {
      size_t bytes = (size_t)(SEXTANS_A_CHANNELS * sextans_a_bytes(s->blocks[b].slots));
      if (bytes) memcpy(data + s->a[b], s->blocks[b].a, bytes);
    }
  }
  for (size_t i = 0; i < p->constants.count; i++) {
    const sextans_constant *c = p->constants.items[i];
    if (c->numbers)
      memcpy(data + c->offset, c->numbers, (size_t)(SEXTANS_B_CHANNELS * sextans_b_bytes(c->rows, c->columns)));
  }
}

static status write_text(sextans_program *p, image *out) {
  sextans_insn halt = {.op = SEXTANS_OP_halt};
  VEC_PUSH(p->arena, &p->code, halt);
  unsigned char *code = arena_alloc(p->arena, p->code.count * SEXTANS_INSN_BYTES);
  for (size_t i = 0; i < p->code.count; i++)
    RETURN_IF_ERROR(isa_encode(&sextans_isa, &p->code.items[i], code + i * SEXTANS_INSN_BYTES));
  p->size[IMAGE_TEXT] = p->code.count * SEXTANS_INSN_BYTES;
  out->sections[IMAGE_TEXT].data = code;
  return STATUS_OK;
}

/* Allocates the bytes of a section; NULL data where it is empty. */
static status alloc_section(sextans_program *p, image *out, image_section_kind kind, unsigned char **data) {
  *data = arena_try_alloc(p->arena, (size_t)p->size[kind] + 1);
  if (!*data) return status_error(STATUS_CODE_memory, "no memory for %" PRIu64 " bytes of lists", p->size[kind]);
  out->sections[kind].data = p->size[kind] ? *data : NULL;
  return STATUS_OK;
}

status sextans_store_write(sextans_program *p, image *out) {
  unsigned char *data;
  RETURN_IF_ERROR(alloc_section(p, out, IMAGE_EDGES, &data));
  write_edges(p, data);
  if (!p->no_data) {
    RETURN_IF_ERROR(alloc_section(p, out, IMAGE_WEIGHTS, &data));
    write_weights(p, data);
  }
  RETURN_IF_ERROR(write_text(p, out));
  static const image_section_kind kinds[] = {IMAGE_EDGES, IMAGE_WEIGHTS, IMAGE_FEATURES, IMAGE_TEXT};
  for (int i = 0; i < 4; i++) {
    out->sections[kinds[i]].address = p->base[kinds[i]];
    out->sections[kinds[i]].size = p->size[kinds[i]];
  }
  return STATUS_OK;
}
