/* Programs of the overlay made from bytes: correct ones, whatever the bytes are, that use every instruction, loops, descriptors and alternation.
 *
 * A program is correct when it keeps the rules of the mutexes, reads no word that nobody wrote, and no tiling block reads what another of its layer stores. Then its
 * results depend on nothing that only times. Buffers have 64 rows (or edges); a "tile" is a Feature Buffer's contents in DDR. */
#ifndef GNNC_TEST_SIM_PROGRAM_H
#define GNNC_TEST_SIM_PROGRAM_H

#include "isa/image.h"

#include <stdbool.h>
#include <string.h>

enum {
  PROGRAM_ROWS = 64, /* of every buffer */
  PROGRAM_ENDS = 16, /* rows that edges may name */
  PROGRAM_INSNS = 1500,
  PROGRAM_INPUTS = 4, /* tiles that the caller fills */
  PROGRAM_DESCRIPTORS = 8,
  PROGRAM_RELATION = 2 * PROGRAM_ROWS, /* records */
  PROGRAM_FEATURES_AT = 0x100000,
};

typedef struct program {
  const uint8_t *bytes; /* decide everything; 0 when used up */
  size_t size;
  device device;
  image image;
  isa_word code[PROGRAM_INSNS];
  uint32_t count;
  bool is_full[ISA_BUFFERS], may_load[ISA_BUFFERS]; /* as the decoder sees them; nothing has waited for the last load */
  bool has_ends[2];
  uint64_t tiles, tiles_before_layer;
  unsigned char descriptors[PROGRAM_DESCRIPTORS][ISA_DESCRIPTOR_BYTES];
  float constants[4];
  uint32_t records[PROGRAM_RELATION * 3], packed[PROGRAM_RELATION];
  uint32_t edges_data[PROGRAM_RELATION * 4];
  float weights[PROGRAM_ROWS * 2 * 16];
} program;

static uint64_t program_take(program *p, uint64_t limit) {
  uint64_t value = 0;
  for (uint64_t range = 1; range < limit; range *= 256) {
    value = value * 256 + (p->size ? *p->bytes : 0);
    if (p->size) {
      p->bytes++;
      p->size--;
    }
  }
  return value % limit;
}

static void program_emit(program *p, isa_insn in) {
  if (p->count == PROGRAM_INSNS || !isa_encode_fast(&in, &p->code[p->count])) __builtin_trap();
  p->count++;
}

static uint64_t program_tile_bytes(const program *p) {
  return (uint64_t)(PROGRAM_ROWS * 4 * p->device.width);
}
static uint64_t program_tile(const program *p, uint64_t tile) {
  return (PROGRAM_FEATURES_AT + tile * program_tile_bytes(p)) / 4;
}

/* A compute or store reads the buffer, so that it has waited for loads before. */
static void program_read(program *p, uint64_t buffer) {
  p->may_load[buffer] = false;
}

/* A tile that an earlier layer stored or the caller filled. */
static uint64_t program_old_tile(program *p) {
  return program_tile(p, program_take(p, p->tiles_before_layer));
}
static uint64_t program_new_tile(program *p) {
  return program_tile(p, p->tiles++);
}

/* A region of `rows` rows and nfib fibers somewhere in a buffer. */
typedef struct program_region {
  uint64_t base, nfib, stride;
} program_region;
static program_region program_choose(program *p, uint64_t rows, uint64_t most_fibers) {
  program_region r = {.nfib = 1 + program_take(p, most_fibers)};
  while (r.nfib * rows > PROGRAM_ROWS) r.nfib--;
  r.stride = rows + program_take(p, (PROGRAM_ROWS - rows * r.nfib) / r.nfib + 1);
  r.base = program_take(p, PROGRAM_ROWS - rows - (r.nfib - 1) * r.stride + 1);
  return r;
}

static uint64_t program_lanes(program *p) {
  uint64_t all = (UINT64_C(1) << p->device.width) - 1, some = program_take(p, all + 1);
  return some ? some : all;
}

