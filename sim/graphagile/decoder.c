/* The decoder: from the words of a block to instructions whose fields are final. */
#include "sim/graphagile/decoder.h"

#include "sim/graphagile/fault.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool add_insn(graphagile_engine *s, graphagile_engine_block *block, uint64_t address) {
  const unsigned char *bytes = memory_read(s->memory, address, GRAPHAGILE_INSN_BYTES);
  if (!bytes)
    return graphagile_fault_raise_layer(s, (int64_t)block->number,
                                        "no instruction at 0x%" PRIx64 ", the block has no eot", address);
  if (block->count == block->capacity) {
    uint32_t capacity = block->capacity ? 2 * block->capacity : 16;
    graphagile_insn *insns = realloc(block->insns, capacity * sizeof *insns);
    if (!insns)
      return graphagile_fault_raise_layer(s, (int64_t)block->number, "no memory for the instructions of the block");
    memset(insns + block->count, 0, (capacity - block->count) * sizeof *insns);
    block->insns = insns;
    block->capacity = capacity;
  }
  graphagile_word word = graphagile_word_read(bytes);
  graphagile_insn *insn = &block->insns[block->count];
  status problem =
      graphagile_decode_fast(word, insn) ? graphagile_check(insn, &s->device) : graphagile_decode(word, insn);
  if (problem) {
    graphagile_fault_raise_layer(s, (int64_t)block->number, "instruction %" PRIu32 " at 0x%" PRIx64 ": %s",
                                 block->count, address, status_message(problem));
    status_free(problem);
    return false;
  }
  block->count++;
  return true;
}

static bool check_loops(graphagile_engine *s, const graphagile_engine_block *block) {
  uint32_t body_end = 0; /* of the loop that contains instruction i */
  for (uint32_t i = 0; i < block->count; i++) {
    const graphagile_insn *in = &block->insns[i];
    if (in->op == GRAPHAGILE_OP_csi || in->op == GRAPHAGILE_OP_halt)
      return graphagile_fault_raise_layer(s, (int64_t)block->number,
                                          "instruction %" PRIu32 " is a %s, in a tiling block", i,
                                          graphagile_insn_name(in->op));
    if (in->op != GRAPHAGILE_OP_loop) continue;
    if (i < body_end)
      return graphagile_fault_raise_layer(s, (int64_t)block->number,
                                          "instruction %" PRIu32 " is a loop inside of a loop", i);
    if (in->loop.body_len < 1 || i + 1 + in->loop.body_len >= block->count)
      return graphagile_fault_raise_layer(s, (int64_t)block->number,
                                          "instruction %" PRIu32 ": the body of %" PRIu64
                                          " instructions is not followed by one of the block's %" PRIu32,
                                          i, (uint64_t)in->loop.body_len, block->count);
    body_end = i + 1 + (uint32_t)in->loop.body_len;
  }
  return true;
}

bool graphagile_decoder_read_block(graphagile_engine *s, graphagile_engine_block *block) {
  block->count = 0;
  do {
    if (!add_insn(s, block, block->address + (uint64_t)block->count * GRAPHAGILE_INSN_BYTES)) return false;
  } while (!graphagile_is_eot(&block->insns[block->count - 1]));
  graphagile_engine_layer_stats(s)->bytes_read[GRAPHAGILE_ENGINE_OTHER] +=
      (uint64_t)block->count * GRAPHAGILE_INSN_BYTES;
  return check_loops(s, block);
}

/* Whether the next iteration reuses the source features of this one. If its descriptor cannot be
 * read, the fault is reported in that iteration. */
static bool is_kept(graphagile_engine *s, const graphagile_engine_pe *pe, uint64_t address) {
  graphagile_descriptor next;
  if (pe->iteration + 1 == pe->loop_count) return false;
  const unsigned char *bytes =
      memory_read(s->memory, address + GRAPHAGILE_DESCRIPTOR_BYTES, GRAPHAGILE_DESCRIPTOR_BYTES);
  return bytes && graphagile_descriptor_decode(bytes, &next) && next.reuse;
}

