/* A rank: a receptive field whose nodes are own nodes, then ghosts, and a session on it. */
#include "runtime/ranks.h"

#include "runtime/inputs.h"
#include "runtime/native.h"
#include "support/clock.h"

#include <stdlib.h>
#include <string.h>

status ranks_check(const gnnc_program *program, const graph *g, const cells *c, int32_t ranks) {
  return rank_part_check(program, g, c, ranks);
}

static status agree(rank_session *r, status mine) {
  return r->comm->engine->agree(r->comm, mine);
}

bool ranks_exchange_is_in(const gnnc_exchange_info *exchange, bool has_columns) {
  return exchange->mode == GNNC_EXCHANGE_ALWAYS ||
         exchange->mode == (has_columns ? GNNC_EXCHANGE_COLUMNS : GNNC_EXCHANGE_ROWS);
}

static status make_pool(rank_session *r) {
  r->pool = gnnc_pool_create(r->request->threads);
  return r->pool ? STATUS_OK : status_error(STATUS_CODE_memory, "no memory for %d threads", r->request->threads);
}

status ranks_open(comm *c, const ranks_request *request, rank_session *out) {
  spill *kept = request->spills ? request->spills[c->rank] : NULL;
  *out = (rank_session){.comm = c, .request = request, .memory = kept ? arena_create_in(kept) : arena_create()};
  RETURN_IF_ERROR(agree(out, make_pool(out)));
  const int32_t needs = rank_part_needs(request->program) & ~(request->has_columns ? 0 : GNNC_RANKS_COLUMNS);
  RETURN_IF_ERROR(rank_part_open(c, request->graph, request->cells, needs, out->memory, kept != NULL, &out->part));
  RETURN_IF_ERROR(rank_part_compare(&out->part, request->program));
  rank_part_begin(&out->part, &request->watch);
  out->context = (gnnc_context){
      .size = sizeof out->context, .executor = gnnc_pool_executor(out->pool), .comm = &out->part.exchange};
  session_request part = {
      .graph = request->graph, .weights = request->weights, .field = &out->part.field, .spill = kept};
  RETURN_IF_ERROR(agree(out, session_read(request->program, &part, &out->session)));
  status s = rank_part_conclude(&out->part, session_bind(out->session, &out->context));
  rank_part_begin(&out->part, &request->watch); /* the first run */
  return s;
}

void ranks_close(rank_session *r) {
  gnnc_session_destroy(r->session);
  gnnc_pool_destroy(r->pool);
  if (r->request && !r->request->spills) rank_part_close(&r->part);
  if (r->memory) arena_destroy(r->memory);
  *r = (rank_session){0};
}

status ranks_run(rank_session *r) {
  RETURN_IF_ERROR(agree(r, STATUS_OK));
  double start = clock_seconds();
  status s = gnnc_session_run(r->session, &r->context);
  r->run_seconds = clock_seconds() - start;
  return rank_part_conclude(&r->part, s);
}

/* ---- sizes ---- */

status ranks_gather_sizes(rank_session *r, ranks_sizes *all) {
  const gnnc_model_info *info = gnnc_program_info(r->request->program);
  gnnc_session_statistics s = gnnc_session_get_statistics(r->session);
  ranks_sizes mine = {.own = r->part.cut.num_own,
                      .ghosts = r->part.cut.num_ghosts,
                      .interior = r->part.cut.num_interior,
                      .edges = r->part.cut.num_edges,
                      .out_edges = r->part.cut.num_edges_received,
                      .memory_bytes = s.input_bytes + s.output_bytes + s.bound_bytes + s.workspace_bytes,
                      .run_seconds = r->run_seconds};
  for (int32_t i = 0; i < info->num_exchanges; i++) {
    const int64_t row_bytes = (int64_t)info->exchanges[i].row_bytes;
    if (info->exchanges[i].in_bind && ranks_exchange_is_in(&info->exchanges[i], r->request->has_columns))
      mine.bind_bytes += info->exchanges[i].of_edges ? cells_part_received_edge_bytes(&r->part.cut, row_bytes)
                                                     : cells_part_received_bytes(&r->part.cut, row_bytes);
  }
  mine.run_bytes = r->comm->bytes_received - mine.bind_bytes;
  size_t *sizes = arena_alloc_array(r->memory, (size_t)r->comm->size, sizeof *sizes);
  for (int32_t i = 0; i < r->comm->size; i++) sizes[i] = sizeof mine;
  return r->comm->engine->gather(r->comm, &mine, sizeof mine, all, sizes);
}

/* ---- outputs ---- */

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

/* Rows of an output one after another. */
static const float *take_rows(rank_session *r, const int64_t *places, int64_t count, int64_t elements,
                              const float *data) {
  float *made = arena_alloc_array(r->memory, (size_t)(count * elements) + 1, sizeof *made);
  for (int64_t i = 0; i < count; i++)
    memcpy(made + i * elements, data + places[i] * elements, (size_t)elements * sizeof *made);
  return made;
}

static status gather_output(rank_session *r, const gnnc_tensor_info *info, const float *data, float *whole) {
  const int64_t *places = NULL, *rows = NULL, elements = inputs_row_elements(info);
  const int64_t count = rank_part_list_rows(&r->part, info, &places, &rows);
  const size_t row_bytes = (size_t)elements * sizeof *data;
  if (places) data = take_rows(r, places, count, elements, data);
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
