/* Two butterfly networks of 2x2 switches between edges, banks and pipelines (see network.h).
 *
 *   SpDMM   p/2 edges -> ISN (log2 p stages) -> p banks -> DSN (log2 p stages) -> p ports -> p/2 pipelines with a RAW unit each
 *           values of edges alone: p/2 edges -> DSN -> p ports -> p/2 pipelines
 *   SDDMM   p/2 edges, p ends -> ISN -> p banks -> DSN -> p ports -> p/2 trees of products
 *
 * Stage s of a butterfly routes by bit log2(p) - 1 - s of the wanted port. A switch moves up to two
 * edges per cycle, one to each output; its inputs have priority in turns. Each cycle is evaluated
 * from the end of the network to its beginning, so a full network moves on by one place everywhere
 * in one cycle.
 *
 * All switches of a stage are decided at once with bit masks of wires: which queues hold something,
 * which are full, and which have an edge in front that wants the upper output. Only edges that move
 * cost time. */
#include "sim/graphagile/network.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WIDTH = 64, MAX_STAGES = 6, MAX_DEPTH = 32, MAX_REORDER = 64, MAX_LANES = MAX_WIDTH / 2 };

/* A set of wires, ports or banks. */
typedef uint64_t wires;

/* An entry of a queue. SpDMM: the destination row of an edge and, in the PORT_BITS bits below, the
 * bank of its source. SDDMM: for one end of an edge, the port of its pipeline and, below, the bank
 * of its row. */
typedef uint32_t packet;
enum { PORT_BITS = 6, PORT_MASK = (1 << PORT_BITS) - 1 };

/* The edges in the Edge Buffer. */
typedef struct edge_list {
  const uint32_t *src, *dst; /* NULL where that end is not read; SpDMM always has dst */
  int64_t count, issued;
} edge_list;

typedef struct queue {
  uint32_t head, count;
  packet packets[MAX_DEPTH];
} queue;

/* The queues before a stage, or after the last one. */
typedef struct rank {
  wires held, full; /* queues that hold something; queues that are full */
  wires high;       /* non-empty queues whose first packet wants the upper output */
  uint32_t shift;   /* the bit of a packet that says so; unused after the last stage */
  queue queues[MAX_WIDTH];
} rank;

/* ranks[s] is before stage s. */
typedef struct butterfly {
  rank ranks[MAX_STAGES + 1];
} butterfly;

/* A destination row. */
typedef struct row_state {
  uint64_t free_at; /* first cycle at which the next edge can be accumulated */
  uint32_t waiting; /* its edges in the reorder FIFO */
} row_state;

typedef struct pipeline {
  uint32_t waiting[MAX_REORDER]; /* destination rows, oldest first */
  int32_t count;
  uint32_t second_first; /* the port that has priority in this cycle */
  uint64_t next;         /* no row of a waiting edge is free before this cycle */
} pipeline;

struct graphagile_network {
  graphagile_network_config config;
  uint32_t width, stages, depth;
  wires low[MAX_STAGES]; /* the lower wires of the switches of each stage */
  wires even;            /* the first port of each pipeline */
  wires waiting;         /* pipelines whose reorder FIFO is not empty */
  butterfly by_src, by_dst;
  pipeline pipelines[MAX_LANES];
  packet lanes[MAX_WIDTH]; /* by port: the edges of one row of the Edge Buffer that have not entered yet */
  wires lanes_left;
  row_state *rows;
  uint32_t num_rows;
  uint64_t latency; /* of the accumulator in this run */
  uint64_t cycle;   /* continues from run to run; no row of an earlier run is still in the accumulator */
  bool is_inner;    /* SDDMM, else SpDMM */
};

static void rank_push(const graphagile_network *n, rank *r, uint32_t wire, packet e) {
  queue *q = &r->queues[wire];
  wires one = UINT64_C(1) << wire;
  q->packets[(q->head + q->count) % MAX_DEPTH] = e;
  if (!q->count) {
    r->held |= one;
    r->high = (r->high & ~one) | (e >> r->shift & 1 ? one : 0);
  }
  if (++q->count == n->depth) r->full |= one;
}

