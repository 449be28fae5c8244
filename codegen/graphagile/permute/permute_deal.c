/* Deals rows out to shards and banks by their numbers of edges, as one deals out cards: the largest
 * first, each to the one that has the least so far.
 *
 *   rows with 9 5 4 1 1 0 edges, shards of 3 rows   ->   9 1 0 (10 edges)   5 4 1 (10 edges) */
#include "codegen/graphagile/permute/permute_deal.h"

#include "support/number.h"

enum { MANTISSA = 5, KEYS = 33 << MANTISSA, MOST_LANES = 16 };

/* A shard: its rows so far, its edges, and the edges of each bank. */
typedef struct shard {
  int64_t first, room;        /* first row; rows that are still free */
  uint64_t in;                /* edges into its rows */
  int32_t used[MOST_LANES];   /* rows of each bank */
  uint64_t sums[MOST_LANES];  /* edges into the rows of each pipeline */
  uint64_t reads[MOST_LANES]; /* edges that read the rows of each bank */
  int64_t height;
  int hubs; /* rows among the first ones that are taken by hubs */
  int next; /* the bank that takes the next row with few edges */
} shard;

typedef struct dealing {
  const graphagile_permute_degrees *rows;
  shard *shards;
  int32_t *heap; /* shards with room; the one with the fewest edges first, then the first one */
  int64_t heap_count;
  uint64_t much; /* edges from which on a row chooses its bank */
} dealing;

/* ---- rows by their edges ----------------------------------------------------------------------------------------- */

/* A number that falls with the number of edges, in 1/32 of a power of two. */
static uint32_t key_of(uint64_t edges) {
  if (edges < (1u << MANTISSA)) return KEYS - 1 - (uint32_t)edges;
  int log = 63 - __builtin_clzll(edges), above = log - MANTISSA;
  uint32_t step = (uint32_t)(edges >> above) & ((1u << MANTISSA) - 1);
  return KEYS - 1 - (((uint32_t)above + 1) << MANTISSA) - step;
}

static uint64_t edges_of(const graphagile_permute_degrees *r, int64_t row) {
  return (uint64_t)r->in[row] + r->out[row];
}

/* The rows, those with the most edges first, stable. has_out: by both kinds of edges, not only of those into rows. */
static int32_t *sort_rows(arena *a, const graphagile_permute_degrees *r, bool has_out) {
  int32_t *sorted = arena_alloc_array(a, (size_t)r->rows, sizeof *sorted);
  int64_t begin[KEYS + 1] = {0};
  for (int64_t i = 0; i < r->rows; i++) begin[key_of(has_out ? edges_of(r, i) : r->in[i]) + 1]++;
  for (int k = 0; k < KEYS; k++) begin[k + 1] += begin[k];
  for (int64_t i = 0; i < r->rows; i++) sorted[begin[key_of(has_out ? edges_of(r, i) : r->in[i])]++] = (int32_t)i;
  return sorted;
}

/* ---- shards by their edges --------------------------------------------------------------------------------------- */

static bool is_before(const dealing *d, int32_t a, int32_t b) {
  const shard *x = &d->shards[a], *y = &d->shards[b];
  return x->in != y->in ? x->in < y->in : a < b;
}

/* Moves a shard of the heap to its place. */
static void sink(dealing *d, int64_t at) {
  for (;;) {
    int64_t child = 2 * at + 1;
    if (child >= d->heap_count) return;
    if (child + 1 < d->heap_count && is_before(d, d->heap[child + 1], d->heap[child])) child++;
    if (is_before(d, d->heap[at], d->heap[child])) return;
    int32_t moved = d->heap[at];
    d->heap[at] = d->heap[child];
    d->heap[child] = moved;
    at = child;
  }
}

/* Deals a row to the shard with the fewest edges. */
static shard *take_first(dealing *d, int64_t row) {
  shard *s = &d->shards[d->heap[0]];
  s->in += d->rows->in[row];
  if (--s->room == 0) d->heap[0] = d->heap[--d->heap_count];
  sink(d, 0);
  return s;
}

/* ---- banks ------------------------------------------------------------------------------------------------------- */

/* The next row of a bank. */
static int64_t next_row(const dealing *d, const shard *s, int lane) {
  return lane + (int64_t)s->used[lane] * d->rows->lanes;
}

static bool has_room(const dealing *d, const shard *s, int lane) {
  return next_row(d, s, lane) < s->height;
}

