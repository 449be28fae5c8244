/* The part of a rank: own nodes, then ghosts, as a receptive field. */
#include "runtime/rank_part.h"

#include "runtime/inputs.h"
#include "runtime/native.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- checks ---- */

/* Where a program pools, no graph of the batch may be cut; without a batch all nodes are one graph. */
static status check_graphs(const graph *g, const cells *c, int32_t ranks, bool is_training) {
  int32_t *rank = malloc(((size_t)g->num_graphs + 1) * sizeof *rank);
  status s = rank ? STATUS_OK : status_error(STATUS_CODE_memory, "no memory for %lld graphs", (long long)g->num_graphs);
  for (int64_t i = 0; i <= g->num_graphs && !s; i++) rank[i] = -1;
  for (int64_t n = 0; n < g->num_nodes && !s; n++) {
    const int32_t at = g->batch ? g->batch[n] : 0, found = cells_rank_of(c->cell[n], c->count, ranks);
    if (rank[at] >= 0 && rank[at] != found)
      s = status_error(STATUS_CODE_unsupported,
                       "%s: the model reads all nodes of a graph at once, but graph %d has nodes of ranks %d and %d; "
                       "'gnn-data partition' keeps graphs whole where there are at least as many as cells",
                       g->name, at, rank[at], found);
    rank[at] = found;
  }
  for (int64_t i = 0; i < g->num_graphs && !s && is_training; i++)
    if (rank[i] < 0)
      s = status_error(STATUS_CODE_unsupported,
                       "%s: graph %lld has no nodes, so no rank has it: leave it out of a training with cells", g->name,
                       (long long)i);
  for (int64_t e = 0; e < g->num_edges && !s; e++) {
    const int32_t from = g->batch ? g->batch[g->src[e]] : 0, to = g->batch ? g->batch[g->dst[e]] : 0;
    if (rank[from] != rank[to])
      s = status_error(
          STATUS_CODE_unsupported,
          "%s: the model reads all nodes of a graph at once, but edge %lld leads from graph %d of rank %d to "
          "graph %d of rank %d",
          g->name, (long long)e, from, rank[from], to, rank[to]);
  }
  if (!s && !g->batch && g->num_nodes && rank[0])
    s = status_error(
        STATUS_CODE_unsupported,
        "%s: the model reads all nodes of a graph at once, and the graph is no batch: run it without --cells", g->name);
  free(rank);
  return s;
}

int32_t rank_part_needs(const gnnc_program *program) {
  const gnnc_train_info *train = program->train;
  if (train) return train->size >= offsetof(gnnc_train_info, program) + sizeof train->program ? train->rank_needs : 0;
  const gnnc_model_info *info = gnnc_program_info(program);
  return info->size >= offsetof(gnnc_model_info, program) + sizeof info->program ? info->rank_needs : 0;
}

status rank_part_check(const gnnc_program *program, const graph *g, const cells *c, int32_t ranks) {
  enum { MOST_CELLS = 64 };
  const int32_t needs = rank_part_needs(program);
  if (!needs)
    return status_error(STATUS_CODE_mismatch, "%s: the program computes whole graphs; gnnc --ranks makes one for ranks",
                        program->path);
  if (ranks > c->count)
    return status_error(STATUS_CODE_mismatch, "%d ranks are more than the %d cells of the graph", ranks, c->count);
  if (needs & GNNC_RANKS_CELLS && c->count > MOST_CELLS)
    return status_error(STATUS_CODE_mismatch,
                        "the model adds up rows of all nodes, for which there are at most %d cells; the graph has %d",
                        MOST_CELLS, c->count);
  return needs & GNNC_RANKS_WHOLE_GRAPHS ? check_graphs(g, c, ranks, program->train != NULL) : STATUS_OK;
}

/* ---- the part ---- */

static const int32_t *take(arena *a, const int32_t *whole, const int64_t *numbers, int64_t count) {
  if (!whole) return NULL;
  int32_t *made = arena_alloc_array(a, (size_t)count + 1, sizeof *made);
  for (int64_t i = 0; i < count; i++) made[i] = whole[numbers[i]];
  return made;
}

