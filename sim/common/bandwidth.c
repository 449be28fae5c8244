/* The fair-share channel: each transfer has a target of service, and a heap orders the ends. */
#include "sim/common/bandwidth.h"

#include "support/arena.h"
#include "support/vec.h"

#include <math.h>
#include <string.h>

enum { SHIFT = 16 };            /* fraction bits of cycles and bytes */
#define FAR (UINT64_C(1) << 62) /* later than any program ends */
__extension__ typedef unsigned __int128 wide;

typedef struct flow {
  uint64_t end;   /* the service at which it is complete */
  uint64_t order; /* transfers that end together are reported in the order in which they were requested */
  uint32_t tag, weight;
} flow;

typedef struct request {
  uint64_t start; /* cycle at which its bytes begin to flow */
  uint64_t bytes;
  uint32_t tag, weight;
} request;

typedef VEC(request) request_list;

struct bandwidth {
  arena *arena;
  uint64_t rate;    /* 2^-16 bytes per cycle */
  uint64_t time;    /* 2^-16 cycles */
  uint64_t service; /* 2^-16 bytes per weight since the channel was idle */
  uint64_t weight;  /* sum of the weights of all active transfers */
  uint64_t busy;    /* 2^-16 cycles in which some transfer was active */
  uint64_t order;
  uint64_t first_end; /* the next end among active transfers if no other starts; NEVER when idle */
  VEC(flow) heap;
  request_list waiting; /* sorted by start; the first `begun` have started */
  size_t begun;
  VEC(uint32_t) done; /* complete; those from `taken` on were not reported yet */
  size_t taken;
};

bandwidth *bandwidth_create(double bytes_per_cycle) {
  arena *a = arena_create();
  bandwidth *b = arena_alloc(a, sizeof *b);
  double rate = bytes_per_cycle * 65536.0;
  b->arena = a;
  b->first_end = BANDWIDTH_NEVER;
  b->rate = rate >= 0x1p40 ? UINT64_C(1) << 40 : rate >= 1 ? (uint64_t)llround(rate) : 1; /* also for NaN */
  return b;
}

void bandwidth_destroy(bandwidth *b) {
  if (b) arena_destroy(b->arena);
}

void bandwidth_reset(bandwidth *b) {
  b->time = b->service = b->order = b->weight = b->busy = 0;
  b->first_end = BANDWIDTH_NEVER;
  b->heap.count = b->waiting.count = b->done.count = 0;
  b->begun = b->taken = 0;
}

static bool is_before(const flow *a, const flow *b) {
  return a->end != b->end ? a->end < b->end : a->order < b->order;
}

static void push(bandwidth *b, flow f) {
  VEC_PUSH(b->arena, &b->heap, f);
  size_t i = b->heap.count - 1;
  for (flow *h = b->heap.items; i && is_before(&f, &h[(i - 1) / 2]); i = (i - 1) / 2) {
    h[i] = h[(i - 1) / 2];
    h[(i - 1) / 2] = f;
  }
}

static void pop(bandwidth *b) {
  flow *h = b->heap.items, last = h[--b->heap.count];
  size_t i = 0, n = b->heap.count;
  for (size_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && is_before(&h[child + 1], &h[child])) child++;
    if (!is_before(&h[child], &last)) break;
    h[i] = h[child];
  }
  h[i] = last;
}

/* Computes first_end after a transfer has started or ended. */
static uint64_t find_first_end(const bandwidth *b) {
  if (!b->heap.count) return BANDWIDTH_NEVER;
  uint64_t end = b->heap.items[0].end, left = end > b->service ? end - b->service : 0; /* times are rounded up */
  if (left < UINT64_C(1) << 40 && b->weight < 128)
    return b->time + ((left * b->weight << SHIFT) + b->rate - 1) / b->rate; /* the same value in 64 bits */
  wide numerator = (wide)left * b->weight << SHIFT;
  wide cycles = (numerator + b->rate - 1) / b->rate;
  return cycles < FAR ? b->time + (uint64_t)cycles : FAR;
}

/* Advances time to `to` (2^-16 cycles); nothing starts or ends before `to`. */
static void flow_until(bandwidth *b, uint64_t to) {
  if (b->heap.count && to > b->time) {
    uint64_t cycles = to - b->time, n = b->weight;
    b->busy += cycles;
    if (cycles < UINT64_C(1) << 32 && b->rate < UINT64_C(1) << 31)
      b->service += cycles * b->rate / n >> SHIFT;
    else
      b->service += (uint64_t)(((wide)cycles * b->rate / n) >> SHIFT);
  }
  b->time = to;
}

static void start(bandwidth *b, const request *r) {
  if (!b->heap.count) b->service = 0;
  uint64_t needed = ((r->bytes << SHIFT) + r->weight - 1) / r->weight;
  push(b, (flow){.end = b->service + needed, .order = b->order++, .tag = r->tag, .weight = r->weight});
  b->weight += r->weight;
}

static void advance(bandwidth *b, uint64_t now) {
  uint64_t until = now << SHIFT;
  for (;;) {
    uint64_t starts = b->begun < b->waiting.count ? b->waiting.items[b->begun].start << SHIFT : BANDWIDTH_NEVER;
    uint64_t ends = b->first_end;
    uint64_t next = starts < ends ? starts : ends;
    if (next > until) break;
    flow_until(b, next);
    if (ends <= starts) {
      VEC_PUSH(b->arena, &b->done, b->heap.items[0].tag);
      b->weight -= b->heap.items[0].weight;
      pop(b);
    } else {
      start(b, &b->waiting.items[b->begun++]);
    }
    b->first_end = find_first_end(b);
  }
  if (until > b->time) flow_until(b, until);
  if (b->begun > 64 && 2 * b->begun >= b->waiting.count) {
    b->waiting.count -= b->begun;
    memmove(b->waiting.items, b->waiting.items + b->begun, b->waiting.count * sizeof *b->waiting.items);
    b->begun = 0;
  }
}

void bandwidth_request(bandwidth *b, uint64_t start, uint64_t bytes, uint32_t weight, uint32_t tag) {
  request r = {.start = start, .bytes = bytes, .tag = tag, .weight = weight};
  VEC_PUSH(b->arena, &b->waiting, r);
  request *list = b->waiting.items;
  size_t i = b->waiting.count - 1;
  for (; i > b->begun && list[i - 1].start > start; i--) list[i] = list[i - 1];
  list[i] = r;
}

uint64_t bandwidth_next(const bandwidth *b) {
  if (b->taken < b->done.count) return b->time >> SHIFT;
  uint64_t next = b->begun < b->waiting.count ? b->waiting.items[b->begun].start : BANDWIDTH_NEVER;
  if (b->heap.count) {
    uint64_t ends = (b->first_end + (UINT64_C(1) << SHIFT) - 1) >> SHIFT;
    if (ends < next) next = ends;
  }
  return next;
}

uint64_t bandwidth_busy(const bandwidth *b) {
  return b->busy;
}

bool bandwidth_take(bandwidth *b, uint64_t now, uint32_t *tag) {
  advance(b, now);
  if (b->taken == b->done.count) {
    b->taken = b->done.count = 0;
    return false;
  }
  *tag = b->done.items[b->taken++];
  return true;
}