static packet rank_pop(rank *r, uint32_t wire) {
  queue *q = &r->queues[wire];
  wires one = UINT64_C(1) << wire;
  packet e = q->packets[q->head];
  q->head = (q->head + 1) % MAX_DEPTH;
  r->full &= ~one;
  if (--q->count)
    r->high = (r->high & ~one) | (q->packets[q->head] >> r->shift & 1 ? one : 0);
  else
    r->held &= ~one;
  return e;
}

static packet rank_front(const rank *r, uint32_t wire) {
  return r->queues[wire].packets[r->queues[wire].head];
}

/* Moves the first packets of a set of queues, straight on or across the switch. This is rank_pop
 * and rank_push for all of them, with the sets of wires updated once. */
static inline void move_all(const graphagile_network *n, rank *from, rank *to, wires moving, uint32_t across) {
  wires emptied = 0, filled = 0, entered = 0, begun = 0, from_high = 0, to_high = 0;
  const uint32_t from_shift = from->shift, to_shift = to->shift, depth = n->depth;
  for (wires left = moving; left; left &= left - 1) {
    uint32_t wire = (uint32_t)__builtin_ctzll(left), target = wire ^ across;
    queue *source = &from->queues[wire], *sink = &to->queues[target];
    packet e = source->packets[source->head];
    source->head = (source->head + 1) % MAX_DEPTH;
    source->count--;
    emptied |= (wires)!source->count << wire;
    from_high |= (wires)(source->packets[source->head] >> from_shift & 1) << wire;
    begun |= (wires)!sink->count << target;
    to_high |= (wires)(e >> to_shift & 1) << target;
    entered |= UINT64_C(1) << target;
    sink->packets[(sink->head + sink->count) % MAX_DEPTH] = e;
    sink->count++;
    filled |= (wires)(sink->count == depth) << target;
  }
  from->full &= ~moving;
  from->held &= ~emptied;
  from->high = (from->high & ~moving) | from_high;
  to->full |= filled;
  to->held |= entered;
  to->high = (to->high & ~begun) | (to_high & begun);
}

/* Executes all switches of a stage, each between the wires w and w + span. If both first packets
 * want the same output, that of the input with priority moves. */
static void step_stage(const graphagile_network *n, butterfly *b, uint32_t stage, bool is_high_first) {
  rank *from = &b->ranks[stage], *to = &b->ranks[stage + 1];
  if (!from->held) return;
  uint32_t span = 1u << (n->stages - 1 - stage);
  wires low = n->low[stage], up = from->held & from->high, down = from->held & ~from->high;
  /* Those that want the lower output, as the lower wire of their switch. */
  wires low_down = down & low, high_down = down >> span & low;
  wires low_up = up & low, high_up = up >> span & low;
  if (is_high_first) {
    low_down &= ~high_down;
    low_up &= ~high_up;
  } else {
    high_down &= ~low_down;
    high_up &= ~low_up;
  }
  wires low_open = ~to->full, high_open = ~(to->full >> span);
  move_all(n, from, to, (low_down & low_open) | (high_up & high_open) << span, 0);
  move_all(n, from, to, (low_up & high_open) | (high_down & low_open) << span, span);
}

static void step_butterfly(const graphagile_network *n, butterfly *b, bool is_high_first) {
  for (uint32_t stage = n->stages; stage-- > 0;) step_stage(n, b, stage, is_high_first);
}

/* Each bank reads one row per cycle, for the edge in front of it. */
static void step_banks(graphagile_network *n) {
  rank *from = &n->by_src.ranks[n->stages], *to = &n->by_dst.ranks[0];
  move_all(n, from, to, from->held & ~to->full, 0);
}

