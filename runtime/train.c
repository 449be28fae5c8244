/* Training sessions: see train.h. */
#include "runtime/train.h"

#include "data/formats/safetensors.h"
#include "data/tensor_stack.h"
#include "runtime/inputs.h"
#include "runtime/native.h"
#include "runtime/session.h"
#include "runtime/train_tables.h"
#include "support/huge_pages.h"
#include "support/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t train_elements(const gnnc_tensor_info *info) {
  int64_t count = 1;
  for (int32_t i = 0; i < info->rank; i++) count *= info->dims[i];
  return count;
}

static int64_t count_numbers(const gnnc_tensor_info *info, const graph *g) {
  return inputs_rows(info, g) * train_elements(info);
}

/* ---- creation ---- */

status train_reserve(void **block, size_t *room, size_t size, const char *what) {
  if (*block && size <= *room) return STATUS_OK;
  if (*block && size != SIZE_MAX) size += size / 8; /* one that grew once grows again */
  free(*block);
  *block = size == SIZE_MAX ? NULL : huge_pages_allocate(size);
  if (!*block) return status_error(STATUS_CODE_memory, "no memory for a %s of %zu bytes", what, size);
  *room = size;
  return STATUS_OK;
}

/* The same in a spill, if there is one, which frees it. */
static status reserve_in(spill *kept, void **block, size_t *room, size_t size, const char *what) {
  if (!kept) return train_reserve(block, room, size, what);
  if (*block && size <= *room) return STATUS_OK;
  *block = size == SIZE_MAX ? NULL : spill_allocate(kept, size);
  if (!*block) return status_error(STATUS_CODE_memory, "no memory for a %s of %zu bytes", what, size);
  *room = size;
  return STATUS_OK;
}

status train_bind(const gnnc_train_info *info, const graph *g, const gnnc_context *context, spill *kept, void **bound,
                  size_t *room) {
  gnnc_graph view = {.size = sizeof view,
                     .num_nodes = g->num_nodes,
                     .num_edges = g->num_edges,
                     .src = g->src,
                     .dst = g->dst,
                     .edge_type = g->edge_type,
                     .node_type = g->node_type,
                     .batch = g->batch,
                     .num_graphs = g->num_graphs,
                     .context = context};
  size_t size = info->bound_bytes(&view);
  if (!size) return session_explain_bind(g, GNNC_ERROR_COUNT, 0);
  RETURN_IF_ERROR(reserve_in(kept, bound, room, size, "bound block"));
  int64_t index = 0;
  return session_explain_bind(g, info->bind(GNNC_ABI_VERSION, &view, *bound, size, &index), index);
}

/* Two weights of one tensor would be trained apart, and only one could be written. */
static status check_names(const gnnc_train_info *info) {
  for (int32_t i = 0; i < info->num_weights; i++)
    for (int32_t k = 0; k < i; k++)
      if (!strcmp(info->weights[i].from, info->weights[k].from))
        return status_error(STATUS_CODE_unsupported, "the weights '%s' and '%s' of the model are both '%s' of the file",
                            info->weights[k].name, info->weights[i].name, info->weights[i].from);
  return STATUS_OK;
}

/* The graph that the program is bound to. */
static const graph *bound_graph(const train_session *s) {
  return s->rank ? &s->rank->field.part : s->graph;
}

static inputs_source source_of(const train_session *s) {
  return (inputs_source){.graph = s->graph, .field = s->rank ? &s->rank->field : NULL};
}

static status allocate_tensors(train_session *s, const gnnc_tensor_info *infos, int32_t count, const graph *g,
                               int64_t *counts, float ***out) {
  *out = arena_alloc_array(s->memory, (size_t)count + 1, sizeof **out);
  for (int32_t i = 0; i < count; i++) {
    int64_t numbers = count_numbers(&infos[i], g);
    if (counts) counts[i] = numbers;
    (*out)[i] = arena_try_alloc_array(s->memory, (size_t)numbers + 1, sizeof(float));
    if (!(*out)[i]) return status_error(STATUS_CODE_memory, "no memory for '%s'", infos[i].name);
  }
  return STATUS_OK;
}

