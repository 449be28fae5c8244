/* Makes correct programs of GraphAGILE from any bytes. The programs use every instruction, loops,
 * descriptors and alternating buffers.
 *
 * A program is correct when it keeps the rules of the mutexes, reads only words that were written,
 * and no tiling block reads what another block of its layer stores. Then its results do not depend
 * on timing. Buffers have 64 rows (or edges); a "tile" is the contents of a Feature Buffer in DDR. */
#ifndef GNNC_TEST_FUZZ_SIM_PROGRAM_H
#define GNNC_TEST_FUZZ_SIM_PROGRAM_H

#include "test/fuzz/sim_program_computes.h"

static uint64_t program_loop(program *p, uint64_t most, uint64_t body) {
  graphagile_loop l = {.count = 1 + program_take(p, most), .body_len = body};
  l.desc_start = program_take(p, PROGRAM_DESCRIPTORS - l.count + 1);
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_loop, .loop = l});
  return l.count;
}

/* Loads the edges and the rows of a descriptor, into alternating buffers of both pairs, or the
 * rows into F0 alone if is_single. */
static void program_described_loads(program *p, bool is_single) {
  graphagile_memrd edges = {.buffer = GRAPHAGILE_E0 + program_take(p, 2),
                            .lock = 1,
                            .wait = 1,
                            .ind = 1,
                            .alt = 1,
                            .count = 1,
                            .nfib = 1,
                            .stride = 1,
                            .kind = GRAPHAGILE_KIND_edges};
  graphagile_memrd rows = {.buffer = GRAPHAGILE_F0 + (is_single ? 0 : program_take(p, 2)),
                           .lock = 1,
                           .wait = 1,
                           .ind = 1,
                           .alt = !is_single,
                           .count = PROGRAM_ROWS / 2,
                           .nfib = 1 + program_take(p, 2),
                           .stride = PROGRAM_ROWS};
  edges.addr = p->image.sections[IMAGE_EDGES].address / 4;
  rows.addr = program_tile(p, program_take(p, PROGRAM_INPUTS - 1));
  rows.bcast = p->device.graphagile.has_broadcast && program_take(p, 2);
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_memrd, .memrd = edges});
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_memrd, .memrd = rows});
}

/* Sums over the edges of the descriptors into F2, or into F1 and F2. */
static void program_aggregate(program *p) {
  bool is_sum = program_take(p, 2), is_single = program_take(p, 2);
  program_fill(p, 2, is_sum ? GRAPHAGILE_FILL_zero : GRAPHAGILE_FILL_unset, true);
  if (is_single) program_fill(p, 1, is_sum ? GRAPHAGILE_FILL_zero : GRAPHAGILE_FILL_unset, true);
  program_loop(p, PROGRAM_DESCRIPTORS, 3);
  program_described_loads(p, is_single);
  graphagile_insn rows, edges;
  graphagile_decode_fast(p->code[p->count - 1], &rows);
  graphagile_decode_fast(p->code[p->count - 2], &edges);
  graphagile_spdmm s = {.e = edges.memrd.buffer - GRAPHAGILE_E0,
                        .in = rows.memrd.buffer - GRAPHAGILE_F0,
                        .out = 2,
                        .out2 = is_single ? 1 : 2,
                        .single = is_single,
                        .ind = 1,
                        .alt = 1,
                        .unlock_e = 1,
                        .unlock_f = 1,
                        .num_edges = 1,
                        .nfib = rows.memrd.nfib,
                        .in_stride = rows.memrd.count,
                        .out_stride = PROGRAM_ENDS,
                        .reduce = is_sum ? GRAPHAGILE_REDUCE_sum : 1 + program_take(p, 2),
                        .weighted = program_take(p, 2),
                        .lanes = program_lanes(p)};
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_spdmm, .spdmm = s});
  program_settle(p, 2);
  if (is_single) program_settle(p, 1);
}

/* Computes inner products of the descriptors' edges with rows in F2, or in F1 and F2, and stores
 * them in the loop. */
