/* Training on sampled neighbourhoods: see train_batches.h.
 *
 *   slot 0   draw 1          draw 3  step 3 ...
 *   slot 1         draw 2
 *                  step 1    step 2
 *
 * A part is drawn, its rows are taken and its graph is bound in one of two slots, while a step runs on the other. */
#include "runtime/train_batches.h"

#include "runtime/gnnc/executor.h"
#include "runtime/session.h"
#include "runtime/train_accumulate.h"
#include "runtime/train_slot.h"
#include "support/thread_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char seed_mask[] = "train_mask";

struct train_batches_memory {
  sample_source *source;
  sample_rule rule;
  int32_t *seeds, *order; /* [num_seeds] rising, and as the epoch has them */
  train_slot slots[2];
  void *workspace;
  size_t room;
  thread_pool *pool;                /* of two threads, or of one */
  gnnc_pool *step_pool;             /* NULL: one thread does the steps */
  train_accumulation *accumulation; /* NULL: each batch has a step of its own, in the slots */
};

/* ---- what can be trained ---- */

static status refuse(const train_session *s, const char *reason) {
  return status_error(STATUS_CODE_unsupported, "model '%s' cannot be trained on sampled neighbourhoods: %s",
                      s->info->name, reason);
}

static bool is_of_nodes(const gnnc_tensor_info *info) {
  return info->rows == GNNC_ROWS_NODE || info->rows == GNNC_ROWS_PART;
}

/* Why a weight has a part alone of its rows in a part of the graph; NULL: it has them all. */
static const char *rows_reason(const gnnc_tensor_info *info) {
  if (is_of_nodes(info)) return "it has a row of weights for each node";
  if (info->rows == GNNC_ROWS_EDGE) return "it has a row of weights for each edge";
  return info->rows == GNNC_ROWS_GRAPH ? "it has a row of weights for each graph" : NULL;
}

static status check_reach(const train_session *s, const graph_reach *r) {
  if (r->extent == REACH_graphs)
    return refuse(
        s, "a row of its outputs depends on all nodes of its graph, as pooling and normalisation over graphs do");
  if (r->extent == REACH_all)
    return refuse(s, "a row of its outputs depends on the whole graph, as a sum over all rows does");
  if (r->follows_out)
    return refuse(s,
                  "it sums over outgoing or reversed edges, and the edges of a node that are drawn are incoming ones");
  return STATUS_OK;
}

static status check_tensors(const train_session *s) {
  const int32_t mask = train_find_input(s, seed_mask);
  if (mask < 0 || !is_of_nodes(&s->info->inputs[mask]))
    return refuse(
        s, "its loss reads no 'train_mask' with a number for each node, so that other nodes of a part would count");
  for (int32_t i = 0; i < s->info->num_weights; i++) {
    const char *reason = rows_reason(&s->info->weights[i]);
    if (reason) return status_context(refuse(s, reason), "weight '%s'", s->info->weights[i].name);
  }
  for (int32_t i = 0; i < s->info->num_inputs && s->graph->num_graphs; i++)
    if (s->info->inputs[i].rows == GNNC_ROWS_GRAPH) return refuse(s, "it has an input for each graph of a batch");
  return STATUS_OK;
}

/* ---- seeds ---- */

static bool is_marked(const gnnc_tensor_info *info, const void *mask, int64_t row) {
  int64_t elements = 1;
  for (int32_t i = 0; i < info->rank; i++) elements *= info->dims[i];
  for (int64_t i = row * elements; i < (row + 1) * elements; i++)
    if (info->is_integer ? ((const int32_t *)mask)[i] != 0 : ((const float *)mask)[i] != 0) return true;
  return false;
}