/* Describes the part as a graph of its own: own nodes, then ghosts. Graphs of a batch keep their numbers. */
static void make_field(rank_part *r) {
  const graph *g = r->whole;
  const cells_part *p = &r->cut;
  const int64_t nodes = p->num_own + p->num_ghosts;
  int64_t *graphs = arena_alloc_array(r->memory, (size_t)g->num_graphs + 1, sizeof *graphs);
  for (int64_t i = 0; i < g->num_graphs; i++) graphs[i] = i;
  r->field = (receptive_field){.whole = g, .nodes = p->number, .edges = p->edge, .graphs = graphs};
  r->field.part = (graph){.name = g->name,
                          .num_nodes = nodes,
                          .num_edges = p->num_edges,
                          .src = p->src,
                          .dst = p->dst,
                          .edge_type = take(r->memory, g->edge_type, p->edge, p->num_edges),
                          .node_type = take(r->memory, g->node_type, p->number, nodes),
                          .batch = take(r->memory, g->batch, p->number, nodes),
                          .num_graphs = g->num_graphs,
                          .num_edge_types = g->num_edge_types,
                          .num_node_types = g->num_node_types};
}

/* The numbers of rows as models take them. */
static gnnc_part list_numbers(rank_part *r) {
  const int64_t nodes = r->cut.num_own + r->cut.num_ghosts;
  int32_t *of_nodes = arena_alloc_array(r->memory, (size_t)nodes + 1, sizeof *of_nodes);
  int32_t *of_edges = arena_alloc_array(r->memory, (size_t)r->cut.num_edges + 1, sizeof *of_edges);
  for (int64_t i = 0; i < nodes; i++) of_nodes[i] = (int32_t)r->cut.number[i];
  for (int64_t i = 0; i < r->cut.num_edges; i++) of_edges[i] = (int32_t)r->cut.edge[i];
  return (gnnc_part){.nodes = of_nodes, .edges = of_edges, .num_edges = r->whole->num_edges};
}

/* Where ranks have columns, most programs read inputs of own nodes alone. */
static bool has_inputs_of_ghosts(int32_t needs) {
  return !(needs & GNNC_RANKS_COLUMNS) || needs & GNNC_RANKS_GHOST_INPUTS;
}

static status make_part(rank_part *r, int32_t needs, bool keeps_in_memory) {
  const cells_edges edges = needs & GNNC_RANKS_COLUMNS     ? CELLS_EDGES_all
                            : needs & GNNC_RANKS_OUT_EDGES ? CELLS_EDGES_both
                                                           : CELLS_EDGES_in;
  status s = cells_part_make(r->whole, r->cells, r->comm->rank, r->comm->size, edges, &r->cut);
  if (s) cells_part_free(&r->cut);
  RETURN_IF_ERROR(s);
  if (keeps_in_memory) cells_part_move(&r->cut, r->memory);
  make_field(r);
  if (!has_inputs_of_ghosts(needs)) r->field.num_without_inputs = r->cut.num_ghosts;
  r->numbers = list_numbers(r);
  return STATUS_OK;
}

/* Fails on all ranks where some are to have rows and others columns: they would wait for exchanges that never come. */
static status compare_modes(comm *c, int32_t needs, arena *memory) {
  const int32_t mine = (needs & GNNC_RANKS_COLUMNS) != 0;
  int32_t *all = arena_alloc_array(memory, (size_t)c->size, sizeof *all);
  size_t *sizes = arena_alloc_array(memory, (size_t)c->size, sizeof *sizes);
  for (int32_t i = 0; i < c->size; i++) sizes[i] = sizeof mine;
  RETURN_IF_ERROR(c->engine->gather(c, &mine, sizeof mine, all, sizes));
  status s = STATUS_OK;
  for (int32_t i = 1; i < c->size && !c->rank && !s; i++)
    if (all[i] != mine)
      s = status_error(STATUS_CODE_mismatch, "rank %d has %s, and rank 0 has %s: give all the same --mode", i,
                       all[i] ? "columns" : "rows", mine ? "columns" : "rows");
  return c->engine->agree(c, s);
}

status rank_part_open(comm *c, const graph *g, const cells *cut, int32_t needs, arena *memory, bool keeps_in_memory,
                      rank_part *out) {
  *out = (rank_part){.comm = c, .whole = g, .cells = cut, .memory = memory};
  RETURN_IF_ERROR(compare_modes(c, needs, memory));
  RETURN_IF_ERROR(c->engine->agree(c, make_part(out, needs, keeps_in_memory)));
  return c->engine->exchange(c, &out->cut, &out->exchange);
}

void rank_part_close(rank_part *r) {
  cells_part_free(&r->cut);
}