static status fill_weights(train_session *s, const inputs_source *from, uint64_t seed) {
  const gnnc_train_info *info = s->info;
  s->counts = arena_alloc_array(s->memory, (size_t)info->num_weights + 1, sizeof *s->counts);
  RETURN_IF_ERROR(allocate_tensors(s, info->weights, info->num_weights, bound_graph(s), s->counts, &s->weights));
  if (!from->weights) return train_table_initialize(s, seed);
  for (int32_t i = 0; i < info->num_weights; i++) {
    const void *found = NULL;
    RETURN_IF_ERROR(inputs_read(s->memory, from, &info->weights[i], &found));
    memcpy(s->weights[i], found, (size_t)s->counts[i] * sizeof(float));
  }
  return STATUS_OK;
}

static status reserve_workspace(train_session *s) {
  return reserve_in(s->spill, &s->workspace, &s->workspace_room, s->info->workspace_bytes(s->bound, &s->context),
                    "workspace");
}

static status make_blocks(train_session *s, const train_request *request) {
  const size_t state = s->info->state_bytes(s->bound);
  if (!request->has_no_workspace) RETURN_IF_ERROR(reserve_workspace(s));
  s->state = s->spill ? spill_allocate(s->spill, state) : huge_pages_allocate(state);
  if (!s->state) return status_error(STATUS_CODE_memory, "no memory for a state of %zu bytes", state);
  gnnc_result result = s->info->reset(s->bound, s->state);
  return result ? status_error(STATUS_CODE_mismatch, "the state was refused with result %d", (int)result) : STATUS_OK;
}

static status open_train(train_session *s, const train_request *request) {
  const gnnc_train_info *info = s->info;
  RETURN_IF_ERROR(check_names(info));
  progress_step("read the inputs", NULL, 0);
  if (request->weights) RETURN_IF_ERROR(safetensors_open(request->weights, &s->given));
  inputs_source from = source_of(s);
  from.weights = s->given;
  from.weights_path = request->weights;
  s->inputs = arena_alloc_array(s->memory, (size_t)info->num_inputs + 1, sizeof *s->inputs);
  for (int32_t i = 0; i < info->num_inputs; i++)
    RETURN_IF_ERROR(inputs_read(s->memory, &from, &info->inputs[i], &s->inputs[i]));
  progress_step("bind", NULL, 0);
  RETURN_IF_ERROR(train_bind(info, bound_graph(s), &s->context, s->spill, &s->bound, &s->bound_room));
  RETURN_IF_ERROR(fill_weights(s, &from, request->seed));
  RETURN_IF_ERROR(allocate_tensors(s, info->outputs, info->num_outputs, s->graph, NULL, &s->outputs));
  s->own_outputs = s->outputs;
  if (s->rank)
    RETURN_IF_ERROR(allocate_tensors(s, info->outputs, info->num_outputs, bound_graph(s), NULL, &s->own_outputs));
  return make_blocks(s, request);
}

status train_create(const gnnc_program *program, const train_request *request, train_session **session) {
  *session = NULL;
  arena *memory = request->spill ? arena_create_in(request->spill) : arena_create();
  train_session *s = arena_alloc(memory, sizeof *s);
  *s = (train_session){.info = program->train,
                       .memory = memory,
                       .graph = request->graph,
                       .rank = request->rank,
                       .spill = request->spill};
  s->step.seed = request->seed;
  s->context = (gnnc_context){.size = sizeof s->context, .executor = request->executor, .step = &s->step};
  if (s->rank) s->context.comm = &s->rank->exchange;
  if (s->rank) s->context.part = &s->rank->numbers;
  if (s->rank) rank_part_begin(s->rank, &(rank_watch){0});
  status failed = open_train(s, request);
  if (s->rank) failed = rank_part_conclude(s->rank, failed);
  if (s->rank) rank_part_begin(s->rank, &(rank_watch){0}); /* the first step, or evaluation */
  if (failed)
    train_destroy(s);
  else
    *session = s;
  return failed;
}

