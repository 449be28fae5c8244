/* Compiles modules of the device level, runs them on a simulated device, and compares the outputs with
 * plain loops over the same operations:
 *
 *   graphagile_case c = {.nodes = 50, .edges = 200, .text = MODULE(...)};
 *   graphagile_run(&c);        every output is compared
 *
 * The host of this fixture is a substitute: graphs, edge lists and constants are random numbers, the
 * same for the program and for the loops. */
#ifndef GNNC_TEST_UNIT_CODEGEN_CODEGEN_GRAPHAGILE_FIXTURE_H
#define GNNC_TEST_UNIT_CODEGEN_CODEGEN_GRAPHAGILE_FIXTURE_H

#include "codegen/graphagile/compile.h"
#include "codegen/graphagile/partition/partition.h"
#include "isa/graphagile/graphagile.h"
#include "sim/sim.h"
#include "support/text.h"
#include "unit.h"

#include <jansson.h>

enum { MAX_VALUES = 64, TYPES = 3, COLUMNS = 37 };

typedef struct graphagile_case {
  const char *text;
  int64_t nodes, edges;
  graphagile_options options;
  sim_options sim;
  const char *refused; /* a part of the expected message, instead of a program */
  sim_stats *stats;
  uint64_t cycles;
  double seconds, floor;
  uint64_t text_bytes;
} graphagile_case;

/* A tensor of rows x width numbers, or of heads x edges values of an edge list. */
typedef struct grid {
  const void *key;
  float *data;
  int64_t rows, width;
  const program_edge_list *list;
} grid;

struct program_host {
  const graphagile_case *of;
  grid grids[MAX_VALUES];
  int num_grids;
  program_edge_list *lists[MAX_VALUES];
  const void *list_keys[MAX_VALUES];
  int num_lists;
  int32_t *src, *dst;
  int64_t offsets[TYPES + 1];
  void *kept[MAX_VALUES];
  int num_kept;
  uint64_t random;
};

static double random_number(program_host *h) {
  h->random = h->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(h->random >> 40) / (double)(1 << 24);
}

static void *must_alloc(size_t size) {
  void *made = calloc(1, size + 1);
  if (!made) abort();
  return made;
}

static grid *add_grid(program_host *h, const void *key, int64_t rows, int64_t width) {
  if (h->num_grids == MAX_VALUES) abort();
  grid *g = &h->grids[h->num_grids++];
  *g = (grid){.key = key, .rows = rows, .width = width};
  g->data = must_alloc((size_t)(rows * width) * sizeof *g->data);
  return g;
}

static grid *find_grid(program_host *h, const void *key) {
  for (int i = 0; i < h->num_grids; i++)
    if (h->grids[i].key == key) return &h->grids[i];
  return NULL;
}

static const program_edge_list *find_list(program_host *h, MlirValue relation) {
  MlirOperation op = ir_defining_op(relation);
  for (int i = 0; i < h->num_lists; i++)
    if (h->list_keys[i] == op.ptr) return h->lists[i];
  abort();
}

/* ---- the functions that codegen calls ---- */

void program_host_keep(program_host *h, void *memory) {
  h->kept[h->num_kept++] = memory;
}

status program_host_set_rows(program_host *h, const char *set, int64_t *rows) {
  bool is_edges = strstr(set, ".edges") != NULL;
  *rows = is_edges                                         ? h->of->edges
          : !strcmp(set, "one")                            ? 1
          : !strcmp(set, "etype") || !strcmp(set, "graph") ? TYPES
          : !strcmp(set, "columns")                        ? COLUMNS
                                                           : h->of->nodes;
  return STATUS_OK;
}

status program_host_set_order(program_host *h, const char *set, const int32_t **order) {
  (void)h;
  (void)set;
  *order = NULL;
  return STATUS_OK;
}

