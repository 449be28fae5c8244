/* Weights with a row for each node on ranks: see train_tables.h. */
#include "runtime/train_tables.h"

#include "runtime/inputs.h"

#include <stdlib.h>
#include <string.h>

bool train_table_is_cut(const train_session *s, int32_t weight) {
  return s->rank && s->info->weights[weight].rows == GNNC_ROWS_NODE;
}

const char *train_table_find_cut(const train_session *s) {
  for (int32_t i = 0; i < s->info->num_weights; i++)
    if (s->info->weight_infos[i].is_trained && train_table_is_cut(s, i)) return s->info->weights[i].from;
  return NULL;
}

int64_t train_table_count_own(const train_session *s, int32_t weight) {
  const gnnc_tensor_info *info = &s->info->weights[weight];
  return train_table_is_cut(s, weight) ? s->rank->cut.num_own * train_elements(info) : s->counts[weight];
}

int64_t train_table_count_whole(const train_session *s, int32_t weight) {
  const gnnc_tensor_info *info = &s->info->weights[weight];
  return inputs_rows(info, s->graph) * train_elements(info);
}

/* ---- first values ---- */

static status initialize(const train_session *s, const void *bound, float *const *weights, uint64_t seed) {
  const gnnc_result result = s->info->initialize(bound, weights, seed);
  return result ? status_error(STATUS_CODE_mismatch, "initialisation failed with result %d", (int)result) : STATUS_OK;
}

/* Fills weights with the rows of all nodes: an init counts and numbers them in the graph of the program. It needs no edges. */
static status initialize_whole(const train_session *s, float *const *weights, uint64_t seed) {
  const gnnc_context context = {.size = sizeof context, .executor = s->context.executor};
  graph nodes = *s->graph;
  void *bound = NULL;
  size_t room = 0;
  nodes.num_edges = 0;
  status failed = train_bind(s->info, &nodes, &context, NULL, &bound, &room);
  if (!failed) failed = initialize(s, bound, weights, seed);
  free(bound);
  return failed;
}

static status reserve_whole(const train_session *s, float **whole) {
  for (int32_t i = 0; i < s->info->num_weights; i++) {
    whole[i] = s->weights[i];
    if (!train_table_is_cut(s, i)) continue;
    whole[i] = malloc(((size_t)train_table_count_whole(s, i) + 1) * sizeof **whole);
    if (!whole[i]) return status_error(STATUS_CODE_memory, "no memory for '%s'", s->info->weights[i].name);
  }
  return STATUS_OK;
}

status train_table_initialize(train_session *s, uint64_t seed) {
  const int32_t count = s->info->num_weights;
  bool is_cut = false;
  for (int32_t i = 0; i < count; i++) is_cut |= train_table_is_cut(s, i);
  if (!is_cut) return initialize(s, s->bound, s->weights, seed);
  float **whole = calloc((size_t)count + 1, sizeof *whole);
  status failed = whole ? reserve_whole(s, whole) : status_error(STATUS_CODE_memory, "out of memory");
  if (!failed) failed = initialize_whole(s, whole, seed);
  for (int32_t i = 0; i < count && whole; i++) {
    if (!train_table_is_cut(s, i)) continue;
    if (!failed) train_table_take(s, i, whole[i], s->weights[i]);
    free(whole[i]);
  }
  free(whole);
  return failed;
}

/* ---- rows ---- */

void train_table_take(const train_session *s, int32_t weight, const float *whole, float *to) {
  if (!train_table_is_cut(s, weight)) {
    memcpy(to, whole, (size_t)s->counts[weight] * sizeof *to);
    return;
  }
  const int64_t elements = train_elements(&s->info->weights[weight]);
  const receptive_field *field = &s->rank->field;
  for (int64_t n = 0; n < field->part.num_nodes; n++)
    memcpy(to + n * elements, whole + field->nodes[n] * elements, (size_t)elements * sizeof *to);
}

status train_table_gather(const train_session *s, int32_t weight, const float *own, arena *a, const float **whole) {
  *whole = own;
  if (!train_table_is_cut(s, weight)) return STATUS_OK;
  float *made = NULL;
  status failed = rank_part_gather(s->rank, &s->info->weights[weight], own, a, &made);
  *whole = made;
  return failed;
}

bool train_table_agree(const train_session *s, bool mine) {
  if (!s->rank) return mine;
  comm *c = s->rank->comm;
  status found = c->engine->agree(c, mine ? STATUS_OK : status_error(STATUS_CODE_mismatch, "no"));
  const bool is_so = !found;
  status_free(found);
  return is_so;
}