void train_destroy(train_session *s) {
  if (!s) return;
  if (!s->spill) {
    free(s->bound);
    free(s->workspace);
    free(s->state);
  }
  tensor_set_destroy(s->given);
  arena_destroy(s->memory);
}

/* ---- steps ---- */

status train_rebind(train_session *s) {
  RETURN_IF_ERROR(train_bind(s->info, bound_graph(s), &s->context, s->spill, &s->bound, &s->bound_room));
  return reserve_workspace(s);
}

/* A failed function, where it was not an exchange of rows, with the reason. */
static status explain_run(const train_session *s, gnnc_result result) {
  status failed = session_explain_run(bound_graph(s), result);
  return s->rank ? rank_part_conclude(s->rank, failed) : failed;
}

status train_step(train_session *s, const gnnc_optimizer *optimizer, float *loss) {
  s->step.number++;
  return explain_run(
      s, s->info->step(s->bound, s->inputs, s->weights, s->state, optimizer, loss, s->workspace, &s->context));
}

status train_evaluate(train_session *s, const void *const *inputs, float *loss) {
  const gnnc_result result = s->info->evaluate(s->bound, inputs ? inputs : s->inputs, s->weights,
                                               (void *const *)s->own_outputs, s->workspace, &s->context);
  if (!result) *loss = *s->own_outputs[s->info->num_outputs - 1];
  RETURN_IF_ERROR(explain_run(s, result));
  for (int32_t i = 0; s->rank && i < s->info->num_outputs; i++)
    RETURN_IF_ERROR(rank_part_share(s->rank, &s->info->outputs[i], s->own_outputs[i], s->outputs[i]));
  return STATUS_OK;
}

int32_t train_find_input(const train_session *s, const char *from) {
  for (int32_t i = 0; i < s->info->num_inputs; i++)
    if (!strcmp(s->info->inputs[i].from, from)) return i;
  return -1;
}

status train_replace_input(train_session *s, int32_t index, const char *from, const void ***inputs) {
  const inputs_source source = source_of(s);
  gnnc_tensor_info info = s->info->inputs[index];
  info.from = from;
  *inputs = arena_alloc_array(s->memory, (size_t)s->info->num_inputs + 1, sizeof **inputs);
  memcpy(*inputs, s->inputs, (size_t)s->info->num_inputs * sizeof **inputs);
  return inputs_read(s->memory, &source, &info, &(*inputs)[index]);
}

/* ---- numbers that are not finite ---- */

static bool is_finite(const float *data, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (!isfinite(data[i])) return false;
  return true;
}

/* The same of numbers of a weight, of which a rank may have some rows. */
static bool is_finite_weight(const train_session *s, int32_t weight, const float *data) {
  const bool mine = is_finite(data, train_table_count_own(s, weight));
  return train_table_is_cut(s, weight) ? train_table_agree(s, mine) : mine;
}

const char *train_find_not_finite(train_session *s) {
  for (int32_t i = 0; i < s->info->num_weights; i++) {
    float *gradient = NULL;
    int64_t count = 0;
    if (!s->info->weight_infos[i].is_trained) continue;
    if (s->info->state_tensor(s->bound, s->state, i, GNNC_STATE_GRADIENT, &gradient, &count) ||
        is_finite_weight(s, i, gradient))
      continue;
    return arena_printf(s->memory, "the gradient of '%s'", s->info->weights[i].from);
  }
  for (int32_t i = 0; i < s->info->num_weights; i++)
    if (!is_finite_weight(s, i, s->weights[i])) return arena_printf(s->memory, "'%s'", s->info->weights[i].from);
  for (int32_t i = 0; i < s->info->num_outputs - 1; i++)
    if (!is_finite(s->outputs[i], count_numbers(&s->info->outputs[i], s->graph)))
      return arena_printf(s->memory, "the output '%s'", s->info->outputs[i].name);
  return NULL;
}