status rank_part_compare(rank_part *r, const gnnc_program *program) {
  const uint64_t mine = program->train ? program->train->program : gnnc_program_info(program)->program;
  const int32_t ranks = r->comm->size;
  uint64_t *all = arena_alloc_array(r->memory, (size_t)ranks, sizeof *all);
  size_t *sizes = arena_alloc_array(r->memory, (size_t)ranks, sizeof *sizes);
  for (int32_t i = 0; i < ranks; i++) sizes[i] = sizeof mine;
  RETURN_IF_ERROR(r->comm->engine->gather(r->comm, &mine, sizeof mine, all, sizes));
  status s = STATUS_OK;
  for (int32_t i = 1; i < ranks && !r->comm->rank && !s; i++)
    if (all[i] != mine) s = status_error(STATUS_CODE_mismatch, "%s: rank %d has another program", program->path, i);
  return r->comm->engine->agree(r->comm, s);
}

/* ---- bind and runs ---- */

/* Before the first exchange: ranks that refuse what they are given say so in conclude, while the others are here. */
static gnnc_result agree_before(void *user) {
  rank_part *r = user;
  if (r->has_agreed) return GNNC_OK;
  r->has_agreed = true;
  r->disagreed = r->comm->engine->agree(r->comm, STATUS_OK);
  return r->disagreed ? GNNC_ERROR_COMM : GNNC_OK;
}

void rank_part_begin(rank_part *r, const rank_watch *watch) {
  const comm_watch_options options = {
      .delay_seconds = watch->delay_seconds, .begun = watch->begun, .before = agree_before, .user = r};
  if (!r->watch.watched.size) comm_watch_put(&r->watch, &options, &r->exchange);
  r->has_agreed = false;
}

/* The reason of a failed exchange, where there was one, in the place of a status that only says so. */
static status explain(rank_part *r, status s) {
  status reason = s ? r->comm->engine->explain(r->comm) : STATUS_OK;
  r->is_alone |= s != STATUS_OK;
  if (!reason) return s;
  status_free(s);
  return reason;
}

status rank_part_conclude(rank_part *r, status s) {
  if (!r->has_agreed) {
    r->has_agreed = true;
    return r->comm->engine->agree(r->comm, s);
  }
  if (!r->disagreed) return explain(r, s);
  status_free(s);
  s = r->disagreed;
  r->disagreed = STATUS_OK;
  return s;
}

/* ---- rows ---- */

/* Graphs that have nodes of this rank; rank 0 has those without nodes, too. */
static int64_t list_graphs(rank_part *r, const int64_t **rows) {
  const graph *g = r->whole, *part = &r->field.part;
  char *is_own = arena_alloc(r->memory, (size_t)g->num_graphs + 1);
  int64_t *made = arena_alloc_array(r->memory, (size_t)g->num_graphs + 1, sizeof *made), count = 0;
  memset(is_own, !r->comm->rank, (size_t)g->num_graphs);
  for (int64_t n = 0; n < g->num_nodes && !r->comm->rank; n++) is_own[g->batch[n]] = 0;
  for (int64_t n = 0; n < r->cut.num_own; n++) is_own[part->batch[n]] = 1;
  for (int64_t i = 0; i < g->num_graphs; i++)
    if (is_own[i]) made[count++] = i;
  *rows = made;
  return count;
}

/* Edges into own nodes. */
static int64_t list_edges(rank_part *r, const int64_t **places, const int64_t **numbers) {
  const cells_part *p = &r->cut;
  int64_t *at = arena_alloc_array(r->memory, (size_t)p->num_edges + 1, sizeof *at), count = 0;
  int64_t *made = arena_alloc_array(r->memory, (size_t)p->num_edges + 1, sizeof *made);
  for (int64_t e = 0; e < p->num_edges; e++) {
    if (p->dst[e] >= p->num_own) continue;
    at[count] = e;
    made[count++] = p->edge[e];
  }
  *places = at;
  *numbers = made;
  return count;
}

/* Own nodes of one type. */
static int64_t list_nodes_of_type(rank_part *r, int64_t type, const int64_t **numbers) {
  const graph *g = r->whole;
  int64_t *place = arena_alloc_array(r->memory, (size_t)g->num_nodes + 1, sizeof *place), row = 0, count = 0;
  int64_t *made = arena_alloc_array(r->memory, (size_t)r->cut.num_own + 1, sizeof *made);
  for (int64_t n = 0; n < g->num_nodes; n++) place[n] = g->node_type && g->node_type[n] == type ? row++ : -1;
  for (int64_t n = 0; n < r->cut.num_own; n++)
    if (place[r->cut.number[n]] >= 0) made[count++] = place[r->cut.number[n]];
  *numbers = made;
  return count;
}

