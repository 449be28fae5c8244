/* Evaluates trees of operations on payloads: a value per edge is computed from values per node
 * without storing the values between them.
 *
 *   rsqrt(gather(src, degree) * gather(dst, degree))    for a thousand edges at a time: two gathers, a product, a root, in 32 KiB of scratch
 *
 * The leaves of a tree are plain values, values that are already computed, and operations from one
 * set to another. */
#include "codegen/device/evaluate/evaluate.h"
#include "codegen/device/host/host_memory.h"
#include "kernels/rows.h"
#include "support/number.h"
#include "support/vec.h"

#include <stdlib.h>
#include <string.h>

typedef enum step_kind { STEP_ready, STEP_view, STEP_call } step_kind;

typedef struct step {
  step_kind kind;
  int64_t width;
  int64_t offset;      /* of its scratch, in numbers per row of a chunk */
  program_array array; /* ready: the value; view: the source of the copy */
  bool is_single;      /* ready: one row for all */
  evaluate_view view;
  evaluate_call call;
  int inputs[EVALUATE_MOST_INPUTS];    /* call: steps, -1 absent */
  ir_type types[EVALUATE_MOST_INPUTS]; /* of those */
} step;

typedef struct tree {
  program_host *host;
  ir_type domain;
  int64_t rows;
  VEC(step) steps;
  map places; /* value -> 1 + step */
  int64_t total, widest;
} tree;

static status add(tree *t, MlirValue value, int *out);

static void keep(tree *t, MlirValue value, step s, int *out) {
  if (s.kind != STEP_ready) {
    s.offset = t->total;
    t->total += s.width;
    if (s.width > t->widest) t->widest = s.width;
  }
  VEC_PUSH(t->host->memory, &t->steps, s);
  *out = (int)t->steps.count - 1;
  map_set(&t->places, value.ptr, *out + 1);
}

static status add_ready(tree *t, MlirValue value, int *out) {
  step s = {.kind = STEP_ready, .is_single = ir_type_of(value).kind == IR_KIND_plain};
  RETURN_IF_ERROR(program_host_evaluate(t->host, value, &s.array));
  s.width = s.array.width;
  keep(t, value, s, out);
  return STATUS_OK;
}

static status add_view(tree *t, MlirValue value, MlirOperation op, int *out) {
  step s = {.kind = STEP_view, .width = ir_type_elements(ir_type_of(value))};
  RETURN_IF_ERROR(evaluate_view_of(t->host, op, t->rows, &s.view));
  RETURN_IF_ERROR(program_host_evaluate(t->host, s.view.source, &s.array));
  keep(t, value, s, out);
  return STATUS_OK;
}

static status add_call(tree *t, MlirValue value, MlirOperation op, int *out) {
  step s = {.kind = STEP_call};
  if (!evaluate_call_of(op, &s.call))
    return status_error(STATUS_CODE_unsupported, "the host does not compute '%s'", ir_op_name(op));
  s.width = s.call.width;
  const ir_op_info *info = ir_op_info_get(s.call.kind);
  for (int i = 0; i < EVALUATE_MOST_INPUTS; i++) {
    s.inputs[i] = -1;
    MlirValue operand = i < (int)info->operand_count ? ir_operand(op, i) : (MlirValue){NULL};
    if (mlirValueIsNull(operand)) continue;
    RETURN_IF_ERROR(add(t, operand, &s.inputs[i]));
    s.types[i] = ir_type_of(operand);
  }
  keep(t, value, s, out);
  return STATUS_OK;
}

