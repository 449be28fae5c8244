/* The cycles of instructions (see cycles.h). For level L1 the edges of each piece are counted once
 * by bank, pipeline and destination row; the counts are kept by the address of the records. */
#include "sim/graphagile/cycles.h"

#include "isa/graphagile/timing.h"
#include "sim/graphagile/network.h"

#include <stdlib.h>
#include <string.h>

/* Of the edges of a piece, the most that go to one Update/Reduce pipeline, to one bank of the
 * sources, to one bank of the destinations, and to one destination row. */
typedef struct shape {
  uint32_t pipeline, source_bank, destination_bank, row;
} shape;

typedef struct entry {
  uint64_t key; /* address and form of the records; 0: the entry is free */
  uint32_t count;
  uint32_t path; /* what `cycles` depends on, see path_of; 0 at L1 */
  shape shape;
  uint64_t cycles; /* L2: cycles of one fiber */
} entry;

struct graphagile_cycles_table {
  const graphagile_device *device;
  const memory *memory;
  sim_level level;
  entry *entries;
  size_t count, capacity; /* capacity: a power of two */
  uint32_t *rows;         /* edges of each destination row, all zero between uses */
  uint32_t *src, *dst;    /* ends of the edges of the current piece */
  graphagile_network *network;
  entry once; /* the entry of a piece that is not kept */
};

static void *must_alloc(size_t count, size_t size) {
  void *p = calloc(count, size);
  if (!p) abort();
  return p;
}

graphagile_cycles_table *graphagile_cycles_create(const graphagile_device *d, sim_level level, const memory *m) {
  graphagile_cycles_table *c = must_alloc(1, sizeof *c);
  c->device = d;
  c->memory = m;
  c->level = level;
  c->capacity = 1024;
  c->entries = must_alloc(c->capacity, sizeof *c->entries);
  c->rows = must_alloc((size_t)d->feature_rows, sizeof *c->rows);
  c->src = must_alloc((size_t)d->edges, sizeof *c->src);
  c->dst = must_alloc((size_t)d->edges, sizeof *c->dst);
  const graphagile_network_config config = graphagile_network_default(d);
  c->network = graphagile_network_create(&config);
  return c;
}

void graphagile_cycles_destroy(graphagile_cycles_table *c) {
  if (!c) return;
  free(c->entries);
  free(c->rows);
  free(c->src);
  free(c->dst);
  graphagile_network_destroy(c->network);
  free(c);
}

void graphagile_cycles_forget(graphagile_cycles_table *c) {
  memset(c->entries, 0, c->capacity * sizeof *c->entries);
  c->count = 0;
}

/* What the cycles of a piece in the networks depend on besides its edges: for SpDMM the part of the
 * accumulator's latency that other fibers do not hide, and whether it adds values of edges alone;
 * for SDDMM which ends are read. */
enum { PATH_LATENCY = 0xffff, PATH_SRC = 0x10000, PATH_DST = 0x20000, PATH_VALUES = 0x40000 };

static uint32_t path_of(const graphagile_cycles_table *c, const graphagile_insn *in) {
  const graphagile_network_config config = graphagile_network_default(c->device);
  if (in->op == GRAPHAGILE_OP_spdmm)
    return ((uint32_t)graphagile_network_latency(&config, (int32_t)in->spdmm.nfib) & PATH_LATENCY) |
           (in->spdmm.edge_only ? PATH_VALUES : 0u);
  return (in->sddmm.inner != GRAPHAGILE_INNER_dst ? PATH_SRC : 0u) |
         (in->sddmm.inner != GRAPHAGILE_INNER_src ? PATH_DST : 0u);
}

/* Cycles of one fiber in the networks. */
static uint64_t network_cycles_of(const graphagile_cycles_table *c, uint32_t n, uint32_t path) {
  const uint32_t *src = path & PATH_VALUES ? NULL : c->src;
  if (!(path & (PATH_SRC | PATH_DST)))
    return graphagile_network_sum(c->network, src, c->dst, n, (int32_t)(path & PATH_LATENCY));
  return graphagile_network_inner(c->network, path & PATH_SRC ? c->src : NULL, path & PATH_DST ? c->dst : NULL, n);
}

static size_t slot_of(const graphagile_cycles_table *c, uint64_t key, uint32_t count, uint32_t path) {
  uint64_t hash = (key ^ ((uint64_t)count << 40) ^ ((uint64_t)path << 45)) * UINT64_C(0x9e3779b97f4a7c15);
  size_t i = (size_t)(hash >> 20) & (c->capacity - 1);
  while (c->entries[i].key && (c->entries[i].key != key || c->entries[i].count != count || c->entries[i].path != path))
    i = (i + 1) & (c->capacity - 1);
  return i;
}