/* Reads the descriptor of the iteration, unless it was read already. */
static bool read_descriptor(graphagile_engine *s, graphagile_engine_pe *pe) {
  if (!pe->loop_end) return graphagile_fault_raise(s, pe, NULL, "ind outside of a loop");
  if (pe->descriptor_iteration == pe->iteration + 1) return true;
  const graphagile_loop *loop = &pe->decoding->insns[pe->loop_begin - 1].loop;
  uint64_t number = loop->desc_start + pe->iteration;
  uint64_t address = s->layers[s->layer].csi.desc_base * 16 + number * GRAPHAGILE_DESCRIPTOR_BYTES;
  const unsigned char *bytes = memory_read(s->memory, address, GRAPHAGILE_DESCRIPTOR_BYTES);
  const graphagile_device *d = &s->device;
  if (!bytes)
    return graphagile_fault_raise(s, pe, NULL, "descriptor %" PRIu64 " at 0x%" PRIx64 " is in no section", number,
                                  address);
  if (!graphagile_descriptor_decode(bytes, &pe->descriptor))
    return graphagile_fault_raise(s, pe, NULL, "descriptor %" PRIu64 " at 0x%" PRIx64 " has reserved bits", number,
                                  address);
  if (pe->descriptor.num_edges > (uint64_t)d->edges || pe->descriptor.src_rows > (uint64_t)d->feature_rows)
    return graphagile_fault_raise(s, pe, NULL,
                                  "descriptor %" PRIu64 " has %" PRIu32 " edges and %" PRIu32
                                  " source rows, buffers take %" PRId32 " and %" PRId32,
                                  number, pe->descriptor.num_edges, pe->descriptor.src_rows, d->edges, d->feature_rows);
  graphagile_engine_layer_stats(s)->bytes_read[GRAPHAGILE_ENGINE_OTHER] += GRAPHAGILE_DESCRIPTOR_BYTES;
  pe->descriptor_iteration = pe->iteration + 1;
  if (!pe->iteration) pe->descriptor.reuse = false;
  if (pe->iteration && !pe->descriptor.reuse) pe->swaps_features = !pe->swaps_features;
  pe->keeps_features = is_kept(s, pe, address);
  return true;
}

static uint8_t edge_bit(uint64_t e) {
  return (uint8_t)(1u << (GRAPHAGILE_E0 + e));
}
static uint8_t weight_bit(uint64_t w) {
  return (uint8_t)(1u << (GRAPHAGILE_W0 + w));
}
static uint8_t feature_bit(uint64_t f) {
  return (uint8_t)(1u << (GRAPHAGILE_F0 + f));
}

/* The physical Feature Buffer of buffer f: F0 and F1 may be swapped, then all three rotate with the
 * number of the block. */
static uint64_t feature(uint64_t f, bool swap, uint64_t rotation) {
  if (swap && f < 2) f ^= 1;
  return (f + rotation) % 3;
}

/* How an iteration maps the buffers of instructions to physical buffers. */
typedef struct view {
  bool odd, swap;          /* Edge and Weight Buffers are swapped; F0 and F1 are swapped */
  bool is_second, is_kept; /* destinations are those of the second shard; the next iteration uses the same sources */
  uint64_t rotation;
} view;

static uint64_t any_buffer(uint64_t buffer, bool alternates, const view *v) {
  return buffer < GRAPHAGILE_F0 ? buffer ^ (alternates && v->odd)
                                : GRAPHAGILE_F0 + feature(buffer - GRAPHAGILE_F0, alternates && v->swap, v->rotation);
}

static bool resolve_memrd(graphagile_engine *s, graphagile_engine_pe *pe, graphagile_engine_op *op, const view *v) {
  graphagile_memrd *in = &op->insn.memrd;
  uint64_t row = graphagile_stride_bytes(&s->device, in->buffer, in->form) / 4;
  op->rows = in->count;
  in->buffer = any_buffer(in->buffer, in->alt, v);
  if (in->inc) in->addr += row * in->step * in->stride * pe->iteration;
  if (!in->ind) return true;
  if (!read_descriptor(s, pe)) return false;
  if (in->buffer < GRAPHAGILE_W0) {
    in->addr += (uint64_t)pe->descriptor.first_edge * graphagile_edge_bytes(in->form) / 4;
    op->rows = in->count = pe->descriptor.num_edges;
    if (in->base + op->rows > (uint64_t)s->device.edges)
      return graphagile_fault_raise(s, pe, NULL, "%" PRIu64 " edges from edge %" PRIu64 " on, the buffer has %" PRId32,
                                    op->rows, (uint64_t)in->base, s->device.edges);
  } else if (in->buffer >= GRAPHAGILE_F0) {
    in->addr += (uint64_t)pe->descriptor.src_row * row;
    op->rows = pe->descriptor.src_rows;
    if (in->base + (in->nfib - 1) * in->count + op->rows > (uint64_t)s->device.feature_rows)
      return graphagile_fault_raise(s, pe, NULL,
                                    "%" PRIu64 " rows of fiber %" PRIu64 " end beyond the buffer's %" PRId32 " rows",
                                    op->rows, (uint64_t)in->nfib - 1, s->device.feature_rows);
  }
  return true;
}