static void program_inner(program *p) {
  const bool is_pair = program_take(p, 2);
  program_init(p, 2, true);
  if (is_pair) program_init(p, 1, true);
  program_loop(p, PROGRAM_DESCRIPTORS, 5);
  program_described_loads(p, is_pair);
  graphagile_insn rows, edges;
  graphagile_decode_fast(p->code[p->count - 1], &rows);
  graphagile_decode_fast(p->code[p->count - 2], &edges);
  graphagile_sddmm s = {.e = edges.memrd.buffer - GRAPHAGILE_E0,
                        .src = rows.memrd.buffer - GRAPHAGILE_F0,
                        .dst = is_pair ? 1 : 2,
                        .pair = is_pair,
                        .ind = 1,
                        .alt = 1,
                        .unlock_src = 1,
                        .num_edges = 1,
                        .nfib = rows.memrd.nfib,
                        .src_stride = rows.memrd.count,
                        .dst_stride = PROGRAM_ENDS,
                        .inner = program_take(p, 2),
                        .combine = program_take(p, 7),
                        .act = program_take(p, 4),
                        .param = program_take(p, 4),
                        .lanes = program_lanes(p)};
  graphagile_post o = {.function = program_take(p, 8),
                       .param = 1,
                       .buffer = edges.memrd.buffer,
                       .ind = 1,
                       .alt = 1,
                       .rows = 1,
                       .nfib = 1,
                       .stride = 1};
  graphagile_memwr m = {.buffer = edges.memrd.buffer,
                        .unlock = 1,
                        .ind = 1,
                        .alt = 1,
                        .count = 1,
                        .nfib = 1,
                        .stride = 1,
                        .form = GRAPHAGILE_FORM_value,
                        .kind = GRAPHAGILE_KIND_values};
  m.addr = program_new_tile(p);
  program_new_tile(p); /* space for the values of a relation */
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_sddmm, .sddmm = s});
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_post, .post = o});
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_memwr, .memwr = m});
}

/* Multiplies fibers of the inputs by weights into F2; the addresses advance with the loop. */
static void program_linear(program *p) {
  uint64_t width = (uint64_t)p->device.graphagile.width, gfib = 1 + program_take(p, 3);
  program_init(p, 2, true);
  program_loop(p, PROGRAM_INPUTS, 3);
  graphagile_memrd rows = {.buffer = GRAPHAGILE_F0 + program_take(p, 2),
                           .lock = 1,
                           .wait = 1,
                           .inc = 1,
                           .alt = 1,
                           .step = 4,
                           .count = PROGRAM_ROWS / 4,
                           .stride = PROGRAM_ROWS / 4,
                           .nfib = 1,
                           .addr = program_tile(p, 0)};
  graphagile_memrd weights = {.buffer = GRAPHAGILE_W0 + program_take(p, 2),
                              .lock = 1,
                              .wait = 1,
                              .inc = 1,
                              .alt = 1,
                              .step = 1,
                              .stride = 8,
                              .nfib = 1,
                              .kind = GRAPHAGILE_KIND_weights,
                              .count = width * gfib,
                              .addr = p->image.sections[IMAGE_WEIGHTS].address / 4};
  graphagile_gemm g = {.acc = 1,
                       .unlock_f = 1,
                       .unlock_w = 1,
                       .alt = 1,
                       .in = rows.buffer - GRAPHAGILE_F0,
                       .out = 2,
                       .w = weights.buffer - GRAPHAGILE_W0,
                       .rows = 1 + program_take(p, PROGRAM_ROWS / 4),
                       .len = width,
                       .gfib = gfib,
                       .in_stride = 16,
                       .out_stride = PROGRAM_ROWS / 4};
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_memrd, .memrd = rows});
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_memrd, .memrd = weights});
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_gemm, .gemm = g});
}

/* Stores or unlocks every FULL buffer, so that all are EMPTY. */
static void program_flush(program *p) {
  for (uint64_t buffer = GRAPHAGILE_F0; buffer <= GRAPHAGILE_F2; buffer++)
    if (p->is_full[buffer]) program_store(p, buffer, true);
  for (uint64_t buffer = GRAPHAGILE_E0; buffer <= GRAPHAGILE_E1; buffer++)
    if (p->is_full[buffer]) program_store(p, buffer, true);
  for (uint64_t w = 0; w < 2; w++) {
    if (!p->is_full[GRAPHAGILE_W0 + w]) continue;
    graphagile_init i = {
        .fill = GRAPHAGILE_FILL_row, .buffer = 0, .w = w, .unlock_w = 1, .rows = PROGRAM_ROWS, .nfib = 1, .stride = 1};
    program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_init, .init = i});
    p->is_full[GRAPHAGILE_W0 + w] = false;
    p->is_full[GRAPHAGILE_F0] = true;
  }
  if (p->is_full[GRAPHAGILE_F0]) program_store(p, GRAPHAGILE_F0, true);
}

static void program_step(program *p) {
  uint64_t buffer = program_take(p, GRAPHAGILE_BUFFERS);
  switch (program_take(p, 16)) {
  case 0:
  case 1: program_gemm(p); break;
  case 2:
  case 3: program_spdmm(p, -1); break;
  case 4:
  case 5: program_sddmm(p); break;
  case 6: program_vadd(p); break;
  case 7: program_post(p); break;
  case 8:
    if (buffer >= GRAPHAGILE_F0) program_init(p, buffer - GRAPHAGILE_F0, !p->is_full[buffer]);
    break;
  case 9:
    if (p->is_full[buffer]) program_reload(p, buffer);
    break;
  case 10:
    if (p->is_full[buffer] && buffer != GRAPHAGILE_W0 && buffer != GRAPHAGILE_W1)
      program_store(p, buffer, program_take(p, 2));
    break;
  case 11: program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_nop}); break;
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
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_nop, .nop = {.eot = 1}});
}

