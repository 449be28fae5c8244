/* Steps from the gradients of several batches: see train_accumulate.h. */
#include "runtime/train_accumulate.h"

#include "runtime/session.h"
#include "runtime/train_slot.h"
#include "runtime/train_sum.h"
#include "support/thread_pool.h"

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct train_accumulation {
  train_session *session;
  train_accumulate_request request;
  thread_pool *pool;
  int64_t num_slots;
  train_slot *slots, **free_slots; /* all, and a stack of those that no thread has */
  int64_t num_free;
  pthread_mutex_t mutex; /* of the stack and of the job's results */
  train_sum *sum;
  int64_t *places; /* [num_weights + 1] where a list has the gradient of a weight; the last is the length */
  float *losses;   /* [most] */
};

typedef struct job {
  train_accumulation *a;
  const train_group *group;
  train_group_result *out;
  status failed; /* of the first batch that failed */
} job;

/* ---- creation ---- */

static bool has_gradient(const gnnc_train_info *info, int32_t weight) {
  return info->weight_infos[weight].is_trained || info->weight_infos[weight].is_updated;
}

static status check_program(const gnnc_train_info *info) {
  if (info->size >= offsetof(gnnc_train_info, apply) + sizeof info->apply && info->apply) return STATUS_OK;
  return status_error(STATUS_CODE_version,
                      "the program has no function that steps from summed gradients: an earlier gnnc made it");
}

static status open_accumulation(train_accumulation *a, const sample_source *from) {
  const train_session *s = a->session;
  const int32_t weights = s->info->num_weights;
  int64_t length = 0;
  a->places = calloc((size_t)weights + 1, sizeof *a->places);
  a->losses = calloc((size_t)a->request.most, sizeof *a->losses);
  a->slots = calloc((size_t)a->num_slots, sizeof *a->slots);
  a->free_slots = calloc((size_t)a->num_slots, sizeof *a->free_slots);
  if (!a->places || !a->losses || !a->slots || !a->free_slots) return status_error(STATUS_CODE_memory, "out of memory");
  for (int32_t i = 0; i < weights; i++) {
    a->places[i] = length;
    length += has_gradient(s->info, i) ? s->counts[i] : 0;
  }
  a->sum = train_sum_create(length);
  a->pool = thread_pool_create((int)a->num_slots);
  if (!a->sum || !a->pool) return status_error(STATUS_CODE_memory, "out of memory");
  int32_t *in_type = train_rows_in_type(s);
  for (int64_t i = 0; i < a->num_slots; i++) {
    RETURN_IF_ERROR(train_slot_create(s, from, in_type, &a->slots[i]));
    a->free_slots[a->num_free++] = &a->slots[i];
  }
  return STATUS_OK;
}

status train_accumulation_create(train_session *s, const sample_source *from, const train_accumulate_request *request,
                                 train_accumulation **out) {
  *out = NULL;
  RETURN_IF_ERROR(check_program(s->info));
  train_accumulation *a = calloc(1, sizeof *a);
  if (!a) return status_error(STATUS_CODE_memory, "out of memory");
  a->session = s;
  a->request = *request;
  a->num_slots = request->threads < request->most ? request->threads : request->most;
  pthread_mutex_init(&a->mutex, NULL);
  status failed = open_accumulation(a, from);
  if (failed)
    train_accumulation_destroy(a);
  else
    *out = a;
  return failed;
}

void train_accumulation_destroy(train_accumulation *a) {
  if (!a) return;
  for (int64_t i = 0; a->slots && i < a->num_slots; i++) train_slot_destroy(&a->slots[i]);
  thread_pool_destroy(a->pool);
  train_sum_destroy(a->sum);
  pthread_mutex_destroy(&a->mutex);
  free(a->slots);
  free(a->free_slots);
  free(a->places);
  free(a->losses);
  free(a);
}

/* ---- a batch ---- */

static int64_t count_seeds(const train_group *g, int64_t number) {
  const int64_t left = g->num_seeds - number * g->batch_size;
  return left < g->batch_size ? left : g->batch_size;
}

