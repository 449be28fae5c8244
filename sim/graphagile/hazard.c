/* Records the regions of DDR that a layer loads and stores, and finds blocks that conflict (see
 * hazard.h). */
#include "sim/graphagile/hazard.h"

#include "sim/graphagile/fault.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of a load or store: `count` sequences of `bytes` bytes, `stride` bytes apart. */
typedef struct region {
  uint64_t address, bytes, stride, count;
} region;

#define NO_BLOCK UINT64_MAX

/* A region with the blocks that load or store it: the first one, and one other (or NO_BLOCK). Two are
 * enough to find a block other than the one that stores. */
typedef struct access {
  region region;
  uint64_t block, other;
  uint32_t index, other_index; /* of the instructions of these blocks */
} access;

typedef struct access_list {
  access *items;
  size_t count, capacity;
} access_list;

/* One sequence of an access. */
typedef struct interval {
  uint64_t begin, end;
  uint64_t furthest; /* the largest end of this interval and all before it, in sorted stores */
  const access *of;
} interval;

typedef struct interval_list {
  interval *items;
  size_t count, capacity;
} interval_list;

/* A set of cells of .features, with a bit for each cell that something touches. Cells have the same
 * size, a power of two, so that at most CELLS of them cover the section. */
enum { CELLS = 4096 };
typedef struct cells {
  uint64_t bits[CELLS / 64];
} cells;

struct graphagile_hazard {
  access_list loads, stores;
  uint32_t *slots; /* hash table of loads by region: index + 1, 0: free */
  size_t num_slots;
  interval_list load_intervals, store_intervals;
};

/* Makes room for one more element. */
static void *grow(void *items, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return items;
  *capacity = *capacity ? 2 * *capacity : 64;
  items = realloc(items, *capacity * size);
  if (!items) abort();
  return items;
}

graphagile_hazard *graphagile_hazard_create(void) {
  graphagile_hazard *h = calloc(1, sizeof *h);
  if (!h) abort();
  return h;
}

void graphagile_hazard_destroy(graphagile_hazard *h) {
  if (!h) return;
  free(h->loads.items);
  free(h->stores.items);
  free(h->load_intervals.items);
  free(h->store_intervals.items);
  free(h->slots);
  free(h);
}

void graphagile_hazard_begin_layer(graphagile_hazard *h) {
  h->loads.count = h->stores.count = 0;
  if (h->num_slots) memset(h->slots, 0, h->num_slots * sizeof *h->slots);
}

/* The region of .features that an instruction touches; no bytes where it touches none. Stores go to
 * this section alone. */
static region region_of(const graphagile_engine *s, const graphagile_engine_op *op) {
  const image_section *features = &s->image->sections[IMAGE_FEATURES];
  const graphagile_insn *in = &op->insn;
  bool is_load = in->op == GRAPHAGILE_OP_memrd;
  uint64_t buffer = is_load ? in->memrd.buffer : in->memwr.buffer;
  region r = {.address = 4 * (is_load ? in->memrd.addr : in->memwr.addr),
              .bytes = graphagile_execute_span(in, op->rows, &s->device),
              .count = 1};
  if (r.address < features->address || r.address - features->address >= features->size) return (region){0};
  if (buffer < GRAPHAGILE_F0 || !op->rows) return r;
  uint64_t row = graphagile_row_bytes(&s->device, is_load ? in->memrd.form : in->memwr.form);
  r.count = is_load ? in->memrd.nfib : in->memwr.nfib;
  r.stride = row * (is_load ? in->memrd.stride : in->memwr.stride);
  r.bytes = row * op->rows;
  if (r.count > 1 && r.stride > r.bytes) return r;
  return (region){.address = r.address, .bytes = (r.count - 1) * r.stride + r.bytes, .count = 1};
}

static uint64_t end_of(const region *r) {
  return r->address + (r->count - 1) * r->stride + r->bytes;
}

static bool is_same(const region *a, const region *b) {
  return a->address == b->address && a->bytes == b->bytes && a->stride == b->stride && a->count == b->count;
}

