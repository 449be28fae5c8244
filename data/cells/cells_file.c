#include "data/cells/cells_file.h"

#include "data/formats/safetensors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FINGERPRINT = 17 };

/* The fingerprint of a graph as text. Cells depend on edges alone, but weights and types are of the same
 * graph. */
static void print_fingerprint(const graph *g, char to[FINGERPRINT]) {
  snprintf(to, FINGERPRINT, "%016" PRIx64, graph_fingerprint(g));
}

status cells_write(const char *path, const graph *g, const cells *c, cells_method method, const char *made_by) {
  char fingerprint[FINGERPRINT];
  tensor_set *set = tensor_set_create(path);
  void *data = NULL;
  status s = tensor_set_add(set, "cell", DTYPE_I32, 1, (const int64_t[]){c->num_nodes}, &data);
  if (!s) {
    print_fingerprint(g, fingerprint);
    memcpy(data, c->cell, (size_t)c->num_nodes * sizeof *c->cell);
    tensor_set_put_metadata_int(set, "cells", c->count);
    tensor_set_put_metadata(set, "method", cells_method_name((size_t)method));
    tensor_set_put_metadata(set, "graph", fingerprint);
    tensor_set_put_metadata(set, "made_by", made_by);
    s = safetensors_write(path, set);
  }
  tensor_set_destroy(set);
  return s;
}

/* Checks all that the header says. */
static status check(const tensor_set *set, const graph *g, int64_t *count) {
  char fingerprint[FINGERPRINT];
  const tensor *t = tensor_set_find(set, "cell");
  const char *of = tensor_set_get_metadata(set, "graph");
  if (!t)
    return status_error(STATUS_CODE_mismatch, "%s: no tensor 'cell': this is no file of gnn-data partition", set->name);
  if (t->dtype != DTYPE_I32 || t->rank != 1)
    return status_error(STATUS_CODE_mismatch, "%s: 'cell' is %s with %d dimensions, expected I32 with one", set->name,
                        dtype_name(t->dtype), t->rank);
  if (t->count != g->num_nodes)
    return status_error(STATUS_CODE_mismatch, "%s: 'cell' has %" PRId64 " rows, graph '%s' has %" PRId64 " nodes",
                        set->name, t->count, g->name, g->num_nodes);
  if (!tensor_set_get_metadata_int(set, "cells", count) || *count < 1 || *count > CELLS_MOST)
    return status_error(STATUS_CODE_mismatch, "%s: metadata 'cells' must be a number from 1 to %d", set->name,
                        CELLS_MOST);
  print_fingerprint(g, fingerprint);
  if (!of)
    return status_error(STATUS_CODE_mismatch, "%s: metadata 'graph' is missing, the fingerprint of the graph",
                        set->name);
  if (strcmp(of, fingerprint))
    return status_error(STATUS_CODE_mismatch, "%s: made for the graph with fingerprint %s, but '%s' has %s", set->name,
                        of, g->name, fingerprint);
  return STATUS_OK;
}

static status read_cells(const tensor_set *set, int64_t count, cells *out) {
  const unsigned char *data = tensor_set_find(set, "cell")->data;
  for (int64_t v = 0; v < out->num_nodes; v++) {
    memcpy(&out->cell[v], data + v * (int64_t)sizeof *out->cell, sizeof *out->cell);
    if (out->cell[v] < 0 || out->cell[v] >= count)
      return status_error(STATUS_CODE_mismatch, "%s: node %" PRId64 " is in cell %d, expected 0 to %" PRId64, set->name,
                          v, out->cell[v], count - 1);
  }
  return STATUS_OK;
}

status cells_read(const tensor_set *set, const graph *g, cells *out) {
  int64_t count = 0;
  *out = (cells){.num_nodes = g->num_nodes};
  status s = check(set, g, &count);
  if (!s && !(out->cell = malloc(((size_t)g->num_nodes + 1) * sizeof *out->cell)))
    s = status_error(STATUS_CODE_memory, "no memory for the cells of %" PRId64 " nodes", g->num_nodes);
  if (!s) s = read_cells(set, count, out);
  out->count = (int32_t)count;
  if (s) cells_free(out);
  return s;
}

status cells_open(const char *path, const graph *g, cells *out) {
  tensor_set *set = NULL;
  *out = (cells){0};
  status s = safetensors_open(path, &set);
  if (!s) s = cells_read(set, g, out);
  tensor_set_destroy(set);
  return s;
}
