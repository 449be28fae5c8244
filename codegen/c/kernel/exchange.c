/* Exchanges of rows between ranks: see exchange.h. */
#include "codegen/c/kernel/exchange.h"

c_kernel c_exchange_make(c_model *m, const c_phase *phase, MlirOperation op) {
  VEC(c_parameter) values = {0};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    const c_buffer *buffer = c_model_buffer(phase, mlirOperationGetOperand(op, i));
    c_parameter value = {.buffer = buffer, .set = -1, .is_used = true, .is_written = true};
    VEC_PUSH(m->arena, &values, value);
  }
  return (c_kernel){.op = op,
                    .name = ir_op_kind(op) == IR_OP(intra, share) ? "share_pieces" : "end_exchange",
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
