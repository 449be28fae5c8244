/* Exchanges of rows between ranks: see exchange.h. */
#include "codegen/c/kernel/exchange.h"

c_kernel c_exchange_make(c_model *m, const c_phase *phase, MlirOperation op) {
  const c_buffer *buffer = c_model_buffer(phase, ir_operand(op, IR_IN(intra, exchange, buffer)));
  c_parameter *rows = arena_alloc_array(m->arena, 1, sizeof *rows);
  *rows = (c_parameter){.buffer = buffer, .set = -1, .is_used = true, .is_written = true};
  return (c_kernel){.op = op,
                    .name = "end_exchange",
                    .rows = C_ROWS_one,
                    .parameters = rows,
                    .parameter_count = 1,
                    .code = "",
                    .is_routine = true};
}

void c_exchange_emit_begin(c_model *m, c_writer *w, const c_kernel *kernel, const char *rows) {
  (void)m;
  const c_buffer *b = kernel->parameters[0].buffer;
  c_writer_line(w, "if (begin_exchange(context, %s, sizeof(%s) * %lld)) return GNNC_ERROR_COMM;", rows,
                c_buffer_type(b), (long long)b->elements);
}

/* The profiler sees the end, in which a rank waits. */
void c_exchange_emit_end(c_model *m, c_writer *w, c_timed timed) {
  c_writer_line(w, "{");
  w->depth++;
  c_writer_line(w, "gnnc_result exchanged = GNNC_OK;");
  c_writer_line(w, "%s", c_model_time(m, timed, "exchanged = end_exchange(context)"));
  c_writer_line(w, "if (exchanged) return GNNC_ERROR_COMM;");
  w->depth--;
  c_writer_line(w, "}");
}
