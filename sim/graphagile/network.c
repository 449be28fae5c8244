/* Two butterflies of 2x2 switches between edges, banks and pipelines (see network.h).
 *
 *   SpDMM   p/2 edges -> ISN (log2 p stages) -> p banks -> DSN (log2 p stages) -> p ports -> p/2 pipelines with a RAW unit each
 *   SDDMM   p/2 edges, p ends -> ISN -> p banks -> DSN -> p ports -> p/2 trees of products
 *
 * Stage s of a butterfly decides bit log2(p) - 1 - s of the port an edge wants. A switch moves up
 * to two edges per cycle, one per output; the input that goes first alternates. Everything is
 * evaluated from the end to the beginning, so that a full pipeline moves on by one place everywhere
 * in one cycle. */
#include "sim/graphagile/network.h"
#include "support/arena.h"

#include <string.h>

enum { MAX_WIDTH = 64, MAX_STAGES = 6, MAX_DEPTH = 32, MAX_REORDER = 64, MAX_LANES = MAX_WIDTH / 2 };

/* What travels: an edge of SpDMM; of SDDMM one end of an edge, `src` its row and `dst` the port
 * behind which its pipeline waits. */
typedef struct pair {
  uint32_t src, dst;
} pair;

/* The edges as they stand in the Edge Buffer. */
typedef struct edge_list {
  const uint32_t *src, *dst; /* SDDMM: NULL where that end is not read */
  int64_t count, issued;
} edge_list;

typedef struct queue {
  pair pairs[MAX_DEPTH];
  uint32_t head, count;
} queue;

/* inputs[s] stand before stage s, inputs[stages] behind the last. */
typedef struct butterfly {
  queue inputs[MAX_STAGES + 1][MAX_WIDTH];
  bool odd_first[MAX_STAGES][MAX_WIDTH]; /* at the lower wire of each switch */
} butterfly;

typedef struct pipeline {
  pair waiting[MAX_REORDER];
  int32_t count;
  uint32_t second_first; /* the port that is looked at first */
} pipeline;

typedef struct network {
  graphagile_network_config config;
  uint32_t stages, depth;
  butterfly by_src, by_dst;
  pipeline pipelines[MAX_LANES];
  pair lanes[MAX_WIDTH]; /* by port: the group of edges that is leaving the Edge Buffer */
  uint64_t lanes_left;   /* a bit each */
  uint64_t *free_at;     /* first cycle in which a destination row can be accumulated to */
  bool is_inner;         /* SDDMM */
} network;

static bool queue_is_full(const network *n, const queue *q) {
  return q->count == n->depth;
}

static void queue_push(queue *q, pair e) {
  q->pairs[(q->head + q->count) % MAX_DEPTH] = e;
  q->count++;
}

static pair queue_pop(queue *q) {
  pair e = q->pairs[q->head];
  q->head = (q->head + 1) % MAX_DEPTH;
  q->count--;
  return e;
}

static uint32_t wanted_port(const network *n, pair e, bool is_by_dst) {
  return (is_by_dst ? e.dst : e.src) & ((uint32_t)n->config.width - 1);
}

/* One switch between the wires `low` and `low | bit`. */
static void step_switch(const network *n, butterfly *b, uint32_t stage, uint32_t low, uint32_t bit, bool is_by_dst) {
  queue *in = b->inputs[stage], *out = b->inputs[stage + 1];
  bool is_high_first = b->odd_first[stage][low], is_taken[2] = {false, false};
  b->odd_first[stage][low] = !is_high_first;
  for (int turn = 0; turn < 2; turn++) {
    bool is_high = (turn == 1) != is_high_first;
    queue *from = &in[is_high ? low | bit : low];
    if (!from->count) continue;
    bool goes_high = wanted_port(n, from->pairs[from->head], is_by_dst) & bit;
    queue *to = &out[goes_high ? low | bit : low];
    if (is_taken[goes_high] || queue_is_full(n, to)) continue;
    queue_push(to, queue_pop(from));
    is_taken[goes_high] = true;
  }
}

