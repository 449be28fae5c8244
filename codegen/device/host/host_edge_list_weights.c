/* Sets the weights of an edge list's entries. Existing arrays are not copied, and weights that can
 * be computed while records are written are not stored. */
#include "codegen/device/evaluate/evaluate.h"
#include "codegen/device/host/host_edge_list.h"
#include "support/number.h"

#include <string.h>

/* ---- a list ------------------------------------------------------------------------------------------------------ */

typedef struct weighing {
  const host_edge_list_parts *edge_list;
  const float *given;     /* by edge of the graph; NULL: the edge list's own */
  const int32_t *degrees; /* by destination; NULL: not a mean */
  float *out;
} weighing;

static int64_t destination(const host_edge_list_parts *r, int64_t i) {
  int64_t loop = i - (r->count - r->loops);
  return loop < 0 ? r->dst[i] : r->loop ? r->loop[loop] : loop;
}

static void weigh_share(void *user, int share, int shares) {
  const weighing *w = user;
  const host_edge_list_parts *r = w->edge_list;
  int64_t begin, end;
  thread_pool_cut(r->count, share, shares, &begin, &end);
  for (int64_t i = begin; i < end; i++) {
    float weight = w->given ? w->given[r->edge ? r->edge[i] : i] : r->weight[i];
    w->out[i] = w->degrees ? weight / (float)w->degrees[destination(r, i)] : weight;
  }
}

static status list_weights(host_edge_list_parts *r, const float *given, const int32_t *degrees) {
  weighing w = {.edge_list = r, .given = given, .degrees = degrees};
  RETURN_IF_ERROR(HOST_ARRAY(r->host, r->count, &w.out));
  thread_pool_run(r->host->pool, r->count, weigh_share, &w);
  r->weight = w.out;
  return STATUS_OK;
}

/* ---- means without weights --------------------------------------------------------------------------------------- */

/* Counts the entries at each destination. */
static status count_entries(const host_edge_list_parts *r, int64_t rows, const int32_t **out) {
  const int32_t *listed;
  RETURN_IF_ERROR(host_count(r->host, r->dst, r->count - r->loops, rows, &listed));
  *out = listed;
  if (!r->loops) return STATUS_OK;
  int32_t *sums;
  RETURN_IF_ERROR(HOST_ARRAY(r->host, rows, &sums));
  memcpy(sums, listed, (size_t)rows * sizeof *sums);
  for (int64_t i = 0; i < r->loops; i++) sums[r->loop ? r->loop[i] : i]++;
  *out = sums;
  return STATUS_OK;
}

/* 1 / degree by destination. */
typedef struct shares {
  int64_t stored; /* entries before the self loops */
  const int32_t *dst, *loop;
  const float *share;
} shares;

static void look_up(const float *restrict share, const int32_t *restrict row, int64_t count, float *restrict out) {
  for (int64_t i = 0; i < count; i++) out[i] = share[row[i]];
}

static void weigh_mean(const void *user, int64_t begin, int64_t count, float *out) {
  const shares *s = user;
  int64_t listed = number_max(0, number_min(s->stored - begin, count));
  if (listed) look_up(s->share, s->dst + begin, listed, out);
  if (listed == count) return;
  int64_t loop = begin + listed - s->stored;
  if (s->loop)
    look_up(s->share, s->loop + loop, count - listed, out + listed);
  else
    memcpy(out + listed, s->share + loop, (size_t)(count - listed) * sizeof *out);
}

/* Sets weights 1 / degree; sets none where no destination has two entries. */
static status share_evenly(host_edge_list_parts *r, int64_t rows, const int32_t *degrees) {
  float *share;
  int32_t most = 0;
  RETURN_IF_ERROR(HOST_ARRAY(r->host, rows, &share));
  for (int64_t i = 0; i < rows; i++) {
    share[i] = 1.0f / (float)(degrees[i] ? degrees[i] : 1);
    most = degrees[i] > most ? degrees[i] : most;
  }
  if (most < 2) return STATUS_OK;
  shares *kept = arena_alloc(r->host->memory, sizeof *kept);
  *kept = (shares){.stored = r->count - r->loops, .dst = r->dst, .loop = r->loop, .share = share};
  r->weights = (program_weights){weigh_mean, kept};
  return STATUS_OK;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static status weigh(host_edge_list_parts *r, int64_t rows) {
  program_host *h = r->host;
  MlirValue weight = ir_operand(r->op, IR_IN(device, edges, weight));
  bool is_mean = ir_get_bool(r->op, "mean");
  const float *given = NULL;
  const int32_t *degrees = NULL;
  if (!mlirValueIsNull(weight)) {
    program_array array;
    if (!r->edge && !is_mean) RETURN_IF_ERROR(evaluate_stream(h, weight, &r->weights));
    if (r->weights.user) return STATUS_OK;
    RETURN_IF_ERROR(program_host_evaluate(h, weight, &array));
    given = array.data;
    if (!r->edge) r->weight = given;
  }
  if (!is_mean) return given && r->edge ? list_weights(r, given, NULL) : STATUS_OK;
  RETURN_IF_ERROR(count_entries(r, rows, &degrees));
  return given || r->weight ? list_weights(r, given, degrees) : share_evenly(r, rows, degrees);
}

/* Whether all weights are 1, so that the list needs none. */
static bool are_ones(const float *weight, int64_t count) {
  int64_t i = 0;
  while (i < count && weight[i] == 1.0f) i++;
  return i == count;
}

status host_edge_list_weigh(host_edge_list_parts *r, int64_t rows) {
  RETURN_IF_ERROR(weigh(r, rows));
  if (r->weight && are_ones(r->weight, r->count)) r->weight = NULL;
  return STATUS_OK;
}
