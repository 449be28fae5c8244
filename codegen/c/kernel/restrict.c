/* Calls of the routine that brings edge values back to the graph whose edges were chosen: see restrict.h.
 *
 *   {
 *     restriction values = {.from = d, .to = d_w, .base = g_replace.base, .position = g.position, ...};
 *     GNNC_TIMED(3, restrict_edges(&values));
 *   } */
#include "codegen/c/kernel/restrict.h"

#include "codegen/c/model/count.h"
#include "support/edge_mode.h"

#include <string.h>

enum { FROM, TO, FROM_SET, TO_SET }; /* places of the parameters */

/* Whether rows of a buffer are positions, not numbers of edges. */
static bool has_position(const c_model *m, const c_buffer *to) {
  return !c_buffer_is_user(to) && m->sets.items[to->set].has_position;
}

c_kernel c_restrict_make(c_model *m, const c_phase *phase, MlirOperation op) {
  const c_buffer *from = c_model_buffer(phase, ir_operand(op, IR_IN(intra, restrict_edges, from)));
  const c_buffer *to = c_model_buffer(phase, ir_operand(op, IR_IN(intra, restrict_edges, to)));
  VEC(c_parameter) list = {0};
  if (!from || !to || c_buffer_is_user(from)) {
    c_model_fail(m, op, DIAG_internal, "edge values of the caller are restricted");
  } else {
    const c_parameter parameters[] = {[FROM] = {.buffer = from, .set = -1, .is_used = true},
                                      [TO] = {.buffer = to, .set = -1, .is_used = true, .is_written = true},
                                      [FROM_SET] = {.set = from->set, .is_used = true},
                                      [TO_SET] = {.set = to->set, .is_used = true}};
    size_t count = has_position(m, to) ? TO_SET + 1 : TO_SET;
    for (size_t i = 0; i < count; i++) VEC_PUSH(m->arena, &list, parameters[i]);
  }
  return (c_kernel){.op = op,
                    .name = "restrict_edges",
                    .rows = C_ROWS_one,
                    .parameters = list.items,
                    .parameter_count = list.count,
                    .code = "",
                    .is_routine = true};
}

/* Whether two edges of a set may be one edge of its base, in both directions. */
static bool has_doubles(const c_model *m, const c_set *set) {
  return edge_mode_doubles(set->name + strlen(m->sets.items[set->base].name) + 1);
}

void c_restrict_emit(c_model *m, const c_phase *phase, c_writer *w, const c_kernel *kernel, const char *const *names,
                     c_timed timed) {
  if (!kernel->parameter_count) return;
  const c_buffer *from = kernel->parameters[FROM].buffer, *to = kernel->parameters[TO].buffer;
  c_writer_line(w, "{");
  w->depth++;
  c_writer_line(w, "restriction values = {");
  w->depth += 2;
  c_writer_line(w, ".context = %s,", phase->row->is_threaded ? "context" : "NULL");
  c_writer_line(w, ".from = %s,", names[FROM]);
  c_writer_line(w, ".to = %s,", names[TO]);
  c_writer_line(w, ".base = %s.base,", names[FROM_SET] + 1);
  if (has_position(m, to)) c_writer_line(w, ".position = %s.position,", names[TO_SET] + 1);
  c_writer_line(w, ".from_rows = %s,", c_count_rows(m, C_ROWS_edge, from->set, 0));
  c_writer_line(w, ".to_rows = %s,", c_count_rows(m, C_ROWS_edge, to->set, 0));
  c_writer_line(w, ".width = %lld,", (long long)from->elements);
  c_writer_line(w, ".has_doubles = %d,", has_doubles(m, &m->sets.items[from->set]));
  w->depth -= 2;
  c_writer_line(w, "};");
  c_writer_line(w, "%s", c_model_time(m, timed, "restrict_edges(&values)"));
  w->depth--;
  c_writer_line(w, "}");
}
