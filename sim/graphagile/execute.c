/* Executes instructions: calls the function of each compute, moves rows between DDR and buffers,
 * and has the checks that all instructions share (see execute.h). */
#include "sim/graphagile/execute_parts.h"

#include "isa/graphagile/fp16.h"

#include <stdarg.h>
#include <stdio.h>

const char *graphagile_execute_fault(graphagile_sim_buffers *b, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(b->fault, sizeof b->fault, format, args);
  va_end(args);
  return b->fault;
}

const char *graphagile_execute_check_rows(graphagile_sim_buffers *b, const char *operand, uint64_t base, uint64_t nfib,
                                          uint64_t stride, uint64_t rows) {
  uint64_t limit = (uint64_t)b->device->feature_rows, end = base + (nfib - 1) * stride + rows;
  if (end > limit)
    return graphagile_execute_fault(b, "%s ends at row %llu, a feature buffer has %llu rows", operand,
                                    (unsigned long long)end, (unsigned long long)limit);
  if (nfib > 1 && rows > stride)
    return graphagile_execute_fault(b, "%s has %llu rows per fiber, but fibers are %llu rows apart", operand,
                                    (unsigned long long)rows, (unsigned long long)stride);
  return NULL;
}

const char *graphagile_execute_check_weights(graphagile_sim_buffers *b, uint64_t base, uint64_t rows) {
  uint64_t limit = (uint64_t)b->device->weight_rows;
  if (base + rows <= limit) return NULL;
  return graphagile_execute_fault(b, "weights end at row %llu, a weight buffer has %llu rows",
                                  (unsigned long long)(base + rows), (unsigned long long)limit);
}

const char *graphagile_execute_check_edges(graphagile_sim_buffers *b, uint64_t base, uint64_t edges) {
  uint64_t limit = (uint64_t)b->device->edges;
  if (base + edges <= limit) return NULL;
  return graphagile_execute_fault(b, "edges end at %llu, an edge buffer has %llu", (unsigned long long)(base + edges),
                                  (unsigned long long)limit);
}

const char *graphagile_execute_check_constant(graphagile_sim_buffers *b, uint64_t index) {
  if (index < (uint64_t)b->num_constants) return NULL;
  return graphagile_execute_fault(b, "constant %llu of %lld", (unsigned long long)index, (long long)b->num_constants);
}

const char *graphagile_execute_check_ends(graphagile_sim_buffers *b, const char *operand, const uint32_t *ends,
                                          uint64_t n, uint64_t base, uint64_t nfib, uint64_t stride) {
  uint64_t first = base + (nfib - 1) * stride, limit = (uint64_t)b->device->feature_rows;
  uint64_t rows = first < limit ? limit - first : 0;
  uint32_t largest = 0;
  if (nfib > 1 && rows > stride) rows = stride;
  for (uint64_t i = 0; i < n; i++) largest = ends[i] > largest ? ends[i] : largest;
  if (largest < rows) return NULL;
  for (uint64_t i = 0; i < n; i++)
    if (ends[i] >= rows)
      return graphagile_execute_fault(b, "edge %llu has row %u of %s, which has %llu", (unsigned long long)i, ends[i],
                                      operand, (unsigned long long)rows);
  return graphagile_execute_fault(b, "no rows of %s", operand);
}

uint64_t graphagile_execute_span(const graphagile_insn *in, uint64_t rows, const graphagile_device *d) {
  if (in->op == GRAPHAGILE_OP_memwr) {
    if (in->memwr.buffer < GRAPHAGILE_W0) return rows * GRAPHAGILE_VALUE_BYTES;
    return ((in->memwr.nfib - 1) * in->memwr.stride + rows) * graphagile_row_bytes(d, in->memwr.form);
  }
  if (in->op != GRAPHAGILE_OP_memrd) return 0;
  if (in->memrd.buffer < GRAPHAGILE_W0) return rows * graphagile_edge_bytes(in->memrd.form);
  const uint64_t row = graphagile_row_bytes(d, in->memrd.form);
  if (in->memrd.buffer < GRAPHAGILE_F0) return rows * row;
  return ((in->memrd.nfib - 1) * in->memrd.stride + rows) * row;
}

