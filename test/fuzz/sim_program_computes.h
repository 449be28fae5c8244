/* Random compute instructions on the buffers of a tiling block (for sim_program.h). */
#ifndef GNNC_TEST_FUZZ_SIM_PROGRAM_COMPUTES_H
#define GNNC_TEST_FUZZ_SIM_PROGRAM_COMPUTES_H

#include "test/fuzz/sim_program_parts.h"

/* The offset of a FULL buffer among first .. first + n - 1, or -1. */
static int program_full(program *p, uint64_t first, uint64_t n) {
  uint64_t start = program_take(p, n);
  for (uint64_t i = 0; i < n; i++)
    if (p->is_full[first + (start + i) % n]) return (int)((start + i) % n);
  return -1;
}

static bool program_unlocks(program *p, uint64_t buffer, bool is_used_otherwise) {
  if (is_used_otherwise || program_take(p, 4)) return false;
  p->is_full[buffer] = false;
  return true;
}

static void program_gemm(program *p) {
  int in = program_full(p, GRAPHAGILE_F0, 3), w = program_full(p, GRAPHAGILE_W0, 2), out = (int)program_take(p, 3);
  uint64_t width = (uint64_t)p->device.graphagile.width;
  if (in < 0 || w < 0 || out == in) return;
  graphagile_gemm g = {.in = (uint64_t)in, .w = (uint64_t)w, .out = (uint64_t)out, .acc = program_take(p, 2)};
  g.acc |= p->may_load[GRAPHAGILE_F0 + out];
  g.skip = program_take(p, 2);
  g.len = 1 + program_take(p, 2 * width);
  g.rows = 1 + program_take(p, 20);
  program_region from = program_choose(p, g.rows, 1), to = program_choose(p, g.rows, 3);
  uint64_t fibers = (g.len + width - 1) / width;
  g.in_base = from.base;
  g.in_stride = g.rows + program_take(p, 4);
  while (g.in_base + (fibers - 1) * g.in_stride + g.rows > PROGRAM_ROWS) g.in_base = 0, g.len = width, fibers = 1;
  g.out_base = to.base;
  g.gfib = to.nfib;
  g.out_stride = to.stride;
  if (!p->is_full[GRAPHAGILE_F0 + out]) { /* an EMPTY buffer must be written whole */
    g.acc = g.out_base = 0;
    g.gfib = 4;
    g.rows = g.out_stride = PROGRAM_ROWS / 4;
    g.len = 1 + program_take(p, width);
    g.in_base = program_take(p, PROGRAM_ROWS - g.rows);
    p->is_full[GRAPHAGILE_F0 + out] = true;
  }
  while (g.len * g.gfib > PROGRAM_ROWS) g.len /= 2;
  g.w_base = program_take(p, PROGRAM_ROWS - g.len * g.gfib + 1);
  program_read(p, GRAPHAGILE_F0 + g.in);
  program_read(p, GRAPHAGILE_W0 + g.w);
  if (g.acc) program_read(p, GRAPHAGILE_F0 + g.out);
  g.unlock_f = program_unlocks(p, GRAPHAGILE_F0 + g.in, false);
  g.unlock_w = program_unlocks(p, GRAPHAGILE_W0 + g.w, false);
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_gemm, .gemm = g});
}

/* Sums into F(out), which may hold unset words, or into any FULL buffer if out is negative. */
static void program_spdmm(program *p, int out) {
  int e = program_full(p, GRAPHAGILE_E0, 2), in = program_full(p, GRAPHAGILE_F0, 3);
  uint64_t reduce = out < 0 ? program_take(p, 3) : 1 + program_take(p, 2);
  if (out < 0) out = program_full(p, GRAPHAGILE_F0, 3);
  if (e < 0 || in < 0 || out == in || !p->has_ends[e]) return;
  program_region from = program_choose(p, PROGRAM_ENDS, 3), to = program_choose(p, PROGRAM_ENDS, 3);
  graphagile_spdmm s = {.e = (uint64_t)e, .in = (uint64_t)in, .out = (uint64_t)out, .reduce = reduce};
  s.weighted = program_take(p, 2);
  s.edge_only = program_take(p, 4) == 0;
  s.num_edges = 1 + program_take(p, PROGRAM_ROWS);
  s.nfib = from.nfib < to.nfib ? from.nfib : to.nfib;
  s.in_base = from.base;
  s.in_stride = from.stride;
  s.out_base = to.base;
  s.out_stride = to.stride;
  s.lanes = program_lanes(p);
  program_read(p, GRAPHAGILE_E0 + s.e);
  program_read(p, GRAPHAGILE_F0 + s.out);
  if (!s.edge_only) program_read(p, GRAPHAGILE_F0 + s.in);
  s.unlock_e = program_unlocks(p, GRAPHAGILE_E0 + s.e, false);
  s.unlock_f = !s.edge_only && program_unlocks(p, GRAPHAGILE_F0 + s.in, false);
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_spdmm, .spdmm = s});
}

