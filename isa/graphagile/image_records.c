/* Checks that the rows in edge records exist. All layers over a relation load the same pieces, so
 * checked pieces are kept in a table, and each is checked once, at the speed of memory. A program
 * whose pieces overlap again and again is refused, so that the check of a file cannot take much
 * longer than its size allows. */
#include "isa/graphagile/image_check.h"

#include <inttypes.h>

typedef struct piece {
  uint64_t address; /* address of the records, plus 1; 0: the entry is free */
  uint32_t count, src_rows;
} piece;

struct graphagile_image_records {
  arena *memory;
  const image *im;
  piece *pieces; /* open addressing; the capacity doubles */
  size_t count, capacity;
  uint64_t looked_at; /* number of records that were checked */
};

graphagile_image_records *graphagile_image_records_create(arena *a, const image *im) {
  graphagile_image_records *r = arena_alloc(a, sizeof *r);
  *r = (graphagile_image_records){.memory = a, .im = im};
  return r;
}

/* ---- the table ---- */

static size_t hash(const piece *p, size_t capacity) {
  uint64_t h = (p->address ^ (uint64_t)p->count << 40 ^ (uint64_t)p->src_rows << 20) * 0x9e3779b97f4a7c15u;
  return (size_t)(h >> 20) & (capacity - 1);
}

static piece *find(piece *pieces, size_t capacity, const piece *key) {
  size_t at = hash(key, capacity);
  while (pieces[at].address &&
         (pieces[at].address != key->address || pieces[at].count != key->count || pieces[at].src_rows != key->src_rows))
    at = (at + 1) & (capacity - 1);
  return &pieces[at];
}

static void grow(graphagile_image_records *r) {
  size_t capacity = r->capacity ? 2 * r->capacity : 256;
  piece *made = arena_alloc_array(r->memory, capacity, sizeof *made);
  for (size_t i = 0; i < r->capacity; i++)
    if (r->pieces[i].address) *find(made, capacity, &r->pieces[i]) = r->pieces[i];
  r->pieces = made;
  r->capacity = capacity;
}

/* Adds a piece; false where it is in the table already. */
static bool add(graphagile_image_records *r, uint64_t address, uint32_t count, uint32_t src_rows, uint64_t form) {
  if (r->count * 2 >= r->capacity) grow(r);
  piece key = {address + 1, count, src_rows | (uint32_t)form << 30}; /* plus 1, because address 0 is possible */
  piece *at = find(r->pieces, r->capacity, &key);
  if (at->address) return false;
  *at = key;
  r->count++;
  return true;
}

/* ---- records ---- */

enum { PACKED_BITS = 14 };
/* How often pieces may overlap on average; records that any program may have; and the least number
 * of records that a piece counts for. */
enum { MOST_OVERLAP = 16, MOST_FREE = 1 << 20, LEAST = 16 };

static void largest_of_records(const uint32_t *words, uint32_t count, uint32_t *src, uint32_t *dst) {
  enum { STEP = GRAPHAGILE_RECORD_BYTES / 4 };
  uint32_t most_src = 0, most_dst = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t s = words[STEP * i], d = words[STEP * i + 1];
    most_src = s > most_src ? s : most_src;
    most_dst = d > most_dst ? d : most_dst;
  }
  *src = most_src;
  *dst = most_dst;
}

/* With both rows in one word, `step` words apart. */
static inline void largest_of_words(const uint32_t *words, uint32_t count, uint32_t step, uint32_t *src,
                                    uint32_t *dst) {
  uint32_t most_src = 0, most_dst = 0, mask = (1u << PACKED_BITS) - 1;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t s = words[step * i] & mask,
             d = words[step * i] >> PACKED_BITS; /* the bits above must be zero, or d is no row */
    most_src = s > most_src ? s : most_src;
    most_dst = d > most_dst ? d : most_dst;
  }
  *src = most_src;
  *dst = most_dst;
}

static void largest_rows(uint64_t form, const uint32_t *words, uint32_t count, uint32_t *src, uint32_t *dst) {
  switch (form) {
  case GRAPHAGILE_FORM_packed: largest_of_words(words, count, 1, src, dst); break;
  case GRAPHAGILE_FORM_half: largest_of_words(words, count, 2, src, dst); break;
  default: largest_of_records(words, count, src, dst);
  }
}

/* Finds the wrong record, for the message. */
static status explain(const graphagile_image_records *r, const uint32_t *words, uint64_t address, uint32_t count,
                      uint32_t src_rows, uint64_t form) {
  uint32_t dst_rows = (uint32_t)r->im->device.graphagile.feature_rows, src = 0, dst = 0, i = 0;
  for (; i < count; i++) {
    largest_rows(form, words + graphagile_edge_bytes(form) / 4 * i, 1, &src, &dst);
    if (src >= src_rows || dst >= dst_rows) break;
  }
  bool is_source = src >= src_rows;
  return status_error(STATUS_CODE_format, "edge %u of the piece at 0x%" PRIx64 " has %s row %u, there are %u rows", i,
                      address, is_source ? "source" : "destination", is_source ? src : dst,
                      is_source ? src_rows : dst_rows);
}

status graphagile_image_records_check(graphagile_image_records *r, uint64_t address, uint32_t count, uint32_t src_rows,
                                      uint64_t form) {
  const image_section *s = &r->im->sections[IMAGE_EDGES];
  if (!s->data || !add(r, address, count, src_rows, form)) return STATUS_OK;
  uint64_t most = MOST_FREE + MOST_OVERLAP * (s->size / GRAPHAGILE_VALUE_BYTES);
  r->looked_at += count > LEAST ? count : LEAST; /* an entry of the table costs time and memory too */
  if (r->looked_at > most)
    return status_error(STATUS_CODE_format,
                        "the pieces that are loaded have more than %" PRIu64 " records, which overlap in the %" PRIu64
                        " bytes of '.edges'",
                        most, s->size);
  const void *begin = s->data + (address - s->address);
  const uint32_t *words = begin;
  uint32_t src = 0, dst = 0;
  largest_rows(form, words, count, &src, &dst);
  if (src < src_rows && dst < (uint32_t)r->im->device.graphagile.feature_rows) return STATUS_OK;
  return explain(r, words, address, count, src_rows, form);
}