static rank_rows list_rows(rank_part *r, const gnnc_tensor_info *info) {
  rank_rows made = {.is_listed = true};
  if (info->rows == GNNC_ROWS_NODE) {
    made.numbers = r->cut.number;
    made.count = r->cut.num_own;
  } else if (info->rows == GNNC_ROWS_EDGE) {
    made.count = list_edges(r, &made.places, &made.numbers);
  } else if (info->rows == GNNC_ROWS_GRAPH && r->whole->batch) {
    made.count = list_graphs(r, &made.numbers);
    made.places = made.numbers; /* graphs keep their numbers */
  } else if (info->rows == GNNC_ROWS_PART) {
    made.count = list_nodes_of_type(r, info->count, &made.numbers);
  } else {
    made.count = r->comm->rank ? 0 : inputs_rows(info, &r->field.part);
  }
  return made;
}

int64_t rank_part_list_rows(rank_part *r, const gnnc_tensor_info *info, const int64_t **places,
                            const int64_t **numbers) {
  rank_rows made = {0},
            *kept = info->rows < GNNC_ROWS_PART ? &r->rows[info->rows] : &made; /* of parts there are many */
  if (!kept->is_listed) *kept = list_rows(r, info);
  *places = kept->places;
  *numbers = kept->numbers;
  return kept->count;
}

/* ---- rows of all ranks, at all ranks ---- */

static int32_t rank_of_node(const rank_part *r, int64_t node) {
  return cells_rank_of(r->cells->cell[node], r->cells->count, r->comm->size);
}

/* The rank of a row of a tensor. */
static int32_t rank_of_row(const rank_part *r, gnnc_rows rows, int64_t row) {
  return rank_of_node(r, rows == GNNC_ROWS_EDGE ? r->whole->dst[row] : row);
}

/* Lists `count` rows by the rank that owns them. */
static status list_by_rank(const rank_part *r, gnnc_rows rows, int64_t count, int32_t **ptr, int32_t **numbers) {
  const int32_t ranks = r->comm->size;
  *ptr = arena_alloc_array(r->memory, (size_t)ranks + 2, sizeof **ptr);
  *numbers = arena_try_alloc_array(r->memory, (size_t)count + 1, sizeof **numbers);
  if (!*numbers) return status_error(STATUS_CODE_memory, "no memory for the numbers of %lld rows", (long long)count);
  int32_t *next = *ptr + 1;
  memset(*ptr, 0, ((size_t)ranks + 2) * sizeof **ptr);
  for (int64_t i = 0; i < count; i++) next[rank_of_row(r, rows, i) + 1]++;
  for (int32_t k = 0; k < ranks; k++) next[k + 1] += next[k];
  for (int64_t i = 0; i < count; i++) (*numbers)[next[rank_of_row(r, rows, i)]++] = (int32_t)i;
  return STATUS_OK; /* next[k] is now where rank k + 1 begins, so *ptr is the list of beginnings */
}

/* Each graph of a batch is of one rank: that of its last node; graphs without nodes are of rank 0. */
static status list_graphs_by_rank(const rank_part *r, int32_t **ptr, int32_t **numbers) {
  const graph *g = r->whole;
  int32_t *rank = arena_alloc_array(r->memory, (size_t)g->num_graphs + 1, sizeof *rank), count = 0;
  *ptr = arena_alloc_array(r->memory, (size_t)r->comm->size + 1, sizeof **ptr);
  *numbers = arena_alloc_array(r->memory, (size_t)g->num_graphs + 1, sizeof **numbers);
  memset(rank, 0, (size_t)g->num_graphs * sizeof *rank);
  for (int64_t n = 0; n < g->num_nodes; n++) rank[g->batch[n]] = rank_of_node(r, n);
  for (int32_t k = 0; k < r->comm->size; k++) {
    (*ptr)[k] = count;
    for (int32_t i = 0; i < g->num_graphs; i++)
      if (rank[i] == k) (*numbers)[count++] = i;
  }
  (*ptr)[r->comm->size] = count;
  return STATUS_OK;
}

static status list_whole(rank_part *r, gnnc_rows rows) {
  rank_rows *kept = &r->rows[rows];
  if (kept->by_rank) return STATUS_OK;
  if (rows == GNNC_ROWS_GRAPH) return list_graphs_by_rank(r, &kept->ptr, &kept->by_rank);
  const int64_t count = rows == GNNC_ROWS_EDGE ? r->whole->num_edges : r->whole->num_nodes;
  return list_by_rank(r, rows, count, &kept->ptr, &kept->by_rank);
}

static status share_rows(rank_part *r, const char *name, float *whole, size_t bytes, const int32_t *ptr,
                         const int32_t *numbers) {
  const gnnc_result result = r->exchange.share(r->exchange.user, whole, bytes, ptr, numbers);
  return result ? explain(r, status_error(STATUS_CODE_io, "rows of '%s' could not be exchanged", name)) : STATUS_OK;
}

