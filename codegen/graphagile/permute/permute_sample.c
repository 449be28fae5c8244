/* Takes a part of the edges of a large list. Edges are taken one by one at equal distances, because neighbouring ones
 * often have the same source or destination. */
#include "codegen/graphagile/permute/permute_sample.h"

#include "support/number.h"

program_edge_list graphagile_permute_sample(arena *a, const program_edge_list *list, int64_t most) {
  program_edge_list s = {.from_rows = list->from_rows, .to_rows = list->to_rows};
  int64_t stored = list->edges - list->loops, step = number_max(1, number_ceil_div(stored, most));
  s.edges = number_ceil_div(stored, step);
  s.src = list->src;
  s.dst = list->dst;
  if (step == 1) return s;
  int32_t *src = arena_alloc_array(a, (size_t)s.edges, sizeof *src);
  int32_t *dst = arena_alloc_array(a, (size_t)s.edges, sizeof *dst);
  for (int64_t i = 0; i < s.edges; i++) {
    src[i] = list->src[i * step];
    dst[i] = list->dst[i * step];
  }
  s.src = src;
  s.dst = dst;
  return s;
}