static status add(tree *t, MlirValue value, int *out) {
  *out = (int)map_get(&t->places, value.ptr, 0) - 1;
  if (*out >= 0) return STATUS_OK;
  MlirOperation op = ir_defining_op(value);
  ir_type type = ir_type_of(value);
  bool is_here = type.kind == t->domain.kind && (type.kind == IR_KIND_plain || !strcmp(type.set, t->domain.set));
  bool is_known = map_get_pointer(&t->host->arrays, value.ptr) || mlirOperationIsNull(op) || ir_weight_symbol(op);
  if (!is_here || is_known || evaluate_is_graph(op)) return add_ready(t, value, out);
  switch (ir_op_kind(op)) {
  case IR_OP(gnn, constant):
  case IR_OP(gnn, selection):
  case IR_OP(gnn, iota): return add_ready(t, value, out);
  default: return evaluate_is_view(op) ? add_view(t, value, op, out) : add_call(t, value, op, out);
  }
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

typedef struct run {
  const tree *tree;
  int64_t chunk; /* rows */
  float *scratch;
  int64_t scratch_size; /* numbers per share */
  float *out;
} run;

static void copy_view(const step *s, int64_t begin, int64_t rows, float *out) {
  const evaluate_view *v = &s->view;
  const float *from = s->array.data;
  int64_t width = s->width, head = number_max(0, number_min(v->kept - begin, rows));
  for (int64_t r = 0; v->is_single && r < head; r++) memcpy(out + r * width, from, (size_t)width * sizeof *out);
  if (head && !v->is_single) kernel_gather(head, width, from, v->index ? v->index + begin : NULL, begin, out);
  if (head == rows) return;
  int64_t at = begin + head - v->kept;
  if (v->has_loops)
    kernel_gather(rows - head, width, from, v->loop ? v->loop + at : NULL, at, out + head * width);
  else
    for (int64_t i = head * width; i < rows * width; i++) out[i] = v->fill;
}

static evaluate_rows rows_of(const run *r, const step *s, const float *scratch, int64_t begin, const ir_type *type) {
  if (s->kind == STEP_ready) {
    int64_t stride = s->is_single ? 0 : s->width;
    return (evaluate_rows){s->array.data + begin * stride, stride, s->width, type};
  }
  return (evaluate_rows){scratch + s->offset * r->chunk, s->width, s->width, type};
}

/* The last step writes to `out`. */
static void run_chunk(const run *r, float *scratch, int64_t begin, int64_t rows, float *out) {
  const tree *t = r->tree;
  for (size_t i = 0; i < t->steps.count; i++) {
    const step *s = &t->steps.items[i];
    float *to = i + 1 == t->steps.count ? out : scratch + s->offset * r->chunk;
    if (s->kind == STEP_view) copy_view(s, begin, rows, to);
    if (s->kind != STEP_call) continue;
    evaluate_call call = s->call;
    evaluate_rows in[EVALUATE_MOST_INPUTS] = {{NULL, 0, 0, NULL}};
    call.in = in;
    for (int k = 0; k < EVALUATE_MOST_INPUTS; k++)
      if (s->inputs[k] >= 0) in[k] = rows_of(r, &t->steps.items[s->inputs[k]], scratch, begin, &s->types[k]);
    evaluate_payload(&call, rows, to, scratch + t->total * r->chunk);
  }
}

static void run_share(void *user, int share, int shares) {
  const run *r = user;
  int64_t begin, end, width = r->tree->steps.items[r->tree->steps.count - 1].width;
  thread_pool_cut(r->tree->rows, share, shares, &begin, &end);
  for (; begin < end; begin += r->chunk)
    run_chunk(r, r->scratch + share * r->scratch_size, begin, number_min(end - begin, r->chunk),
              r->out + begin * width);
}

static status run_tree(const tree *t, float *out) {
  enum { SCRATCH = 1 << 13 }; /* numbers that stay in the first cache */
  run r = {.tree = t, .out = out};
  int64_t per_row = t->total + 3 * t->widest;
  r.chunk = SCRATCH / (per_row ? per_row : 1);
  if (r.chunk < 16) r.chunk = 16;
  if (r.chunk > EVALUATE_CHUNK) r.chunk = EVALUATE_CHUNK;
  if (r.chunk > t->rows) r.chunk = t->rows;
  r.scratch_size = (per_row * r.chunk + 31) / 32 * 32;
  r.scratch = host_memory_alloc(r.scratch_size * thread_pool_shares(t->host->pool), sizeof *r.scratch);
  if (!r.scratch) return status_error(STATUS_CODE_memory, "no memory to compute constants");
  thread_pool_run(t->host->pool, t->rows * per_row / 4, run_share, &r);
  free(r.scratch);
  return STATUS_OK;
}

static status build(tree *t, MlirValue root) {
  MlirOperation op = ir_defining_op(root);
  int last;
  return evaluate_is_view(op) ? add_view(t, root, op, &last) : add_call(t, root, op, &last);
}

status evaluate_tree(program_host *h, MlirValue root, program_array *out) {
  tree t = {.host = h, .domain = ir_type_of(root), .rows = out->rows, .places = {.arena = h->memory}};
  float *made;
  RETURN_IF_ERROR(build(&t, root));
  RETURN_IF_ERROR(HOST_ARRAY(h, out->rows * out->width, &made));
  out->data = made;
  return out->rows ? run_tree(&t, made) : STATUS_OK;
}

enum { STREAM_WIDTH = 32 }; /* numbers per row that fit onto the stack of a thread */

static void stream(const void *user, int64_t begin, int64_t count, float *out) {
  float scratch[STREAM_WIDTH * PROGRAM_WEIGH_MOST];
  const run r = {.tree = user, .chunk = PROGRAM_WEIGH_MOST};
  run_chunk(&r, scratch, begin, count, out);
}

status evaluate_stream(program_host *h, MlirValue root, program_weights *out) {
  MlirOperation op = ir_defining_op(root);
  evaluate_call ignored;
  *out = (program_weights){NULL, NULL};
  if (map_get_pointer(&h->arrays, root.ptr) || mlirOperationIsNull(op) || ir_type_of(root).kind != IR_KIND_edge ||
      !(evaluate_is_view(op) || evaluate_call_of(op, &ignored)))
    return STATUS_OK;
  tree *t = arena_alloc(h->memory, sizeof *t);
  *t = (tree){.host = h, .domain = ir_type_of(root), .places = {.arena = h->memory}};
  RETURN_IF_ERROR(host_rows_of_type(h, t->domain, &t->rows));
  RETURN_IF_ERROR(build(t, root));
  if (t->total + 3 * t->widest <= STREAM_WIDTH) *out = (program_weights){stream, t};
  return STATUS_OK;
}
