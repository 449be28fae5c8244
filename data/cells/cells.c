/* Cuts a graph by one of the methods, and numbers the cells. */
#include "data/cells/cells.h"

#include "data/cells/cells_graphs.h"
#include "data/cells/cells_order.h"
#include "data/cells/cells_streaming.h"
#include "support/progress.h"

#include <assert.h>
#include <stdlib.h>

const char *cells_method_name(size_t method) {
  static const char *const names[] = {
      [CELLS_metis] = "metis", [CELLS_streaming] = "streaming", [CELLS_blocks] = "blocks"};
  return method < sizeof names / sizeof *names ? names[method] : NULL;
}

static status divide(const graph *g, const cells_adjacency *a, const cells_options *o, int32_t *cell) {
  status s = STATUS_OK;
  progress_step("cut the graph into cells", NULL, 0);
  if (g->batch && g->num_graphs >= o->count) return cells_by_graphs(g, a, o->count, cell);
  switch (o->method) {
  case CELLS_metis: s = o->metis(a, o->count, o->seed, cell); break;
  case CELLS_streaming: s = cells_by_streaming(a, o->count, cell); break;
  case CELLS_blocks: cells_by_blocks(a, o->count, cell); return STATUS_OK; /* ranges are in order */
  }
  progress_step("order cells", NULL, 0);
  return s ? s : cells_order(a, o->count, cell);
}

status cells_divide(const graph *g, const cells_options *o, cells *out) {
  assert(o->count >= 1 && o->count <= CELLS_MOST);
  *out = (cells){.num_nodes = g->num_nodes, .count = o->count};
  cells_adjacency a;
  status s = cells_adjacency_make(g, o->pool, &a);
  out->cell = s ? NULL : malloc(((size_t)g->num_nodes + 1) * sizeof *out->cell);
  if (!s && !out->cell)
    s = status_error(STATUS_CODE_memory, "no memory for the cells of %lld nodes", (long long)g->num_nodes);
  if (!s) s = divide(g, &a, o, out->cell);
  cells_adjacency_free(&a);
  if (s) cells_free(out);
  return s;
}

void cells_free(cells *c) {
  free(c->cell);
  *c = (cells){0};
}
