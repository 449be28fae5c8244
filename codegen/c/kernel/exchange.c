/* Exchanges of rows between ranks: see exchange.h. */
#include "codegen/c/kernel/exchange.h"

/* Where the rows of edges are by position, the map from numbers is a member of their set. */
static bool has_places(const c_model *m, const c_buffer *b) {
  return m->sets.items[b->set].has_position;
}

static const char *name_of(ir_op kind) {
  return kind == IR_OP(intra, share)            ? "share_pieces"
         : kind == IR_OP(intra, transpose)      ? "transpose_rows"
         : kind == IR_OP(intra, exchange_edges) ? "share_edge_rows"
                                                : "end_exchange";
}

c_kernel c_exchange_make(c_model *m, const c_phase *phase, MlirOperation op) {
  VEC(c_parameter) values = {0};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    const c_buffer *buffer = c_model_buffer(phase, mlirOperationGetOperand(op, i));
    c_parameter value = {.buffer = buffer, .set = -1, .is_used = true, .is_written = true};
    VEC_PUSH(m->arena, &values, value);
  }
  if (ir_op_kind(op) == IR_OP(intra, exchange_edges) && has_places(m, values.items[0].buffer)) {
    c_parameter edges = {.set = values.items[0].buffer->set, .is_used = true};
    VEC_PUSH(m->arena, &values, edges);
  }
  return (c_kernel){.op = op,
                    .name = name_of(ir_op_kind(op)),
                    .rows = C_ROWS_one,
                    .parameters = values.items,
                    .parameter_count = values.count,
                    .code = "",
                    .is_routine = true};
}

const char *c_exchange_row_bytes(const c_model *m, const c_buffer *b) {
  return arena_printf(m->arena, "sizeof(%s) * %lld", c_buffer_type(b), (long long)b->elements);
}

void c_exchange_emit_begin(const c_model *m, c_writer *w, const c_kernel *kernel, const char *const *rows) {
  text list = {0};
  for (size_t i = 0; i < kernel->parameter_count; i++)
    text_printf(&list, "%s{%s, %s}", i ? ", " : "", rows[i], c_exchange_row_bytes(m, kernel->parameters[i].buffer));
  c_writer_line(w, "{");
  w->depth++;
  c_writer_line(w, "const gnnc_node_rows values[] = {%s};", text_str(&list));
  c_writer_line(w, "const gnnc_result begun = begin_exchange(context, values, %zu);", kernel->parameter_count);
  c_writer_line(w, "if (begun) return begun;");
  w->depth--;
  c_writer_line(w, "}");
  text_free(&list);
}

/* Writes a call that may fail. */
static void emit_call(c_model *m, c_writer *w, c_timed timed, const char *call) {
  c_writer_line(w, "{");
  w->depth++;
  c_writer_line(w, "gnnc_result exchanged = GNNC_OK;");
  c_writer_line(w, "%s", c_model_time(m, timed, arena_printf(m->arena, "exchanged = %s", call)));
  c_writer_line(w, "if (exchanged) return exchanged;");
  w->depth--;
  c_writer_line(w, "}");
}

/* The profiler sees the end, in which a rank waits. */
void c_exchange_emit_end(c_model *m, c_writer *w, c_timed timed) {
  emit_call(m, w, timed, "end_exchange(context)");
}

void c_exchange_emit_share(c_model *m, c_writer *w, const c_kernel *kernel, const char *rows, c_timed timed) {
  emit_call(m, w, timed,
            arena_printf(m->arena, "share_pieces(context, %s, %s)", rows,
                         c_exchange_row_bytes(m, kernel->parameters[0].buffer)));
}

void c_exchange_emit_edges(c_model *m, c_writer *w, const c_kernel *kernel, const char *const *names, c_timed timed) {
  const char *places = kernel->parameter_count > 1 ? arena_printf(m->arena, "%s.position", names[1] + 1) : "NULL";
  emit_call(m, w, timed,
            arena_printf(m->arena, "share_edge_rows(context, %s, %s, %s)", names[0],
                         c_exchange_row_bytes(m, kernel->parameters[0].buffer), places));
}

void c_exchange_emit_transpose(c_model *m, c_writer *w, const c_kernel *kernel, const char *const *names,
                               c_timed timed) {
  const c_buffer *strip = kernel->parameters[IR_IN(intra, transpose, columns)].buffer;
  const bool to_rows = ir_string_is(kernel->op, "to", "rows");
  emit_call(m, w, timed,
            arena_printf(m->arena, "transpose_rows(context, %s, %s, %s, %lld, %d)", names[to_rows], names[!to_rows],
                         c_exchange_row_bytes(m, strip), (long long)strip->strips, to_rows));
}