static bool resolve_memwr(graphagile_engine *s, graphagile_engine_pe *pe, graphagile_engine_op *op, const view *v) {
  graphagile_memwr *in = &op->insn.memwr;
  uint64_t row = graphagile_stride_bytes(&s->device, in->buffer, in->form) / 4;
  op->rows = in->count;
  in->buffer = any_buffer(in->buffer, in->alt, v);
  if (in->inc) in->addr += row * in->stride * pe->iteration;
  if (!in->ind) return true;
  if (!read_descriptor(s, pe)) return false;
  bool is_edges = in->buffer < GRAPHAGILE_W0;
  in->addr += is_edges ? (uint64_t)pe->descriptor.first_edge : (uint64_t)pe->descriptor.src_row * row;
  op->rows = is_edges ? pe->descriptor.num_edges : pe->descriptor.src_rows;
  uint64_t end = in->base + op->rows + (is_edges ? 0 : (in->nfib - 1) * in->count);
  uint64_t limit = (uint64_t)(is_edges ? s->device.edges : s->device.feature_rows);
  if (is_edges) in->count = op->rows;
  return end <= limit ||
         graphagile_fault_raise(s, pe, NULL, "what is stored ends at %" PRIu64 ", beyond the buffer's %" PRIu64, end,
                                limit);
}

static void resolve_gemm(graphagile_engine_op *op, const view *v) {
  graphagile_gemm *in = &op->insn.gemm;
  in->in = feature(in->in, in->alt && v->swap, v->rotation);
  in->out = feature(in->out, false, v->rotation);
  in->w ^= in->alt && v->odd;
  op->writes = feature_bit(in->out);
  op->reads = (uint8_t)(feature_bit(in->in) | weight_bit(in->w) | (in->acc ? op->writes : 0));
  op->frees = (uint8_t)((in->unlock_f ? feature_bit(in->in) : 0) | (in->unlock_w ? weight_bit(in->w) : 0));
}

static void resolve_spdmm(graphagile_engine_op *op, const view *v) {
  graphagile_spdmm *in = &op->insn.spdmm;
  in->e ^= in->alt && v->odd;
  in->in = feature(in->in, in->alt && !in->single && v->swap, v->rotation);
  in->out = feature(in->ind && v->is_second ? in->out2 : in->out, false, v->rotation);
  op->writes = feature_bit(in->out);
  op->reads = (uint8_t)(edge_bit(in->e) | op->writes | (in->edge_only ? 0 : feature_bit(in->in)));
  op->frees = (uint8_t)((in->unlock_e ? edge_bit(in->e) : 0) |
                        (in->unlock_f && !(in->ind && v->is_kept) ? feature_bit(in->in) : 0));
}

static void resolve_sddmm(graphagile_engine_op *op, const view *v) {
  graphagile_sddmm *in = &op->insn.sddmm;
  in->e ^= in->alt && v->odd;
  in->src = feature(in->src, in->alt && !in->pair && v->swap, v->rotation);
  in->dst = feature(in->dst + (in->pair && in->ind && v->is_second), false, v->rotation);
  op->writes = edge_bit(in->e);
  op->reads = (uint8_t)(op->writes | (in->inner != GRAPHAGILE_INNER_dst ? feature_bit(in->src) : 0) |
                        (in->inner != GRAPHAGILE_INNER_src ? feature_bit(in->dst) : 0));
  op->frees = (uint8_t)((in->unlock_e ? edge_bit(in->e) : 0) |
                        (in->unlock_src && !(in->ind && v->is_kept) ? feature_bit(in->src) : 0) |
                        (in->unlock_dst ? feature_bit(in->dst) : 0));
}

static void resolve_vadd(graphagile_engine_op *op, const view *v) {
  graphagile_vadd *in = &op->insn.vadd;
  bool swap = in->alt && (in->on_edges ? v->odd : v->swap);
  in->a = in->on_edges ? in->a ^ swap : feature(in->a, swap, v->rotation);
  in->b = in->on_edges ? in->b ^ swap : feature(in->b, swap, v->rotation);
  in->out = in->on_edges ? in->out ^ swap : feature(in->out, swap, v->rotation);
  uint8_t a = in->on_edges ? edge_bit(in->a) : feature_bit(in->a);
  uint8_t b = in->on_edges ? edge_bit(in->b) : feature_bit(in->b);
  op->writes = in->on_edges ? edge_bit(in->out) : feature_bit(in->out);
  op->reads = (uint8_t)(a | b | (in->function == GRAPHAGILE_VECTOR_select ? op->writes : 0));
  op->frees = (uint8_t)((in->unlock_a ? a : 0) | (in->unlock_b ? b : 0));
}

