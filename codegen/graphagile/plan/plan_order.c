/* Makes the descriptor tables of pieces in the orders that layers take. A layer with one shard
 * per block uses the partition's own table, unless a subshard has several pieces, of which all
 * but the first find their source rows loaded. */
#include "codegen/graphagile/plan/plan_order.h"

#include "codegen/device/host/host_memory.h"
#include "codegen/graphagile/plan/plan_links.h"
#include "support/number.h"

#include <stdlib.h>

static int targets_of(const graphagile_plan_layer *l) {
  return l->tile.targets > 1 ? 2 : 1;
}

static bool takes_order(const graphagile_plan_layer *l) {
  if (l->kind == GRAPHAGILE_PLAN_spdmm) return graphagile_plan_has_sources(&l->spdmm);
  return l->kind == GRAPHAGILE_PLAN_sddmm && targets_of(l) > 1;
}

const graphagile_plan_pieces *graphagile_plan_pieces_of(const graphagile_plan_layer *layer) {
  const graphagile_plan_pieces *orders = graphagile_plan_edges_of(layer)->orders;
  if (!takes_order(layer)) return &orders[GRAPHAGILE_PLAN_ORDER_PLAIN];
  if (targets_of(layer) > 1)
    return &orders[layer->tile.has_parts ? GRAPHAGILE_PLAN_ORDER_PARTS : GRAPHAGILE_PLAN_ORDER_PAIRS];
  return &orders[orders[GRAPHAGILE_PLAN_ORDER_REUSE].pieces ? GRAPHAGILE_PLAN_ORDER_REUSE
                                                            : GRAPHAGILE_PLAN_ORDER_PLAIN];
}

/* Edges of a part, so that parts begin where rows of the Edge Buffer do (partition_order.c). */
static uint32_t part_edges(uint32_t edges, int64_t parts) {
  enum { ROW = 8 };
  return parts > 1 ? (uint32_t)number_round_up(number_ceil_div(edges, parts), ROW) : edges;
}

/* Writes the descriptor of a piece, or of each of its parts; returns how many. */
static int64_t put_piece(graphagile_descriptor piece, bool in_parts, graphagile_descriptor *to) {
  int64_t parts = in_parts ? graphagile_plan_parts_of(piece.num_edges) : 1;
  uint32_t end = piece.first_edge + piece.num_edges, at_once = part_edges(piece.num_edges, parts);
  for (int64_t i = 0; i < parts; i++) {
    to[i] = piece;
    to[i].num_edges = end - piece.first_edge < at_once ? end - piece.first_edge : at_once;
    piece.first_edge += to[i].num_edges;
    piece.reuse = true;
  }
  return parts;
}

/* The layer whose pieces this one begins with; NULL: none. */
static const graphagile_plan_layer *before_of(const graphagile_plan_layer *l) {
  return l->kind == GRAPHAGILE_PLAN_spdmm ? l->spdmm.before : NULL;
}

uint64_t graphagile_plan_pieces_base(const graphagile_plan_layer *layer) {
  uint64_t address = graphagile_plan_pieces_of(layer)->address;
  const graphagile_plan_layer *before = before_of(layer);
  if (!before) return address;
  uint64_t other = graphagile_plan_pieces_of(before)->address;
  return other < address ? other : address;
}

/* Writes the pieces of a shard and, where there is one, of the next shard before end_shard,
 * merged by source tile. Returns how many. */
static int64_t merge_band(const graphagile_partition *from, int64_t shard, int64_t end_shard, bool in_parts,
                          graphagile_descriptor *to) {
  int64_t at[GRAPHAGILE_PLAN_MAX_TARGETS], end[GRAPHAGILE_PLAN_MAX_TARGETS], count = 0;
  for (int t = 0; t < GRAPHAGILE_PLAN_MAX_TARGETS; t++) {
    int64_t s = number_min(shard + t, end_shard);
    at[t] = from->shard_begin[s];
    end[t] = s < end_shard ? from->shard_begin[s + 1] : at[t];
  }
  while (at[0] < end[0] || at[1] < end[1]) {
    bool is_second = at[0] == end[0] || (at[1] < end[1] && from->pieces[at[1]].src_row < from->pieces[at[0]].src_row);
    graphagile_descriptor piece = from->pieces[at[is_second]++];
    piece.second = is_second;
    piece.reuse = count && to[count - 1].src_row == piece.src_row;
    count += put_piece(piece, in_parts, to + count);
  }
  return count;
}

