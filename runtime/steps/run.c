/* Runs host steps: arrays, kernels, transfers between host and device. */
#include "runtime/steps/steps.h"
#include "support/unreachable.h"

#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "kernels/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct steps_state {
  const program_steps *program;
  float **data;   /* [num_arrays]; NULL for constants, which are in the image, and for arrays that are not allocated */
  float *scratch; /* weights of a sum, counts of its rows, or a broadcast operand */
  size_t scratch_size;
  const steps_observer *observer; /* NULL: none */
};

static size_t count_of(const step_array *a) {
  return (size_t)a->rows * (size_t)a->width;
}

/* Allocates an array with zeros, unless it is there or a constant. */
static status need_array(steps_state *s, int32_t i) {
  const step_array *a = &s->program->arrays[i];
  if (s->data[i] || a->is_constant) return STATUS_OK;
  s->data[i] = calloc(count_of(a) + 1, sizeof(float));
  if (s->data[i]) return STATUS_OK;
  return status_error(STATUS_CODE_memory, "no memory for array '%s' of %lld x %lld numbers", a->name,
                      (long long)a->rows, (long long)a->width);
}

status steps_create(const program_steps *p, steps_state **out) {
  steps_state *s = calloc(1, sizeof *s);
  if (s) s->data = calloc((size_t)p->num_arrays + 1, sizeof *s->data);
  *out = s;
  if (!s || !s->data) return status_error(STATUS_CODE_memory, "out of memory");
  s->program = p;
  for (int32_t i = 0; i < p->num_arrays; i++)
    if (p->arrays[i].is_kept) RETURN_IF_ERROR(need_array(s, i));
  return STATUS_OK;
}

void steps_destroy(steps_state *s) {
  if (!s) return;
  for (int32_t i = 0; s->data && i < s->program->num_arrays; i++) free(s->data[i]);
  free(s->data);
  free(s->scratch);
  free(s);
}

void steps_observe(steps_state *s, const steps_observer *observer) {
  s->observer = observer;
}

float *steps_array(steps_state *s, int32_t array) {
  return s->data[array];
}

/* Makes room for `count` numbers in scratch; its old content is lost. */
static status need_scratch(steps_state *s, size_t count) {
  if (count <= s->scratch_size) return STATUS_OK;
  free(s->scratch);
  s->scratch_size = 0;
  s->scratch = calloc(count, sizeof *s->scratch);
  if (!s->scratch) return status_error(STATUS_CODE_memory, "no memory for %zu numbers", count);
  s->scratch_size = count;
  return STATUS_OK;
}

/* Returns the numbers of an operand, or NULL for none. */
static const float *operand(const steps_state *s, int32_t i) {
  if (i < 0) return NULL;
  return s->program->arrays[i].is_constant ? s->program->arrays[i].data : s->data[i];
}

static const step_array *array_of(const steps_state *s, int32_t i) {
  return i < 0 ? NULL : &s->program->arrays[i];
}

/* ---- operations ---- */

static void add_rows(const steps_state *s, const program_step *p, float *out) {
  const step_array *to = array_of(s, p->out);
  const float *bias = operand(s, p->in[2]), *addend = operand(s, p->in[3]);
  if (bias) kernel_add_row(to->rows, to->width, bias, out);
  if (addend) kernel_binary(BINARY_add, (int64_t)count_of(to), out, addend, out);
}

static void run_gemm(const steps_state *s, const program_step *p, float *out) {
  const step_array *x = array_of(s, p->in[0]), *to = array_of(s, p->out);
  const float *addend = operand(s, p->in[3]);
  kernel_matrix w = {.data = operand(s, p->in[1]),
                     .k = x->width,
                     .n = to->width,
                     .is_transposed = p->gemm.is_transposed,
                     .skips_zeros = p->gemm.skips_zeros};
  kernel_gemm_segments(p->gemm.types, p->gemm.offsets, operand(s, p->in[0]), &w, operand(s, p->in[2]), out);
  if (addend) kernel_binary(BINARY_add, (int64_t)count_of(to), out, addend, out);
}

/* Computes the weights of all edges, one number per head: those of the list times the values. */
static void weigh(const step_edge_list *l, const float *values, int64_t heads, float *out) {
  for (int64_t e = 0; e < l->edges; e++)
    for (int64_t h = 0; h < heads; h++)
      out[e * heads + h] = (values ? values[e * heads + h] : 1) * (l->weight ? l->weight[e] : 1);
}