/* Loads all of an EMPTY buffer. */
static void program_load(program *p, uint64_t buffer) {
  isa_memrd m = {.buffer = buffer, .lock = 1, .wait = 1, .count = PROGRAM_ROWS, .nfib = 1, .stride = PROGRAM_ROWS};
  uint64_t edges = p->image.sections[IMAGE_EDGES].address / 4;
  if (buffer <= ISA_E1) {
    m.kind = ISA_KIND_edges;
    bool is_packed = p->device.has_packed_edges && program_take(p, 2);
    m.form = is_packed ? ISA_FORM_packed : ISA_FORM_record;
    m.addr = edges + (is_packed ? PROGRAM_RELATION * 3 : 0) + program_take(p, 60) * (is_packed ? 1 : 3);
    p->has_ends[buffer] = true;
  } else if (buffer <= ISA_W1) {
    m.kind = ISA_KIND_weights;
    m.addr = p->image.sections[IMAGE_WEIGHTS].address / 4 + program_take(p, PROGRAM_ROWS) * (uint64_t)p->device.width;
  } else {
    m.nfib = 4;
    m.count = m.stride = PROGRAM_ROWS / 4;
    m.addr = program_old_tile(p);
    m.kind = program_take(p, 2);
    m.bcast = p->device.has_broadcast && program_take(p, 2);
  }
  program_emit(p, (isa_insn){.op = ISA_OP_memrd, .memrd = m});
  p->is_full[buffer] = p->may_load[buffer] = true;
}

/* Adds to a FULL buffer, part of it. */
static void program_reload(program *p, uint64_t buffer) {
  isa_memrd m = {.buffer = buffer, .lock = 1, .nfib = 1, .stride = 1};
  m.count = 1 + program_take(p, PROGRAM_ROWS);
  m.base = program_take(p, PROGRAM_ROWS - m.count + 1);
  m.addr = program_old_tile(p) + program_take(p, PROGRAM_ROWS - m.count + 1) * (uint64_t)p->device.width;
  m.form = buffer <= ISA_E1 ? ISA_FORM_value : 0;
  if (buffer == ISA_W0 || buffer == ISA_W1) return;
  program_emit(p, (isa_insn){.op = ISA_OP_memrd, .memrd = m});
  p->may_load[buffer] = true;
}

static void program_store(program *p, uint64_t buffer, bool unlock) {
  isa_memwr m = {.buffer = buffer, .unlock = unlock, .nfib = 1, .stride = 1, .param = program_take(p, 4)};
  m.count = unlock ? PROGRAM_ROWS : 1 + program_take(p, PROGRAM_ROWS);
  m.base = program_take(p, PROGRAM_ROWS - m.count + 1);
  m.addr = program_new_tile(p);
  m.act = program_take(p, 3);
  m.form = buffer <= ISA_E1 ? ISA_FORM_value : 0;
  m.kind = buffer <= ISA_E1 ? ISA_KIND_values : ISA_KIND_output;
  program_emit(p, (isa_insn){.op = ISA_OP_memwr, .memwr = m});
  program_read(p, buffer);
  if (unlock) p->is_full[buffer] = false;
}

static void program_init(program *p, uint64_t feature, bool is_all) {
  isa_init i = {.buffer = feature, .rows = PROGRAM_ROWS, .nfib = 1, .stride = 1, .param = program_take(p, 4)};
  if (p->may_load[ISA_F0 + feature]) return;
  i.fill = program_take(p, 4);
  i.w = program_take(p, 2);
  if (i.fill == ISA_FILL_row && !p->is_full[ISA_W0 + i.w]) i.fill = ISA_FILL_zero;
  if (!is_all) {
    i.rows = 1 + program_take(p, 20);
    program_region r = program_choose(p, i.rows, 3);
    i.base = r.base;
    i.nfib = r.nfib;
    i.stride = r.stride;
  }
  i.w_base = program_take(p, PROGRAM_ROWS - i.nfib + 1);
  i.unlock_w = i.fill == ISA_FILL_row && program_take(p, 2);
  if (i.fill == ISA_FILL_row) program_read(p, ISA_W0 + i.w);
  if (i.unlock_w) p->is_full[ISA_W0 + i.w] = false;
  program_emit(p, (isa_insn){.op = ISA_OP_init, .init = i});
  p->is_full[ISA_F0 + feature] = true;
}