static void program_layer(program *p, uint64_t id, bool is_last) {
  uint32_t csi = p->count;
  uint64_t code = p->image.sections[IMAGE_TEXT].address, blocks = program_take(p, 6);
  graphagile_csi c = {.layer_type = program_take(p, 5), .layer_id = id, .num_blocks = blocks, .last_layer = is_last};
  c.tb_base = code / GRAPHAGILE_INSN_BYTES + csi + 1;
  c.desc_base = p->image.sections[IMAGE_DESC].address / GRAPHAGILE_DESCRIPTOR_BYTES;
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_csi, .csi = c});
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
    p->edges_data[3 * PROGRAM_RELATION + i] = p->edges_data[4 * PROGRAM_RELATION + 2 * i] = src | dst << 14;
    memcpy(&p->edges_data[4 * PROGRAM_RELATION + 2 * i + 1], &weight, 4);
  }
  for (size_t i = 0; i < sizeof p->weights / sizeof *p->weights; i++) p->weights[i] = (float)(NEXT() % 2000) / 1000 - 1;
#undef NEXT
  graphagile_descriptor before = {0};
  for (uint32_t i = 0; i < PROGRAM_DESCRIPTORS; i++) {
    graphagile_descriptor d = {.first_edge = (uint32_t)program_take(p, PROGRAM_ROWS)};
    d.num_edges = (uint32_t)program_take(p, PROGRAM_ROWS + 1);
    d.src_rows = PROGRAM_ENDS + (uint32_t)program_take(p, PROGRAM_ROWS / 2 - PROGRAM_ENDS + 1);
    d.src_row = (uint32_t)program_take(p, PROGRAM_ROWS - d.src_rows + 1);
    d.second = program_take(p, 2);
    d.reuse = i && program_take(p, 2);
    if (d.reuse) d.src_row = before.src_row, d.src_rows = before.src_rows;
    before = d;
    graphagile_descriptor_encode(&d, p->descriptors[i]);
  }
  memcpy(p->constants, (float[]){1, 0.25f, -2, 0.5f}, sizeof p->constants);
}

static void program_section(program *p, image_section_kind kind, uint64_t address, const void *data, uint64_t size) {
  p->image.sections[kind] = (image_section){.address = address, .data = data, .size = size};
}

/* Makes a program from bytes, which also choose its device; everything lives in *p. */
static void program_make(program *p, const uint8_t *bytes, size_t size) {
  static const int32_t widths[] = {4, 8, 16};
  memset(p, 0, sizeof *p);
  p->bytes = bytes;
  p->size = size;
  device_default(&p->device, machine_default());
  p->device.graphagile.width = widths[program_take(p, 3)];
  p->device.graphagile.num_pes = 1 + (int32_t)program_take(p, 3);
  p->device.graphagile.feature_rows = p->device.graphagile.weight_rows = p->device.graphagile.edges = PROGRAM_ROWS;
  p->device.graphagile.has_broadcast = program_take(p, 2);
  p->device.graphagile.has_packed_edges = program_take(p, 2);
  p->device.graphagile.has_half_rows = program_take(p, 2);
  p->device.graphagile.has_compact_columns = program_take(p, 2);
  p->device.graphagile.queue_blocks = 1 + (int32_t)program_take(p, 2);
  p->tiles = PROGRAM_INPUTS;
  program_data(p);
  uint64_t row = 4 * (uint64_t)p->device.graphagile.width;
  program_section(p, IMAGE_TEXT, 0x10000, p->code, 0);
  program_section(p, IMAGE_DESC, 0x20000, p->descriptors, sizeof p->descriptors);
  program_section(p, IMAGE_CONSTANTS, 0x30000, p->constants, sizeof p->constants);
  program_section(p, IMAGE_EDGES, 0x40000, p->edges_data, sizeof p->edges_data);
  program_section(p, IMAGE_WEIGHTS, 0x50000, p->weights, 2 * PROGRAM_ROWS * row);
  for (uint64_t layers = program_take(p, 4), id = 0; id < layers; id++) program_layer(p, id, id + 1 == layers);
  program_emit(p, (graphagile_insn){.op = GRAPHAGILE_OP_halt});
  p->image.sections[IMAGE_TEXT].size = p->count * sizeof *p->code;
  program_section(p, IMAGE_FEATURES, PROGRAM_FEATURES_AT, NULL, p->tiles * program_tile_bytes(p));
  p->image.isa_major = GRAPHAGILE_MAJOR;
  p->image.isa_minor = GRAPHAGILE_MINOR;
  p->image.device = p->device;
  p->image.compiler = "fuzz";
}

#endif
