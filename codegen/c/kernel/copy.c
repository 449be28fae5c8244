/* Kernels that copy buffers, and that copy edge values to a graph with more edges. */
#include "codegen/c/kernel/copy.h"

#include "codegen/c/body/parameter.h"
#include "codegen/c/body/row.h"
#include "codegen/c/body/scalar.h"

#include <string.h>

/* "to[n * 16 + j]": an element of a buffer's row. */
static const char *element(c_body *b, const c_parameter *p, const char *number, const char *j) {
  arena *a = b->model->arena;
  if (p->buffer->elements == 1) return arena_printf(a, "%s[%s]", p->name, number);
  const char *cast = strchr(number, '>') ? "(int64_t)" : "";
  return arena_printf(a, "%s[%s%s * %lld + %s]", p->name, cast, number, (long long)p->buffer->elements, j);
}

static void open_rows(c_body *b, const char *n, const char *j, int64_t elements) {
  c_writer_open_loop(b->w, n, "begin", "end");
  if (elements > 1) c_writer_open_count(b->w, j, elements);
}

static void close_rows(c_body *b, int64_t elements) {
  if (elements > 1) c_writer_close(b->w);
  c_writer_close(b->w);
}

void c_copy_emit(c_body *b) {
  const c_kernel *kernel = b->kernel;
  const c_parameter *from = c_parameter_buffer(b, ir_operand(kernel->op, IR_IN(intra, copy, from)));
  const c_parameter *to = c_parameter_buffer(b, ir_operand(kernel->op, IR_IN(intra, copy, to)));
  const char *n = c_names_add(&b->names, "n"), *j = c_names_add(&b->names, "j"),
             *cast = c_body_narrow(b, c_buffer_is_float(to->buffer));
  if (kernel->rows == C_ROWS_one) {
    c_writer_line(b->w, "%s %s[%s] = %s%s[%s];", c_body_each(b, n, from->buffer->elements), to->name, n, cast,
                  from->name, n);
    return;
  }
  bool of_edges = kernel->rows == C_ROWS_edge;
  const char *at_from = of_edges ? c_row_of_edge(b, from->buffer, n) : n,
             *at_to = of_edges ? c_row_of_edge(b, to->buffer, n) : n;
  if (from->buffer->rows == C_ROWS_nonzero) {
    c_body_fail(b, kernel->op, DIAG_internal, "a sparse input is copied as it is");
    return;
  }
  open_rows(b, n, j, from->buffer->elements);
  c_writer_line(b->w, "%s = %s%s;", element(b, to, at_to, j), cast, element(b, from, at_from, j));
  close_rows(b, from->buffer->elements);
}

void c_copy_emit_extend(c_body *b) {
  const c_kernel *kernel = b->kernel;
  const c_parameter *from = c_parameter_buffer(b, ir_operand(kernel->op, IR_IN(intra, extend_edges, from)));
  const c_parameter *to = c_parameter_buffer(b, ir_operand(kernel->op, IR_IN(intra, extend_edges, to)));
  int set = to->buffer->set, base = from->buffer->set;
  const char *p = c_names_add(&b->names, "p"), *j = c_names_add(&b->names, "j"), *kept = c_names_add(&b->names, "kept");
  const char *graph = c_parameter_set(b, set), *fill = c_scalar_literal(b, ir_get_float(kernel->op, "fill", 0));
  bool positions = !c_buffer_is_user(from->buffer) && b->model->sets.items[base].has_position;
  c_writer_open_loop(b->w, p, "begin", "end");
  c_writer_line(b->w, "const int64_t %s = %s->base[%s]; /* -1: a new loop */", kept, graph, p);
  const char *at = positions ? arena_printf(b->model->arena, "%s->position[%s]", c_parameter_set(b, base), kept) : kept;
  if (from->buffer->elements > 1) c_writer_open_count(b->w, j, from->buffer->elements);
  c_writer_line(b->w, "%s = %s < 0 ? %s : %s;", element(b, to, c_row_of_edge(b, to->buffer, p), j), kept, fill,
                element(b, from, at, j));
  close_rows(b, from->buffer->elements);
}

void c_copy_emit_opposite(c_body *b) {
  const c_kernel *kernel = b->kernel;
  const c_parameter *from = c_parameter_buffer(b, ir_operand(kernel->op, IR_IN(intra, opposite_edges, from)));
  const c_parameter *to = c_parameter_buffer(b, ir_operand(kernel->op, IR_IN(intra, opposite_edges, to)));
  const char *p = c_names_add(&b->names, "p"), *q = c_names_add(&b->names, "q"), *j = c_names_add(&b->names, "j");
  c_writer_open_loop(b->w, p, "begin", "end");
  c_writer_line(b->w, "const int64_t %s = %s->opposite[%s]; /* -1: there is none */", q,
                c_parameter_set(b, to->buffer->set), p);
  if (from->buffer->elements > 1) c_writer_open_count(b->w, j, from->buffer->elements);
  c_writer_line(b->w, "%s = %s < 0 ? 0 : %s;", element(b, to, c_row_of_edge(b, to->buffer, p), j), q,
                element(b, from, c_row_of_edge(b, from->buffer, q), j));
  close_rows(b, from->buffer->elements);
}
