/* Checkpoints of a training session: see train_checkpoint.h. */
#include "runtime/train_checkpoint.h"

#include "data/convert.h"
#include "data/formats/safetensors.h"
#include "data/tensor_stack.h"
#include "runtime/train_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const char version[] = "1", model_key[] = "model_fingerprint";
static const char *const moment_names[] = {"m", "v"};

status train_fingerprint(const char *path, uint64_t *out) {
  file_mapping file;
  RETURN_IF_ERROR(file_map(path, &file));
  *out = XXH3_64bits(file.data, file.size);
  file_unmap(&file);
  return STATUS_OK;
}

/* ---- writing ---- */

static void put_hash(tensor_set *set, const char *key, uint64_t hash) {
  tensor_set_put_metadata(set, key, arena_printf(set->memory, "%016" PRIx64, hash));
}

static status add_floats(tensor_set *set, const char *name, const train_session *s, int32_t weight, const float *data) {
  const float *whole = NULL;
  RETURN_IF_ERROR(train_table_gather(s, weight, data, set->memory, &whole));
  if (!whole) return STATUS_OK;
  tensor t = {.name = name, .dtype = DTYPE_F32, .data = (const unsigned char *)whole};
  t.count = train_table_count_whole(s, weight);
  t.rank = train_weight_shape(s, weight, t.dims);
  t.bytes = (size_t)t.count * sizeof *data;
  return tensor_set_add_view(set, &t);
}

static const char *moment_name(arena *a, const train_session *s, int32_t weight, int32_t moment) {
  return arena_printf(a, "optimizer.%s.%s", moment_names[moment], s->info->weights[weight].from);
}

/* Finds a moment of a trained weight in the state. */
static status find_moment(const train_session *s, int32_t weight, int32_t moment, float **data) {
  int64_t count = 0;
  gnnc_result result = s->info->state_tensor(s->bound, s->state, weight, GNNC_STATE_M + moment, data, &count);
  if (!result && count == s->counts[weight]) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "the program has no moment %s of '%s'", moment_names[moment],
                      s->info->weights[weight].from);
}

static status add_moments(tensor_set *set, const train_session *s, int32_t moments) {
  for (int32_t i = 0; i < s->info->num_weights; i++)
    for (int32_t m = 0; m < moments && s->info->weight_infos[i].is_trained; m++) {
      float *data = NULL;
      RETURN_IF_ERROR(find_moment(s, i, m, &data));
      RETURN_IF_ERROR(add_floats(set, moment_name(set->memory, s, i, m), s, i, data));
    }
  return STATUS_OK;
}

static status add_tensors(tensor_set *set, const train_session *s, const train_record *r) {
  const bool has_best = r->best_epoch > 0;
  RETURN_IF_ERROR(train_add_weights(s, r->stopped && has_best ? r->best : s->weights, set));
  if (!r->stopped) RETURN_IF_ERROR(add_moments(set, s, r->moments));
  for (int32_t i = 0; i < s->info->num_weights && has_best; i++)
    RETURN_IF_ERROR(add_floats(set, arena_printf(set->memory, "best.%s", s->info->weights[i].from), s, i, r->best[i]));
  tensor t = {.name = "checkpoint.curve", .dtype = DTYPE_F64, .rank = 2, .data = (const unsigned char *)r->curve};
  t.dims[0] = r->epochs;
  t.dims[1] = TRAIN_EPOCH_NUMBERS;
  t.count = r->epochs * TRAIN_EPOCH_NUMBERS;
  t.bytes = (size_t)t.count * sizeof(double);
  return tensor_set_add_view(set, &t);
}

