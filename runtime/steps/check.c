/* Checks that the shapes of a host step fit together, which the kernels rely on. */
#include "runtime/steps/steps.h"
#include "support/unreachable.h"

#include <inttypes.h>

static const step_array *array_at(const program_steps *p, int32_t i) {
  return i < 0 ? NULL : &p->arrays[i];
}

static status check_shape(const step_array *a, const char *what, int64_t rows, int64_t width) {
  if (!a || (a->rows == rows && a->width == width)) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "array '%s' is %" PRId64 " x %" PRId64 ", expected %" PRId64 " x %" PRId64 " as %s", a->name,
                      a->rows, a->width, rows, width, what);
}

static status missing(const char *what) {
  return status_error(STATUS_CODE_format, "it has no %s", what);
}

static status check_gemm(const program_steps *p, const program_step *s, const step_array *out) {
  const step_array *x = array_at(p, s->in[0]), *w = array_at(p, s->in[1]);
  if (!x || !w) return missing(x ? "weights" : "operand");
  int64_t types = s->gemm.types, k = x->width, n = out->width;
  bool is_row = types == 1 && w->rows == 1; /* the matrix may be one row of k n numbers */
  int64_t rows = types * (s->gemm.is_transposed ? n : k), width = s->gemm.is_transposed ? k : n;
  RETURN_IF_ERROR(check_shape(w, "weights", is_row ? 1 : rows, is_row ? rows * width : width));
  RETURN_IF_ERROR(check_shape(array_at(p, s->in[2]), "bias", types, n));
  RETURN_IF_ERROR(check_shape(array_at(p, s->in[3]), "addend", x->rows, n));
  for (int64_t t = 0; t < types; t++)
    if (s->gemm.offsets[t] > s->gemm.offsets[t + 1])
      return status_error(STATUS_CODE_format, "segment %" PRId64 " ends before it begins", t);
  if (s->gemm.offsets[0] != 0 || s->gemm.offsets[types] != x->rows)
    return status_error(STATUS_CODE_format, "segments are rows %" PRId64 " to %" PRId64 ", expected 0 to %" PRId64,
                        s->gemm.offsets[0], s->gemm.offsets[types], x->rows);
  return check_shape(out, "result", x->rows, n);
}

static status check_heads(int64_t width, int64_t heads) {
  if (heads > 0 && width % heads == 0) return STATUS_OK;
  return status_error(STATUS_CODE_format, "%" PRId64 " columns cannot be shared by %" PRId64 " heads", width, heads);
}

static status check_spmm(const program_steps *p, const program_step *s, const step_array *out) {
  const step_edge_list *l = &p->lists[s->spmm.list];
  const step_array *x = array_at(p, s->in[0]), *values = array_at(p, s->in[1]);
  if (!x && !values) return missing("operand");
  RETURN_IF_ERROR(check_shape(x, "operand", l->from_rows, out->width));
  if (values) RETURN_IF_ERROR(check_heads(out->width, values->width));
  if (!x) RETURN_IF_ERROR(check_shape(values, "values", l->edges, out->width));
  if (values) RETURN_IF_ERROR(check_shape(values, "values", l->edges, values->width));
  RETURN_IF_ERROR(check_shape(array_at(p, s->in[2]), "bias", 1, out->width));
  RETURN_IF_ERROR(check_shape(array_at(p, s->in[3]), "addend", l->to_rows, out->width));
  return check_shape(out, "result", l->to_rows, out->width);
}

static status check_sddmm(const program_steps *p, const program_step *s, const step_array *out) {
  const step_edge_list *l = &p->lists[s->sddmm.list];
  const step_array *src = array_at(p, s->in[0]), *dst = array_at(p, s->in[1]), *values = array_at(p, s->in[2]);
  kernel_inner inner = s->sddmm.inner;
  const step_array *one = inner == KERNEL_INNER_dst ? dst : src;
  bool needs_both = inner == KERNEL_INNER_dot || inner == KERNEL_INNER_add;
  if (!one || (needs_both && !dst)) return missing("operand");
  if (s->sddmm.combine != BINARY_none && !values) return missing("values");
  RETURN_IF_ERROR(check_heads(one->width, s->sddmm.heads));
  RETURN_IF_ERROR(check_shape(src, "rows of sources", l->from_rows, one->width));
  RETURN_IF_ERROR(check_shape(dst, "rows of destinations", l->to_rows, one->width));
  RETURN_IF_ERROR(check_shape(values, "values", l->edges, s->sddmm.heads));
  return check_shape(out, "result", l->edges, s->sddmm.heads);
}

/* Checks a vadd. b may have one row or one column, which is combined with all rows or columns of
 * a. */
static status check_vadd(const program_steps *p, const program_step *s, const step_array *out) {
  const step_array *a = array_at(p, s->in[0]), *b = array_at(p, s->in[1]), *condition = array_at(p, s->in[2]);
  if (!a || !b) return missing("operand");
  if (s->vadd.function == BINARY_none && !condition) return missing("condition");
  RETURN_IF_ERROR(check_shape(b, "second operand", b->rows == 1 ? 1 : a->rows, b->width == 1 ? 1 : a->width));
  RETURN_IF_ERROR(check_shape(condition, "condition", a->rows, a->width));
  return check_shape(out, "result", a->rows, a->width);
}

static status check_map(const program_steps *p, const program_step *s, const step_array *out) {
  const step_array *x = array_at(p, s->in[0]);
  return x ? check_shape(out, "result", x->rows, x->width) : missing("operand");
}