/* Any of the FULL buffers first .. first + n - 1, or -1. */
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
  int in = program_full(p, ISA_F0, 3), w = program_full(p, ISA_W0, 2), out = (int)program_take(p, 3);
  uint64_t width = (uint64_t)p->device.width;
  if (in < 0 || w < 0 || out == in) return;
  isa_gemm g = {.in = (uint64_t)in, .w = (uint64_t)w, .out = (uint64_t)out, .acc = program_take(p, 2)};
  g.acc |= p->may_load[ISA_F0 + out];
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
  if (!p->is_full[ISA_F0 + out]) { /* all of it */
    g.acc = g.out_base = 0;
    g.gfib = 4;
    g.rows = g.out_stride = PROGRAM_ROWS / 4;
    g.len = 1 + program_take(p, width);
    g.in_base = program_take(p, PROGRAM_ROWS - g.rows);
    p->is_full[ISA_F0 + out] = true;
  }
  while (g.len * g.gfib > PROGRAM_ROWS) g.len /= 2;
  g.w_base = program_take(p, PROGRAM_ROWS - g.len * g.gfib + 1);
  program_read(p, ISA_F0 + g.in);
  program_read(p, ISA_W0 + g.w);
  if (g.acc) program_read(p, ISA_F0 + g.out);
  g.unlock_f = program_unlocks(p, ISA_F0 + g.in, false);
  g.unlock_w = program_unlocks(p, ISA_W0 + g.w, false);
  program_emit(p, (isa_insn){.op = ISA_OP_gemm, .gemm = g});
}

static void program_spdmm(program *p) {
  int e = program_full(p, ISA_E0, 2), in = program_full(p, ISA_F0, 3), out = program_full(p, ISA_F0, 3);
  if (e < 0 || in < 0 || out == in || !p->has_ends[e]) return;
  program_region from = program_choose(p, PROGRAM_ENDS, 3), to = program_choose(p, PROGRAM_ENDS, 3);
  isa_spdmm s = {.e = (uint64_t)e, .in = (uint64_t)in, .out = (uint64_t)out, .reduce = program_take(p, 3)};
  s.weighted = program_take(p, 2);
  s.edge_only = program_take(p, 4) == 0;
  s.num_edges = 1 + program_take(p, PROGRAM_ROWS);
  s.nfib = from.nfib < to.nfib ? from.nfib : to.nfib;
  s.in_base = from.base;
  s.in_stride = from.stride;
  s.out_base = to.base;
  s.out_stride = to.stride;
  s.lanes = program_lanes(p);
  program_read(p, ISA_E0 + s.e);
  program_read(p, ISA_F0 + s.out);
  if (!s.edge_only) program_read(p, ISA_F0 + s.in);
  s.unlock_e = program_unlocks(p, ISA_E0 + s.e, false);
  s.unlock_f = !s.edge_only && program_unlocks(p, ISA_F0 + s.in, false);
  program_emit(p, (isa_insn){.op = ISA_OP_spdmm, .spdmm = s});
}

static void program_sddmm(program *p) {
  int e = program_full(p, ISA_E0, 2), src = program_full(p, ISA_F0, 3), dst = program_full(p, ISA_F0, 3);
  if (e < 0 || src < 0 || !p->has_ends[e]) return;
  program_region a = program_choose(p, PROGRAM_ENDS, 3), b = program_choose(p, PROGRAM_ENDS, 3);
  isa_sddmm s = {.e = (uint64_t)e, .src = (uint64_t)src, .dst = (uint64_t)dst, .inner = program_take(p, 4)};
  s.combine = program_take(p, 7);
  s.num_edges = 1 + program_take(p, PROGRAM_ROWS);
  s.nfib = a.nfib < b.nfib ? a.nfib : b.nfib;
  s.src_base = a.base;
  s.src_stride = a.stride;
  s.dst_base = b.base;
  s.dst_stride = b.stride;
  s.lanes = program_lanes(p);
  program_read(p, ISA_E0 + s.e);
  if (s.inner != ISA_INNER_dst) program_read(p, ISA_F0 + s.src);
  if (s.inner != ISA_INNER_src) program_read(p, ISA_F0 + s.dst);
  s.unlock_src = s.inner != ISA_INNER_dst && program_unlocks(p, ISA_F0 + s.src, src == dst);
  s.unlock_dst = s.inner != ISA_INNER_src && program_unlocks(p, ISA_F0 + s.dst, src == dst);
  program_emit(p, (isa_insn){.op = ISA_OP_sddmm, .sddmm = s});
}