static status run_spmm(steps_state *s, const program_step *p, float *out) {
  const step_edge_list *l = &s->program->lists[p->spmm.list];
  const step_array *values = array_of(s, p->in[1]), *to = array_of(s, p->out);
  bool is_weighted = l->weight || (values && p->in[0] >= 0);
  int64_t heads = values && p->in[0] >= 0 ? values->width : 1;
  size_t weights = is_weighted ? (size_t)l->edges * (size_t)heads : 0;
  RETURN_IF_ERROR(need_scratch(s, weights + (size_t)to->rows + 1));
  if (is_weighted) weigh(l, p->in[0] >= 0 ? operand(s, p->in[1]) : NULL, heads, s->scratch);
  kernel_spmm k = {.reduction = p->spmm.reduction,
                   .entries = l->edges,
                   .rows = to->rows,
                   .width = to->width,
                   .from = p->in[0] >= 0 ? l->src : NULL,
                   .to = l->dst,
                   .value = operand(s, p->in[p->in[0] >= 0 ? 0 : 1]),
                   .weight = is_weighted ? s->scratch : NULL,
                   .weight_width = heads};
  kernel_spmm_run(&k, (int32_t *)(void *)(s->scratch + weights), out);
  add_rows(s, p, out);
  return STATUS_OK;
}

static void run_sddmm(const steps_state *s, const program_step *p, float *out) {
  const step_edge_list *l = &s->program->lists[p->sddmm.list];
  const step_array *src = array_of(s, p->in[0]), *dst = array_of(s, p->in[1]);
  kernel_sddmm k = {.inner = p->sddmm.inner,
                    .combine = p->sddmm.combine,
                    .edges = l->edges,
                    .heads = p->sddmm.heads,
                    .width = (src ? src : dst)->width,
                    .src = l->src,
                    .dst = l->dst,
                    .src_rows = operand(s, p->in[0]),
                    .dst_rows = operand(s, p->in[1]),
                    .values = operand(s, p->in[2])};
  kernel_sddmm_run(&k, out);
}

/* Broadcasts the scaled second operand to the shape of the first; it may have one row or one
 * column. */
static void spread(const step_array *a, const step_array *b, const float *from, float scale, float *to) {
  for (int64_t r = 0; r < a->rows; r++)
    for (int64_t c = 0; c < a->width; c++)
      *to++ = scale * from[(b->rows == 1 ? 0 : r) * b->width + (b->width == 1 ? 0 : c)];
}

static status run_vadd(steps_state *s, const program_step *p, float *out) {
  const step_array *a = array_of(s, p->in[0]), *b = array_of(s, p->in[1]);
  int64_t count = (int64_t)count_of(a);
  RETURN_IF_ERROR(need_scratch(s, (size_t)count + 1));
  spread(a, b, operand(s, p->in[1]), p->vadd.scale, s->scratch);
  if (p->vadd.function == BINARY_none)
    kernel_select(count, operand(s, p->in[2]), operand(s, p->in[0]), s->scratch, out);
  else
    kernel_binary(p->vadd.function, count, operand(s, p->in[0]), s->scratch, out);
  return STATUS_OK;
}

static void run_outer_sum(const steps_state *s, const program_step *p, float *out) {
  const step_array *a = array_of(s, p->in[0]), *b = array_of(s, p->in[1]);
  kernel_outer_sum(a->rows, a->width, operand(s, p->in[0]), b->width, operand(s, p->in[1]), out);
}

static status run_lookup(const steps_state *s, const program_step *p, float *out) {
  const step_array *index = array_of(s, p->in[1]), *to = array_of(s, p->out);
  kernel_lookup k = {.rows = to->rows,
                     .width = to->width,
                     .count = p->lookup.rows,
                     .index = operand(s, p->in[1]) + p->lookup.column,
                     .index_width = index->width,
                     .low = p->lookup.low,
                     .high = p->lookup.high,
                     .table = operand(s, p->in[0]),
                     .stride = p->lookup.is_each ? p->lookup.rows * to->width : 0};
  int64_t bad = kernel_lookup_run(&k, out);
  if (bad < 0) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "'%s' holds %.9g in row %" PRId64 ", expected a row of '%s': 0 to %" PRId64,
                      index->name, (double)k.index[bad * k.index_width], bad, array_of(s, p->in[0])->name, k.count - 1);
}

static void run_copies(const steps_state *s, const program_step *p, float *out) {
  const step_array *a = array_of(s, p->in[0]), *b = array_of(s, p->in[1]), *to = array_of(s, p->out);
  int64_t begin = p->op == STEP_columns ? p->columns.begin : 0;
  int64_t count = p->op == STEP_columns ? to->width : a->width;
  if (operand(s, p->in[0]) == out) return; /* a map in place copies nothing */
  kernel_copy_columns(a->rows, count, operand(s, p->in[0]), a->width, begin, out, to->width, 0);
  if (b) kernel_copy_columns(b->rows, b->width, operand(s, p->in[1]), b->width, 0, out, to->width, a->width);
}