static void program_init(program *p, uint64_t feature, bool is_all) {
  uint64_t fill = program_take(p, 4);
  if (p->may_load[GRAPHAGILE_F0 + feature]) return;
  program_fill(p, feature, fill, is_all);
  if (fill != GRAPHAGILE_FILL_unset) return;
  program_spdmm(p, (int)feature);
  program_settle(p, feature);
}

static void program_sddmm(program *p) {
  int e = program_full(p, GRAPHAGILE_E0, 2), src = program_full(p, GRAPHAGILE_F0, 3),
      dst = program_full(p, GRAPHAGILE_F0, 3);
  if (e < 0 || src < 0 || !p->has_ends[e]) return;
  program_region a = program_choose(p, PROGRAM_ENDS, 3), b = program_choose(p, PROGRAM_ENDS, 3);
  graphagile_sddmm s = {.e = (uint64_t)e, .src = (uint64_t)src, .dst = (uint64_t)dst, .inner = program_take(p, 4)};
  s.combine = program_take(p, 7);
  s.act = program_take(p, 4);
  s.param = program_take(p, 4);
  s.num_edges = 1 + program_take(p, PROGRAM_ROWS);
  s.nfib = a.nfib < b.nfib ? a.nfib : b.nfib;
  s.src_base = a.base;
  s.src_stride = a.stride;
  s.dst_base = b.base;
  s.dst_stride = b.stride;
  s.lanes = program_lanes(p);
  program_read(p, GRAPHAGILE_E0 + s.e);
  if (s.inner != GRAPHAGILE_INNER_dst) program_read(p, GRAPHAGILE_F0 + s.src);
  if (s.inner != GRAPHAGILE_INNER_src) program_read(p, GRAPHAGILE_F0 + s.dst);
  s.unlock_src = s.inner != GRAPHAGILE_INNER_dst && program_unlocks(p, GRAPHAGILE_F0 + s.src, src == dst);
  s.unlock_dst = s.inner != GRAPHAGILE_INNER_src && program_unlocks(p, GRAPHAGILE_F0 + s.dst, src == dst);
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_sddmm, .sddmm = s});
}

static void program_vadd(program *p) {
  graphagile_vadd v = {
      .function = program_take(p, 13), .scale = program_take(p, 4), .on_edges = program_take(p, 3) == 0};
  uint64_t first = v.on_edges ? GRAPHAGILE_E0 : GRAPHAGILE_F0, n = v.on_edges ? 2 : 3;
  int a = program_full(p, first, n), b = program_full(p, first, n), out = program_full(p, first, n);
  if (a < 0) return;
  if (p->may_load[first + (uint64_t)out] && out != a && out != b) v.function = GRAPHAGILE_VECTOR_select; /* reads it */
  v.a = (uint64_t)a;
  v.b = (uint64_t)b;
  v.out = (uint64_t)out;
  v.rows = 1 + program_take(p, v.on_edges ? PROGRAM_ROWS : 20);
  program_region r = program_choose(p, v.rows, v.on_edges ? 1 : 3);
  v.a_base = v.b_base = v.out_base = r.base;
  v.nfib = r.nfib;
  v.stride = r.stride;
  v.bcast_b = !v.on_edges && program_take(p, 2);
  v.lane = program_take(p, (uint64_t)p->device.graphagile.width);
  program_read(p, first + v.a);
  program_read(p, first + v.b);
  program_read(p, first + v.out);
  v.unlock_a = program_unlocks(p, first + v.a, a == b || a == out);
  v.unlock_b = program_unlocks(p, first + v.b, a == b || b == out);
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_vadd, .vadd = v});
}

static void program_post(program *p) {
  bool is_on_edges = program_take(p, 3) == 0;
  int buffer = program_full(p, is_on_edges ? GRAPHAGILE_E0 : GRAPHAGILE_F0, is_on_edges ? 2 : 3);
  if (buffer < 0) return;
  graphagile_post o = {.function = program_take(p, 18), .param = program_take(p, 4)};
  o.buffer = (uint64_t)buffer + (is_on_edges ? GRAPHAGILE_E0 : GRAPHAGILE_F0);
  o.rows = 1 + program_take(p, is_on_edges ? PROGRAM_ROWS : 20);
  program_region r = program_choose(p, o.rows, is_on_edges ? 1 : 3);
  o.base = r.base;
  o.nfib = r.nfib;
  o.stride = r.stride;
  program_read(p, o.buffer);
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_post, .post = o});
}

#endif