status train_checkpoint_write(const char *path, const train_session *s, const train_record *r) {
  tensor_set *set = tensor_set_create(path);
  tensor_set_put_metadata(set, "checkpoint", version);
  tensor_set_put_metadata(set, "model", s->info->name);
  if (r->model) put_hash(set, model_key, r->model);
  put_hash(set, "program", r->program);
  if (train_writes(s)) put_hash(set, "graph", graph_fingerprint(r->graph ? r->graph : s->graph));
  tensor_set_put_metadata_int(set, "epoch", r->epochs);
  tensor_set_put_metadata_int(set, "best_epoch", r->best_epoch);
  tensor_set_put_metadata(set, "best_value", arena_printf(set->memory, "%.17g", r->best_value));
  tensor_set_put_metadata_int(set, "optimizer_steps", *s->info->state_steps(s->state));
  if (r->stopped) tensor_set_put_metadata(set, "stopped", r->stopped);
  for (size_t i = 0; i < r->metadata_count; i++) tensor_set_put_metadata(set, r->metadata[i].key, r->metadata[i].value);
  status failed = add_tensors(set, s, r);
  if (!failed && train_writes(s)) failed = safetensors_write(path, set);
  tensor_set_destroy(set);
  return failed;
}

/* ---- reading ---- */

static status check_model(const tensor_set *set, const char *model) {
  const char *found = tensor_set_get_metadata(set, "checkpoint"), *of = tensor_set_get_metadata(set, "model");
  const char *stopped = tensor_set_get_metadata(set, "stopped");
  if (!found || !of)
    return status_error(STATUS_CODE_format,
                        "not a checkpoint of gnn-train: no metadata '%s'; --weights starts from "
                        "a weights file",
                        found ? "model" : "checkpoint");
  if (strcmp(found, version) != 0)
    return status_error(STATUS_CODE_version, "a checkpoint of version %s, this program reads version %s", found,
                        version);
  if (strcmp(of, model) != 0)
    return status_error(STATUS_CODE_mismatch, "a checkpoint of model '%s', the program is model '%s'", of, model);
  if (stopped)
    return status_error(STATUS_CODE_mismatch, "cannot go on: %s; --weights starts anew from its best weights", stopped);
  return STATUS_OK;
}

status train_checkpoint_open(const char *path, const char *model, tensor_set **set) {
  RETURN_IF_ERROR(safetensors_open(path, set));
  status failed = check_model(*set, model);
  if (!failed) return STATUS_OK;
  tensor_set_destroy(*set);
  *set = NULL;
  return status_context(failed, "%s", path);
}

static status check_graph(const tensor_set *set, const graph *g) {
  const char *found = tensor_set_get_metadata(set, "graph");
  char expected[20];
  snprintf(expected, sizeof expected, "%016" PRIx64, graph_fingerprint(g));
  if (found && !strcmp(found, expected)) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch,
                      "a checkpoint of the graph with fingerprint %s, that of '%s' is %s; "
                      "--weights takes its weights to another graph",
                      found ? found : "(none)", g->name, expected);
}

/* Models of one name, with equal shapes, may differ in what they compute. */
static status check_fingerprint(const tensor_set *set, const train_session *s, uint64_t model) {
  const char *found = tensor_set_get_metadata(set, model_key);
  char expected[20];
  snprintf(expected, sizeof expected, "%016" PRIx64, model);
  if (!model || !found || !strcmp(found, expected)) return STATUS_OK;
  return status_error(
      STATUS_CODE_mismatch,
      "a checkpoint of another model of the name '%s': its fingerprint is %s, that of the program's model "
      "%s; --weights takes its weights to this model",
      s->info->name, found, expected);
}

/* Copies what the session has of a tensor that has the type and the shape of a weight. */
static status take_floats(const tensor *t, const char *name, train_session *s, int32_t weight, float *to) {
  tensor expected = {.dtype = DTYPE_F32, .count = train_table_count_whole(s, weight)};
  expected.rank = train_weight_shape(s, weight, expected.dims);
  bool is_equal = t->dtype == DTYPE_F32 && t->rank == expected.rank;
  for (int32_t i = 0; is_equal && i < t->rank; i++) is_equal = t->dims[i] == expected.dims[i];
  if (!is_equal)
    return status_error(STATUS_CODE_mismatch, "'%s' is %s%s, the program has F32%s", name, dtype_name(t->dtype),
                        tensor_shape_text(s->memory, t), tensor_shape_text(s->memory, &expected));
  train_table_take(s, weight, (const float *)(const void *)t->data, to);
  return STATUS_OK;
}