static const char *load_edges(graphagile_sim_buffers *b, const graphagile_memrd *in, uint64_t edges,
                              const unsigned char *source) {
  const char *fault = graphagile_execute_check_edges(b, in->base, edges);
  uint64_t which = in->buffer - GRAPHAGILE_E0;
  if (fault) return fault;
  uint32_t *src = b->edge_src[which] + in->base, *dst = b->edge_dst[which] + in->base;
  float *weight = b->edge_weight[which] + in->base;
  if (in->form == GRAPHAGILE_FORM_value) memcpy(weight, source, edges * sizeof *weight);
  if (in->form == GRAPHAGILE_FORM_record)
    for (uint64_t i = 0; i < edges; i++, source += GRAPHAGILE_RECORD_BYTES) {
      memcpy(&src[i], source, 4);
      memcpy(&dst[i], source + 4, 4);
      memcpy(&weight[i], source + 8, 4);
    }
  const bool is_packed = in->form == GRAPHAGILE_FORM_packed;
  if (is_packed || in->form == GRAPHAGILE_FORM_half)
    for (uint64_t i = 0; i < edges; i++, source += graphagile_edge_bytes(in->form)) {
      uint32_t ends;
      memcpy(&ends, source, 4);
      src[i] = ends & 0x3fff;
      dst[i] = ends >> 14 & 0x3fff;
      weight[i] = 1;
      if (!is_packed) memcpy(&weight[i], source + 4, 4);
    }
  return NULL;
}

/* Puts one word per row into all columns of the row. */
static void repeat_words(float *to, const unsigned char *from, uint64_t rows, uint64_t width) {
  for (uint64_t r = 0; r < rows; r++, from += sizeof *to)
    for (uint64_t c = 0; c < width; c++) memcpy(to++, from, sizeof *to);
}

const char *graphagile_execute_load(graphagile_sim_buffers *b, const graphagile_insn *in, uint64_t rows,
                                    const void *source) {
  const graphagile_memrd *m = &in->memrd;
  const unsigned char *from = source;
  uint64_t width = (uint64_t)b->device->width;
  const char *fault;
  if (in->op != GRAPHAGILE_OP_memrd || m->buffer >= GRAPHAGILE_BUFFERS)
    return graphagile_execute_fault(b, "not a load");
  if (m->buffer < GRAPHAGILE_W0) return load_edges(b, m, rows, from);
  if (m->buffer < GRAPHAGILE_F0) {
    if ((fault = graphagile_execute_check_weights(b, m->base, rows))) return fault;
    memcpy(b->weight[m->buffer - GRAPHAGILE_W0] + m->base * width, from, rows * width * sizeof(float));
    return NULL;
  }
  if ((fault = graphagile_execute_check_rows(b, "the load", m->base, m->nfib, m->count, rows))) return fault;
  float *to = b->feature[m->buffer - GRAPHAGILE_F0] + m->base * width;
  const uint64_t row = graphagile_row_bytes(b->device, m->form);
  for (uint64_t q = 0; q < m->nfib; q++, from += m->stride * row, to += m->count * width) {
    if (m->form == GRAPHAGILE_FORM_half)
      graphagile_fp16_load_all(to, from, rows * width);
    else if (m->form == GRAPHAGILE_FORM_value)
      repeat_words(to, from, rows, width);
    else
      memcpy(to, from, rows * width * sizeof(float));
  }
  return NULL;
}

/* The function of a store for one word. */
static float act_on(float word, uint64_t act, float slope) {
  if (act == GRAPHAGILE_FUNCTION_relu) return unary_relu(word, 0, 0);
  return act == GRAPHAGILE_FUNCTION_leaky_relu ? unary_leaky_relu(word, slope, 0) : word;
}

