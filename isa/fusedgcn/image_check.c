/* Checks the program of an image, record by record: sizes that agree, arrays inside of their
 * sections, S, and weights that are loaded before they are used. */
#include "isa/fusedgcn/image_check.h"

#include "isa/fusedgcn/csr_check.h"

#include <inttypes.h>
#include <string.h>

typedef struct checker {
  fusedgcn_csr_checker csr;
  const fusedgcn_device *device;
  const fusedgcn_layer *layer; /* of the next RUN; NULL: none yet */
  fusedgcn_insn last_layer;
  unsigned char *has_tile, *has_bias; /* [mem] 1: a LOADW has filled it */
} checker;

/* ---- LAYER ---- */

static status check_tiles(const char *name, const char *of, uint64_t found, uint64_t size, uint64_t tile) {
  uint64_t expected = fusedgcn_ceil(size, tile);
  if (!size) return status_error(STATUS_CODE_format, "'%s' is 0, expected at least 1", of);
  if (found == expected) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "'%s' is %" PRIu64 ", expected %" PRIu64 ": %" PRIu64 " columns in tiles of %" PRIu64, name,
                      found, expected, size, tile);
}

static status check_size(const fusedgcn_device *d, const fusedgcn_layer *in) {
  uint64_t tiles = in->kt * in->rt;
  RETURN_IF_ERROR(check_tiles("kt", "i", in->kt, in->i, (uint64_t)d->rows));
  RETURN_IF_ERROR(check_tiles("rt", "o", in->rt, in->o, (uint64_t)d->columns));
  if (in->nnz > INT32_MAX)
    return status_error(STATUS_CODE_format, "%" PRIu64 " non-zeros, the largest number in S_pos is %" PRId32, in->nnz,
                        INT32_MAX);
  if (tiles <= (uint64_t)d->mem) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "%" PRIu64 " * %" PRIu64 " = %" PRIu64 " tiles, the PEs hold %d; expected several layers with "
                      "some of the columns of H or OUT each",
                      in->kt, in->rt, tiles, (int)d->mem);
}

static status check_apart(const fusedgcn_place *out, const fusedgcn_place *other) {
  if (!fusedgcn_place_overlap(out, other)) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "'out' = 0x%" PRIx64 " overlaps '%s' = 0x%" PRIx64
                      ", expected arrays apart, or other columns of rows that are equally far apart",
                      out->base, other->name, other->base);
}

static status check_layer(checker *c, const fusedgcn_layer *in) {
  const image *im = c->csr.im;
  RETURN_IF_ERROR(check_size(c->device, in));
  fusedgcn_place s_val = fusedgcn_place_s_val(in), h = fusedgcn_place_h(in), out = fusedgcn_place_out(in);
  RETURN_IF_ERROR(fusedgcn_csr_check(&c->csr, in));
  RETURN_IF_ERROR(fusedgcn_place_check(im, &s_val));
  RETURN_IF_ERROR(fusedgcn_place_check(im, &h));
  RETURN_IF_ERROR(fusedgcn_place_check(im, &out));
  RETURN_IF_ERROR(check_apart(&out, &h));
  return check_apart(&out, &s_val);
}

/* ---- LOADW and RUN ---- */

static status check_places(const fusedgcn_device *d, const char *what, uint64_t first, uint64_t count) {
  if (first + count <= (uint64_t)d->mem) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "%" PRIu64 " %s from place %" PRIu64 " on, expected at most the places of 'mem' = %d", count,
                      what, first, (int)d->mem);
}

static status check_loadw(checker *c, const fusedgcn_loadw *in) {
  RETURN_IF_ERROR(check_places(c->device, "tiles", in->first, in->tiles));
  RETURN_IF_ERROR(check_places(c->device, "groups of biases", in->first, in->biases));
  fusedgcn_place w = fusedgcn_place_w(c->device, in);
  RETURN_IF_ERROR(fusedgcn_place_check(c->csr.im, &w));
  memset(c->has_tile + in->first, 1, in->tiles);
  memset(c->has_bias + in->first, 1, in->biases);
  return STATUS_OK;
}