/* Accumulates the oldest waiting edge whose row is free; false when there is none. */
static bool retire_waiting(graphagile_network *n, uint32_t index) {
  pipeline *u = &n->pipelines[index];
  uint64_t next = UINT64_MAX;
  if (!u->count || u->next > n->cycle) return false;
  for (int32_t i = 0; i < u->count; i++) {
    row_state *row = &n->rows[u->waiting[i]];
    if (row->free_at > n->cycle) {
      if (row->free_at < next) next = row->free_at;
      continue;
    }
    row->free_at = n->cycle + n->latency;
    row->waiting--;
    u->count--;
    memmove(&u->waiting[i], &u->waiting[i + 1], (size_t)(u->count - i) * sizeof *u->waiting);
    u->next = n->cycle + 1; /* rows of other edges may be free too */
    if (!u->count) n->waiting &= ~(UINT64_C(1) << 2 * index);
    return true;
  }
  u->next = next;
  return false;
}

/* A pipeline accumulates at most one edge per cycle, with priority for waiting edges, and accepts
 * at most one from its two ports. Returns how many edges it accumulated. */
static int64_t step_pipeline(graphagile_network *n, uint32_t index) {
  pipeline *u = &n->pipelines[index];
  rank *ports = &n->by_dst.ranks[n->stages];
  bool has_retired = retire_waiting(n, index);
  for (uint32_t turn = 0; turn < 2; turn++) {
    uint32_t port = 2 * index + (turn ^ u->second_first);
    if (!(ports->held >> port & 1)) continue;
    uint32_t dst = rank_front(ports, port) >> PORT_BITS;
    row_state *row = &n->rows[dst];
    bool must_wait = has_retired || row->free_at > n->cycle || row->waiting;
    if (must_wait && u->count == n->config.reorder) continue;
    rank_pop(ports, port);
    u->second_first ^= 1;
    if (must_wait) {
      if (!u->count || row->free_at < u->next) u->next = row->free_at;
      u->waiting[u->count++] = dst;
      n->waiting |= UINT64_C(1) << 2 * index;
      row->waiting++;
    } else {
      row->free_at = n->cycle + n->latency;
      has_retired = true;
    }
    break;
  }
  return has_retired;
}

/* SDDMM: the products of an edge begin when both rows have arrived, each at a port of its own; the
 * sum is at the root of the pipeline's tree. Rows that wait for the other one take no room in the
 * network. Returns how many rows arrived. */
static int64_t step_products(graphagile_network *n) {
  rank *ports = &n->by_dst.ranks[n->stages];
  int64_t arrived = 0;
  for (wires left = ports->held; left; left &= left - 1, arrived++) rank_pop(ports, (uint32_t)__builtin_ctzll(left));
  return arrived;
}

static int64_t step_ends(graphagile_network *n) {
  int64_t done = 0;
  if (n->is_inner) return step_products(n);
  wires ports = n->by_dst.ranks[n->stages].held;
  wires active = (ports | ports >> 1 | n->waiting) & n->even;
  for (; active; active &= active - 1) done += step_pipeline(n, (uint32_t)__builtin_ctzll(active) / 2);
  return done;
}

static void enter(graphagile_network *n, uint32_t port, uint32_t row, uint32_t target) {
  n->lanes[port] = target << PORT_BITS | (row & (n->width - 1));
  n->lanes_left |= UINT64_C(1) << port;
}

static void fill_lanes(graphagile_network *n, edge_list *edges) {
  for (uint32_t port = 0; port < n->width && edges->issued < edges->count; port += 2, edges->issued++) {
    const uint32_t *src = edges->src ? edges->src + edges->issued : NULL;
    const uint32_t *dst = edges->dst ? edges->dst + edges->issued : NULL;
    if (!n->is_inner) enter(n, port, src ? *src : 0, *dst);
    if (n->is_inner && src) enter(n, port, *src, port);
    if (n->is_inner && dst) enter(n, port + 1, *dst, port + 1);
  }
}

/* A row of the Edge Buffer holds p/2 edges. The next row follows when all edges of the last one
 * have entered: an edge of SpDMM enters at every other port, the ends of an edge of SDDMM at two
 * ports. Edges that read no row of their source skip the banks and enter the second network. */
static void step_edges(graphagile_network *n, edge_list *edges) {
  bool reads_rows = n->is_inner || edges->src;
  rank *to = reads_rows ? &n->by_src.ranks[0] : &n->by_dst.ranks[0];
  if (!n->lanes_left) fill_lanes(n, edges);
  wires entering = n->lanes_left & ~to->full;
  n->lanes_left &= ~entering;
  for (; entering; entering &= entering - 1) {
    uint32_t port = (uint32_t)__builtin_ctzll(entering);
    rank_push(n, to, port, n->lanes[port]);
  }
}

