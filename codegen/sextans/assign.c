/* Assigns virtual rows to PEs with all windows in view: long rows first, each to the PE where it
 * adds least to the loads beyond the mean of its windows. Balancing the totals alone leaves windows
 * in which one PE has most of the work, and the longest list of each window counts. */
#include "codegen/sextans/lists_private.h"

#include "support/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The weight of the second term of the cost, which prefers small loads where no load is beyond the
 * mean. */
static const float even = 1e-3F;

typedef struct assignment {
  float (*load)[SEXTANS_PES]; /* [windows] non-zeros of each PE */
  float *mean, *scale;        /* [windows] non-zeros per PE, and `even` over its square */
  uint32_t rows[SEXTANS_PES]; /* rows of each PE */
  float full[SEXTANS_PES];    /* infinity for a PE that takes no more rows, else 0 */
} assignment;

/* Sorts virtual rows by falling number of non-zeros, stably. */
static status sort_rows(arena *a, const list_cut *c, int32_t *order) {
  int64_t most = 0;
  int32_t *total = arena_try_alloc_array(a, (size_t)c->count + 1, sizeof *total);
  if (!total) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " virtual rows", c->count);
  for (int64_t v = 0; v < c->count; v++) {
    for (int64_t i = c->runs.ptr[v]; i < c->runs.ptr[v + 1]; i++) total[v] += c->runs.count[i];
    most = number_max(most, total[v]);
  }
  int64_t *at = arena_try_alloc_array(a, (size_t)most + 2, sizeof *at);
  if (!at) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " virtual rows", c->count);
  for (int64_t v = 0; v < c->count; v++) at[most - total[v] + 1]++;
  for (int64_t k = 0; k <= most; k++) at[k + 1] += at[k];
  for (int64_t v = 0; v < c->count; v++) order[at[most - total[v]]++] = (int32_t)v;
  return STATUS_OK;
}

/* Adds the cost of `count` more non-zeros in a window to each PE. A call of its own: where it is
 * inlined, its arguments may overlap, and it is executed PE by PE. */
static __attribute__((noinline)) void add_cost(const float *restrict load, float count, float mean, float scale,
                                               float *restrict cost) {
  for (int p = 0; p < SEXTANS_PES; p++) {
    float after = load[p] + count, beyond = after - mean;
    cost[p] += (beyond > 0 ? beyond : 0) + scale * after * after;
  }
}

/* The first PE with the least number. */
static int first_least(const uint32_t *numbers) {
  uint32_t least = UINT32_MAX;
  int p = 0;
  for (int i = 0; i < SEXTANS_PES; i++) least = numbers[i] < least ? numbers[i] : least;
  while (numbers[p] != least) p++;
  return p;
}

/* The PE of a virtual row: the first of least cost among those that have room. */
static int choose(const assignment *s, const list_cut *c, int64_t v) {
  float cost[SEXTANS_PES];
  uint32_t bits[SEXTANS_PES]; /* of costs, which are not negative and therefore have the same order */
  const list_runs *r = &c->runs;
  if (r->ptr[v] == r->ptr[v + 1]) return first_least(s->rows);
  memcpy(cost, s->full, sizeof cost);
  for (int64_t i = r->ptr[v]; i < r->ptr[v + 1]; i++) {
    int32_t w = r->window[i];
    add_cost(s->load[w], (float)r->count[i], s->mean[w], s->scale[w], cost);
  }
  memcpy(bits, cost, sizeof bits);
  return first_least(bits);
}

static status make_state(arena *a, const list_entries *e, const list_cut *c, assignment *s) {
  size_t windows = (size_t)e->windows + 1;
  s->load = arena_try_alloc_array(a, windows, sizeof *s->load);
  s->mean = arena_try_alloc_array(a, windows, sizeof *s->mean);
  s->scale = arena_try_alloc_array(a, windows, sizeof *s->scale);
  if (!s->load || !s->mean || !s->scale)
    return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " windows", e->windows);
  for (int64_t i = 0; i < c->runs.ptr[c->count]; i++) s->mean[c->runs.window[i]] += (float)c->runs.count[i];
  for (int64_t w = 0; w < e->windows; w++) {
    s->mean[w] /= (float)SEXTANS_PES;
    float least = s->mean[w] > 1 ? s->mean[w] : 1;
    s->scale[w] = even / (least * least);
  }
  return STATUS_OK;
}