static void grow(graphagile_cycles_table *c) {
  entry *old = c->entries;
  size_t capacity = c->capacity;
  c->capacity *= 2;
  c->entries = must_alloc(c->capacity, sizeof *c->entries);
  for (size_t i = 0; i < capacity; i++)
    if (old[i].key) c->entries[slot_of(c, old[i].key, old[i].count, old[i].path)] = old[i];
  free(old);
}

static uint32_t little32(const unsigned char *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Reads the first n edges of a piece into src and dst; false where they are not in DDR or not all
 * of them are known. Destinations beyond a Feature Buffer are reported as faults elsewhere; here
 * they are clamped to stay inside of arrays. */
static bool gather_edges(graphagile_cycles_table *c, const graphagile_cycles_piece *piece, uint32_t n) {
  uint32_t have = 0, rows = (uint32_t)c->device->feature_rows;
  for (int i = 0; i < piece->num_loads && have < n; i++) {
    const graphagile_cycles_edges *load = &piece->loads[i];
    uint32_t bytes = (uint32_t)graphagile_edge_bytes(load->form), count = load->count;
    const bool is_word = load->form != GRAPHAGILE_FORM_record;
    if (load->base != have) return false;
    if (count > n - have) count = n - have;
    const unsigned char *from = memory_read(c->memory, load->address, (uint64_t)count * bytes);
    if (!from) return false;
    for (uint32_t k = 0; k < count; k++, from += bytes) {
      uint32_t first = little32(from);
      uint32_t dst = is_word ? first >> 14 & 0x3fff : little32(from + 4);
      c->src[have + k] = is_word ? first & 0x3fff : first;
      c->dst[have + k] = dst < rows ? dst : rows - 1;
    }
    have += count;
  }
  return have == n;
}

static uint32_t largest(const uint32_t *values, uint32_t n) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < n; i++)
    if (values[i] > most) most = values[i];
  return most;
}

static shape shape_of(graphagile_cycles_table *c, uint32_t n) {
  enum { BANKS = 16 };
  uint32_t width = (uint32_t)c->device->width, most = 0;
  uint32_t mask = (width < BANKS ? width : BANKS) - 1;
  uint32_t sources[BANKS] = {0}, destinations[BANKS] = {0}, pipelines[BANKS / 2] = {0};
  for (uint32_t i = 0; i < n; i++) {
    uint32_t dst = c->dst[i], degree = ++c->rows[dst];
    if (degree > most) most = degree;
    sources[c->src[i] & mask]++;
    destinations[dst & mask]++;
  }
  for (uint32_t i = 0; i < n; i++) c->rows[c->dst[i]] = 0;
  for (uint32_t bank = 0; bank <= mask; bank++) pipelines[bank / 2] += destinations[bank];
  return (shape){.pipeline = largest(pipelines, (mask + 2) / 2),
                 .source_bank = largest(sources, mask + 1),
                 .destination_bank = largest(destinations, mask + 1),
                 .row = most};
}

/* The counts of the first n edges of a piece, made on first use (path: at L2, else 0); NULL where
 * its edges are not known. Pieces that several loads brought are not kept. */
static const entry *learn(graphagile_cycles_table *c, const graphagile_cycles_piece *piece, uint32_t n, uint32_t path) {
  if (!piece->num_loads) return NULL;
  uint64_t key = piece->loads[0].address + 1 + piece->loads[0].form; /* addresses are multiples of 4 */
  bool is_kept = piece->loads[0].base == 0 && piece->loads[0].count >= n;
  entry *e = is_kept ? &c->entries[slot_of(c, key, n, path)] : &c->once;
  if (is_kept && e->key) return e;
  if (!gather_edges(c, piece, n)) return NULL;
  if (is_kept && 2 * ++c->count > c->capacity) {
    grow(c);
    e = &c->entries[slot_of(c, key, n, path)];
  }
  *e = (entry){.key = key, .count = n, .path = path};
  if (path) e->cycles = network_cycles_of(c, n, path);
  e->shape = shape_of(c, n);
  return e;
}