static int32_t clamp(int32_t value, int32_t low, int32_t high) {
  return value < low ? low : value > high ? high : value;
}

graphagile_network_config graphagile_network_default(const graphagile_device *d) {
  return (graphagile_network_config){
      .width = d->width, .depth = 8, .accumulator_latency = d->accumulator_latency, .reorder = 16};
}

int32_t graphagile_network_latency(const graphagile_network_config *config, int32_t nfib) {
  return nfib < 2 ? config->accumulator_latency : (config->accumulator_latency + nfib - 1) / nfib;
}

graphagile_network *graphagile_network_create(const graphagile_network_config *config) {
  graphagile_network *n = calloc(1, sizeof *n);
  if (!n) abort();
  n->config = *config;
  n->width = (uint32_t)clamp(config->width, 2, MAX_WIDTH);
  n->config.reorder = clamp(config->reorder, 1, MAX_REORDER);
  n->depth = (uint32_t)clamp(config->depth, 1, MAX_DEPTH);
  while (2u << n->stages <= n->width) n->stages++;
  for (uint32_t port = 0; port < n->width; port += 2) n->even |= UINT64_C(1) << port;
  for (uint32_t stage = 0; stage < n->stages; stage++) {
    uint32_t span = 1u << (n->stages - 1 - stage);
    for (uint32_t wire = 0; wire < n->width; wire++) n->low[stage] |= wire & span ? 0 : UINT64_C(1) << wire;
    n->by_src.ranks[stage].shift = n->stages - 1 - stage;
    n->by_dst.ranks[stage].shift = n->stages - 1 - stage + PORT_BITS;
  }
  return n;
}

void graphagile_network_destroy(graphagile_network *n) {
  if (!n) return;
  free(n->rows);
  free(n);
}

/* Cycles until `things` edges, or ends of edges, have left the network. All queues are empty before
 * and after. */
static uint64_t run(graphagile_network *n, edge_list *edges, int64_t things) {
  uint64_t begin = n->cycle;
  bool is_high_first = false;
  for (uint32_t u = 0; u < n->width / 2; u++) n->pipelines[u].second_first = 0;
  for (int64_t done = 0; done < things; is_high_first = !is_high_first) {
    n->cycle++;
    done += step_ends(n);
    step_butterfly(n, &n->by_dst, is_high_first);
    step_banks(n);
    step_butterfly(n, &n->by_src, is_high_first);
    step_edges(n, edges);
  }
  uint64_t cycles = n->cycle - begin;
  n->cycle += n->latency;
  return cycles;
}

/* Makes room for all rows that edges name. */
static void reserve_rows(graphagile_network *n, const uint32_t *dst, int64_t count) {
  uint32_t last = 0;
  for (int64_t i = 0; i < count; i++)
    if (dst[i] > last) last = dst[i];
  if (last < n->num_rows) return;
  row_state *rows = realloc(n->rows, ((size_t)last + 1) * sizeof *rows);
  if (!rows) abort();
  memset(rows + n->num_rows, 0, ((size_t)last + 1 - n->num_rows) * sizeof *rows);
  n->rows = rows;
  n->num_rows = last + 1;
}

uint64_t graphagile_network_sum(graphagile_network *n, const uint32_t *src, const uint32_t *dst, int64_t count,
                                int32_t latency) {
  if (count <= 0) return 0;
  reserve_rows(n, dst, count);
  n->latency = (uint64_t)latency;
  n->is_inner = false;
  edge_list edges = {.src = src, .dst = dst, .count = count};
  return run(n, &edges, count);
}

uint64_t graphagile_network_inner(graphagile_network *n, const uint32_t *src, const uint32_t *dst, int64_t count) {
  if (count <= 0) return 0;
  n->latency = 0;
  n->is_inner = true;
  edge_list edges = {.src = src, .dst = dst, .count = count};
  return run(n, &edges, count * ((src != NULL) + (dst != NULL)));
}
