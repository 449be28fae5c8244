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
#include "runtime/train_rows.h"
#include "support/thread_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char seed_mask[] = "train_mask";

typedef struct slot {
  sample *part;
  train_rows *rows;
  void *bound;
  size_t room;
  int64_t index; /* of the batch in its epoch */
} slot;

struct train_batches_memory {
  sample_source *source;
  sample_rule rule;
  int32_t *seeds, *order; /* [num_seeds] rising, and as the epoch has them */
  slot slots[2];
  void *workspace;
  size_t room;
  thread_pool *pool;    /* of two threads, or of one */
  gnnc_pool *step_pool; /* NULL: one thread does the steps */
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
  RETURN_IF_ERROR(sample_source_create(b->session->graph, &m->source));
  int32_t *in_type = train_rows_in_type(b->session);
  for (int i = 0; i < 2; i++) {
    RETURN_IF_ERROR(sample_create(m->source, &m->slots[i].part));
    RETURN_IF_ERROR(train_rows_create(b->session, in_type, &m->slots[i].rows));
  }
  m->pool = thread_pool_create(threads > 1 ? 2 : 1);
  if (threads > 2) m->step_pool = gnnc_pool_create(threads - 1);
  return m->pool && (threads <= 2 || m->step_pool) ? STATUS_OK : status_error(STATUS_CODE_memory, "out of memory");
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
  *b = (train_batches){.session = s, .batch_size = request->batch_size, .memory = m};
  m->rule = *request->rule;
  m->rule.seed = s->step.seed;
  status failed = find_seeds(b);
  if (!failed) failed = make_slots(b, request->threads);
  if (failed)
    train_batches_destroy(b);
  else
    *out = b;
  return failed;
}

void train_batches_destroy(train_batches *b) {
  if (!b) return;
  struct train_batches_memory *m = b->memory;
  for (int i = 0; i < 2; i++) {
    sample_destroy(m->slots[i].part);
    train_rows_destroy(m->slots[i].rows);
    free(m->slots[i].bound);
  }
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

/* Makes all that a step on the next batch needs. */
static status prepare(train_batches *b, slot *next) {
  struct train_batches_memory *m = b->memory;
  const int64_t begin = next->index * b->batch_size, left = b->num_seeds - begin;
  RETURN_IF_ERROR(sample_draw(next->part, &m->rule, m->order + begin, left < b->batch_size ? left : b->batch_size));
  RETURN_IF_ERROR(train_rows_take(next->rows, next->part, seed_mask));
  return train_bind(b->session->info, &next->part->part, NULL, &next->bound, &next->room);
}

static status step(train_batches *b, const slot *now, const gnnc_optimizer *optimizer, float *loss) {
  struct train_batches_memory *m = b->memory;
  train_session *s = b->session;
  const graph *p = &now->part->part;
  const gnnc_part part = {now->part->nodes, now->part->edges, s->graph->num_edges};
  const gnnc_executor *one = m->step_pool ? gnnc_pool_executor(m->step_pool) : NULL;
  const gnnc_context context = {.size = sizeof context, .executor = one, .step = &s->step, .part = &part};
  if (p->num_nodes > b->most_nodes) b->most_nodes = p->num_nodes;
  if (p->num_edges > b->most_edges) b->most_edges = p->num_edges;
  RETURN_IF_ERROR(train_reserve(&m->workspace, &m->room, s->info->workspace_bytes(now->bound, &context), "workspace"));
  s->step.number++;
  return session_explain_run(
      p, s->info->step(now->bound, now->rows->inputs, s->weights, s->state, optimizer, loss, m->workspace, &context));
}

typedef struct job {
  train_batches *batches;
  const slot *now;
  slot *next;
  const gnnc_optimizer *optimizer;
  float loss;
  status failed[2];
} job;

static void run_part(void *data, int64_t part) {
  job *j = data;
  j->failed[part] = part ? prepare(j->batches, j->next) : step(j->batches, j->now, j->optimizer, &j->loss);
}

/* Does a step, and makes the next batch, if there is one, meanwhile. */
static status step_and_prepare(train_batches *b, int64_t index, const gnnc_optimizer *optimizer, float *loss) {
  struct train_batches_memory *m = b->memory;
  job j = {.batches = b, .now = &m->slots[index % 2], .next = &m->slots[(index + 1) % 2], .optimizer = optimizer};
  j.next->index = index + 1;
  thread_pool_for_parts(m->pool, index + 1 < b->count ? 2 : 1, run_part, &j);
  *loss = j.loss;
  if (j.failed[0]) status_free(j.failed[1]);
  return j.failed[0] ? j.failed[0] : j.failed[1];
}

status train_batches_epoch(train_batches *b, int64_t epoch, const gnnc_optimizer *optimizer, double *loss) {
  struct train_batches_memory *m = b->memory;
  double sum = 0;
  m->rule.epoch = epoch;
  b->session->step.number = (epoch - 1) * b->count;
  memcpy(m->order, m->seeds, (size_t)b->num_seeds * sizeof *m->order);
  sample_permute(m->rule.seed, epoch, m->order, b->num_seeds);
  m->slots[0].index = 0;
  RETURN_IF_ERROR(prepare(b, &m->slots[0]));
  for (int64_t i = 0; i < b->count; i++) {
    float found = 0;
    RETURN_IF_ERROR(step_and_prepare(b, i, optimizer, &found));
    *loss = (double)found;
    if (!isfinite(found)) return STATUS_OK;
    sum += (double)found * (double)m->slots[i % 2].part->num_seeds;
  }
  *loss = sum / (double)b->num_seeds;
  return STATUS_OK;
}