/* The bank that suits a row with many edges: the one whose pipeline and reads are least busy, counted by the kind of
 * edges that the row has. */
static int choose_lane(const dealing *d, const shard *s, uint64_t in, uint64_t out) {
  int best = -1;
  uint64_t least = UINT64_MAX;
  for (int lane = 0; lane < d->rows->lanes; lane++) {
    uint64_t busy = in * s->sums[lane / 2] + out * s->reads[lane];
    if (!has_room(d, s, lane) || (best >= 0 && busy >= least)) continue;
    best = lane;
    least = busy;
  }
  return best;
}

static int next_lane(const dealing *d, shard *s) {
  while (!has_room(d, s, s->next)) s->next = (s->next + 1) % d->rows->lanes;
  int lane = s->next;
  s->next = (lane + 1) % d->rows->lanes;
  return lane;
}

static int32_t seat(const dealing *d, shard *s, int64_t row) {
  uint64_t in = d->rows->in[row], out = d->rows->out[row];
  int lane = in + out >= d->much ? choose_lane(d, s, in, out) : next_lane(d, s);
  s->sums[lane / 2] += in;
  s->reads[lane] += out;
  int64_t at = next_row(d, s, lane);
  s->used[lane]++;
  return (int32_t)(s->first + at);
}

/* Gives a hub the next of the first rows of a shard; its edges are spread over all pipelines. */
static void seat_hub(const dealing *d, int64_t at, int32_t row, int32_t *place) {
  const graphagile_permute_degrees *r = d->rows;
  shard *s = &d->shards[at];
  int lane = s->hubs++ % r->lanes;
  for (int k = 0; k < r->lanes / 2; k++) s->sums[k] += r->in[row] * 2 / (uint32_t)r->lanes;
  s->reads[lane] += r->out[row];
  s->in += r->in[row];
  s->room--;
  place[row] = (int32_t)(s->first + next_row(d, s, lane));
  s->used[lane]++;
}

/* Deals the rows with the most edges into them to the first rows of the shards, from the first shard to the last, then
 * back, so that neighbours have hubs of about the same size. */
static void seat_hubs(const dealing *d, int64_t shards, bool stays, int32_t *place) {
  const graphagile_permute_degrees *r = d->rows;
  int64_t hubs = number_min(r->rows, shards * r->hub_rows);
  const int32_t *sorted = r->by_in;
  for (int64_t i = 0; i < hubs; i++) {
    int64_t turn = i % (2 * shards), at = turn < shards ? turn : 2 * shards - 1 - turn;
    if (stays) at = sorted[i] / r->height;
    if (d->shards[at].hubs < number_min(r->hub_rows, d->shards[at].height)) seat_hub(d, at, sorted[i], place);
  }
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static dealing begin(arena *a, const graphagile_permute_degrees *r, int64_t shards) {
  dealing d = {.rows = r};
  uint64_t all = 0;
  d.shards = arena_alloc_array(a, (size_t)shards, sizeof *d.shards);
  d.heap = arena_alloc_array(a, (size_t)shards, sizeof *d.heap);
  for (int64_t s = 0; s < shards; s++) {
    int64_t first = s * r->height, room = number_min(r->height, r->rows - first);
    d.shards[s] = (shard){.first = first, .room = room, .height = room};
  }
  for (int64_t i = 0; i < r->rows; i++) all += edges_of(r, i);
  d.much = 1 + 2 * all / (uint64_t)number_max(1, r->rows);
  return d;
}

void graphagile_permute_sort(arena *a, graphagile_permute_degrees *r) {
  r->by_in = sort_rows(a, r, false);
  r->by_all = sort_rows(a, r, true);
}

void graphagile_permute_deal(arena *a, const graphagile_permute_degrees *r, bool stays, int32_t *place) {
  int64_t shards = number_ceil_div(r->rows, r->height);
  dealing d = begin(a, r, shards);
  for (int64_t i = 0; i < r->rows; i++) place[i] = -1;
  seat_hubs(&d, shards, stays, place);
  for (int64_t s = 0; s < shards; s++)
    if (d.shards[s].room) d.heap[d.heap_count++] = (int32_t)s;
  for (int64_t i = d.heap_count; i-- > 0;) sink(&d, i);
  for (int64_t i = 0; i < r->rows; i++) {
    int32_t row = r->by_all[i];
    if (place[row] >= 0) continue;
    place[row] = seat(&d, stays ? &d.shards[row / r->height] : take_first(&d, row), row);
  }
}