/* Numbers the rows of each PE in the order of the virtual rows. */
static status number_rows(arena *a, const list_cut *c, list_places *out) {
  int32_t next[SEXTANS_PES] = {0};
  out->local = arena_try_alloc_array(a, (size_t)c->count + 1, sizeof *out->local);
  if (!out->local) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " virtual rows", c->count);
  out->rows = 0;
  for (int64_t v = 0; v < c->count; v++) {
    out->local[v] = next[out->pe[v]]++;
    out->rows = number_max(out->rows, (int64_t)out->local[v] * SEXTANS_PES + out->pe[v] + 1);
  }
  return STATUS_OK;
}

static status alloc_pes(arena *a, const list_cut *c, list_places *out) {
  out->pe = arena_try_alloc(a, (size_t)c->count + 1);
  return out->pe ? STATUS_OK : status_error(STATUS_CODE_memory, "no memory for %" PRId64 " virtual rows", c->count);
}

static status assign(arena *a, arena *scratch, const list_entries *e, const list_cut *c, int64_t most,
                     list_places *out) {
  assignment s = {0};
  int32_t *order = arena_try_alloc_array(scratch, (size_t)c->count + 1, sizeof *order);
  if (!order) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " virtual rows", c->count);
  RETURN_IF_ERROR(alloc_pes(a, c, out));
  RETURN_IF_ERROR(make_state(scratch, e, c, &s));
  RETURN_IF_ERROR(sort_rows(scratch, c, order));
  for (int64_t k = 0; k < c->count; k++) {
    int64_t v = order[k];
    int p = choose(&s, c, v);
    out->pe[v] = (unsigned char)p;
    if (++s.rows[p] >= most) s.full[p] = INFINITY;
    for (int64_t i = c->runs.ptr[v]; i < c->runs.ptr[v + 1]; i++)
      s.load[c->runs.window[i]][p] += (float)c->runs.count[i];
  }
  return number_rows(a, c, out);
}

status sextans_assign(arena *a, const list_entries *e, const list_cut *c, int64_t most, list_places *out) {
  arena *scratch = arena_create();
  status s = assign(a, scratch, e, c, most, out);
  arena_destroy(scratch);
  return s;
}

status sextans_assign_in_turn(arena *a, const list_cut *c, list_places *out) {
  RETURN_IF_ERROR(alloc_pes(a, c, out));
  for (int64_t v = 0; v < c->count; v++) out->pe[v] = (unsigned char)(v % SEXTANS_PES);
  return number_rows(a, c, out);
}

/* ---- lengths ---- */

/* Non-zeros of a list, those of its longest run, and the number of runs of that length. */
typedef struct list_load {
  int32_t count, longest, ties;
} list_load;

status sextans_measure(arena *a, const list_entries *e, const list_cut *c, const list_places *p, int64_t distance,
                       int32_t *q) {
  list_load(*loads)[SEXTANS_PES] = arena_try_alloc_array(a, (size_t)e->windows + 1, sizeof *loads);
  if (!loads) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " windows", e->windows);
  for (int64_t v = 0; v < c->count; v++)
    for (int64_t i = c->runs.ptr[v]; i < c->runs.ptr[v + 1]; i++) {
      list_load *l = &loads[c->runs.window[i]][p->pe[v]];
      int32_t count = c->runs.count[i];
      l->count += count;
      l->ties = count > l->longest ? 1 : l->ties + (count == l->longest);
      l->longest = count > l->longest ? count : l->longest;
    }
  q[0] = 0;
  for (int64_t w = 0; w < e->windows; w++) {
    int64_t most = 0;
    for (int i = 0; i < SEXTANS_PES; i++) {
      const list_load *l = &loads[w][i];
      if (l->count) most = number_max(most, number_max(l->count, (l->longest - 1) * distance + l->ties));
    }
    if (q[w] + most > INT32_MAX)
      return status_error(STATUS_CODE_unsupported, "more than 2^31 slots in the lists of a PE");
    q[w + 1] = (int32_t)(q[w] + most);
  }
  return STATUS_OK;
}