static void program_vadd(program *p) {
  isa_vadd v = {.function = program_take(p, 13), .scale = program_take(p, 4), .on_edges = program_take(p, 3) == 0};
  uint64_t first = v.on_edges ? ISA_E0 : ISA_F0, n = v.on_edges ? 2 : 3;
  int a = program_full(p, first, n), b = program_full(p, first, n), out = program_full(p, first, n);
  if (a < 0) return;
  if (p->may_load[first + (uint64_t)out] && out != a && out != b) v.function = ISA_VECTOR_select; /* reads it */
  v.a = (uint64_t)a;
  v.b = (uint64_t)b;
  v.out = (uint64_t)out;
  v.rows = 1 + program_take(p, v.on_edges ? PROGRAM_ROWS : 20);
  program_region r = program_choose(p, v.rows, v.on_edges ? 1 : 3);
  v.a_base = v.b_base = v.out_base = r.base;
  v.nfib = r.nfib;
  v.stride = r.stride;
  v.bcast_b = !v.on_edges && program_take(p, 2);
  v.lane = program_take(p, (uint64_t)p->device.width);
  program_read(p, first + v.a);
  program_read(p, first + v.b);
  program_read(p, first + v.out);
  v.unlock_a = program_unlocks(p, first + v.a, a == b || a == out);
  v.unlock_b = program_unlocks(p, first + v.b, a == b || b == out);
  program_emit(p, (isa_insn){.op = ISA_OP_vadd, .vadd = v});
}

static void program_post(program *p) {
  bool is_on_edges = program_take(p, 3) == 0;
  int buffer = program_full(p, is_on_edges ? ISA_E0 : ISA_F0, is_on_edges ? 2 : 3);
  if (buffer < 0) return;
  isa_post o = {.function = program_take(p, 18), .param = program_take(p, 4)};
  o.buffer = (uint64_t)buffer + (is_on_edges ? ISA_E0 : ISA_F0);
  o.rows = 1 + program_take(p, is_on_edges ? PROGRAM_ROWS : 20);
  program_region r = program_choose(p, o.rows, is_on_edges ? 1 : 3);
  o.base = r.base;
  o.nfib = r.nfib;
  o.stride = r.stride;
  program_read(p, o.buffer);
  program_emit(p, (isa_insn){.op = ISA_OP_post, .post = o});
}

static uint64_t program_loop(program *p, uint64_t most, uint64_t body) {
  isa_loop l = {.count = 1 + program_take(p, most), .body_len = body};
  l.desc_start = program_take(p, PROGRAM_DESCRIPTORS - l.count + 1);
  program_emit(p, (isa_insn){.op = ISA_OP_loop, .loop = l});
  return l.count;
}

/* Edges and rows of a descriptor, into both buffers of their pairs in turn. */
static void program_described_loads(program *p) {
  isa_memrd edges = {.buffer = ISA_E0 + program_take(p, 2),
                     .lock = 1,
                     .wait = 1,
                     .ind = 1,
                     .alt = 1,
                     .count = 1,
                     .nfib = 1,
                     .stride = 1,
                     .kind = ISA_KIND_edges};
  isa_memrd rows = {.buffer = ISA_F0 + program_take(p, 2),
                    .lock = 1,
                    .wait = 1,
                    .ind = 1,
                    .alt = 1,
                    .count = PROGRAM_ROWS / 2,
                    .nfib = 1 + program_take(p, 2),
                    .stride = PROGRAM_ROWS};
  edges.addr = p->image.sections[IMAGE_EDGES].address / 4;
  rows.addr = program_tile(p, program_take(p, PROGRAM_INPUTS - 1));
  rows.bcast = p->device.has_broadcast && program_take(p, 2);
  program_emit(p, (isa_insn){.op = ISA_OP_memrd, .memrd = edges});
  program_emit(p, (isa_insn){.op = ISA_OP_memrd, .memrd = rows});
}

