/* Evaluation by parts: see train_evaluation.h. */
#include "runtime/train_evaluation.h"

#include "data/convert.h"
#include "runtime/session.h"
#include "runtime/train_slot.h"
#include "support/thread_pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char mask_name[] = "train_mask";

/* What a thread needs for a part. */
typedef struct place {
  train_slot slot;
  void **outputs; /* of the part, the loss last */
  size_t *rooms;
} place;

struct train_evaluation {
  train_session *session;
  sample_rule rule;
  int32_t mask;                         /* the input */
  int64_t batch_size, num_seeds, count; /* parts */
  int32_t *seeds;
  int32_t *in_type;          /* of each node, its number among those of its type, the session's; NULL: not needed */
  double *losses, *weights;  /* [count] of the parts, and the sums of their masks */
  const void *const *inputs; /* of the run */
  thread_pool *pool;
  int64_t num_places, num_free;
  place *places, **free_places;
  pthread_mutex_t mutex; /* of the places and the failure */
  status failed;
};

static status no_memory(void) {
  return status_error(STATUS_CODE_memory, "no memory for an evaluation by parts");
}

/* ---- creation ---- */

static status check_outputs(const train_session *s, const graph_reach *r) {
  if (r->hops > SAMPLE_MOST_HOPS)
    return status_error(STATUS_CODE_unsupported, "the outputs of '%s' reach %lld hops, parts have at most %d",
                        s->info->name, (long long)r->hops, (int)SAMPLE_MOST_HOPS);
  for (int32_t i = 0; i < s->info->num_outputs - 1; i++) {
    const gnnc_rows rows = s->info->outputs[i].rows;
    if (rows != GNNC_ROWS_NODE && rows != GNNC_ROWS_PART)
      return status_error(STATUS_CODE_unsupported, "the output '%s' of '%s' has no row per node",
                          s->info->outputs[i].name, s->info->name);
  }
  return STATUS_OK;
}

/* Lists the nodes of the masks; all nodes where there are none. */
static status find_seeds(train_evaluation *e) {
  static const char *const names[] = {"train_mask", "val_mask", "test_mask"};
  const graph *g = e->session->graph;
  const tensor *masks[3];
  bool has_masks = false;
  for (int i = 0; i < 3; i++) {
    masks[i] = tensor_set_find(g->tensors, names[i]);
    if (masks[i] && (!masks[i]->rank || masks[i]->dims[0] != g->num_nodes)) masks[i] = NULL; /* of edges, for example */
    has_masks |= masks[i] != NULL;
  }
  e->seeds = malloc(((size_t)g->num_nodes + 1) * sizeof *e->seeds);
  if (!e->seeds) return no_memory();
  for (int64_t n = 0; n < g->num_nodes; n++) {
    bool is_marked = !has_masks;
    for (int i = 0; i < 3 && !is_marked; i++) {
      const int64_t columns = masks[i] ? masks[i]->count / g->num_nodes : 0;
      for (int64_t c = 0; c < columns; c++) is_marked |= convert_element_f64(masks[i], n * columns + c) != 0;
    }
    if (is_marked) e->seeds[e->num_seeds++] = (int32_t)n;
  }
  e->count = (e->num_seeds + e->batch_size - 1) / e->batch_size;
  return STATUS_OK;
}

static status make_places(train_evaluation *e, const train_evaluation_request *request) {
  const size_t outputs = (size_t)e->session->info->num_outputs;
  e->num_places = request->threads < e->count ? request->threads : e->count;
  e->losses = calloc((size_t)e->count + 1, sizeof *e->losses);
  e->weights = calloc((size_t)e->count + 1, sizeof *e->weights);
  e->places = calloc((size_t)e->num_places + 1, sizeof *e->places);
  e->free_places = calloc((size_t)e->num_places + 1, sizeof *e->free_places);
  e->pool = thread_pool_create((int)e->num_places);
  if (!e->losses || !e->weights || !e->places || !e->free_places || !e->pool) return no_memory();
  e->in_type = train_rows_in_type(e->session);
  for (int64_t i = 0; i < e->num_places; i++) {
    place *p = e->free_places[e->num_free++] = &e->places[i];
    RETURN_IF_ERROR(train_slot_create(e->session, request->source, e->in_type, &p->slot));
    p->outputs = calloc(outputs + 1, sizeof *p->outputs);
    p->rooms = calloc(outputs + 1, sizeof *p->rooms);
    if (!p->outputs || !p->rooms) return no_memory();
  }
  return STATUS_OK;
}

static status open_evaluation(train_evaluation *e, const train_evaluation_request *request) {
  RETURN_IF_ERROR(check_outputs(e->session, request->reach));
  RETURN_IF_ERROR(find_seeds(e));
  return make_places(e, request);
}

status train_evaluation_create(train_session *s, const train_evaluation_request *request, train_evaluation **out) {
  *out = NULL;
  train_evaluation *e = calloc(1, sizeof *e);
  if (!e) return no_memory();
  e->session = s;
  e->batch_size = request->batch_size;
  e->mask = train_find_input(s, mask_name);
  e->rule.hops = (int32_t)request->reach->hops; /* with no fanout: all edges */
  pthread_mutex_init(&e->mutex, NULL);
  status failed = open_evaluation(e, request);
  if (failed)
    train_evaluation_destroy(e);
  else
    *out = e;
  return failed;
}