static uint64_t most(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Cycles of SpDMM and SDDMM on n edges. At L2 the networks give them. At L1 an SpDMM takes as long
 * as its fullest pipeline and its fullest source bank, which process one row per cycle, and as the
 * edges of one destination row, which the RAW unit keeps apart. An SDDMM reads both ends and
 * accumulates at the root of its tree, so the banks of both ends limit it. */
static uint64_t edge_cycles(graphagile_cycles_table *c, const graphagile_insn *in, const graphagile_cycles_piece *piece,
                            uint64_t n, uint64_t nfib, graphagile_cycles_lost *lost) {
  const uint64_t peak = nfib * graphagile_timing_edges(c->device->width, n);
  if (c->level == SIM_L0 || n == 0 || n > (uint64_t)c->device->edges) return peak;
  const entry *e = learn(c, piece, (uint32_t)n, c->level == SIM_L2 ? path_of(c, in) : 0);
  if (!e) return peak;
  bool is_sum = in->op == GRAPHAGILE_OP_spdmm;
  bool reads_sources = is_sum ? !in->spdmm.edge_only : in->sddmm.inner != GRAPHAGILE_INNER_dst;
  uint64_t apart = peak, rows = 0; /* cycles without the limit of one destination row, and by this limit alone */
  if (is_sum) {
    apart = most(apart, nfib * e->shape.pipeline);
    rows = e->shape.row * most(nfib, (uint64_t)c->device->accumulator_latency);
  } else if (in->sddmm.inner != GRAPHAGILE_INNER_src) {
    apart = most(apart, nfib * e->shape.destination_bank);
  }
  if (reads_sources) apart = most(apart, nfib * e->shape.source_bank);
  uint64_t cycles = c->level == SIM_L2 ? most(peak, nfib * e->cycles) : most(apart, rows);
  uint64_t of_row = rows > apart ? rows - apart : 0;
  lost->hub_row = of_row < cycles - peak ? of_row : cycles - peak;
  lost->conflict = cycles - peak - lost->hub_row;
  return cycles;
}

uint64_t graphagile_cycles_of(graphagile_cycles_table *c, const graphagile_insn *in,
                              const graphagile_cycles_piece *piece, graphagile_cycles_lost *lost) {
  const int32_t width = c->device->width;
  *lost = (graphagile_cycles_lost){0};
  switch (in->op) {
  case GRAPHAGILE_OP_gemm: return graphagile_timing_gemm(width, in->gemm.rows, in->gemm.len, in->gemm.gfib);
  case GRAPHAGILE_OP_spdmm: return edge_cycles(c, in, piece, in->spdmm.num_edges, in->spdmm.nfib, lost);
  case GRAPHAGILE_OP_sddmm: return edge_cycles(c, in, piece, in->sddmm.num_edges, in->sddmm.nfib, lost);
  case GRAPHAGILE_OP_vadd:
    return in->vadd.on_edges ? graphagile_timing_values(width, in->vadd.rows)
                             : graphagile_timing_vadd(width, in->vadd.rows, in->vadd.nfib,
                                                      in->vadd.function == GRAPHAGILE_VECTOR_div);
  case GRAPHAGILE_OP_post:
    return in->post.buffer < GRAPHAGILE_F0 ? graphagile_timing_values(width, in->post.rows)
                                           : graphagile_timing_post(in->post.rows, in->post.nfib);
  case GRAPHAGILE_OP_init: return graphagile_timing_init(width, in->init.rows, in->init.nfib);
  default: return 0;
  }
}

static uint64_t bits(uint64_t lanes) {
  uint64_t n = 0;
  for (; lanes; lanes &= lanes - 1) n++;
  return n;
}

uint64_t graphagile_cycles_multiply_adds(const graphagile_insn *in, const graphagile_device *d) {
  switch (in->op) {
  case GRAPHAGILE_OP_gemm: return in->gemm.rows * in->gemm.len * in->gemm.gfib * (uint64_t)d->width;
  case GRAPHAGILE_OP_spdmm: return in->spdmm.num_edges * in->spdmm.nfib * bits(in->spdmm.lanes);
  case GRAPHAGILE_OP_sddmm: return in->sddmm.num_edges * in->sddmm.nfib * bits(in->sddmm.lanes);
  default: return 0;
  }
}

bool graphagile_cycles_has_mode(graphagile_opcode op) {
  return op == GRAPHAGILE_OP_gemm || op == GRAPHAGILE_OP_spdmm || op == GRAPHAGILE_OP_sddmm || op == GRAPHAGILE_OP_vadd;
}

double graphagile_cycles_peak(int layer_type, const graphagile_device *d) {
  double p = d->width;
  return layer_type == GRAPHAGILE_LAYER_gemm ? p * p : p * p / 2;
}
