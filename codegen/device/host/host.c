/* Creates and frees the host, keeps its memory, and counts the rows of sets. */
#include "codegen/device/host/host_memory.h"
#include "codegen/device/host/host_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for one more block; false where there is no memory. */
static bool reserve(program_host *h) {
  if (h->block_count < h->block_capacity) return true;
  int64_t capacity = h->block_capacity ? 2 * h->block_capacity : 64;
  void **grown = realloc(h->blocks, (size_t)capacity * sizeof *grown);
  if (!grown) return false;
  h->blocks = grown;
  h->block_capacity = capacity;
  return true;
}

status host_array(program_host *h, int64_t count, size_t size, void *out_pointer) {
  void *made = reserve(h) ? host_memory_alloc(count, size) : NULL;
  if (!made) return status_error(STATUS_CODE_memory, "no memory for an array of %" PRId64 " x %zu bytes", count, size);
  h->blocks[h->block_count++] = made;
  memcpy(out_pointer, &made, sizeof made);
  return STATUS_OK;
}

void program_host_assume_weights(program_host *h) {
  h->assumes_weights = true;
}

thread_pool *program_host_pool(const program_host *h) {
  return h->pool;
}

void program_host_keep(program_host *h, void *memory) {
  if (!memory) return;
  if (!reserve(h)) {
    fprintf(stderr, "out of memory\n"); /* as an arena does */
    abort();
  }
  h->blocks[h->block_count++] = memory;
}

/* Reads from weights per type the numbers of types, and whether nodes are ordered by type. */
static void read_globals(program_host *h) {
  IR_FOR_EACH_OP(op, mlirModuleGetBody(h->module)) {
    if (!ir_is_weight(op)) continue;
    MlirAttribute written = ir_get_attr(op, "type");
    if (mlirAttributeIsNull(written) || !mlirAttributeIsAType(written)) continue;
    ir_type type = ir_type_get(mlirTypeAttrGetValue(written));
    if (type.kind != IR_KIND_per) continue;
    int64_t count = ir_get_integer(op, "gnn.count", 0);
    bool by_node = !strcmp(type.set, "ntype");
    int64_t *most = by_node ? &h->most_ntypes : &h->most_etypes;
    if (by_node) h->has_node_order = true;
    if (strcmp(type.set, "graph") != 0 && count > *most) *most = count;
  }
}

status program_host_create(MlirModule module, const graph *g, const tensor_set *weights, thread_pool *pool,
                           program_host **out) {
  arena *memory = arena_create();
  program_host *h = arena_alloc(memory, sizeof *h);
  *h = (program_host){.memory = memory, .module = module, .graph = g, .weights = weights, .pool = pool};
  h->edge_sets = (map){.arena = memory, .of_strings = true};
  h->orders = (map){.arena = memory, .of_strings = true};
  h->arrays = h->sparse = h->edge_lists = h->counts = (map){.arena = memory};
  *out = h;
  read_globals(h);
  return STATUS_OK;
}

void program_host_destroy(program_host *h) {
  if (!h) return;
  for (int64_t i = 0; i < h->block_count; i++) free(h->blocks[i]);
  free(h->blocks);
  arena_destroy(h->memory);
}

status host_per_rows(program_host *h, const char *per, int64_t *rows) {
  const graph *g = h->graph;
  const host_kinds *kinds;
  if (!strcmp(per, "etype")) {
    *rows = h->most_etypes ? h->most_etypes : g->num_edge_types ? g->num_edge_types : 1;
  } else if (!strcmp(per, "ntype")) {
    *rows = h->most_ntypes ? h->most_ntypes : g->num_node_types ? g->num_node_types : 1;
  } else if (!strcmp(per, "graph")) {
    *rows = g->batch || g->num_graphs ? g->num_graphs : 1;
  } else {
    RETURN_IF_ERROR(host_kinds_of(h, !strcmp(per, "etype_dst"), &kinds));
    *rows = kinds->count;
  }
  return STATUS_OK;
}

/* Returns the number of columns of the model's sparse input, the largest where there are several. */
static status count_columns(const program_host *h, int64_t *rows) {
  *rows = 0;
  IR_FOR_EACH_FUNC(func, mlirModuleGetOperation(h->module)) {
    MlirBlock body = ir_func_body(func);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
      ir_type type = ir_type_of(mlirBlockGetArgument(body, i));
      if (type.kind == IR_KIND_sparse && type.dims[0] > *rows) *rows = type.dims[0];
    }
  }
  return *rows ? STATUS_OK : status_error(STATUS_CODE_mismatch, "the model has no sparse features");
}

status program_host_set_rows(program_host *h, const char *set, int64_t *rows) {
  const host_edges *edges = NULL;
  const int32_t *nodes;
  *rows = 1;
  if (!strcmp(set, "one")) return STATUS_OK;
  if (!strcmp(set, "columns")) return count_columns(h, rows);
  if (ir_choice_has(IR_PER_KINDS, set)) return host_per_rows(h, set, rows);
  if (ir_part_type(set) >= 0) return host_part(h, ir_part_type(set), &nodes, rows);
  RETURN_IF_ERROR(host_edges_of_rows(h, set, &edges));
  *rows = edges ? edges->count : h->graph->num_nodes;
  return STATUS_OK;
}

status host_rows_of_type(program_host *h, ir_type type, int64_t *rows) {
  const host_edges *edges;
  *rows = 1;
  if (type.kind == IR_KIND_per) return host_per_rows(h, type.set, rows);
  if (type.kind == IR_KIND_node || type.kind == IR_KIND_sparse) return program_host_set_rows(h, type.set, rows);
  if (type.kind != IR_KIND_edge) return STATUS_OK;
  RETURN_IF_ERROR(host_edge_parts(h, type.set, &edges));
  *rows = edges->count;
  return STATUS_OK;
}