/* The graph that is no batch: rank 0 has all its nodes. */
static status share_first(rank_part *r, const char *name, float *whole, size_t bytes) {
  rank_rows *kept = &r->rows[GNNC_ROWS_GRAPH];
  if (!kept->by_rank) {
    kept->ptr = arena_alloc_array(r->memory, (size_t)r->comm->size + 1, sizeof *kept->ptr);
    kept->by_rank = arena_alloc_array(r->memory, 1, sizeof *kept->by_rank);
    for (int32_t k = 0; k <= r->comm->size; k++) kept->ptr[k] = k > 0;
    kept->by_rank[0] = 0;
  }
  return share_rows(r, name, whole, bytes, kept->ptr, kept->by_rank);
}

status rank_part_share(rank_part *r, const gnnc_tensor_info *info, const float *own, float *whole) {
  const int64_t elements = inputs_row_elements(info), *places = NULL, *rows = NULL;
  const size_t bytes = (size_t)elements * sizeof *own;
  const int64_t count = rank_part_list_rows(r, info, &places, &rows);
  if (!rows) {
    memcpy(whole, own, (size_t)inputs_rows(info, &r->field.part) * bytes);
    return info->rows == GNNC_ROWS_GRAPH ? share_first(r, info->name, whole, bytes) : STATUS_OK;
  }
  if (info->rows >= GNNC_ROWS_PART)
    return status_error(STATUS_CODE_unsupported, "'%s' has rows for the nodes of one type, which ranks do not share",
                        info->name);
  for (int64_t i = 0; i < count; i++)
    memcpy(whole + rows[i] * elements, own + (places ? places[i] : i) * elements, bytes);
  RETURN_IF_ERROR(list_whole(r, info->rows));
  const rank_rows *of = &r->rows[info->rows];
  return share_rows(r, info->name, whole, bytes, of->ptr, of->by_rank);
}

/* ---- rows of all ranks, at rank 0 ---- */

/* What rank 0 needs to put rows together: where they go, and for each rank the bytes that come. */
typedef struct gathering {
  float *whole;
  int64_t *numbers; /* of the rows in the order in which they come */
  char *rows;
  size_t *sizes; /* [ranks] */
} gathering;

static status reserve_gathering(rank_part *r, size_t row_bytes, arena *a, gathering *g) {
  const size_t nodes = (size_t)r->whole->num_nodes + 1;
  g->sizes = calloc((size_t)r->comm->size, sizeof *g->sizes);
  g->numbers = malloc(nodes * sizeof *g->numbers);
  g->rows = malloc(nodes * row_bytes);
  g->whole = arena_try_alloc_array(a, nodes, row_bytes);
  if (g->sizes && g->numbers && g->rows && g->whole) return list_whole(r, GNNC_ROWS_NODE);
  return status_error(STATUS_CODE_memory, "no memory for the rows of %lld nodes", (long long)r->whole->num_nodes);
}

/* Gets `bytes` of each own row of every rank. */
static status gather_rows(rank_part *r, const void *mine, size_t bytes, void *all, size_t *sizes) {
  const int32_t *ptr = r->rows[GNNC_ROWS_NODE].ptr;
  for (int32_t k = 0; k < r->comm->size && !r->comm->rank; k++) sizes[k] = (size_t)(ptr[k + 1] - ptr[k]) * bytes;
  return r->comm->engine->gather(r->comm, mine, (size_t)r->cut.num_own * bytes, all, sizes);
}

status rank_part_gather(rank_part *r, const gnnc_tensor_info *info, const float *own, arena *a, float **whole) {
  const int64_t elements = inputs_row_elements(info);
  const size_t row_bytes = (size_t)elements * sizeof *own;
  gathering g = {0};
  status s = r->comm->engine->agree(r->comm, r->comm->rank ? STATUS_OK : reserve_gathering(r, row_bytes, a, &g));
  if (!s) s = gather_rows(r, r->cut.number, sizeof *g.numbers, g.numbers, g.sizes);
  if (!s) s = gather_rows(r, own, row_bytes, g.rows, g.sizes);
  for (int64_t i = 0; !s && !r->comm->rank && i < r->whole->num_nodes; i++)
    memcpy(g.whole + g.numbers[i] * elements, g.rows + (size_t)i * row_bytes, row_bytes);
  free(g.sizes);
  free(g.numbers);
  free(g.rows);
  *whole = s ? NULL : g.whole;
  return s;
}