/* Aggregate over descriptors into F2. */
static void program_aggregate(program *p) {
  program_init(p, 2, true);
  program_loop(p, PROGRAM_DESCRIPTORS, 3);
  program_described_loads(p);
  isa_insn rows, edges;
  isa_decode_fast(p->code[p->count - 1], &rows);
  isa_decode_fast(p->code[p->count - 2], &edges);
  isa_spdmm s = {.e = edges.memrd.buffer - ISA_E0,
                 .in = rows.memrd.buffer - ISA_F0,
                 .out = 2,
                 .ind = 1,
                 .alt = 1,
                 .unlock_e = 1,
                 .unlock_f = 1,
                 .num_edges = 1,
                 .nfib = rows.memrd.nfib,
                 .in_stride = rows.memrd.count,
                 .out_stride = PROGRAM_ENDS,
                 .reduce = program_take(p, 3),
                 .weighted = program_take(p, 2),
                 .lanes = program_lanes(p)};
  program_emit(p, (isa_insn){.op = ISA_OP_spdmm, .spdmm = s});
}

/* Inner products of descriptors' edges with rows in F2, and a store of them in the body. */
static void program_inner(program *p) {
  program_init(p, 2, true);
  program_loop(p, PROGRAM_DESCRIPTORS, 5);
  program_described_loads(p);
  isa_insn rows, edges;
  isa_decode_fast(p->code[p->count - 1], &rows);
  isa_decode_fast(p->code[p->count - 2], &edges);
  isa_sddmm s = {.e = edges.memrd.buffer - ISA_E0,
                 .src = rows.memrd.buffer - ISA_F0,
                 .dst = 2,
                 .ind = 1,
                 .alt = 1,
                 .unlock_src = 1,
                 .num_edges = 1,
                 .nfib = rows.memrd.nfib,
                 .src_stride = rows.memrd.count,
                 .dst_stride = PROGRAM_ENDS,
                 .inner = program_take(p, 2),
                 .combine = program_take(p, 7),
                 .lanes = program_lanes(p)};
  isa_post o = {.function = program_take(p, 8),
                .param = 1,
                .buffer = edges.memrd.buffer,
                .ind = 1,
                .alt = 1,
                .rows = 1,
                .nfib = 1,
                .stride = 1};
  isa_memwr m = {.buffer = edges.memrd.buffer,
                 .unlock = 1,
                 .ind = 1,
                 .alt = 1,
                 .count = 1,
                 .nfib = 1,
                 .stride = 1,
                 .form = ISA_FORM_value,
                 .kind = ISA_KIND_values};
  m.addr = program_new_tile(p);
  program_new_tile(p); /* room for the values of a relation */
  program_emit(p, (isa_insn){.op = ISA_OP_sddmm, .sddmm = s});
  program_emit(p, (isa_insn){.op = ISA_OP_post, .post = o});
  program_emit(p, (isa_insn){.op = ISA_OP_memwr, .memwr = m});
}