status fusedgcn_rows_check(const fusedgcn_device *d, const fusedgcn_layer *layer, const fusedgcn_run *in) {
  if (!layer) return status_error(STATUS_CODE_format, "run before any layer");
  if (in->layer != layer->layer)
    return status_error(STATUS_CODE_format, "run of layer %" PRIu64 " behind the record of layer %" PRIu64, in->layer,
                        layer->layer);
  if (in->lo > in->hi || in->hi > layer->n)
    return status_error(STATUS_CODE_format, "rows %" PRIu64 " to %" PRIu64 ", expected some of %" PRIu64 " rows",
                        in->lo, in->hi, layer->n);
  RETURN_IF_ERROR(check_places(d, "tiles", in->first, layer->kt * layer->rt));
  return layer->bias ? check_places(d, "groups of biases", in->first, layer->rt) : STATUS_OK;
}

static status check_loaded(const unsigned char *has, const char *what, uint64_t first, uint64_t count) {
  const unsigned char *lacking = memchr(has + first, 0, count);
  if (!lacking) return STATUS_OK;
  return status_error(STATUS_CODE_format, "no loadw before has filled %s %td", what, lacking - has);
}

static status check_run(checker *c, const fusedgcn_run *in) {
  RETURN_IF_ERROR(fusedgcn_rows_check(c->device, c->layer, in));
  RETURN_IF_ERROR(check_loaded(c->has_tile, "tile", in->first, c->layer->kt * c->layer->rt));
  return c->layer->bias ? check_loaded(c->has_bias, "group of biases", in->first, c->layer->rt) : STATUS_OK;
}

/* ---- programs ---- */

static status check_record(checker *c, uint64_t at) {
  const image_section *code = &c->csr.im->sections[IMAGE_TEXT];
  bool is_last = at + FUSEDGCN_INSN_BYTES == code->size;
  fusedgcn_insn in;
  RETURN_IF_ERROR(isa_decode(&fusedgcn_isa, code->data + at, &in));
  if (is_last && in.op != FUSEDGCN_OP_halt)
    return status_error(STATUS_CODE_format, "%s is the last record, expected halt", fusedgcn_isa.insns[in.op - 1].name);
  switch (in.op) {
  case FUSEDGCN_OP_layer:
    c->last_layer = in;
    c->layer = &c->last_layer.layer;
    return check_layer(c, c->layer);
  case FUSEDGCN_OP_loadw: return check_loadw(c, &in.loadw);
  case FUSEDGCN_OP_run: return check_run(c, &in.run);
  case FUSEDGCN_OP_sync: return STATUS_OK;
  case FUSEDGCN_OP_halt: break;
  }
  if (is_last) return STATUS_OK;
  return status_error(STATUS_CODE_format, "halt before the last record, %" PRIu64 " bytes follow",
                      code->size - at - FUSEDGCN_INSN_BYTES);
}

status fusedgcn_image_check(const image *im) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  arena *memory = arena_create();
  checker c = {.csr = {.im = im, .memory = memory}, .device = &im->device.fusedgcn};
  status s = STATUS_OK;
  c.csr.csr_of = (map){.arena = memory};
  c.has_tile = arena_alloc_array(memory, (size_t)c.device->mem, sizeof *c.has_tile);
  c.has_bias = arena_alloc_array(memory, (size_t)c.device->mem, sizeof *c.has_bias);
  for (uint64_t at = 0; !s && at < code->size; at += FUSEDGCN_INSN_BYTES)
    s = status_context(check_record(&c, at), "record at 0x%" PRIx64, code->address + at);
  arena_destroy(memory);
  return s;
}

status fusedgcn_run_check(const image *im, uint64_t first, uint64_t end) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  uint64_t count = code->size / FUSEDGCN_INSN_BYTES;
  if (first > end || end > count)
    return status_error(STATUS_CODE_format, "records %" PRIu64 " to %" PRIu64 ", '.text' has %" PRIu64, first, end,
                        count);
  for (uint64_t i = first; i < end; i++) {
    unsigned op = code->data[i * FUSEDGCN_INSN_BYTES] & ((1u << ISA_OPCODE_BITS) - 1);
    if (op == FUSEDGCN_OP_layer) return STATUS_OK;
    if (op == FUSEDGCN_OP_run)
      return status_error(STATUS_CODE_format,
                          "records %" PRIu64 " to %" PRIu64 ": record %" PRIu64
                          " is a run, its layer is not among them",
                          first, end, i);
  }
  return STATUS_OK;
}
