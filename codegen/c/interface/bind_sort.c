/* The sort of a set's edges by one end, and what moves with it.
 *
 *   {
 *     edge_sort sort = {.context = context, .num_keys = header->num_nodes, ...};
 *     GNNC_TIMED(0, sort_edges(&sort));
 *     move_edges(&sort, graph->src, (int32_t *)(void *)(block + l.g_src));
 *   } */
#include "codegen/c/interface/bind_sort.h"

#include "codegen/c/interface/layout.h"
#include "codegen/c/model/count.h"

void c_bind_sort_open(c_model *m, c_writer *w, const c_set *set, const char *key, c_array ptr) {
  c_writer_line(w, "{");
  w->depth++;
  c_writer_line(w, "edge_sort sort = {");
  w->depth += 2;
  c_writer_line(w, ".context = context,");
  c_writer_line(w, ".num_keys = header->num_nodes,");
  c_writer_line(w, ".num_edges = %s,", c_count_edges(m, set));
  c_writer_line(w, ".key = %s,", key);
  c_writer_line(w, ".ptr = %s,", c_layout_array(m, set, ptr));
  c_writer_line(w, ".counters = %s,", c_layout_numbers(m, "sort_counters"));
  c_writer_line(w, ".place = %s,", c_layout_numbers(m, "sort_place"));
  c_writer_line(w, ".moved = %s,", c_layout_numbers(m, "sort_moved"));
  w->depth -= 2;
  c_writer_line(w, "};");
  const c_timed timed = {.phase = "bind", .function = "sort_edges", .value = set->id, .cost = -1};
  c_writer_line(w, "%s", c_model_time(m, timed, "sort_edges(&sort)"));
}

void c_bind_sort_close(c_writer *w) {
  w->depth--;
  c_writer_line(w, "}");
}