/* ---- weights ---- */

float **train_allocate_weights(train_session *s) {
  float **made = arena_alloc_array(s->memory, (size_t)s->info->num_weights + 1, sizeof *made);
  for (int32_t i = 0; i < s->info->num_weights; i++)
    made[i] = arena_alloc_array(s->memory, (size_t)s->counts[i] + 1, sizeof **made);
  return made;
}

void train_copy_weights(const train_session *s, float *const *from, float *const *to) {
  for (int32_t i = 0; i < s->info->num_weights; i++) memcpy(to[i], from[i], (size_t)s->counts[i] * sizeof(float));
}

int32_t train_weight_shape(const train_session *s, int32_t weight, int64_t dims[TENSOR_MAX_RANK]) {
  const gnnc_tensor_info *info = &s->info->weights[weight];
  int32_t rank = 0;
  if (info->rows != GNNC_ROWS_ONE) dims[rank++] = inputs_rows(info, s->graph);
  for (int32_t i = 0; i < info->rank; i++) dims[rank++] = info->dims[i];
  return rank;
}

/* Cuts a tensor whose first dimension counts the names. */
static status add_stack(tensor_set *set, const tensor *whole, const char *const *names, size_t count) {
  tensor part = *whole;
  part.rank--;
  part.count /= (int64_t)count;
  part.bytes /= count;
  memmove(part.dims, whole->dims + 1, (size_t)part.rank * sizeof *part.dims);
  for (size_t i = 0; i < count; i++) {
    part.name = names[i];
    part.data = whole->data + i * part.bytes;
    RETURN_IF_ERROR(tensor_set_add_view(set, &part));
  }
  return STATUS_OK;
}

status train_add_weights(const train_session *s, float *const *weights, tensor_set *set) {
  for (int32_t i = 0; i < s->info->num_weights; i++) {
    tensor t = {.name = s->info->weights[i].from, .dtype = DTYPE_F32};
    const char *const *names = NULL;
    const float *whole = NULL;
    RETURN_IF_ERROR(train_table_gather(s, i, weights[i], set->memory, &whole));
    if (!whole) continue;
    t.data = (const unsigned char *)whole;
    t.rank = train_weight_shape(s, i, t.dims);
    t.count = train_table_count_whole(s, i);
    t.bytes = (size_t)t.count * sizeof(float);
    size_t parts = tensor_stack_names(set->memory, t.name, &names);
    RETURN_IF_ERROR(parts ? add_stack(set, &t, names, parts) : tensor_set_add_view(set, &t));
  }
  return STATUS_OK;
}

bool train_writes(const train_session *s) {
  return !s->rank || !s->rank->comm->rank;
}

status train_check_optimizer(const train_session *s, const gnnc_optimizer *optimizer) {
  const char *cut = optimizer->clip > 0 ? train_table_find_cut(s) : NULL;
  if (!cut) return STATUS_OK;
  return status_error(
      STATUS_CODE_unsupported,
      "gradients are not clipped on ranks that train '%s', which has a row for each node: their norm is "
      "over rows of all ranks; leave clipping off, or train in one process, without cells",
      cut);
}

status train_weights_write(const char *path, const train_session *s, float *const *weights,
                           const tensor_metadata *metadata, size_t metadata_count) {
  tensor_set *set = tensor_set_create(path);
  tensor_set_put_metadata(set, "model", s->info->name);
  for (size_t i = 0; i < metadata_count; i++) tensor_set_put_metadata(set, metadata[i].key, metadata[i].value);
  status failed = train_add_weights(s, weights, set);
  if (!failed && train_writes(s)) failed = safetensors_write(path, set);
  tensor_set_destroy(set);
  return failed;
}