static status find_seeds(train_batches *b) {
  struct train_batches_memory *m = b->memory;
  const train_session *s = b->session;
  const graph *g = s->graph;
  const int32_t mask = train_find_input(s, seed_mask);
  const gnnc_tensor_info *info = &s->info->inputs[mask];
  int64_t row = 0;
  if (info->is_sparse) return refuse(s, "its 'train_mask' is sparse");
  m->seeds = malloc(((size_t)g->num_nodes + 1) * sizeof *m->seeds);
  m->order = malloc(((size_t)g->num_nodes + 1) * sizeof *m->order);
  if (!m->seeds || !m->order) return status_error(STATUS_CODE_memory, "out of memory");
  for (int64_t n = 0; n < g->num_nodes; n++) {
    if (info->rows == GNNC_ROWS_PART && (!g->node_type || g->node_type[n] != info->count)) continue;
    if (is_marked(info, s->inputs[mask], row++)) m->seeds[b->num_seeds++] = (int32_t)n;
  }
  if (!b->num_seeds) return status_error(STATUS_CODE_mismatch, "%s: '%s' marks no node", g->name, seed_mask);
  if (b->batch_size > b->num_seeds) b->batch_size = b->num_seeds;
  b->count = (b->num_seeds + b->batch_size - 1) / b->batch_size;
  return STATUS_OK;
}

/* ---- creation ---- */

static status make_slots(train_batches *b, int32_t threads) {
  struct train_batches_memory *m = b->memory;
  int32_t *in_type = train_rows_in_type(b->session);
  for (int i = 0; i < 2; i++) RETURN_IF_ERROR(train_slot_create(b->session, m->source, in_type, &m->slots[i]));
  m->pool = thread_pool_create(threads > 1 ? 2 : 1);
  if (threads > 2) m->step_pool = gnnc_pool_create(threads - 1);
  return m->pool && (threads <= 2 || m->step_pool) ? STATUS_OK : status_error(STATUS_CODE_memory, "out of memory");
}

static status make_places(train_batches *b, const train_batches_request *request) {
  struct train_batches_memory *m = b->memory;
  RETURN_IF_ERROR(sample_source_create(b->session->graph, &m->source));
  b->source = m->source;
  if (!request->accumulate) return make_slots(b, request->threads);
  b->in_step = request->accumulate < b->count ? request->accumulate : b->count;
  const train_accumulate_request together = {b->in_step, request->threads, seed_mask, request->is_backwards};
  return train_accumulation_create(b->session, m->source, &together, &m->accumulation);
}

status train_batches_create(train_session *s, const train_batches_request *request, train_batches **out) {
  *out = NULL;
  RETURN_IF_ERROR(check_reach(s, request->reach));
  RETURN_IF_ERROR(check_tensors(s));
  train_batches *b = calloc(1, sizeof *b);
  struct train_batches_memory *m = calloc(1, sizeof *m);
  if (!b || !m) {
    free(b);
    free(m);
    return status_error(STATUS_CODE_memory, "out of memory");
  }
  *b = (train_batches){.session = s, .batch_size = request->batch_size, .in_step = 1, .memory = m};
  m->rule = *request->rule;
  m->rule.seed = s->step.seed;
  status failed = find_seeds(b);
  if (!failed) failed = make_places(b, request);
  if (failed)
    train_batches_destroy(b);
  else
    *out = b;
  return failed;
}

void train_batches_destroy(train_batches *b) {
  if (!b) return;
  struct train_batches_memory *m = b->memory;
  for (int i = 0; i < 2; i++) train_slot_destroy(&m->slots[i]);
  train_accumulation_destroy(m->accumulation);
  sample_source_destroy(m->source);
  thread_pool_destroy(m->pool);
  gnnc_pool_destroy(m->step_pool);
  free(m->seeds);
  free(m->order);
  free(m->workspace);
  free(m);
  free(b);
}

/* ---- an epoch ---- */

static int64_t count_seeds(const train_batches *b, int64_t first) {
  const int64_t left = b->num_seeds - first, most = b->batch_size * b->in_step;
  return left < most ? left : most;
}

/* Makes all that a step on a batch needs. */
static status prepare(train_batches *b, int64_t index) {
  struct train_batches_memory *m = b->memory;
  const int64_t first = index * b->batch_size;
  return train_slot_fill(&m->slots[index % 2], &m->rule, m->order + first, count_seeds(b, first), seed_mask);
}