static status check_columns(const program_steps *p, const program_step *s, const step_array *out) {
  const step_array *x = array_at(p, s->in[0]);
  if (!x) return missing("operand");
  if (s->columns.begin > x->width || out->width > x->width - s->columns.begin)
    return status_error(STATUS_CODE_format, "columns %" PRId64 " to %" PRId64 " of '%s', which has %" PRId64,
                        s->columns.begin, s->columns.begin + out->width, x->name, x->width);
  return check_shape(out, "result", x->rows, out->width);
}

static status check_concat(const program_steps *p, const program_step *s, const step_array *out) {
  const step_array *a = array_at(p, s->in[0]), *b = array_at(p, s->in[1]);
  if (!a || !b) return missing("operand");
  RETURN_IF_ERROR(check_shape(b, "second operand", a->rows, b->width));
  return check_shape(out, "result", a->rows, a->width + b->width);
}

static status check_outer_sum(const program_steps *p, const program_step *s, const step_array *out) {
  const step_array *a = array_at(p, s->in[0]), *b = array_at(p, s->in[1]);
  if (!a || !b) return missing("operand");
  RETURN_IF_ERROR(check_shape(b, "second operand", a->rows, b->width));
  return check_shape(out, "result", 1, a->width * b->width);
}

/* Checks a lookup. Indices are checked when they are known. */
static status check_lookup(const program_steps *p, const program_step *s, const step_array *out) {
  const step_array *table = array_at(p, s->in[0]), *index = array_at(p, s->in[1]);
  if (!table || !index) return missing("operand");
  if (s->lookup.column >= index->width)
    return status_error(STATUS_CODE_format, "column %" PRId64 " of '%s', which has %" PRId64, s->lookup.column,
                        index->name, index->width);
  int64_t rows = s->lookup.is_each ? index->rows : 1;
  if (out->width > INT64_MAX / 4 / s->lookup.rows || table->rows * table->width != rows * s->lookup.rows * out->width)
    return status_error(STATUS_CODE_format,
                        "table '%s' has %" PRId64 " numbers, expected %" PRId64 " times %" PRId64 " rows of %" PRId64,
                        table->name, table->rows * table->width, rows, s->lookup.rows, out->width);
  return check_shape(out, "result", index->rows, out->width);
}

static status check_relayout(const program_steps *p, const program_step *s) {
  const step_array *x = array_at(p, s->in[0] >= 0 ? s->in[0] : s->out);
  if (!x || (s->in[0] >= 0) == (s->out >= 0)) return missing("array, or it has two");
  return check_shape(x, "rows in device memory", s->place.tensor.rows, s->place.tensor.width);
}

/* Checks the result of a step. Kernels read operands while they write results, so only element-wise
 * steps may write to an operand. */
static status check_result(const program_steps *p, const program_step *s, const step_array *out) {
  if (out->is_constant) return status_error(STATUS_CODE_format, "its result '%s' is a constant", out->name);
  for (int i = 0; i < STEP_MAX_OPERANDS; i++)
    if (s->in[i] == s->out && s->op != STEP_map && s->op != STEP_vadd)
      return status_error(STATUS_CODE_format, "its result '%s' is its operand, too", p->arrays[s->out].name);
  return STATUS_OK;
}

status steps_check_made(arena *a, const program_steps *p) {
  bool *is_made = arena_alloc_array(a, (size_t)p->num_arrays + 1, sizeof *is_made);
  for (int32_t i = 0; i < p->num_arrays; i++) is_made[i] = p->arrays[i].is_constant || p->arrays[i].is_input;
  for (int32_t i = 0; i < p->num_steps; i++) {
    const program_step *s = &p->steps[i];
    for (int k = 0; k < STEP_MAX_OPERANDS; k++)
      if (s->in[k] >= 0 && !is_made[s->in[k]])
        return status_error(STATUS_CODE_format, "step %d reads array '%s', which nothing has made before it", i,
                            p->arrays[s->in[k]].name);
    if (s->out >= 0) is_made[s->out] = true;
  }
  for (int32_t i = 0; i < p->num_arrays; i++)
    if (p->arrays[i].is_kept && !is_made[i])
      return status_error(STATUS_CODE_format, "array '%s' is an output, but no step makes it", p->arrays[i].name);
  return STATUS_OK;
}

status steps_check(const program_steps *p, const program_step *s) {
  const step_array *out = array_at(p, s->out);
  if (s->op == STEP_run) return STATUS_OK;
  if (out) RETURN_IF_ERROR(check_result(p, s, out));
  if (s->op == STEP_relayout) return check_relayout(p, s);
  if (!out) return missing("result");
  switch (s->op) {
  case STEP_gemm: return check_gemm(p, s, out);
  case STEP_spmm: return check_spmm(p, s, out);
  case STEP_sddmm: return check_sddmm(p, s, out);
  case STEP_vadd: return check_vadd(p, s, out);
  case STEP_map: return check_map(p, s, out);
  case STEP_columns: return check_columns(p, s, out);
  case STEP_concat: return check_concat(p, s, out);
  case STEP_outer_sum: return check_outer_sum(p, s, out);
  case STEP_lookup: return check_lookup(p, s, out);
  case STEP_run:
  case STEP_relayout:
  case STEP_OPS: break;
  }
  UNREACHABLE("the step is no operation of the host");
}