static void step_butterfly(const network *n, butterfly *b, bool is_by_dst) {
  for (uint32_t stage = n->stages; stage-- > 0;) {
    uint32_t bit = 1u << (n->stages - 1 - stage);
    for (uint32_t wire = 0; wire < (uint32_t)n->config.width; wire++)
      if (!(wire & bit)) step_switch(n, b, stage, wire, bit, is_by_dst);
  }
}

/* Each bank reads one row per cycle for the edge in front of it. */
static void step_banks(network *n) {
  for (uint32_t bank = 0; bank < (uint32_t)n->config.width; bank++) {
    queue *from = &n->by_src.inputs[n->stages][bank], *to = &n->by_dst.inputs[0][bank];
    if (from->count && !queue_is_full(n, to)) queue_push(to, queue_pop(from));
  }
}

static bool is_waiting(const pipeline *u, uint32_t dst) {
  for (int32_t i = 0; i < u->count; i++)
    if (u->waiting[i].dst == dst) return true;
  return false;
}

/* The oldest waiting edge whose row is free goes into the accumulator. */
static bool retire_waiting(network *n, pipeline *u, uint64_t cycle) {
  for (int32_t i = 0; i < u->count; i++) {
    uint32_t dst = u->waiting[i].dst;
    if (n->free_at[dst] > cycle) continue;
    n->free_at[dst] = cycle + (uint64_t)n->config.accumulator_latency;
    u->count--;
    memmove(&u->waiting[i], &u->waiting[i + 1], (size_t)(u->count - i) * sizeof *u->waiting);
    return true;
  }
  return false;
}

/* A pipeline accumulates at most one edge per cycle, waiting ones first, and takes at most one from
 * its two ports. Returns how many it accumulated. */
static int64_t step_pipeline(network *n, uint32_t index, uint64_t cycle) {
  pipeline *u = &n->pipelines[index];
  bool has_retired = retire_waiting(n, u, cycle);
  for (uint32_t turn = 0; turn < 2; turn++) {
    queue *port = &n->by_dst.inputs[n->stages][2 * index + (turn ^ u->second_first)];
    if (!port->count) continue;
    uint32_t dst = port->pairs[port->head].dst;
    bool must_wait = has_retired || n->free_at[dst] > cycle || is_waiting(u, dst);
    if (must_wait && u->count == n->config.reorder) continue;
    pair e = queue_pop(port);
    u->second_first ^= 1;
    if (must_wait) {
      u->waiting[u->count++] = e;
    } else {
      n->free_at[dst] = cycle + (uint64_t)n->config.accumulator_latency;
      has_retired = true;
    }
    break;
  }
  return has_retired;
}

/* SDDMM: the products of an edge begin when both rows are there, each at a port of its own; sums
 * stand at the root of the pipeline's tree. Rows that wait for their partner need no room of the
 * network. Returns how many rows arrived. */
static int64_t step_products(network *n, uint32_t index) {
  int64_t arrived = 0;
  for (uint32_t port = 2 * index; port < 2 * index + 2; port++) {
    queue *from = &n->by_dst.inputs[n->stages][port];
    if (!from->count) continue;
    queue_pop(from);
    arrived++;
  }
  return arrived;
}

static void enter(network *n, uint32_t port, pair what) {
  n->lanes[port] = what;
  n->lanes_left |= UINT64_C(1) << port;
}

static void fill_lanes(network *n, edge_list *edges) {
  uint32_t width = (uint32_t)n->config.width;
  for (uint32_t port = 0; port < width && edges->issued < edges->count; port += 2, edges->issued++) {
    const uint32_t *src = edges->src ? edges->src + edges->issued : NULL;
    const uint32_t *dst = edges->dst ? edges->dst + edges->issued : NULL;
    if (!n->is_inner && src && dst) enter(n, port, (pair){*src, *dst});
    if (n->is_inner && src) enter(n, port, (pair){*src, port});
    if (n->is_inner && dst) enter(n, port + 1, (pair){*dst, port + 1});
  }
}