static status take_named(const tensor_set *set, const char *name, train_session *s, int32_t weight, float *to) {
  const tensor *t = tensor_set_find(set, name);
  if (!t) return status_error(STATUS_CODE_mismatch, "no tensor '%s', which a checkpoint of this program has", name);
  return take_floats(t, name, s, weight, to);
}

static status take_weights(const tensor_set *set, train_session *s, const train_record *r) {
  for (int32_t i = 0; i < s->info->num_weights; i++) {
    const char *name = s->info->weights[i].from;
    tensor t;
    RETURN_IF_ERROR(tensor_stack_find(set, name, s->memory, &t));
    RETURN_IF_ERROR(take_floats(&t, name, s, i, s->weights[i]));
    if (r->best_epoch) RETURN_IF_ERROR(take_named(set, arena_printf(s->memory, "best.%s", name), s, i, r->best[i]));
    for (int32_t m = 0; m < r->moments && s->info->weight_infos[i].is_trained; m++) {
      float *data = NULL;
      RETURN_IF_ERROR(find_moment(s, i, m, &data));
      RETURN_IF_ERROR(take_named(set, moment_name(s->memory, s, i, m), s, i, data));
    }
  }
  return STATUS_OK;
}

static status take_curve(const tensor_set *set, train_session *s, train_record *r) {
  const tensor *t = tensor_set_find(set, "checkpoint.curve");
  if (!t || t->dtype != DTYPE_F64 || t->rank != 2 || t->dims[0] != r->epochs || t->dims[1] != TRAIN_EPOCH_NUMBERS)
    return status_error(STATUS_CODE_format, "'checkpoint.curve' is not F64[%" PRId64 ", %d], one row per epoch",
                        r->epochs, (int)TRAIN_EPOCH_NUMBERS);
  r->curve = arena_alloc_array(s->memory, (size_t)r->epochs + 1, sizeof *r->curve);
  if (r->epochs) memcpy(r->curve, t->data, t->bytes);
  return STATUS_OK;
}

static status take_number(const tensor_set *set, const char *key, int64_t least, int64_t most, int64_t *out) {
  if (tensor_set_get_metadata_int(set, key, out) && *out >= least && *out <= most) return STATUS_OK;
  const char *found = tensor_set_get_metadata(set, key);
  return status_error(STATUS_CODE_format, "metadata '%s' is '%s', expected a number from %" PRId64 " to %" PRId64, key,
                      found ? found : "", least, most);
}

static status take_real(const tensor_set *set, const char *key, double *out) {
  const char *found = tensor_set_get_metadata(set, key);
  char *end = NULL;
  *out = found ? strtod(found, &end) : 0;
  if (found && end != found && !*end) return STATUS_OK;
  return status_error(STATUS_CODE_format, "metadata '%s' is '%s', expected a number", key, found ? found : "");
}

static status read_all(const tensor_set *set, train_session *s, train_record *r) {
  enum { MOST_EPOCHS = 1 << 30 };
  const int64_t most_steps = INT64_C(1) << 53; /* an fp64 has each number up to it */
  int64_t steps = 0;
  RETURN_IF_ERROR(check_fingerprint(set, s, r->model));
  RETURN_IF_ERROR(check_graph(set, r->graph ? r->graph : s->graph));
  RETURN_IF_ERROR(take_number(set, "epoch", 0, MOST_EPOCHS, &r->epochs));
  RETURN_IF_ERROR(take_number(set, "best_epoch", 0, r->epochs, &r->best_epoch));
  RETURN_IF_ERROR(take_real(set, "best_value", &r->best_value));
  RETURN_IF_ERROR(take_number(set, "optimizer_steps", 0, most_steps, &steps));
  RETURN_IF_ERROR(take_weights(set, s, r));
  RETURN_IF_ERROR(take_curve(set, s, r));
  *s->info->state_steps(s->state) = steps;
  s->step.number = r->epochs;
  return STATUS_OK;
}

status train_checkpoint_read(const tensor_set *set, train_session *s, train_record *record) {
  return status_context(read_all(set, s, record), "%s", set->name);
}
