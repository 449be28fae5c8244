/* Opens the graph and weights files and gives the front end the shapes in their headers. Of the
 * values only weights are read, by gnnc_check_weights. */
#include "tools/gnnc/gnnc_environment.h"

#include "data/formats/safetensors.h"
#include "data/tensor_stack.h"
#include "data/type_statistics.h"

static bool find_weight(void *user, const char *name, sema_tensor *out) {
  const gnnc_files *files = user;
  tensor t;
  status s = files->weights ? tensor_stack_find(files->weights, name, NULL, &t)
                            : status_error(STATUS_CODE_mismatch, "no weights");
  bool is_found = !s && t.rank <= SEMA_MAX_RANK;
  status_free(s);
  if (!is_found) return false;
  *out = (sema_tensor){.storage = SEMA_STORAGE_dense, .dtype = dtype_name(t.dtype), .rank = (unsigned)t.rank};
  for (int32_t i = 0; i < t.rank; i++) out->dims[i] = t.dims[i];
  return true;
}

static bool find_field(void *user, const char *name, sema_tensor *out) {
  const gnnc_files *files = user;
  graph_field field;
  if (files->graph && !graph_find_field(files->graph, name, &field) && files->is_without_data) {
    *out = (sema_tensor){.storage = SEMA_STORAGE_none}; /* the run supplies it, unless the weights file has it */
    return !files->weights || !tensor_set_find(files->weights, name);
  }
  if (!files->graph || !graph_find_field(files->graph, name, &field) || field.rank > SEMA_MAX_RANK) return false;
  *out = (sema_tensor){.storage = field.is_sparse ? SEMA_STORAGE_sparse : SEMA_STORAGE_dense,
                       .dtype = dtype_name(field.dtype),
                       .rank = (unsigned)field.rank};
  for (int32_t i = 0; i < field.rank; i++) out->dims[i] = field.dims[i];
  return true;
}

static int64_t count_nodes(void *user, size_t type) {
  const graph *g = ((const gnnc_files *)user)->graph;
  int64_t count = 0;
  for (int64_t n = 0; n < g->num_nodes; n++) count += (size_t)g->node_type[n] == type;
  return count;
}

static int64_t find_stray_edge(void *user, size_t type, size_t src, size_t dst, int64_t ends[2]) {
  const graph *g = ((const gnnc_files *)user)->graph;
  for (int64_t e = 0; e < g->num_edges; e++) {
    if ((size_t)g->edge_type[e] != type) continue;
    ends[0] = g->node_type[g->src[e]];
    ends[1] = g->node_type[g->dst[e]];
    if ((size_t)ends[0] != src || (size_t)ends[1] != dst) return e;
  }
  return -1;
}

static const char *const *names_of(const tensor_set *set, arena *a) {
  const char **names = arena_alloc_array(a, set->count, sizeof *names);
  for (size_t i = 0; i < set->count; i++) names[i] = set->tensors[i].name;
  return names;
}

/* Counts the types of edges and nodes and their pairs, which passes of typed models need. */
static status count_types(const graph *g, pass_statistics *s) {
  if (!g->edge_type && !g->node_type) return STATUS_OK;
  type_statistics t;
  RETURN_IF_ERROR(type_statistics_collect(g, &t));
  if (g->node_type) s->num_node_types = t.num_node_types;
  if (!g->edge_type) return STATUS_OK;
  s->num_edge_types = t.num_edge_types;
  s->unique_src = t.stored.unique_src;
  s->unique_dst = t.stored.unique_dst;
  s->pairs_src = t.stored.pairs_src;
  s->pairs_dst = t.stored.pairs_dst;
  return STATUS_OK;
}

static status collect_statistics(const gnnc_files *files, pass_statistics *out) {
  pass_statistics s = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
  *out = s;
  if (!files->graph) return STATUS_OK;
  s.num_nodes = files->graph->num_nodes;
  s.num_edges = files->graph->num_edges;
  graph_field x;
  if (graph_find_field(files->graph, "x", &x) && x.is_sparse && x.rank == 2 && x.dims[0] > 0 && x.dims[1] > 0)
    s.feature_density = (double)x.nonzeros / ((double)x.dims[0] * (double)x.dims[1]);
  *out = s;
  return count_types(files->graph, out);
}

status gnnc_files_open(const gnnc_options *o, gnnc_files *files) {
  *files = (gnnc_files){.is_without_data = o->code.no_data};
  status s = STATUS_OK;
  if (o->graph) s = graph_open(o->graph, &files->graph);
  if (!s && o->weights) s = safetensors_open(o->weights, &files->weights);
  if (!s) s = collect_statistics(files, &files->statistics);
  if (s) gnnc_files_close(files);
  return s;
}

void gnnc_files_close(gnnc_files *files) {
  graph_close(files->graph);
  tensor_set_destroy(files->weights);
  *files = (gnnc_files){0};
}

sema_environment gnnc_files_environment(gnnc_files *files, const gnnc_options *o, arena *a) {
  sema_environment e = sema_environment_empty();
  e.user = files;
  e.dims = o->dims.items;
  e.dim_count = o->dims.count;
  e.is_training = o->code.is_training;
  e.backward = o->code.backward;
  if (files->weights) {
    e.weights_file = o->weights;
    e.find_weight = find_weight;
    e.weight_names = names_of(files->weights, a);
    e.weight_count = files->weights->count;
  }
  if (files->graph) {
    const graph *g = files->graph;
    e.graph_file = o->graph;
    e.find_field = find_field;
    e.field_names = names_of(g->tensors, a);
    e.field_count = g->tensors->count;
    e.num_nodes = g->num_nodes;
    e.num_edges = g->num_edges;
    if (g->edge_type) e.num_edge_types = g->num_edge_types;
    if (g->node_type) e.num_node_types = g->num_node_types;
    e.num_graphs = g->batch || g->num_graphs ? g->num_graphs : 1;
    if (g->node_type) e.count_nodes = count_nodes;
    if (g->node_type && g->edge_type) e.find_stray_edge = find_stray_edge;
  }
  return e;
}