static status run_operation(steps_state *s, const program_step *p) {
  float *out = s->data[p->out];
  switch (p->op) {
  case STEP_gemm: run_gemm(s, p, out); break;
  case STEP_spmm: RETURN_IF_ERROR(run_spmm(s, p, out)); break;
  case STEP_sddmm: run_sddmm(s, p, out); break;
  case STEP_vadd: RETURN_IF_ERROR(run_vadd(s, p, out)); break;
  case STEP_outer_sum: run_outer_sum(s, p, out); break;
  case STEP_lookup: RETURN_IF_ERROR(run_lookup(s, p, out)); break;
  case STEP_map:
  case STEP_columns:
  case STEP_concat: run_copies(s, p, out); break;
  case STEP_run:
  case STEP_relayout:
  case STEP_OPS: UNREACHABLE("the step is no operation of the host");
  }
  for (int32_t i = 0; i < p->num_functions; i++)
    kernel_unary(p->functions[i].function, p->functions[i].p, p->functions[i].q, (int64_t)count_of(array_of(s, p->out)),
                 out);
  return STATUS_OK;
}

static status run_relayout(steps_state *s, const program_step *p, sim *on) {
  bool to_device = p->in[0] >= 0;
  /* rows that go to the device are only read */
  float *rows = to_device ? (float *)operand(s, p->in[0]) : s->data[p->out];
  return steps_move(&p->place, p->name, on, rows, to_device);
}

/* ---- all steps ---- */

/* Frees the arrays that no later step reads. */
static void free_dead(steps_state *s, int32_t step) {
  const program_step *p = &s->program->steps[step];
  for (int i = 0; i < STEP_MAX_OPERANDS; i++) {
    if (p->in[i] < 0) continue;
    const step_array *a = array_of(s, p->in[i]);
    if (a->is_kept || a->is_constant || a->last != step) continue;
    free(s->data[p->in[i]]);
    s->data[p->in[i]] = NULL;
  }
}

/* Converts a count to a whole number and limits it, because a malicious program may have huge
 * sizes. */
static uint64_t whole(double count) {
  return count < 0x1p63 ? (uint64_t)count : UINT64_C(1) << 63;
}

static void count_step(const steps_state *s, const program_step *p, sim *on, sim_host_stats *stats) {
  const device_common *d = &sim_device(on)->common;
  step_cost cost = steps_cost(s->program, p);
  if (p->op == STEP_relayout) {
    stats->link_bytes += whole(cost.bytes);
    stats->link_ms += cost.bytes / d->link_gb_s * 1e-6;
    stats->flops += whole(cost.flops); /* of a fold */
    stats->ms += cost.flops / d->host_gflop_s * 1e-6;
    return;
  }
  double compute = cost.flops / d->host_gflop_s * 1e-6, memory = cost.bytes / d->host_gb_s * 1e-6;
  stats->steps++;
  stats->flops += whole(cost.flops);
  stats->bytes += whole(cost.bytes);
  stats->multiply_adds += whole(cost.multiply_adds);
  stats->ms += compute > memory ? compute : memory;
}

static status run_step(steps_state *s, const program_step *p, sim *on, bool is_timing_only) {
  const steps_observer *observer = s->observer;
  if (p->op == STEP_run && observer && observer->run)
    return observer->run(observer->user, on, p->run.first, p->run.end);
  if (p->op == STEP_run) return sim_run_records(on, p->run.first, p->run.end);
  if (is_timing_only) return STATUS_OK;
  if (p->out >= 0) RETURN_IF_ERROR(need_array(s, p->out));
  RETURN_IF_ERROR(p->op == STEP_relayout ? run_relayout(s, p, on) : run_operation(s, p));
  if (observer && p->out >= 0) observer->take(observer->user, array_of(s, p->out), s->data[p->out]);
  return STATUS_OK;
}

status steps_run(steps_state *s, sim *on, bool is_timing_only, sim_host_stats *stats) {
  const program_steps *program = s->program;
  *stats = (sim_host_stats){0};
  sim_begin(on);
  status problem = STATUS_OK;
  for (int32_t i = 0; i < program->num_steps && !problem; i++) {
    const program_step *p = &program->steps[i];
    problem = run_step(s, p, on, is_timing_only);
    if (problem && p->op != STEP_run) problem = status_context(problem, "step %d", i);
    if (p->op == STEP_run)
      stats->launches++;
    else
      count_step(s, p, on, stats);
    free_dead(s, i);
  }
  stats->launch_ms = (double)stats->launches * sim_device(on)->common.launch_us * 1e-3;
  status traced = sim_end(on);
  if (!problem) return traced;
  status_free(traced);
  return problem;
}