static bool overlap(const region *a, const region *b) {
  if (!a->bytes || !b->bytes || a->address >= end_of(b) || b->address >= end_of(a)) return false;
  for (uint64_t i = 0; i < a->count; i++)
    for (uint64_t k = 0; k < b->count; k++) {
      uint64_t x = a->address + i * a->stride, y = b->address + k * b->stride;
      if (x < y + b->bytes && y < x + a->bytes) return true;
    }
  return false;
}

static void push_access(access_list *list, const region *r, const graphagile_engine_op *op) {
  list->items = grow(list->items, list->count, &list->capacity, sizeof *list->items);
  list->items[list->count++] =
      (access){.region = *r, .block = op->block->number, .other = NO_BLOCK, .index = op->index};
}

static size_t slot_of(const graphagile_hazard *h, const region *r) {
  uint64_t hash = (r->address ^ r->bytes << 36 ^ r->count << 52) * UINT64_C(0x9e3779b97f4a7c15);
  size_t i = (size_t)(hash >> 24) & (h->num_slots - 1);
  while (h->slots[i] && !is_same(&h->loads.items[h->slots[i] - 1].region, r)) i = (i + 1) & (h->num_slots - 1);
  return i;
}

static void grow_slots(graphagile_hazard *h) {
  free(h->slots);
  h->num_slots = h->num_slots ? 2 * h->num_slots : 256;
  h->slots = calloc(h->num_slots, sizeof *h->slots);
  if (!h->slots) abort();
  for (size_t i = 0; i < h->loads.count; i++) h->slots[slot_of(h, &h->loads.items[i].region)] = (uint32_t)(i + 1);
}

/* Adds a load. A region that was loaded before is kept once, with a second block if there is
 * one. */
static void push_load(graphagile_hazard *h, const region *r, const graphagile_engine_op *op) {
  if (2 * (h->loads.count + 1) > h->num_slots) grow_slots(h);
  size_t slot = slot_of(h, r);
  if (!h->slots[slot]) {
    push_access(&h->loads, r, op);
    h->slots[slot] = (uint32_t)h->loads.count;
    return;
  }
  access *known = &h->loads.items[h->slots[slot] - 1];
  if (known->other != NO_BLOCK || known->block == op->block->number) return;
  known->other = op->block->number;
  known->other_index = op->index;
}

bool graphagile_hazard_note_load(graphagile_engine *s, const graphagile_engine_pe *pe, const graphagile_engine_op *op) {
  region r = region_of(s, op);
  if (!r.bytes) return true;
  push_load(s->hazard, &r, op);
  for (uint32_t i = 0; i < pe->stores_count; i++) {
    const graphagile_engine_op *store = &pe->stores[(pe->stores_first + i) % GRAPHAGILE_ENGINE_STORES];
    if (store->block != op->block) continue;
    region other = region_of(s, store);
    if (overlap(&r, &other))
      return graphagile_fault_raise(s, pe, op, "what instruction %" PRIu32 " stores is loaded before the store is over",
                                    store->index);
  }
  return true;
}

bool graphagile_hazard_note_store(graphagile_engine *s, const graphagile_engine_pe *pe,
                                  const graphagile_engine_op *op) {
  region r = region_of(s, op);
  if (!r.bytes) return true;
  push_access(&s->hazard->stores, &r, op);
  for (int i = 0; i < GRAPHAGILE_BUFFERS; i++) {
    const graphagile_engine_buffer *b = &pe->buffers[i];
    if (!b->is_loading || b->load.block != op->block) continue;
    region other = region_of(s, &b->load);
    if (overlap(&r, &other))
      return graphagile_fault_raise(s, pe, op, "what instruction %" PRIu32 " loads is stored before the load is over",
                                    b->load.index);
  }
  return true;
}

/* Whether a sequence touches a cell of `c`. A cell has 2^shift bytes; addresses are relative to
 * .features. */
static bool touches(const cells *c, uint64_t shift, uint64_t begin, uint64_t end) {
  for (uint64_t i = begin >> shift; i <= (end - 1) >> shift && i < CELLS; i++)
    if (c->bits[i / 64] >> i % 64 & 1) return true;
  return false;
}