/* The Edge Buffer's rows hold p/2 edges; the next row follows when all of the last have entered: an
 * edge of SpDMM by every other port, the ends of one of SDDMM by two. */
static void step_edges(network *n, edge_list *edges) {
  uint32_t width = (uint32_t)n->config.width;
  if (!n->lanes_left) fill_lanes(n, edges);
  for (uint32_t port = 0; port < width; port++) {
    queue *to = &n->by_src.inputs[0][port];
    if (!(n->lanes_left >> port & 1) || queue_is_full(n, to)) continue;
    queue_push(to, n->lanes[port]);
    n->lanes_left &= ~(UINT64_C(1) << port);
  }
}

static int32_t clamp(int32_t value, int32_t low, int32_t high) {
  return value < low ? low : value > high ? high : value;
}

graphagile_network_config graphagile_network_default(const graphagile_device *d) {
  return (graphagile_network_config){
      .width = d->width, .depth = 8, .accumulator_latency = d->accumulator_latency, .reorder = 16};
}

static network *create(arena *a, const graphagile_network_config *config) {
  network *n = arena_alloc(a, sizeof *n);
  n->config = *config;
  n->config.width = clamp(config->width, 2, MAX_WIDTH);
  n->config.reorder = clamp(config->reorder, 1, MAX_REORDER);
  n->depth = (uint32_t)clamp(config->depth, 1, MAX_DEPTH);
  while (2 << n->stages <= n->config.width) n->stages++;
  return n;
}

/* Cycles until `things` edges, or ends of edges, came out. */
static uint64_t run(network *n, edge_list *edges, int64_t things) {
  uint64_t cycle = 0;
  for (int64_t done = 0; done < things;) {
    cycle++;
    for (uint32_t u = 0; u < (uint32_t)n->config.width / 2; u++)
      done += n->is_inner ? step_products(n, u) : step_pipeline(n, u, cycle);
    step_butterfly(n, &n->by_dst, true);
    step_banks(n);
    step_butterfly(n, &n->by_src, false);
    step_edges(n, edges);
  }
  return cycle;
}

uint64_t graphagile_network_simulate(const graphagile_network_config *config, const uint32_t *src, const uint32_t *dst,
                                     int64_t num_edges) {
  if (num_edges <= 0) return 0;
  arena *a = arena_create();
  network *n = create(a, config);
  uint32_t rows = 0;
  for (int64_t i = 0; i < num_edges; i++)
    if (dst[i] >= rows) rows = dst[i] + 1;
  n->free_at = arena_alloc_array(a, rows, sizeof *n->free_at);
  edge_list edges = {.src = src, .dst = dst, .count = num_edges};
  uint64_t cycles = run(n, &edges, num_edges);
  arena_destroy(a);
  return cycles;
}

uint64_t graphagile_network_simulate_inner(const graphagile_network_config *config, const uint32_t *src,
                                           const uint32_t *dst, int64_t num_edges) {
  if (num_edges <= 0) return 0;
  arena *a = arena_create();
  network *n = create(a, config);
  n->is_inner = true;
  edge_list edges = {.src = src, .dst = dst, .count = num_edges};
  uint64_t cycles = run(n, &edges, num_edges * ((src != NULL) + (dst != NULL)));
  arena_destroy(a);
  return cycles;
}

uint64_t graphagile_network_cycles(const uint32_t *src, const uint32_t *dst, int64_t n, int32_t nfib,
                                   const graphagile_device *d) {
  graphagile_network_config config = graphagile_network_default(d);
  if (nfib < 1) nfib = 1;
  config.accumulator_latency = (config.accumulator_latency + nfib - 1) / nfib;
  return (uint64_t)nfib * graphagile_network_simulate(&config, src, dst, n);
}

uint64_t graphagile_network_inner_cycles(const uint32_t *src, const uint32_t *dst, int64_t n, int32_t nfib,
                                         const graphagile_device *d) {
  graphagile_network_config config = graphagile_network_default(d);
  return (uint64_t)(nfib < 1 ? 1 : nfib) * graphagile_network_simulate_inner(&config, src, dst, n);
}