static void note_part(train_batches *b, int64_t nodes, int64_t edges) {
  if (nodes > b->most_nodes) b->most_nodes = nodes;
  if (edges > b->most_edges) b->most_edges = edges;
}

static status step(train_batches *b, const train_slot *now, const gnnc_optimizer *optimizer, float *loss) {
  struct train_batches_memory *m = b->memory;
  train_session *s = b->session;
  const graph *p = &now->part->part;
  const gnnc_part part = {now->part->nodes, now->part->edges, s->graph->num_edges};
  const gnnc_executor *one = m->step_pool ? gnnc_pool_executor(m->step_pool) : NULL;
  const gnnc_context context = {.size = sizeof context, .executor = one, .step = &s->step, .part = &part};
  note_part(b, p->num_nodes, p->num_edges);
  RETURN_IF_ERROR(train_reserve(&m->workspace, &m->room, s->info->workspace_bytes(now->bound, &context), "workspace"));
  s->step.number++;
  return session_explain_run(
      p, s->info->step(now->bound, now->rows->inputs, s->weights, s->state, optimizer, loss, m->workspace, &context));
}

typedef struct job {
  train_batches *batches;
  int64_t index; /* of the batch that has its step */
  const gnnc_optimizer *optimizer;
  float loss;
  status failed[2];
} job;

static void run_part(void *data, int64_t part) {
  job *j = data;
  j->failed[part] = part ? prepare(j->batches, j->index + 1)
                         : step(j->batches, &j->batches->memory->slots[j->index % 2], j->optimizer, &j->loss);
}

/* Does a step, and makes the next batch, if there is one, meanwhile. */
static status step_and_prepare(train_batches *b, int64_t index, const gnnc_optimizer *optimizer, double *loss) {
  job j = {.batches = b, .index = index, .optimizer = optimizer};
  if (!index) RETURN_IF_ERROR(prepare(b, 0));
  thread_pool_for_parts(b->memory->pool, index + 1 < b->count ? 2 : 1, run_part, &j);
  *loss = (double)j.loss;
  if (j.failed[0]) status_free(j.failed[1]);
  return j.failed[0] ? j.failed[0] : j.failed[1];
}

/* Does the step of several batches, the first of which has this index. */
static status step_together(train_batches *b, int64_t index, const gnnc_optimizer *optimizer, double *loss) {
  struct train_batches_memory *m = b->memory;
  const int64_t first = index * b->batch_size, seeds = count_seeds(b, first);
  const train_group group = {.rule = &m->rule,
                             .seeds = m->order + first,
                             .num_seeds = seeds,
                             .batch_size = b->batch_size,
                             .count = (seeds + b->batch_size - 1) / b->batch_size,
                             .first = b->session->step.number + 1};
  train_group_result found;
  RETURN_IF_ERROR(train_accumulation_step(m->accumulation, &group, optimizer, &found));
  note_part(b, found.most_nodes, found.most_edges);
  b->session->step.number += group.count;
  *loss = found.loss;
  return STATUS_OK;
}

status train_batches_epoch(train_batches *b, int64_t epoch, const gnnc_optimizer *optimizer, double *loss) {
  struct train_batches_memory *m = b->memory;
  double sum = 0;
  m->rule.epoch = epoch;
  b->session->step.number = (epoch - 1) * b->count;
  memcpy(m->order, m->seeds, (size_t)b->num_seeds * sizeof *m->order);
  sample_permute(m->rule.seed, epoch, m->order, b->num_seeds);
  for (int64_t i = 0; i < b->count; i += b->in_step) {
    RETURN_IF_ERROR(m->accumulation ? step_together(b, i, optimizer, loss) : step_and_prepare(b, i, optimizer, loss));
    if (!isfinite(*loss)) return STATUS_OK;
    sum += *loss * (double)count_seeds(b, i * b->batch_size);
  }
  *loss = sum / (double)b->num_seeds;
  return STATUS_OK;
}