static int64_t count_pieces(const graphagile_partition *from, bool in_parts) {
  int64_t count = 0;
  if (!in_parts) return from->num_pieces;
  for (int64_t i = 0; i < from->num_pieces; i++) count += graphagile_plan_parts_of(from->pieces[i].num_edges);
  return count;
}

static bool has_split_cells(const graphagile_partition *p) {
  for (int64_t s = 0; s < p->shards; s++)
    for (int64_t i = p->shard_begin[s] + 1; i < p->shard_begin[s + 1]; i++)
      if (p->pieces[i].src_row == p->pieces[i - 1].src_row) return true;
  return false;
}

static status order(const graphagile_partition *from, int targets, bool in_parts, graphagile_plan_pieces *out) {
  out->bands = number_ceil_div(from->shards, targets);
  out->is_owned = true;
  out->pieces = host_memory_alloc(count_pieces(from, in_parts) + 1, sizeof *out->pieces);
  out->band_begin = host_memory_alloc(out->bands + 1, sizeof *out->band_begin);
  if (!out->pieces || !out->band_begin)
    return status_error(STATUS_CODE_memory, "no memory for %lld pieces of subshards", (long long)from->num_pieces);
  out->band_begin[0] = 0;
  for (int64_t b = 0; b < out->bands; b++) {
    int64_t end = number_min((b + 1) * targets, from->shards);
    int64_t made = merge_band(from, b * targets, end, in_parts, out->pieces + out->band_begin[b]);
    out->band_begin[b + 1] = out->band_begin[b] + made;
  }
  return STATUS_OK;
}

/* Makes the order that a layer takes, unless it is there already. */
static status make_order(const graphagile_plan *p, const graphagile_plan_layer *l) {
  if (!takes_order(l) || p->options->paper) return STATUS_OK; /* the paper has neither reuse nor pairs */
  graphagile_plan_edge_list *edges = graphagile_plan_edges_of(l);
  const graphagile_partition *from = &edges->partition;
  graphagile_plan_pieces *orders = edges->orders;
  if (targets_of(l) > 1) {
    graphagile_plan_pieces *pairs =
        &orders[l->tile.has_parts ? GRAPHAGILE_PLAN_ORDER_PARTS : GRAPHAGILE_PLAN_ORDER_PAIRS];
    return pairs->pieces ? STATUS_OK : order(from, 2, l->tile.has_parts, pairs);
  }
  if (orders[GRAPHAGILE_PLAN_ORDER_REUSE].pieces || !has_split_cells(from)) return STATUS_OK;
  return order(from, 1, false, &orders[GRAPHAGILE_PLAN_ORDER_REUSE]);
}

bool graphagile_plan_order_pieces(graphagile_plan *p) {
  for (size_t i = 0; i < p->edges.count; i++) {
    graphagile_plan_edge_list *e = p->edges.items[i];
    e->orders[GRAPHAGILE_PLAN_ORDER_PLAIN] = (graphagile_plan_pieces){
        .pieces = e->partition.pieces, .band_begin = e->partition.shard_begin, .bands = e->partition.shards};
  }
  for (size_t i = 0; i < p->layers.count; i++) {
    const graphagile_plan_layer *l = &p->layers.items[i], *before = before_of(l);
    if (!graphagile_plan_check(p, make_order(p, l))) return false;
    if (before && !graphagile_plan_check(p, make_order(p, before))) return false;
  }
  return true;
}

void graphagile_plan_free_pieces(graphagile_plan_edge_list *edges) {
  for (int t = 0; t < GRAPHAGILE_PLAN_ORDERS; t++) {
    graphagile_plan_pieces *o = &edges->orders[t];
    if (!o->is_owned) continue;
    free(o->pieces);
    free(o->band_begin);
    *o = (graphagile_plan_pieces){0};
  }
}
