/* Calls of the routine that adds up the rows with each index: see sum_by.h.
 *
 *   {
 *     index_sums made = {.value.made = d, .value.stride = 64, .whole = inputs->z, .rows = header->num_nodes, .count = 119, ...};
 *     GNNC_TIMED(2, sum_rows_by(&made));
 *   } */
#include "codegen/c/kernel/sum_by.h"

#include "codegen/c/interface/layout.h"
#include "codegen/c/kernel/call.h"
#include "codegen/c/model/count.h"

typedef struct sum_by {
  const c_buffer *value, *index, *to; /* to is NULL where a buffer is not declared */
  const c_buffer *times;              /* NULL where there is none */
  c_call_rows walk;                   /* of value and index */
  c_call_rows factor;                 /* of times */
} sum_by;

static sum_by describe(const c_model *m, const c_phase *phase, MlirOperation op) {
  const char *const gathers[2] = {ir_get_string(op, "gather_value", "none"), ir_get_string(op, "gather_index", "none")};
  sum_by s = {.value = c_model_buffer(phase, ir_operand(op, IR_IN(intra, sum_by, value))),
              .index = c_model_buffer(phase, ir_operand(op, IR_IN(intra, sum_by, index))),
              .to = c_model_buffer(phase, ir_operand(op, IR_IN(intra, sum_by, to)))};
  MlirValue times = ir_operand(op, IR_IN(intra, sum_by, times));
  if (!ir_value_is_null(times)) s.times = c_model_buffer(phase, times);
  if (!s.value || !s.index || (!ir_value_is_null(times) && !s.times)) s.to = NULL;
  if (!s.to) return s;
  s.walk = c_call_find_rows(m, op, s.value, s.index, gathers);
  s.factor = (c_call_rows){{s.times}, {"none", "none"}, s.walk.rows, s.walk.set};
  return s;
}

/* Whether sums of doubles are stored as the caller's floats: they are made in memory of their own. */
static bool is_narrowed(const c_model *m, const sum_by *s) {
  return m->options->is_f64 && c_buffer_is_float(s->to);
}

c_kernel c_sum_by_make(c_model *m, const c_phase *phase, MlirOperation op) {
  sum_by s = describe(m, phase, op);
  c_call_parameters list = {0};
  if (!s.to) {
    c_model_fail(m, op, DIAG_internal, "a buffer is declared after the kernels");
  } else {
    c_call_add_buffer(m, &list, s.value, false);
    c_call_add_buffer(m, &list, s.index, false);
    c_call_add_buffer(m, &list, s.times, false);
    c_call_add_buffer(m, &list, s.to, true);
    c_call_add_sets(m, &list, &s.walk, false);
    c_call_add_sets(m, &list, &s.factor, false);
  }
  return (c_kernel){.op = op,
                    .name = "sum_rows_by",
                    .rows = C_ROWS_one,
                    .parameters = list.items,
                    .parameter_count = list.count,
                    .code = "",
                    .is_routine = true};
}

/* ---- the call ---- */

/* A bound of indices as they are stored, in 32 bits. */
static int64_t within_index(int64_t bound) {
  return bound < INT32_MIN ? INT32_MIN : bound > INT32_MAX ? INT32_MAX : bound;
}

static void emit_made(const c_call *at, const c_phase *phase, const sum_by *s, const char *to) {
  MlirOperation op = at->kernel->op;
  c_writer_line(at->w, "index_sums made = {");
  at->w->depth += 2;
  c_call_member(at, "context", phase->row->is_threaded ? "context" : "NULL");
  c_call_side(at, "value", &s->walk, 0, NULL);
  if (s->times) c_call_side(at, "times", &s->factor, 0, NULL);
  c_call_side(at, "index", &s->walk, 1, s->index->type.is_integer ? "whole" : NULL);
  c_call_member(at, "rows", c_count_rows(at->m, s->walk.rows, s->walk.set, s->index->count));
  c_call_number(at, "low", within_index(ir_get_integer(op, "low", 0)));
  c_call_number(at, "high", within_index(ir_get_integer(op, "high", s->to->type.dims[0] - 1)));
  c_call_number(at, "count", s->to->type.dims[0]);
  c_call_number(at, "depth", s->times ? s->times->elements : 1);
  c_call_number(at, "width", s->value->elements);
  c_call_member(at, "to", to);
  at->w->depth -= 2;
  c_writer_line(at->w, "};");
}

void c_sum_by_emit(c_model *m, const c_phase *phase, c_writer *w, const c_kernel *kernel, const char *const *names,
                   c_timed timed) {
  c_call at = {.m = m, .w = w, .kernel = kernel, .names = names};
  sum_by s = describe(m, phase, kernel->op);
  bool narrows = is_narrowed(m, &s);
  const char *to = c_call_name(&at, s.to), *memory = phase->row->memory == C_MEMORY_bound ? "block + l" : "work + k";
  const char *sums = narrows ? arena_printf(m->arena, "((real *)(void *)(%s.index_sums))", memory) : to;
  c_writer_line(w, "{");
  w->depth++;
  emit_made(&at, phase, &s, sums);
  c_writer_line(w, "%s", c_model_time(m, timed, "sum_rows_by(&made)"));
  if (narrows)
    c_writer_line(w, "for (int64_t i = 0; i < %lld; i++) %s[i] = (float)%s[i];", (long long)s.to->elements, to, sums);
  w->depth--;
  c_writer_line(w, "}");
}

/* ---- memory ---- */

void c_sum_by_list_memory(const c_model *m, c_writer *w, bool is_struct, c_memory memory) {
  int64_t most = 0;
  for (size_t p = 0; p < m->phases.count; p++) {
    const c_phase *phase = &m->phases.items[p];
    if (mlirOperationIsNull(phase->function) || phase->row->memory != memory) continue;
    IR_FOR_EACH_OP(op, ir_func_body(phase->function)) {
      if (ir_op_kind(op) != IR_OP(intra, sum_by)) continue;
      sum_by s = describe(m, phase, op);
      if (s.to && is_narrowed(m, &s) && s.to->elements > most) most = s.to->elements;
    }
  }
  if (!most) return;
  if (is_struct)
    c_writer_line(w, "size_t index_sums;");
  else
    c_writer_line(w, "l->index_sums = section(&at, %lld, sizeof(real));", (long long)most);
}