/* Linear over fibers of the inputs into F2: addresses advance. */
static void program_linear(program *p) {
  uint64_t width = (uint64_t)p->device.width, gfib = 1 + program_take(p, 3);
  program_init(p, 2, true);
  program_loop(p, PROGRAM_INPUTS, 3);
  isa_memrd rows = {.buffer = ISA_F0 + program_take(p, 2),
                    .lock = 1,
                    .wait = 1,
                    .inc = 1,
                    .alt = 1,
                    .step = 4,
                    .count = PROGRAM_ROWS / 4,
                    .stride = PROGRAM_ROWS / 4,
                    .nfib = 1,
                    .addr = program_tile(p, 0)};
  isa_memrd weights = {.buffer = ISA_W0 + program_take(p, 2),
                       .lock = 1,
                       .wait = 1,
                       .inc = 1,
                       .alt = 1,
                       .step = 1,
                       .stride = 8,
                       .nfib = 1,
                       .kind = ISA_KIND_weights,
                       .count = width * gfib,
                       .addr = p->image.sections[IMAGE_WEIGHTS].address / 4};
  isa_gemm g = {.acc = 1,
                .unlock_f = 1,
                .unlock_w = 1,
                .alt = 1,
                .in = rows.buffer - ISA_F0,
                .out = 2,
                .w = weights.buffer - ISA_W0,
                .rows = 1 + program_take(p, PROGRAM_ROWS / 4),
                .len = width,
                .gfib = gfib,
                .in_stride = 16,
                .out_stride = PROGRAM_ROWS / 4};
  program_emit(p, (isa_insn){.op = ISA_OP_memrd, .memrd = rows});
  program_emit(p, (isa_insn){.op = ISA_OP_memrd, .memrd = weights});
  program_emit(p, (isa_insn){.op = ISA_OP_gemm, .gemm = g});
}

/* Everything EMPTY but what is stored. */
static void program_flush(program *p) {
  for (uint64_t buffer = ISA_F0; buffer <= ISA_F2; buffer++)
    if (p->is_full[buffer]) program_store(p, buffer, true);
  for (uint64_t buffer = ISA_E0; buffer <= ISA_E1; buffer++)
    if (p->is_full[buffer]) program_store(p, buffer, true);
  for (uint64_t w = 0; w < 2; w++) {
    if (!p->is_full[ISA_W0 + w]) continue;
    isa_init i = {
        .fill = ISA_FILL_row, .buffer = 0, .w = w, .unlock_w = 1, .rows = PROGRAM_ROWS, .nfib = 1, .stride = 1};
    program_emit(p, (isa_insn){.op = ISA_OP_init, .init = i});
    p->is_full[ISA_W0 + w] = false;
    p->is_full[ISA_F0] = true;
  }
  if (p->is_full[ISA_F0]) program_store(p, ISA_F0, true);
}

static void program_step(program *p) {
  uint64_t buffer = program_take(p, ISA_BUFFERS);
  switch (program_take(p, 16)) {
  case 0:
  case 1: program_gemm(p); break;
  case 2:
  case 3: program_spdmm(p); break;
  case 4:
  case 5: program_sddmm(p); break;
  case 6: program_vadd(p); break;
  case 7: program_post(p); break;
  case 8:
    if (buffer >= ISA_F0) program_init(p, buffer - ISA_F0, !p->is_full[buffer]);
    break;
  case 9:
    if (p->is_full[buffer]) program_reload(p, buffer);
    break;
  case 10:
    if (p->is_full[buffer] && buffer != ISA_W0 && buffer != ISA_W1) program_store(p, buffer, program_take(p, 2));
    break;
  case 11: program_emit(p, (isa_insn){.op = ISA_OP_nop}); break;
  case 12:
    program_flush(p);
    (program_take(p, 2) ? program_aggregate : program_inner)(p);
    break;
  case 13:
    program_flush(p);
    program_linear(p);
    break;
  default:
    if (!p->is_full[buffer]) program_load(p, buffer);
  }
}

static void program_block(program *p) {
  for (uint64_t steps = 1 + program_take(p, 24); steps && p->count + 100 < PROGRAM_INSNS; steps--) program_step(p);
  program_flush(p);
  program_emit(p, (isa_insn){.op = ISA_OP_nop, .nop = {.eot = 1}});
}

static void program_layer(program *p, uint64_t id, bool is_last) {
  uint32_t csi = p->count;
  uint64_t code = p->image.sections[IMAGE_TEXT].address, blocks = program_take(p, 6);
  isa_csi c = {.layer_type = program_take(p, 5), .layer_id = id, .num_blocks = blocks, .last_layer = is_last};
  c.tb_base = code / ISA_INSN_BYTES + csi + 1;
  c.desc_base = p->image.sections[IMAGE_DESC].address / ISA_DESCRIPTOR_BYTES;
  program_emit(p, (isa_insn){.op = ISA_OP_csi, .csi = c});
  p->tiles_before_layer = p->tiles;
  for (uint64_t b = 0; b < blocks; b++) program_block(p);
}

