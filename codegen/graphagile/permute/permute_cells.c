/* Counts edges by subshard, and in it by pipeline and bank (docs/devices/graphagile.md, level L1). */
#include "codegen/graphagile/permute/permute_cells.h"

#include "codegen/graphagile/partition/partition_job.h"
#include "support/number.h"

#include <math.h>

/* ---- hubs -------------------------------------------------------------------------------------------------------- */

static int bits_of(uint32_t edges) {
  return edges ? 32 - __builtin_clz(edges) : 0;
}

graphagile_permute_hubs graphagile_permute_find_hubs(arena *a, const uint32_t *in, int64_t rows) {
  enum { MOST = 256, FEWEST_BITS = 4, BITS = 33 };
  int64_t with[BITS] = {0}, count = 0;
  int bits = BITS; /* of the smallest hub */
  for (int64_t i = 0; i < rows; i++) with[bits_of(in[i])]++;
  while (bits > FEWEST_BITS && count + with[bits - 1] <= MOST) count += with[--bits];
  int32_t *list = arena_alloc_array(a, (size_t)count + 1, sizeof *list);
  uint16_t *number = arena_alloc_array(a, (size_t)rows + 1, sizeof *number);
  graphagile_permute_hubs hubs = {.rows = list, .number = number};
  for (int64_t i = 0; i < rows; i++) {
    if (bits_of(in[i]) < bits) continue;
    list[hubs.count++] = (int32_t)i;
    number[i] = (uint16_t)hubs.count;
  }
  return hubs;
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

static int64_t cell_width(const graphagile_permute_cells *c) {
  return c->pipelines + c->banks;
}

static int32_t placed(const int32_t *place, int32_t row) {
  return place ? place[row] : row;
}

/* Adds all edges; by_hub [hubs][tiles]. */
static void add_edges(const graphagile_permute_cells *c, const program_edge_list *list,
                      graphagile_partition_shape shape, const graphagile_permute_hubs *hubs, uint32_t *by_hub) {
  const graphagile_partition_divisor by_src = {1.0 / shape.src_rows, shape.src_rows};
  const graphagile_partition_divisor by_dst = {1.0 / shape.dst_rows, shape.dst_rows};
  const int32_t mask = c->banks - 1;
  for (int64_t e = 0; e < list->edges; e++) {
    int32_t src = placed(list->src_place, list->src[e]), dst = placed(list->dst_place, list->dst[e]);
    int32_t tile = graphagile_partition_divide(by_src, src), shard = graphagile_partition_divide(by_dst, dst);
    uint32_t *cell = c->count + (shard * c->tiles + tile) * cell_width(c);
    int32_t sum = graphagile_partition_place_sum(&shape, e, dst - shard * shape.dst_rows);
    cell[(sum & mask) / 2]++;
    cell[c->pipelines + ((src - tile * shape.src_rows) & mask)]++;
    int hub = hubs ? hubs->number[list->dst[e]] : 0;
    if (hub) by_hub[(hub - 1) * c->tiles + tile]++;
  }
}

static void find_largest(const graphagile_permute_cells *c, const program_edge_list *list,
                         graphagile_partition_shape shape, const graphagile_permute_hubs *hubs,
                         const uint32_t *by_hub) {
  for (int64_t h = 0; h < hubs->count; h++) {
    int32_t place = placed(list->dst_place, hubs->rows[h]), shard = place / shape.dst_rows;
    uint32_t places = place % shape.dst_rows < shape.hub_rows ? (uint32_t)shape.hub_places : 1;
    for (int64_t t = 0; t < c->tiles; t++) {
      uint32_t *row = &c->row[shard * c->tiles + t], edges = (by_hub[h * c->tiles + t] + places - 1) / places;
      *row = edges > *row ? edges : *row;
    }
  }
}

graphagile_permute_cells graphagile_permute_count(arena *a, const program_edge_list *sample, int64_t edges,
                                                  graphagile_partition_shape shape, int width,
                                                  const graphagile_permute_hubs *hubs) {
  graphagile_permute_cells c = {.shards = number_ceil_div(sample->to_rows, shape.dst_rows),
                                .tiles = number_ceil_div(sample->from_rows, shape.src_rows),
                                .edges = sample->edges,
                                .of_shard = fmin(1, shape.dst_rows / fmax(1, (double)sample->to_rows)),
                                .of_tile = fmin(1, shape.src_rows / fmax(1, (double)sample->from_rows)),
                                .pipelines = width / 2,
                                .banks = width,
                                .scale = (double)edges / (double)number_max(1, sample->edges)};
  size_t cells = (size_t)(c.shards * c.tiles);
  uint32_t *by_hub = hubs ? arena_alloc_array(a, (size_t)(hubs->count * c.tiles) + 1, sizeof *by_hub) : NULL;
  c.count = arena_alloc_array(a, cells * (size_t)cell_width(&c), sizeof *c.count);
  c.row = arena_alloc_array(a, cells, sizeof *c.row);
  add_edges(&c, sample, shape, hubs, by_hub);
  if (hubs) find_largest(&c, sample, shape, hubs, by_hub);
  return c;
}

graphagile_permute_cell graphagile_permute_cell_of(const graphagile_permute_cells *c, int64_t shard, int64_t tile) {
  int64_t at = shard * c->tiles + tile;
  const uint32_t *count = c->count + at * cell_width(c);
  uint32_t sum = 0, fullest = 0;
  for (int i = 0; i < c->pipelines; i++) sum += count[i];
  for (int64_t i = 0; i < cell_width(c); i++) fullest = count[i] > fullest ? count[i] : fullest;
  return (graphagile_permute_cell){sum * c->scale, fullest * c->scale, c->row[at] * c->scale};
}

/* ---- even edges -------------------------------------------------------------------------------------------------- */

/* The largest number of edges of some places, which is compared with the mean. */
typedef struct spread {
  double largest, mean;
} spread;

static void add_number(spread *s, double number) {
  s->largest = fmax(s->largest, number);
}

/* Whether the edges may have fallen on each of the places with the same probability. */
static bool is_even(const spread *s) {
  return s->largest <= 1.1 * s->mean + 4 * sqrt(s->mean) + 4;
}

bool graphagile_permute_is_even(const graphagile_permute_cells *c) {
  enum { MOST_LANES = 32 };
  double lanes[MOST_LANES] = {0}, edges = (double)c->edges;
  spread shards = {.mean = edges * c->of_shard}, cells = {.mean = edges * c->of_shard * c->of_tile};
  spread pipelines = {.mean = edges / c->pipelines}, banks = {.mean = edges / c->banks};
  for (int64_t s = 0; s < c->shards; s++) {
    double of_shard = 0;
    for (int64_t t = 0; t < c->tiles; t++) {
      const uint32_t *count = c->count + (s * c->tiles + t) * cell_width(c);
      double of_cell = 0;
      for (int64_t i = 0; i < cell_width(c); i++) lanes[i] += count[i];
      for (int i = 0; i < c->pipelines; i++) of_cell += count[i];
      add_number(&cells, of_cell);
      of_shard += of_cell;
    }
    add_number(&shards, of_shard);
  }
  for (int i = 0; i < c->pipelines; i++) add_number(&pipelines, lanes[i]);
  for (int i = 0; i < c->banks; i++) add_number(&banks, lanes[c->pipelines + i]);
  return is_even(&cells) && is_even(&shards) && is_even(&pipelines) && is_even(&banks);
}