void train_evaluation_destroy(train_evaluation *e) {
  if (!e) return;
  for (int64_t i = 0; e->places && i < e->num_places; i++) {
    place *p = &e->places[i];
    train_slot_destroy(&p->slot);
    for (int32_t k = 0; p->outputs && k < e->session->info->num_outputs; k++) free(p->outputs[k]);
    free(p->outputs);
    free(p->rooms);
  }
  thread_pool_destroy(e->pool);
  pthread_mutex_destroy(&e->mutex);
  free(e->places);
  free(e->free_places);
  free(e->losses);
  free(e->weights);
  free(e->seeds);
  free(e);
}

/* ---- a part ---- */

/* Makes room for the outputs of a part: at most a row per node. */
static status reserve_outputs(const train_evaluation *e, place *p) {
  const gnnc_train_info *info = e->session->info;
  for (int32_t i = 0; i < info->num_outputs; i++) {
    const int64_t rows = i + 1 < info->num_outputs ? p->slot.part->part.num_nodes : 1;
    const size_t bytes = (size_t)(rows * train_elements(&info->outputs[i]) + 1) * sizeof(float);
    RETURN_IF_ERROR(train_reserve(&p->outputs[i], &p->rooms[i], bytes, "output"));
  }
  return STATUS_OK;
}

/* Copies the rows of the seeds, which are the first of the part, to their places in the session's output. */
static void keep_rows(const train_evaluation *e, const place *p, int32_t output) {
  const gnnc_tensor_info *info = &e->session->info->outputs[output];
  const graph *g = e->session->graph;
  const int64_t elements = train_elements(info);
  const float *from = p->outputs[output];
  for (int64_t i = 0; i < p->slot.part->num_seeds; i++) {
    const int32_t node = p->slot.part->nodes[i];
    int64_t row = node;
    if (info->rows == GNNC_ROWS_PART) {
      if (g->node_type && g->node_type[node] != info->count) continue;
      row = e->in_type ? e->in_type[node] : node;
    }
    memcpy(e->session->outputs[output] + row * elements, from, (size_t)elements * sizeof *from);
    from += elements;
  }
}

/* The sum of the mask at the seeds of a part: what its loss counts for. */
static double sum_mask(const train_evaluation *e, const place *p) {
  const gnnc_tensor_info *info = &e->session->info->inputs[e->mask];
  const void *mask = p->slot.rows->inputs[e->mask];
  const int64_t count = train_rows_of_seeds(p->slot.part, info) * train_elements(info);
  double sum = 0;
  for (int64_t i = 0; i < count; i++)
    sum += info->is_integer ? (double)((const int32_t *)mask)[i] : (double)((const float *)mask)[i];
  return sum;
}

static status evaluate_part(train_evaluation *e, int64_t number, place *p) {
  const train_session *s = e->session;
  train_slot *slot = &p->slot;
  const int64_t first = number * e->batch_size, left = e->num_seeds - first;
  slot->rows->from = e->inputs;
  RETURN_IF_ERROR(
      train_slot_fill(slot, &e->rule, e->seeds + first, left < e->batch_size ? left : e->batch_size, mask_name));
  RETURN_IF_ERROR(reserve_outputs(e, p));
  const gnnc_part part = {slot->part->nodes, slot->part->edges, s->graph->num_edges};
  const gnnc_context context = {.size = sizeof context, .part = &part};
  RETURN_IF_ERROR(train_reserve(&slot->workspace, &slot->workspace_room,
                                s->info->workspace_bytes(slot->bound, &context), "workspace"));
  const gnnc_result result =
      s->info->evaluate(slot->bound, slot->rows->inputs, s->weights, p->outputs, slot->workspace, &context);
  RETURN_IF_ERROR(session_explain_run(&slot->part->part, result));
  for (int32_t i = 0; i < s->info->num_outputs - 1; i++) keep_rows(e, p, i);
  e->losses[number] = (double)*(const float *)p->outputs[s->info->num_outputs - 1];
  e->weights[number] = sum_mask(e, p);
  return STATUS_OK;
}

static void run_part(void *data, int64_t number) {
  train_evaluation *e = data;
  pthread_mutex_lock(&e->mutex);
  place *p = e->free_places[--e->num_free];
  pthread_mutex_unlock(&e->mutex);
  status failed = evaluate_part(e, number, p);
  pthread_mutex_lock(&e->mutex);
  e->free_places[e->num_free++] = p;
  if (e->failed)
    status_free(failed);
  else
    e->failed = failed;
  pthread_mutex_unlock(&e->mutex);
}

status train_evaluation_run(train_evaluation *e, const void *const *inputs, float *loss) {
  double sum = 0, weights = 0;
  e->inputs = inputs;
  e->failed = STATUS_OK;
  thread_pool_for_parts(e->pool, e->count, run_part, e);
  if (e->failed) return e->failed;
  for (int64_t i = 0; i < e->count; i++) {
    if (e->weights[i] != 0) sum += e->losses[i] * e->weights[i];
    weights += e->weights[i];
  }
  *loss = weights != 0 ? (float)(sum / weights) : 0;
  *e->session->outputs[e->session->info->num_outputs - 1] = *loss;
  return STATUS_OK;
}