/* Converts words to fp16 after the function of a store. */
static void store_halves(uint16_t *to, const float *from, uint64_t n, uint64_t act, float slope) {
  for (uint64_t i = 0; i < n; i++) to[i] = graphagile_fp16_store(act_on(from[i], act, slope));
}

/* Copies words and applies the function of a store to them. */
static void store_words(float *to, const float *from, uint64_t n, uint64_t act, float slope) {
  if (act == GRAPHAGILE_FUNCTION_relu) {
    for (uint64_t i = 0; i < n; i++) to[i] = unary_relu(from[i], 0, 0);
  } else if (act == GRAPHAGILE_FUNCTION_leaky_relu) {
    for (uint64_t i = 0; i < n; i++) to[i] = unary_leaky_relu(from[i], slope, 0);
  } else {
    memcpy(to, from, n * sizeof *to);
  }
}

const char *graphagile_execute_store(graphagile_sim_buffers *b, const graphagile_insn *in, uint64_t rows,
                                     void *target) {
  const graphagile_memwr *m = &in->memwr;
  uint64_t width = (uint64_t)b->device->width;
  const char *fault;
  unsigned char *to = target;
  float slope = 0;
  if (in->op != GRAPHAGILE_OP_memwr || m->buffer >= GRAPHAGILE_BUFFERS || m->buffer == GRAPHAGILE_W0 ||
      m->buffer == GRAPHAGILE_W1)
    return graphagile_execute_fault(b, "not a store of features or edges");
  if (m->act == GRAPHAGILE_FUNCTION_leaky_relu) {
    if ((fault = graphagile_execute_check_constant(b, m->param))) return fault;
    slope = b->constants[m->param];
  }
  if (m->buffer < GRAPHAGILE_W0) {
    if ((fault = graphagile_execute_check_edges(b, m->base, rows))) return fault;
    store_words(target, b->edge_weight[m->buffer - GRAPHAGILE_E0] + m->base, rows, m->act, slope);
    return NULL;
  }
  if ((fault = graphagile_execute_check_rows(b, "the store", m->base, m->nfib, m->count, rows))) return fault;
  const float *from = b->feature[m->buffer - GRAPHAGILE_F0] + m->base * width;
  const uint64_t row = graphagile_row_bytes(b->device, m->form);
  for (uint64_t q = 0; q < m->nfib; q++, to += m->stride * row, from += m->count * width) {
    if (m->form == GRAPHAGILE_FORM_half)
      store_halves((uint16_t *)(void *)to, from, rows * width, m->act, slope);
    else if (m->form == GRAPHAGILE_FORM_value)
      for (uint64_t r = 0; r < rows; r++) store_words((float *)(void *)to + r, from + r * width, 1, m->act, slope);
    else
      store_words((float *)(void *)to, from, rows * width, m->act, slope);
  }
  return NULL;
}

const char *graphagile_execute_compute(graphagile_sim_buffers *b, const graphagile_insn *in) {
  switch (in->op) {
  case GRAPHAGILE_OP_gemm: return graphagile_execute_gemm(b, &in->gemm);
  case GRAPHAGILE_OP_spdmm: return graphagile_execute_spdmm(b, &in->spdmm);
  case GRAPHAGILE_OP_sddmm: return graphagile_execute_sddmm(b, &in->sddmm);
  case GRAPHAGILE_OP_vadd: return graphagile_execute_vadd(b, &in->vadd);
  case GRAPHAGILE_OP_post: return graphagile_execute_post(b, &in->post);
  case GRAPHAGILE_OP_init: return graphagile_execute_init(b, &in->init);
  case GRAPHAGILE_OP_nop:
  case GRAPHAGILE_OP_csi:
  case GRAPHAGILE_OP_loop:
  case GRAPHAGILE_OP_memrd:
  case GRAPHAGILE_OP_memwr:
  case GRAPHAGILE_OP_halt: break;
  }
  return graphagile_execute_fault(b, "not a compute instruction");
}
