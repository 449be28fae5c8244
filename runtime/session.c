/* Sessions: a program bound to a graph and weights. A session reads files, binds once, runs any
 * number of times, and writes outputs. */
#include "runtime/session.h"
#include "data/formats/safetensors.h"
#include "runtime/inputs.h"
#include "runtime/native.h"
#include "support/clock.h"
#include "support/huge_pages.h"
#include "support/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gnnc_session {
  const gnnc_model_info *info;
  arena *memory;
  const graph *graph;           /* of the file, or its part */
  const receptive_field *field; /* of the part; NULL: none */
  graph *opened;                /* NULL: the caller's */
  tensor_set *weights;
  const void **inputs;
  float **outputs;
  const void **weight_data; /* until it is bound */
  void *bound, *workspace;
  spill *spill; /* which has them; NULL: they are freed */
  gnnc_session_statistics statistics;
};

/* ---- binding ---- */

status session_explain_bind(const graph *g, gnnc_result result, int64_t index) {
  static const char *const fields[] = {"size", "num_nodes", "num_edges", "src",
                                       "dst",  "edge_type", "node_type", "batch"};
  long long i = (long long)index;
  switch (result) {
  case GNNC_OK: return STATUS_OK;
  case GNNC_ERROR_NULL:
    return status_error(STATUS_CODE_mismatch, "%s: the model needs '%s', which the graph does not have", g->name,
                        i >= 0 && i < 8 ? fields[i] : "?");
  case GNNC_ERROR_EDGE_RANGE:
    return status_error(STATUS_CODE_mismatch, "%s: edge %lld goes from node %d to node %d, the graph has %lld nodes",
                        g->name, i, g->src[i], g->dst[i], (long long)g->num_nodes);
  case GNNC_ERROR_TYPE_RANGE:
    return status_error(STATUS_CODE_mismatch,
                        "%s: the type of edge or node %lld is beyond those that the model declares or has weights for",
                        g->name, i);
  case GNNC_ERROR_EDGE_ENDS:
    return status_error(STATUS_CODE_mismatch,
                        "%s: edge %lld, of type %d, leads from a node of type %d to one of type %d, which the model "
                        "does not declare",
                        g->name, i, g->edge_type[i], g->node_type[g->src[i]], g->node_type[g->dst[i]]);
  case GNNC_ERROR_COUNT:
    return status_error(STATUS_CODE_mismatch,
                        "%s: %lld nodes and %lld edges are more than the model can count, or the graphs that it makes "
                        "of them have too many edges",
                        g->name, (long long)g->num_nodes, (long long)g->num_edges);
  case GNNC_ERROR_COMM: return status_error(STATUS_CODE_io, "an exchange of rows with other ranks failed");
  default: return status_error(STATUS_CODE_mismatch, "bind failed with result %d at %lld", (int)result, i);
  }
}

status session_explain_bind_part(const receptive_field *part, gnnc_result result, int64_t index) {
  const graph *g = &part->part;
  const bool is_edge = index >= 0 && index < g->num_edges, is_node = index >= 0 && index < g->num_nodes;
  if ((result == GNNC_ERROR_EDGE_RANGE || result == GNNC_ERROR_EDGE_ENDS) && is_edge)
    return session_explain_bind(part->whole, result, part->edges[index]);
  if (result != GNNC_ERROR_TYPE_RANGE || (!is_edge && !is_node)) return session_explain_bind(g, result, index);
  char edge[32] = "", node[32] = "";
  const bool may_be_edge = is_edge && (g->edge_type || !g->node_type), may_be_node = is_node && g->node_type;
  if (may_be_edge) snprintf(edge, sizeof edge, "edge %lld", (long long)part->edges[index]);
  if (may_be_node) snprintf(node, sizeof node, "node %lld", (long long)part->nodes[index]);
  return status_error(STATUS_CODE_mismatch,
                      "%s: the type of %s%s%s is beyond those that the model declares or has weights for", g->name,
                      edge, may_be_edge && may_be_node ? " or " : "", node);
}

/* Returns the bytes of a tensor that the model reads. */
static size_t tensor_bytes(const gnnc_tensor_info *info, const graph *g, const void *data) {
  size_t rows = (size_t)inputs_rows(info, g);
  if (!info->is_sparse) return rows * (size_t)inputs_row_elements(info) * sizeof(float);
  const gnnc_csr *csr = data;
  size_t entries = (size_t)(csr->indptr[rows] - csr->indptr[0]);
  return (rows + 1) * sizeof *csr->indptr + entries * (sizeof *csr->indices + sizeof *csr->data);
}

static size_t graph_bytes(const graph *g) {
  size_t per_edge = g->edge_type ? 3 : 2, per_node = (g->node_type ? 1u : 0u) + (g->batch ? 1u : 0u);
  return (per_edge * (size_t)g->num_edges + per_node * (size_t)g->num_nodes) * sizeof(int32_t);
}

static void *allocate(gnnc_session *s, size_t bytes) {
  return s->spill ? spill_allocate(s->spill, bytes) : huge_pages_allocate(bytes);
}