static void touch(cells *c, uint64_t shift, uint64_t begin, uint64_t end) {
  for (uint64_t i = begin >> shift; i <= (end - 1) >> shift && i < CELLS; i++) c->bits[i / 64] |= UINT64_C(1) << i % 64;
}

static void touch_all(cells *c, uint64_t shift, uint64_t base, const access_list *list) {
  for (size_t i = 0; i < list->count; i++)
    for (uint64_t k = 0; k < list->items[i].region.count; k++) {
      uint64_t begin = list->items[i].region.address + k * list->items[i].region.stride - base;
      touch(c, shift, begin, begin + list->items[i].region.bytes);
    }
}

/* Lists the sequences that touch a cell of `c`. */
static void expand(interval_list *out, const access_list *list, const cells *c, uint64_t shift, uint64_t base) {
  out->count = 0;
  for (size_t i = 0; i < list->count; i++)
    for (uint64_t k = 0; k < list->items[i].region.count; k++) {
      uint64_t begin = list->items[i].region.address + k * list->items[i].region.stride;
      uint64_t end = begin + list->items[i].region.bytes;
      if (!touches(c, shift, begin - base, end - base)) continue;
      out->items = grow(out->items, out->count, &out->capacity, sizeof *out->items);
      out->items[out->count++] = (interval){.begin = begin, .end = end, .of = &list->items[i]};
    }
}

static int compare_intervals(const void *a, const void *b) {
  const interval *x = a, *y = b;
  return x->begin != y->begin ? (x->begin < y->begin ? -1 : 1) : (x->end > y->end) - (x->end < y->end);
}

static void sort_stores(interval_list *list) {
  uint64_t furthest = 0;
  if (list->count) qsort(list->items, list->count, sizeof *list->items, compare_intervals);
  for (size_t i = 0; i < list->count; i++) {
    if (list->items[i].end > furthest) furthest = list->items[i].end;
    list->items[i].furthest = furthest;
  }
}

static size_t first_from(const interval_list *stores, uint64_t address) {
  size_t low = 0, high = stores->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (stores->items[middle].begin < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool fault(graphagile_engine *s, const interval *load, const interval *store, bool is_other) {
  const access *a = load->of;
  return graphagile_fault_raise_layer(
      s, (int64_t)(is_other ? a->other : a->block),
      "instruction %" PRIu32 " loads %" PRIu64 " bytes from address 0x%" PRIx64 " on, of which block %" PRIu64
      " stores some in the same layer (instruction %" PRIu32 "): blocks of a layer have no order",
      is_other ? a->other_index : a->index, load->end - load->begin, load->begin, store->of->block, store->of->index);
}

static bool check_load(graphagile_engine *s, const interval *load, const interval_list *stores) {
  for (size_t i = first_from(stores, load->end); i-- > 0 && stores->items[i].furthest > load->begin;) {
    const interval *store = &stores->items[i];
    if (store->end <= load->begin) continue;
    if (load->of->block != store->of->block) return fault(s, load, store, false);
    if (load->of->other != NO_BLOCK) return fault(s, load, store, true);
  }
  return true;
}

bool graphagile_hazard_end_layer(graphagile_engine *s) {
  graphagile_hazard *h = s->hazard;
  const image_section *features = &s->image->sections[IMAGE_FEATURES];
  uint64_t shift = 0;
  cells loaded = {0}, stored = {0};
  if (!h->loads.count || !h->stores.count) return true;
  while (features->size >> shift >= CELLS) shift++;
  touch_all(&loaded, shift, features->address, &h->loads);
  touch_all(&stored, shift, features->address, &h->stores);
  expand(&h->load_intervals, &h->loads, &stored, shift, features->address);
  expand(&h->store_intervals, &h->stores, &loaded, shift, features->address);
  sort_stores(&h->store_intervals);
  for (size_t i = 0; i < h->load_intervals.count; i++)
    if (!check_load(s, &h->load_intervals.items[i], &h->store_intervals)) return false;
  return true;
}
