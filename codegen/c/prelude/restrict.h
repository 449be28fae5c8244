/* Edge values of a graph, from those of a graph with more edges. See real.h for how parts are used.
 *
 * Every edge of the base gets 0; then each edge of the larger set adds its value to the edge that it was made from. Where it may be there
 * in both directions, one thread does all; elsewhere no two edges add to the same one. */
#include "codegen/c/prelude/block.h"

//@ restriction
typedef struct restriction {
  const gnnc_context *context;
  const real *from;
  real *to;
  const int32_t *base;     /* edge -> number in the base, -1 for new loops */
  const int32_t *position; /* number -> row of `to`; NULL: they are the same */
  int64_t from_rows, to_rows, width;
  int has_doubles;
} restriction;

//@ restrict_parts
enum { restrict_parts = 64 };

//@ restrict_clear
static void restrict_clear(void *data, int64_t part) {
  const restriction *r = (const restriction *)data;
  const int64_t all = r->to_rows * r->width, end = all * (part + 1) / restrict_parts;
  for (int64_t i = all * part / restrict_parts; i < end; i++) r->to[i] = 0;
}

//@ restrict_add
static void restrict_add(void *data, int64_t part) {
  const restriction *r = (const restriction *)data;
  const int64_t end = r->from_rows * (part + 1) / restrict_parts;
  for (int64_t p = r->from_rows * part / restrict_parts; p < end; p++) {
    const int64_t number = r->base[p];
    if (number < 0) continue;
    real *const to = r->to + (r->position ? r->position[number] : number) * r->width;
    for (int64_t j = 0; j < r->width; j++) to[j] += r->from[p * r->width + j];
  }
}

//@ restrict_edges
static void restrict_edges(restriction *r) {
  const gnnc_context *const context = (r->from_rows + r->to_rows) * r->width < 1 << 16 ? NULL : r->context;
  for_parts(context, restrict_parts, restrict_clear, r);
  for_parts(r->has_doubles ? NULL : context, restrict_parts, restrict_add, r);
}