static status bind_model(gnnc_session *s, const gnnc_context *context) {
  const graph *g = s->graph;
  gnnc_graph view = {.size = sizeof view,
                     .num_nodes = g->num_nodes,
                     .num_edges = g->num_edges,
                     .src = g->src,
                     .dst = g->dst,
                     .edge_type = g->edge_type,
                     .node_type = g->node_type,
                     .batch = g->batch,
                     .num_graphs = g->num_graphs,
                     .context = context};
  size_t size = s->info->bound_bytes(&view);
  if (!size) return session_explain_bind(s->graph, GNNC_ERROR_COUNT, 0);
  s->bound = allocate(s, size);
  if (!s->bound) return status_error(STATUS_CODE_memory, "no memory for a bound block of %zu bytes", size);
  int64_t index = 0;
  double start = clock_seconds();
  gnnc_result result = s->info->bind(GNNC_ABI_VERSION, &view, s->weight_data, s->bound, size, &index);
  s->statistics.bind_seconds = clock_seconds() - start;
  s->statistics.num_nodes = g->num_nodes;
  s->statistics.num_edges = g->num_edges;
  s->statistics.num_graphs = g->num_graphs;
  s->statistics.bound_bytes = size;
  s->statistics.input_bytes += graph_bytes(g);
  return s->field ? session_explain_bind_part(s->field, result, index) : session_explain_bind(s->graph, result, index);
}

/* Of rows whose inputs nobody reads. */
static size_t bytes_left_out(const receptive_field *field, const gnnc_tensor_info *info) {
  if (!field || info->rows != GNNC_ROWS_NODE || info->is_sparse) return 0;
  return (size_t)(field->num_without_inputs * inputs_row_elements(info)) * sizeof(float);
}

static status read_tensors(gnnc_session *s, const inputs_source *from, const gnnc_tensor_info *infos, int32_t count,
                           const void ***out) {
  *out = arena_alloc_array(s->memory, (size_t)count + 1, sizeof **out);
  for (int32_t i = 0; i < count; i++) {
    RETURN_IF_ERROR(inputs_read(s->memory, from, &infos[i], &(*out)[i]));
    s->statistics.input_bytes += tensor_bytes(&infos[i], s->graph, (*out)[i]) - bytes_left_out(from->field, &infos[i]);
  }
  return STATUS_OK;
}

static status make_memory(gnnc_session *s) {
  size_t workspace = s->info->workspace_bytes(s->bound, NULL);
  s->statistics.workspace_bytes = workspace;
  s->workspace = workspace == SIZE_MAX ? NULL : allocate(s, workspace);
  if (!s->workspace) return status_error(STATUS_CODE_memory, "no memory for a workspace of %zu bytes", workspace);
  s->outputs = arena_alloc_array(s->memory, (size_t)s->info->num_outputs + 1, sizeof *s->outputs);
  for (int32_t i = 0; i < s->info->num_outputs; i++) {
    const gnnc_tensor_info *info = &s->info->outputs[i];
    size_t count = (size_t)(inputs_rows(info, s->graph) * inputs_row_elements(info));
    s->outputs[i] = allocate(s, count * sizeof(float));
    s->statistics.output_bytes += count * sizeof(float);
    if (!s->outputs[i]) return status_error(STATUS_CODE_memory, "no memory for output '%s'", info->name);
  }
  return STATUS_OK;
}

static status read_session(gnnc_session *s, const session_request *request) {
  progress_step("read the inputs", NULL, 0);
  if (request->weights) RETURN_IF_ERROR(safetensors_open(request->weights, &s->weights));
  const inputs_source from = {
      .graph = request->graph, .weights = s->weights, .weights_path = request->weights, .field = request->field};
  s->graph = inputs_graph(&from);
  RETURN_IF_ERROR(read_tensors(s, &from, s->info->weights, s->info->num_weights, &s->weight_data));
  return read_tensors(s, &from, s->info->inputs, s->info->num_inputs, &s->inputs);
}

gnnc_status gnnc_session_create(const gnnc_program *program, const char *graph_path, const char *weights_path,
                                gnnc_session **session) {
  return gnnc_session_create_in(program, graph_path, weights_path, NULL, session);
}

status session_read(const gnnc_program *program, const session_request *request, gnnc_session **session) {
  *session = NULL;
  gnnc_session *s = calloc(1, sizeof *s);
  if (!s) return status_error(STATUS_CODE_memory, "out of memory");
  s->info = program->info;
  s->spill = request->spill;
  s->field = request->field;
  s->memory = request->spill ? arena_create_in(request->spill) : arena_create();
  status failed = read_session(s, request);
  if (failed) {
    gnnc_session_destroy(s);
    return failed;
  }
  *session = s;
  return STATUS_OK;
}

status session_bind(gnnc_session *s, const gnnc_context *context) {
  progress_step("bind", NULL, 0);
  RETURN_IF_ERROR(bind_model(s, context));
  return make_memory(s);
}