/* The types have different sizes, and one of them is empty. */
status program_host_set_segments(program_host *h, const char *set, const char *per, int64_t *count,
                                 const int64_t **offsets) {
  int64_t rows;
  (void)per;
  program_host_set_rows(h, set, &rows);
  h->offsets[1] = h->offsets[2] = rows * 2 / 7;
  h->offsets[TYPES] = rows;
  *count = TYPES;
  *offsets = h->offsets;
  return STATUS_OK;
}

status program_host_evaluate(program_host *h, MlirValue value, program_array *out) {
  grid *g = find_grid(h, value.ptr);
  if (!g) {
    ir_type type = ir_type_of(value);
    int64_t rows = type.kind == IR_KIND_edge   ? h->of->edges
                   : type.kind == IR_KIND_node ? h->of->nodes
                   : type.kind == IR_KIND_per  ? TYPES
                                               : 1;
    g = add_grid(h, value.ptr, rows, ir_type_elements(type));
    for (int64_t i = 0; i < g->rows * g->width; i++) g->data[i] = (float)(random_number(h) * 2 - 1);
  }
  *out = (program_array){g->data, g->rows, g->width};
  return STATUS_OK;
}

static void random_ends(program_host *h, program_edge_list *r, const char *kind) {
  int32_t *src = must_alloc((size_t)r->edges * sizeof *src), *dst = must_alloc((size_t)r->edges * sizeof *dst);
  bool by_edge = strstr(kind, "gather") != NULL, at_edge = strstr(kind, "scatter") != NULL;
  for (int64_t i = 0; i < r->edges; i++) {
    double skewed = random_number(h) * random_number(h); /* some rows get many edges, some none */
    src[i] = at_edge ? (int32_t)i : (int32_t)(random_number(h) * (double)r->from_rows);
    dst[i] = by_edge ? (int32_t)i : (int32_t)(skewed * (double)r->to_rows * 0.9);
    if (!strcmp(kind, "out") && i < r->to_rows) dst[i] = (int32_t)i; /* each row has an edge */
  }
  r->src = src;
  r->dst = dst;
}

status program_host_weights(program_host *h, const program_edge_list *r, const float **out) {
  (void)h;
  *out = r->weight;
  return STATUS_OK;
}

status program_host_edge_list(program_host *h, MlirOperation relation, const program_edge_list **out) {
  ir_type type = ir_type_of(ir_result(relation));
  program_edge_list *r = must_alloc(sizeof *r);
  program_array weight;
  program_host_set_rows(h, type.set, &r->from_rows);
  program_host_set_rows(h, type.detail, &r->to_rows);
  r->edges = h->of->edges;
  const char *kind = ir_get_string(relation, "kind", "in");
  for (int i = 0; i < h->num_lists && !r->src; i++) { /* lists of one kind have the same edges, with any weights */
    MlirOperation other = {(void *)(uintptr_t)h->list_keys[i]};
    if (strcmp(ir_get_string(other, "kind", ""), kind) != 0) continue;
    r->src = h->lists[i]->src;
    r->dst = h->lists[i]->dst;
  }
  if (!r->src) random_ends(h, r, kind);
  MlirValue w = ir_operand(relation, IR_IN(device, edges, weight));
  if (!ir_value_is_null(w)) {
    program_host_evaluate(h, w, &weight);
    r->weight = weight.data;
    r->has_weight = true;
  }
  h->list_keys[h->num_lists] = relation.ptr;
  h->lists[h->num_lists++] = r;
  *out = r;
  return STATUS_OK;
}

static void host_free(program_host *h) {
  for (int i = 0; i < h->num_grids; i++) free(h->grids[i].data);
  for (int i = 0; i < h->num_kept; i++) free(h->kept[i]);
  for (int i = 0; i < h->num_lists; i++) {
    bool is_first = true;
    for (int k = 0; k < i; k++) is_first &= h->lists[k]->src != h->lists[i]->src;
    if (is_first) {
      free((void *)(uintptr_t)h->lists[i]->src);
      free((void *)(uintptr_t)h->lists[i]->dst);
    }
  }
  for (int i = 0; i < h->num_lists; i++) free(h->lists[i]);
}

#endif