static void program_data(program *p) {
  uint64_t seed = 1 + program_take(p, 65536);
#define NEXT() (seed = seed * 6364136223846793005u + 1442695040888963407u, (seed >> 33))
  for (int i = 0; i < PROGRAM_RELATION; i++) {
    uint32_t src = (uint32_t)(NEXT() % PROGRAM_ENDS), dst = (uint32_t)(NEXT() % PROGRAM_ENDS);
    float weight = (float)(NEXT() % 1000) / 500 - 1;
    p->edges_data[3 * i] = src;
    p->edges_data[3 * i + 1] = dst;
    memcpy(&p->edges_data[3 * i + 2], &weight, 4);
    p->edges_data[3 * PROGRAM_RELATION + i] = src | dst << 14;
  }
  for (size_t i = 0; i < sizeof p->weights / sizeof *p->weights; i++) p->weights[i] = (float)(NEXT() % 2000) / 1000 - 1;
#undef NEXT
  for (uint32_t i = 0; i < PROGRAM_DESCRIPTORS; i++) {
    isa_descriptor d = {.first_edge = (uint32_t)program_take(p, PROGRAM_ROWS)};
    d.num_edges = 1 + (uint32_t)program_take(p, PROGRAM_ROWS);
    d.src_rows = PROGRAM_ENDS + (uint32_t)program_take(p, PROGRAM_ROWS / 2 - PROGRAM_ENDS + 1);
    d.src_row = (uint32_t)program_take(p, PROGRAM_ROWS - d.src_rows + 1);
    isa_descriptor_encode(&d, p->descriptors[i]);
  }
  memcpy(p->constants, (float[]){1, 0.25f, -2, 0.5f}, sizeof p->constants);
}

static void program_section(program *p, image_section_kind kind, uint64_t address, const void *data, uint64_t size) {
  p->image.sections[kind] = (image_section){.address = address, .data = data, .size = size};
}

/* Makes a program from bytes, of a device that they choose; everything lives in *p. */
static void program_make(program *p, const uint8_t *bytes, size_t size) {
  static const int32_t widths[] = {4, 8, 16};
  memset(p, 0, sizeof *p);
  p->bytes = bytes;
  p->size = size;
  device_default(&p->device);
  p->device.width = widths[program_take(p, 3)];
  p->device.num_pes = 1 + (int32_t)program_take(p, 3);
  p->device.feature_rows = p->device.weight_rows = p->device.edges = PROGRAM_ROWS;
  p->device.has_broadcast = program_take(p, 2);
  p->device.has_packed_edges = program_take(p, 2);
  p->device.queue_blocks = 1 + (int32_t)program_take(p, 2);
  p->tiles = PROGRAM_INPUTS;
  program_data(p);
  uint64_t row = 4 * (uint64_t)p->device.width;
  program_section(p, IMAGE_TEXT, 0x10000, p->code, 0);
  program_section(p, IMAGE_DESC, 0x20000, p->descriptors, sizeof p->descriptors);
  program_section(p, IMAGE_CONSTANTS, 0x30000, p->constants, sizeof p->constants);
  program_section(p, IMAGE_EDGES, 0x40000, p->edges_data, sizeof p->edges_data);
  program_section(p, IMAGE_WEIGHTS, 0x50000, p->weights, 2 * PROGRAM_ROWS * row);
  for (uint64_t layers = program_take(p, 4), id = 0; id < layers; id++) program_layer(p, id, id + 1 == layers);
  program_emit(p, (isa_insn){.op = ISA_OP_halt});
  p->image.sections[IMAGE_TEXT].size = p->count * sizeof *p->code;
  program_section(p, IMAGE_FEATURES, PROGRAM_FEATURES_AT, NULL, p->tiles * program_tile_bytes(p));
  p->image.isa_major = ISA_MAJOR;
  p->image.isa_minor = ISA_MINOR;
  p->image.device = p->device;
  p->image.compiler = "fuzz";
}

#endif
