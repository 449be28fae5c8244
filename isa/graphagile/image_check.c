/* Checks the program of an image in the order in which the Scheduler and the PEs read it: Layer
 * Blocks, tiling blocks, loops. image_check_memory.c checks its loads and stores. The check is one
 * pass: each tiling block is checked once, however often its loops repeat. */
#include "isa/graphagile/image_check.h"

#include <inttypes.h>
#include <string.h>

/* ---- instructions ---- */

static status read_instruction(graphagile_image_checker *c, uint64_t at) {
  graphagile_word word = graphagile_word_read(c->im->sections[IMAGE_TEXT].data + at);
  c->at = at;
  if (!graphagile_decode_fast(word, &c->in)) return graphagile_decode(word, &c->in);
  return graphagile_check(&c->in, &c->im->device.graphagile);
}

static const char *where(graphagile_image_checker *c) {
  uint64_t address = c->im->sections[IMAGE_TEXT].address + c->at;
  if (c->block < 0) return arena_printf(c->memory, "layer %" PRId64 ", instruction at 0x%" PRIx64, c->layer, address);
  return arena_printf(c->memory, "layer %" PRId64 ", tiling block %" PRId64 ", instruction at 0x%" PRIx64, c->layer,
                      c->block, address);
}

static status check_constant(const graphagile_image_checker *c, const char *field, uint64_t index) {
  uint64_t count = c->im->sections[IMAGE_CONSTANTS].size / 4;
  if (index < count) return STATUS_OK;
  return status_error(STATUS_CODE_format, "%s: '%s' is constant %" PRIu64 ", there are %" PRIu64,
                      graphagile_insn_name(c->in.op), field, index, count);
}

static status check_constants(const graphagile_image_checker *c) {
  const graphagile_insn *in = &c->in;
  switch (in->op) {
  case GRAPHAGILE_OP_memwr: return check_constant(c, "param", in->memwr.param);
  case GRAPHAGILE_OP_sddmm: return check_constant(c, "param", in->sddmm.param);
  case GRAPHAGILE_OP_vadd: return check_constant(c, "scale", in->vadd.scale);
  case GRAPHAGILE_OP_post: return check_constant(c, "param", in->post.param);
  case GRAPHAGILE_OP_init: return check_constant(c, "param", in->init.param);
  default: return STATUS_OK;
  }
}

/* Checks an instruction that may be in the body of a loop or in the rest of a tiling block. */
static status check_plain(graphagile_image_checker *c, graphagile_image_loop *loop) {
  RETURN_IF_ERROR(check_constants(c));
  return graphagile_image_check_memory(c, loop);
}

/* ---- loops ---- */

static status outside_text(const char *what) {
  return status_error(STATUS_CODE_format, "%s goes on beyond the end of '.text'", what);
}

/* Checks the body of a LOOP; *at becomes the index after it. */
static status check_loop(graphagile_image_checker *c, uint64_t *at) {
  graphagile_image_loop loop = {.count = c->in.loop.count, .desc_start = c->in.loop.desc_start};
  uint64_t body = c->in.loop.body_len, size = c->im->sections[IMAGE_TEXT].size;
  if (body > (size - *at) / GRAPHAGILE_INSN_BYTES) return outside_text("the body of a loop");
  for (uint64_t i = 0; i < body; i++, *at += GRAPHAGILE_INSN_BYTES) {
    RETURN_IF_ERROR(read_instruction(c, *at));
    graphagile_opcode op = c->in.op;
    if (op == GRAPHAGILE_OP_loop || op == GRAPHAGILE_OP_csi || op == GRAPHAGILE_OP_halt)
      return status_error(STATUS_CODE_format, "%s in the body of a loop", graphagile_insn_name(op));
    if (graphagile_is_eot(&c->in))
      return status_error(STATUS_CODE_format, "%s: 'eot' is set in the body of a loop", graphagile_insn_name(op));
    RETURN_IF_ERROR(check_plain(c, &loop));
  }
  return STATUS_OK;
}

/* ---- tiling blocks ---- */

/* Checks the instructions from *at to the one with eot; *at becomes the index after it. */
static status check_block(graphagile_image_checker *c, uint64_t *at) {
  uint64_t size = c->im->sections[IMAGE_TEXT].size;
  for (bool is_end = false; !is_end;) {
    if (*at >= size) return outside_text("a tiling block");
    RETURN_IF_ERROR(read_instruction(c, *at));
    *at += GRAPHAGILE_INSN_BYTES;
    is_end = graphagile_is_eot(&c->in);
    if (c->in.op == GRAPHAGILE_OP_csi || c->in.op == GRAPHAGILE_OP_halt)
      return status_error(STATUS_CODE_format, "%s in a tiling block that has no end yet",
                          graphagile_insn_name(c->in.op));
    RETURN_IF_ERROR(c->in.op == GRAPHAGILE_OP_loop ? check_loop(c, at) : check_plain(c, NULL));
  }
  return STATUS_OK;
}

/* ---- layers ---- */

