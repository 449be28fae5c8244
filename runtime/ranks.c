/* A rank: a receptive field whose nodes are own nodes, then ghosts, and a session on it. */
#include "runtime/ranks.h"

#include "runtime/inputs.h"
#include "runtime/native.h"
#include "support/clock.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Where a program pools, no graph of the batch may be cut; without a batch all nodes are one graph. */
static status check_graphs(const graph *g, const cells *c, int32_t ranks) {
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

status ranks_check(const gnnc_program *program, const graph *g, const cells *c, int32_t ranks) {
  const gnnc_model_info *info = gnnc_program_info(program);
  bool is_known = info->size >= offsetof(gnnc_model_info, program) + sizeof info->program;
  if (!is_known || !info->has_ranks)
    return status_error(STATUS_CODE_mismatch, "%s: the program computes whole graphs; gnnc --ranks makes one for ranks",
                        program->path);
  if (ranks > c->count)
    return status_error(STATUS_CODE_mismatch, "%d ranks are more than the %d cells of the graph", ranks, c->count);
  return info->has_ranks > 1 ? check_graphs(g, c, ranks) : STATUS_OK;
}

/* ---- the part ---- */

static const int32_t *take(arena *a, const int32_t *whole, const int64_t *numbers, int64_t count) {
  if (!whole) return NULL;
  int32_t *made = arena_alloc_array(a, (size_t)count + 1, sizeof *made);
  for (int64_t i = 0; i < count; i++) made[i] = whole[numbers[i]];
  return made;
}

/* Describes the part as a graph of its own: own nodes, then ghosts. Graphs of a batch keep their numbers. */
static void make_field(rank_session *r) {
  const graph *g = r->request->graph;
  const cells_part *p = &r->part;
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

static status agree(rank_session *r, status mine) {
  return r->comm->engine->agree(r->comm, mine);
}

static status make_part(rank_session *r) {
  status s = cells_part_make(r->request->graph, r->request->cells, r->comm->rank, r->comm->size, &r->part);
  if (s) cells_part_free(&r->part);
  RETURN_IF_ERROR(s);
  if (r->request->spills) cells_part_move(&r->part, r->memory);
  r->pool = gnnc_pool_create(r->request->threads);
  if (!r->pool) return status_error(STATUS_CODE_memory, "no memory for %d threads", r->request->threads);
  make_field(r);
  return STATUS_OK;
}

/* Compares the programs of all ranks at rank 0: others would wait for exchanges that never come. */
static status compare_programs(rank_session *r) {
  const int32_t ranks = r->comm->size;
  uint64_t mine = gnnc_program_info(r->request->program)->program;
  uint64_t *all = arena_alloc_array(r->memory, (size_t)ranks, sizeof *all);
  size_t *sizes = arena_alloc_array(r->memory, (size_t)ranks, sizeof *sizes);
  for (int32_t i = 0; i < ranks; i++) sizes[i] = sizeof mine;
  RETURN_IF_ERROR(r->comm->engine->gather(r->comm, &mine, sizeof mine, all, sizes));
  status s = STATUS_OK;
  for (int32_t i = 1; i < ranks && !r->comm->rank && !s; i++)
    if (all[i] != mine)
      s = status_error(STATUS_CODE_mismatch, "%s: rank %d has another program", r->request->program->path, i);
  return agree(r, s);
}

/* The reason of a failed exchange, where there was one, in the place of a status that only says so. */
static status explain(rank_session *r, status s) {
  status reason = s ? r->comm->engine->explain(r->comm) : STATUS_OK;
  if (!reason) return s;
  status_free(s);
  return reason;
}

/* Before the first exchange of bind, and of the first run, which have checked what they are given by then: ranks that refuse it say so in
 * conclude, while the others are here. */
static gnnc_result agree_before(void *user) {
  rank_session *r = user;
  if (r->has_agreed) return GNNC_OK;
  r->has_agreed = true;
  r->disagreed = agree(r, STATUS_OK);
  return r->disagreed ? GNNC_ERROR_COMM : GNNC_OK;
}

/* What came of bind, or of a run, for all ranks where they have not agreed yet. */
static status conclude(rank_session *r, status s) {
  if (!r->has_agreed) {
    r->has_agreed = true;
    return agree(r, s);
  }
  if (r->disagreed) {
    status_free(s);
    s = r->disagreed;
    r->disagreed = STATUS_OK;
    return s;
  }
  s = explain(r, s);
  r->is_alone = s != STATUS_OK;
  return s;
}

status ranks_open(comm *c, const ranks_request *request, rank_session *out) {
  spill *kept = request->spills ? request->spills[c->rank] : NULL;
  *out = (rank_session){.comm = c, .request = request, .memory = kept ? arena_create_in(kept) : arena_create()};
  RETURN_IF_ERROR(agree(out, make_part(out)));
  RETURN_IF_ERROR(compare_programs(out));
  RETURN_IF_ERROR(c->engine->exchange(c, &out->part, &out->exchange));
  const comm_watch_options watch = {
      .delay_seconds = request->delay_seconds, .begun = request->begun, .before = agree_before, .user = out};
  comm_watch_put(&out->watch, &watch, &out->exchange);
  out->context =
      (gnnc_context){.size = sizeof out->context, .executor = gnnc_pool_executor(out->pool), .comm = &out->exchange};
  session_request part = {.graph = request->graph, .weights = request->weights, .field = &out->field, .spill = kept};
  RETURN_IF_ERROR(agree(out, session_read(request->program, &part, &out->session)));
  status s = conclude(out, session_bind(out->session, &out->context));
  out->has_agreed = false; /* for the first run */
  return s;
}

void ranks_close(rank_session *r) {
  gnnc_session_destroy(r->session);
  gnnc_pool_destroy(r->pool);
  if (r->request && !r->request->spills) cells_part_free(&r->part);
  if (r->memory) arena_destroy(r->memory);
  *r = (rank_session){0};
}

status ranks_run(rank_session *r) {
  RETURN_IF_ERROR(agree(r, STATUS_OK));
  double start = clock_seconds();
  status s = gnnc_session_run(r->session, &r->context);
  r->run_seconds = clock_seconds() - start;
  return conclude(r, s);
}

/* ---- sizes ---- */

status ranks_gather_sizes(rank_session *r, ranks_sizes *all) {
  const gnnc_model_info *info = gnnc_program_info(r->request->program);
  gnnc_session_statistics s = gnnc_session_get_statistics(r->session);
  ranks_sizes mine = {.own = r->part.num_own,
                      .ghosts = r->part.num_ghosts,
                      .interior = r->part.num_interior,
                      .edges = r->part.num_edges,
                      .memory_bytes = s.input_bytes + s.output_bytes + s.bound_bytes + s.workspace_bytes,
                      .run_seconds = r->run_seconds};
  for (int32_t i = 0; i < info->num_exchanges; i++)
    if (info->exchanges[i].in_bind)
      mine.bind_bytes += cells_part_received_bytes(&r->part, (int64_t)info->exchanges[i].row_bytes);
  mine.run_bytes = r->comm->bytes_received - mine.bind_bytes;
  size_t *sizes = arena_alloc_array(r->memory, (size_t)r->comm->size, sizeof *sizes);
  for (int32_t i = 0; i < r->comm->size; i++) sizes[i] = sizeof mine;
  return r->comm->engine->gather(r->comm, &mine, sizeof mine, all, sizes);
}

/* ---- outputs ---- */

/* Graphs that have nodes of this rank; rank 0 has those without nodes, too. */
static int64_t list_own_graphs(rank_session *r, const int64_t **rows) {
  const graph *g = r->request->graph, *part = &r->field.part;
  char *is_own = arena_alloc(r->memory, (size_t)g->num_graphs + 1);
  int64_t *made = arena_alloc_array(r->memory, (size_t)g->num_graphs + 1, sizeof *made), count = 0;
  if (!r->comm->rank) memset(is_own, 1, (size_t)g->num_graphs);
  for (int64_t n = 0; n < g->num_nodes && !r->comm->rank; n++) is_own[g->batch[n]] = 0;
  for (int64_t n = 0; n < r->part.num_own; n++) is_own[part->batch[n]] = 1;
  for (int64_t i = 0; i < g->num_graphs; i++)
    if (is_own[i]) made[count++] = i;
  *rows = made;
  return count;
}

/* The rows of an output that a rank owns: their number, and each row's number in the whole graph. Outputs without rows of
 * the graph are the same on all ranks; rank 0 gives them. */
static int64_t list_own_rows(rank_session *r, const gnnc_tensor_info *info, const int64_t **rows) {
  const graph *g = r->request->graph;
  const cells_part *p = &r->part;
  *rows = NULL;
  if (info->rows == GNNC_ROWS_NODE) {
    *rows = p->number;
    return p->num_own;
  }
  if (info->rows == GNNC_ROWS_EDGE) {
    *rows = p->edge;
    return p->num_edges;
  }
  if (info->rows != GNNC_ROWS_PART) return r->comm->rank ? 0 : inputs_rows(info, &r->field.part);
  int64_t *place = arena_alloc_array(r->memory, (size_t)g->num_nodes + 1, sizeof *place), row = 0, count = 0;
  int64_t *made = arena_alloc_array(r->memory, (size_t)p->num_own + 1, sizeof *made);
  for (int64_t n = 0; n < g->num_nodes; n++) place[n] = g->node_type && g->node_type[n] == info->count ? row++ : -1;
  for (int64_t n = 0; n < p->num_own; n++)
    if (place[p->number[n]] >= 0) made[count++] = place[p->number[n]];
  *rows = made;
  return count;
}

status ranks_gather_bytes(rank_session *r, const void *mine, size_t bytes, char **all, size_t *total) {
  const comm_engine *e = r->comm->engine;
  const int32_t ranks = r->comm->size;
  size_t *counts = arena_alloc_array(r->memory, (size_t)ranks, sizeof *counts);
  size_t *of_counts = arena_alloc_array(r->memory, (size_t)ranks, sizeof *of_counts);
  for (int32_t i = 0; i < ranks; i++) of_counts[i] = sizeof bytes;
  RETURN_IF_ERROR(e->gather(r->comm, &bytes, sizeof bytes, counts, of_counts));
  *total = 0;
  for (int32_t i = 0; i < ranks && !r->comm->rank; i++) *total += counts[i];
  *all = r->comm->rank ? NULL : arena_alloc(r->memory, *total + 1);
  return e->gather(r->comm, mine, bytes, *all, counts);
}

/* The own rows of an output per graph one after another. */
static const float *take_graphs(rank_session *r, const int64_t *rows, int64_t count, int64_t elements,
                                const float *data) {
  float *made = arena_alloc_array(r->memory, (size_t)(count * elements) + 1, sizeof *made);
  for (int64_t i = 0; i < count; i++)
    memcpy(made + i * elements, data + rows[i] * elements, (size_t)elements * sizeof *made);
  return made;
}

static status gather_output(rank_session *r, const gnnc_tensor_info *info, const float *data, float *whole) {
  const int64_t *rows = NULL, elements = inputs_row_elements(info);
  const bool is_of_graphs = info->rows == GNNC_ROWS_GRAPH && r->request->graph->batch;
  int64_t count = is_of_graphs ? list_own_graphs(r, &rows) : list_own_rows(r, info, &rows);
  const size_t row_bytes = (size_t)elements * sizeof *data;
  if (is_of_graphs) data = take_graphs(r, rows, count, elements, data);
  char *all_rows = NULL, *all_data = NULL;
  size_t rows_size = 0, data_size = 0;
  RETURN_IF_ERROR(ranks_gather_bytes(r, rows ? (const void *)rows : "", rows ? (size_t)count * sizeof *rows : 0,
                                     &all_rows, &rows_size));
  RETURN_IF_ERROR(ranks_gather_bytes(r, data, (size_t)count * row_bytes, &all_data, &data_size));
  if (r->comm->rank) return STATUS_OK;
  if (!rows) {
    memcpy(whole, all_data, data_size);
    return STATUS_OK;
  }
  const int64_t *numbers = (const int64_t *)(const void *)all_rows;
  for (size_t i = 0; i < rows_size / sizeof *numbers; i++)
    memcpy(whole + numbers[i] * elements, all_data + i * row_bytes, row_bytes);
  return STATUS_OK;
}

status ranks_gather(rank_session *r, float *const *outputs) {
  const gnnc_model_info *info = gnnc_program_info(r->request->program);
  for (int32_t i = 0; i < info->num_outputs; i++)
    RETURN_IF_ERROR(gather_output(r, &info->outputs[i], gnnc_session_output(r->session, i, NULL),
                                  r->comm->rank ? NULL : outputs[i]));
  return STATUS_OK;
}