static void resolve_init(graphagile_engine_op *op, const view *v) {
  graphagile_init *in = &op->insn.init;
  in->buffer = feature(in->buffer, false, v->rotation);
  op->writes = feature_bit(in->buffer);
  op->reads = in->fill == GRAPHAGILE_FILL_row ? weight_bit(in->w) : 0;
  op->frees = in->unlock_w ? weight_bit(in->w) : 0;
}

static view see(const graphagile_engine_pe *pe) {
  view v = {.rotation = (pe->decoding->serial - 1) % 3};
  if (!pe->loop_end) return v;
  v.odd = v.swap = pe->iteration % 2;
  if (!pe->has_descriptors) return v;
  v.swap = pe->swaps_features;
  v.is_second = pe->descriptor.second;
  v.is_kept = pe->keeps_features;
  return v;
}

bool graphagile_decoder_resolve(graphagile_engine *s, graphagile_engine_pe *pe) {
  graphagile_engine_op *op = &pe->next;
  if (pe->loop_end && pe->has_descriptors && !read_descriptor(s, pe)) return false;
  const view now = see(pe), *v = &now;
  op->insn = pe->decoding->insns[pe->pc];
  op->block = pe->decoding;
  op->index = pe->pc;
  op->iteration = pe->loop_end ? (int64_t)pe->iteration : -1;
  op->reads = op->writes = op->frees = 0;
  graphagile_insn *in = &op->insn;
  switch (in->op) {
  case GRAPHAGILE_OP_memrd: return resolve_memrd(s, pe, op, v);
  case GRAPHAGILE_OP_memwr: return resolve_memwr(s, pe, op, v);
  case GRAPHAGILE_OP_gemm: resolve_gemm(op, v); return true;
  case GRAPHAGILE_OP_spdmm:
    resolve_spdmm(op, v);
    if (!in->spdmm.ind) return true;
    if (!read_descriptor(s, pe)) return false;
    in->spdmm.num_edges = pe->descriptor.num_edges;
    return true;
  case GRAPHAGILE_OP_sddmm:
    resolve_sddmm(op, v);
    if (!in->sddmm.ind) return true;
    if (!read_descriptor(s, pe)) return false;
    in->sddmm.num_edges = pe->descriptor.num_edges;
    return true;
  case GRAPHAGILE_OP_vadd:
    resolve_vadd(op, v);
    if (!in->vadd.ind) return true;
    if (!read_descriptor(s, pe)) return false;
    in->vadd.rows = pe->descriptor.num_edges;
    return true;
  case GRAPHAGILE_OP_post:
    in->post.buffer = any_buffer(in->post.buffer, in->post.alt, v);
    op->writes = op->reads = (uint8_t)(1u << in->post.buffer);
    if (!in->post.ind) return true;
    if (!read_descriptor(s, pe)) return false;
    in->post.rows = pe->descriptor.num_edges;
    return true;
  case GRAPHAGILE_OP_init: resolve_init(op, v); return true;
  default: return graphagile_fault_raise(s, pe, NULL, "no instruction of a tiling block");
  }
}

static bool has_descriptor(const graphagile_insn *in) {
  switch (in->op) {
  case GRAPHAGILE_OP_memrd: return in->memrd.ind;
  case GRAPHAGILE_OP_memwr: return in->memwr.ind;
  case GRAPHAGILE_OP_spdmm: return in->spdmm.ind;
  case GRAPHAGILE_OP_sddmm: return in->sddmm.ind;
  case GRAPHAGILE_OP_vadd: return in->vadd.ind;
  case GRAPHAGILE_OP_post: return in->post.ind;
  default: return false;
  }
}

void graphagile_decoder_begin_loop(graphagile_engine_pe *pe) {
  const graphagile_loop *loop = &pe->decoding->insns[pe->pc].loop;
  pe->loop_begin = pe->pc + 1;
  pe->loop_end = pe->pc + 1 + (uint32_t)loop->body_len;
  pe->loop_count = loop->count;
  pe->iteration = 0;
  pe->descriptor_iteration = 0;
  pe->has_broadcast = pe->has_descriptors = pe->swaps_features = false;
  for (uint32_t i = pe->loop_begin; i < pe->loop_end; i++) {
    const graphagile_insn *in = &pe->decoding->insns[i];
    pe->has_broadcast |= in->op == GRAPHAGILE_OP_memrd && in->memrd.bcast;
    pe->has_descriptors |= has_descriptor(in);
  }
  pe->pc++;
}

bool graphagile_decoder_advance(graphagile_engine_pe *pe) {
  pe->pc++;
  if (pe->loop_end && pe->pc == pe->loop_end) {
    if (++pe->iteration < pe->loop_count)
      pe->pc = pe->loop_begin;
    else
      pe->loop_end = 0;
  }
  return pe->pc == pe->decoding->count;
}