status session_create(const gnnc_program *program, const session_request *request, gnnc_session **session) {
  RETURN_IF_ERROR(session_read(program, request, session));
  status failed = session_bind(*session, request->context);
  if (!failed) return STATUS_OK;
  gnnc_session_destroy(*session);
  *session = NULL;
  return failed;
}

gnnc_status gnnc_session_create_in(const gnnc_program *program, const char *graph_path, const char *weights_path,
                                   const gnnc_context *context, gnnc_session **session) {
  *session = NULL;
  graph *g = NULL;
  RETURN_IF_ERROR(graph_open(graph_path, &g));
  session_request request = {.graph = g, .weights = weights_path, .context = context};
  status s = session_create(program, &request, session);
  if (s)
    graph_close(g);
  else
    (*session)->opened = g;
  return s;
}

void gnnc_session_destroy(gnnc_session *s) {
  if (!s) return;
  for (int32_t i = 0; !s->spill && s->outputs && i < s->info->num_outputs; i++) free(s->outputs[i]);
  if (!s->spill) free(s->bound);
  if (!s->spill) free(s->workspace);
  if (s->opened) graph_close(s->opened);
  tensor_set_destroy(s->weights);
  arena_destroy(s->memory);
  free(s);
}

/* ---- running ---- */

status session_explain_run(const graph *g, gnnc_result result) {
  if (result == GNNC_ERROR_CSR)
    return status_error(STATUS_CODE_mismatch, "%s: a sparse input has rows out of order or a column out of range",
                        g->name);
  if (result == GNNC_ERROR_INDEX_RANGE)
    return status_error(STATUS_CODE_mismatch, "%s: an integer input holds a row that its table does not have", g->name);
  if (result == GNNC_ERROR_VERSION)
    return status_error(STATUS_CODE_version,
                        "the context of the run, or its executor, has a size that the model does not know: "
                        "set size to sizeof(gnnc_context) and sizeof(gnnc_executor)");
  if (result == GNNC_ERROR_OPTIMIZER)
    return status_error(STATUS_CODE_mismatch,
                        "the program does not know this optimizer, or one of its numbers is out of "
                        "range");
  if (result == GNNC_ERROR_COMM) return status_error(STATUS_CODE_io, "an exchange of rows with other ranks failed");
  return result ? status_error(STATUS_CODE_mismatch, "run failed with result %d", (int)result) : STATUS_OK;
}

gnnc_status gnnc_session_run(gnnc_session *s, const gnnc_context *context) {
  double start = clock_seconds();
  gnnc_result result = s->info->run(s->bound, s->inputs, (void *const *)s->outputs, s->workspace, context);
  s->statistics.run_seconds = clock_seconds() - start;
  return session_explain_run(s->graph, result);
}

const float *gnnc_session_output(const gnnc_session *s, int32_t index, int64_t *rows) {
  if (rows) *rows = inputs_rows(&s->info->outputs[index], s->graph);
  return s->outputs[index];
}

gnnc_session_statistics gnnc_session_get_statistics(const gnnc_session *s) {
  return s->statistics;
}

/* ---- outputs ---- */

static status add_output(const gnnc_session *s, tensor_set *set, int32_t index, const int64_t *nodes,
                         int64_t node_count) {
  const gnnc_tensor_info *info = &s->info->outputs[index];
  int64_t dims[8], rows = inputs_rows(info, s->graph), elements = inputs_row_elements(info);
  bool is_chosen = nodes && info->rows == GNNC_ROWS_NODE;
  int32_t rank = 0;
  if (info->rows != GNNC_ROWS_ONE) dims[rank++] = is_chosen ? node_count : rows;
  for (int32_t i = 0; i < info->rank; i++) dims[rank++] = info->dims[i];
  void *data = NULL;
  RETURN_IF_ERROR(tensor_set_add(set, info->name, DTYPE_F32, rank, dims, &data));
  size_t row_bytes = (size_t)elements * sizeof(float);
  if (!is_chosen) {
    memcpy(data, s->outputs[index], (size_t)rows * row_bytes);
    return STATUS_OK;
  }
  for (int64_t i = 0; i < node_count; i++) {
    if (nodes[i] < 0 || nodes[i] >= rows)
      return status_error(STATUS_CODE_mismatch, "node %lld was asked for, the graph has %lld nodes",
                          (long long)nodes[i], (long long)rows);
    memcpy((float *)data + i * elements, s->outputs[index] + nodes[i] * elements, row_bytes);
  }
  return STATUS_OK;
}

gnnc_status gnnc_session_write(const gnnc_session *s, const char *path, const int64_t *nodes, int64_t node_count) {
  tensor_set *set = tensor_set_create(path);
  tensor_set_put_metadata(set, "model", s->info->name);
  tensor_set_put_metadata(set, "made_by", arena_printf(set->memory, "libgnnc %s", gnnc_version()));
  status failed = STATUS_OK;
  for (int32_t i = 0; i < s->info->num_outputs && !failed; i++) failed = add_output(s, set, i, nodes, node_count);
  if (!failed) failed = safetensors_write(path, set);
  tensor_set_destroy(set);
  return failed;
}