static status compute_gradients(job *j, int64_t number, train_slot *slot, float *list) {
  train_accumulation *a = j->a;
  const train_session *s = a->session;
  const graph *p = &slot->part->part;
  const gnnc_step step = {s->step.seed, j->group->first + number};
  const gnnc_part part = {slot->part->nodes, slot->part->edges, s->graph->num_edges};
  const gnnc_context context = {.size = sizeof context, .step = &step, .part = &part};
  const int32_t weights = s->info->num_weights;
  RETURN_IF_ERROR(train_reserve(&slot->workspace, &slot->workspace_room,
                                s->info->workspace_bytes(slot->bound, &context), "workspace"));
  float **gradients = malloc(((size_t)weights + 1) * sizeof *gradients);
  if (!gradients) return status_error(STATUS_CODE_memory, "out of memory");
  for (int32_t i = 0; i < weights; i++) gradients[i] = has_gradient(s->info, i) ? list + a->places[i] : NULL;
  gradients[weights] = &a->losses[number];
  const gnnc_result result =
      s->info->gradients(slot->bound, slot->rows->inputs, s->weights, gradients, slot->workspace, &context);
  free(gradients);
  return session_explain_run(p, result);
}

static status compute_batch(job *j, int64_t number, train_slot *slot) {
  train_accumulation *a = j->a;
  const train_group *g = j->group;
  const int64_t seeds = count_seeds(g, number);
  RETURN_IF_ERROR(train_slot_fill(slot, g->rule, g->seeds + number * g->batch_size, seeds, a->request.mask));
  float *list = train_sum_take(a->sum);
  if (!list) return status_error(STATUS_CODE_memory, "out of memory");
  status failed = compute_gradients(j, number, slot, list);
  train_sum_put(a->sum, number, (float)((double)seeds / (double)g->num_seeds), list);
  return failed;
}

static void run_batch(void *data, int64_t part) {
  job *j = data;
  train_accumulation *a = j->a;
  const int64_t number = a->request.is_backwards ? j->group->count - 1 - part : part;
  pthread_mutex_lock(&a->mutex);
  train_slot *slot = a->free_slots[--a->num_free];
  pthread_mutex_unlock(&a->mutex);
  status failed = compute_batch(j, number, slot);
  const graph *p = &slot->part->part;
  pthread_mutex_lock(&a->mutex);
  a->free_slots[a->num_free++] = slot;
  if (p->num_nodes > j->out->most_nodes) j->out->most_nodes = p->num_nodes;
  if (p->num_edges > j->out->most_edges) j->out->most_edges = p->num_edges;
  if (j->failed)
    status_free(failed);
  else
    j->failed = failed;
  pthread_mutex_unlock(&a->mutex);
}

/* ---- a step ---- */

static double mean_loss(const train_accumulation *a, const train_group *g) {
  double sum = 0;
  for (int64_t i = 0; i < g->count; i++) {
    if (!isfinite(a->losses[i])) return (double)a->losses[i];
    sum += (double)a->losses[i] * (double)count_seeds(g, i);
  }
  return sum / (double)g->num_seeds;
}

/* Changes the weights by the sum of the gradients. */
static status apply(train_accumulation *a, const gnnc_optimizer *optimizer) {
  const train_session *s = a->session;
  const int32_t weights = s->info->num_weights;
  float **gradients = malloc(((size_t)weights + 1) * sizeof *gradients);
  if (!gradients) return status_error(STATUS_CODE_memory, "out of memory");
  for (int32_t i = 0; i < weights; i++)
    gradients[i] = has_gradient(s->info, i) ? train_sum_result(a->sum) + a->places[i] : NULL;
  gradients[weights] = NULL;
  const gnnc_result result = s->info->apply(s->bound, gradients, s->weights, s->state, optimizer, &s->context);
  free(gradients);
  return session_explain_run(s->graph, result);
}

status train_accumulation_step(train_accumulation *a, const train_group *group, const gnnc_optimizer *optimizer,
                               train_group_result *out) {
  job j = {.a = a, .group = group, .out = out};
  *out = (train_group_result){0};
  RETURN_IF_ERROR(train_sum_begin(a->sum, group->count));
  thread_pool_for_parts(a->pool, group->count, run_batch, &j);
  if (j.failed) return j.failed;
  out->loss = mean_loss(a, group);
  return apply(a, optimizer);
}