static status check_csi(const graphagile_image_checker *c, bool *is_last, uint64_t *first_block) {
  const graphagile_csi *csi = &c->in.csi;
  const image_section *code = &c->im->sections[IMAGE_TEXT];
  uint64_t address = csi->tb_base * GRAPHAGILE_INSN_BYTES, end = code->address + code->size;
  if (csi->layer_id != (uint64_t)c->layer)
    return status_error(STATUS_CODE_format, "csi: 'layer_id' is %" PRIu64 ", expected %" PRId64, csi->layer_id,
                        c->layer);
  if (address <= code->address + c->at || address >= end)
    return status_error(STATUS_CODE_format,
                        "csi: 'tb_base' is 0x%" PRIx64
                        ", expected an address in '.text' behind the csi and before 0x%" PRIx64,
                        address, end);
  *is_last = csi->last_layer;
  *first_block = address - code->address;
  return STATUS_OK;
}

/* Finds the descriptors from desc_base on, if that is in the table. A loop that needs one checks
 * that it is there. */
static void find_descriptors(graphagile_image_checker *c) {
  const image_section *s = &c->im->sections[IMAGE_DESC];
  uint64_t address = c->in.csi.desc_base * GRAPHAGILE_DESCRIPTOR_BYTES, end = s->address + s->size;
  bool is_there = address >= s->address && address < end;
  c->first_descriptor = is_there ? (address - s->address) / GRAPHAGILE_DESCRIPTOR_BYTES : 0;
  c->num_descriptors = is_there ? (end - address) / GRAPHAGILE_DESCRIPTOR_BYTES : 0;
}

static status check_layer(graphagile_image_checker *c, uint64_t *at, bool *is_last) {
  uint64_t blocks = c->in.csi.num_blocks;
  RETURN_IF_ERROR(check_csi(c, is_last, at));
  find_descriptors(c);
  for (c->block = 0; c->block < (int64_t)blocks; c->block++) RETURN_IF_ERROR(check_block(c, at));
  c->block = -1;
  return STATUS_OK;
}

/* Checks that only zeros follow HALT. */
static status check_rest(const graphagile_image_checker *c, uint64_t at) {
  const image_section *code = &c->im->sections[IMAGE_TEXT];
  for (; at < code->size; at++)
    if (code->data[at])
      return status_error(STATUS_CODE_format, "%" PRIu64 " bytes behind 'halt', expected the end of '.text'",
                          code->size - at);
  return STATUS_OK;
}

static status check_program(graphagile_image_checker *c) {
  bool is_last = false;
  for (uint64_t at = 0;;) {
    if (at >= c->im->sections[IMAGE_TEXT].size) return outside_text("the program");
    RETURN_IF_ERROR(read_instruction(c, at));
    if (c->in.op == GRAPHAGILE_OP_halt) {
      if (c->layer && !is_last) return status_error(STATUS_CODE_format, "halt behind a layer without 'last_layer'");
      return check_rest(c, at + GRAPHAGILE_INSN_BYTES);
    }
    if (c->in.op != GRAPHAGILE_OP_csi)
      return status_error(STATUS_CODE_format, "%s where a layer begins, expected csi or halt",
                          graphagile_insn_name(c->in.op));
    if (is_last) return status_error(STATUS_CODE_format, "csi behind the layer with 'last_layer', expected halt");
    RETURN_IF_ERROR(check_layer(c, &at, &is_last));
    c->layer++;
  }
}

/* Entry 0 must be 1.0: instructions that scale nothing refer to it. */
static status check_constant_table(const image_section *s) {
  if (s->size < 4 || s->size > 4 * IMAGE_MOST_CONSTANTS)
    return status_error(STATUS_CODE_format, "%" PRIu64 " bytes, expected 4 to %d", s->size, 4 * IMAGE_MOST_CONSTANTS);
  float first;
  memcpy(&first, s->data, sizeof first);
  return first == 1.0f ? STATUS_OK : status_error(STATUS_CODE_format, "entry 0 is %g, expected 1", (double)first);
}

status graphagile_image_check(const image *im) {
  RETURN_IF_ERROR(status_context(check_constant_table(&im->sections[IMAGE_CONSTANTS]), "section '.constants'"));
  arena *memory = arena_create();
  graphagile_image_checker c = {
      .im = im, .memory = memory, .block = -1, .records = graphagile_image_records_create(memory, im)};
  status s = graphagile_image_check_descriptors(&c);
  if (!s) {
    s = check_program(&c);
    if (!s) s = graphagile_image_loads_check(&c);
    if (s) s = status_context(s, "%s", where(&c));
  }
  arena_destroy(memory);
  return s;
}

/* Whether a layer begins at an instruction, or it is the HALT after the last. */
static bool is_boundary(const image *im, uint64_t record) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  graphagile_insn in;
  if (record >= code->size / GRAPHAGILE_INSN_BYTES) return false;
  if (!graphagile_decode_fast(graphagile_word_read(code->data + record * GRAPHAGILE_INSN_BYTES), &in)) return false;
  return in.op == GRAPHAGILE_OP_csi || in.op == GRAPHAGILE_OP_halt;
}

status graphagile_run_check(const image *im, uint64_t first, uint64_t end) {
  if (is_boundary(im, first) && is_boundary(im, end)) return STATUS_OK;
  return status_error(STATUS_CODE_format, "records %" PRIu64 " to %" PRIu64 " of '.text' are not whole layers", first,
                      end);
}
