/* Opens a graph: finds its tensors, determines the number of nodes, and checks that every index is
 * that of a node.
 *
 * The number of nodes is metadata num_nodes, else the number of rows of a node field, else the
 * largest index + 1; every other field must agree with it. Fields of whole numbers may have any
 * whole-number type in the file. */
#include "data/graph.h"
#include "data/convert.h"
#include "data/formats/safetensors.h"

#include <inttypes.h>
#include <math.h>

/* The number of nodes and its source for messages: "metadata num_nodes", "'x'". */
typedef struct size_origin {
  int64_t size;
  const char *where;
} size_origin;

/* Checks that a field is a list of `expected` entries, one per `meaning`. */
static status check_length(const graph *g, const tensor *t, int64_t expected, const char *meaning) {
  if (t->rank == 1 && t->dims[0] == expected) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "'%s' has shape %s, expected [%" PRId64 "], one entry per %s", t->name,
                      tensor_shape_text(g->memory, t), expected, meaning);
}

/* Finds the smallest and the largest entry; 0 and -1 for an empty list. */
static void find_range(const int32_t *values, int64_t count, int32_t *least, int32_t *most) {
  int32_t low = count ? INT32_MAX : 0, high = count ? INT32_MIN : -1;
  for (int64_t i = 0; i < count; i++) {
    low = values[i] < low ? values[i] : low;
    high = values[i] > high ? values[i] : high;
  }
  *least = low;
  *most = high;
}

static status read_edges(graph *g) {
  const tensor *t = tensor_set_find(g->tensors, "edge_index");
  if (!t) return status_error(STATUS_CODE_mismatch, "has no 'edge_index', so it is not a graph");
  if (t->rank != 2 || t->dims[0] != 2)
    return status_error(STATUS_CODE_mismatch, "'edge_index' has shape %s, expected [2, edges]%s",
                        tensor_shape_text(g->memory, t), t->rank == 2 && t->dims[1] == 2 ? ": transpose it" : "");
  const int32_t *ends;
  RETURN_IF_ERROR(convert_check_is_index(t));
  RETURN_IF_ERROR(convert_to_i32(g->memory, t, &ends));
  g->num_edges = t->dims[1];
  g->src = ends;
  g->dst = ends + g->num_edges;
  return STATUS_OK;
}

/* Takes the number of nodes from the rows of a node field; false when the file has no such
 * field. */
static bool find_node_rows(const graph *g, size_origin *out) {
  static const struct {
    const char *field, *where;
    int64_t extra; /* entries beyond one per node */
  } fields[] = {
      {"x", "'x'", 0}, {"x_indptr", "'x_indptr'", 1}, {"node_type", "'node_type'", 0}, {"batch", "'batch'", 0}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const tensor *t = tensor_set_find(g->tensors, fields[i].field);
    if (!t || t->rank < 1 || t->dims[0] < fields[i].extra) continue;
    *out = (size_origin){t->dims[0] - fields[i].extra, fields[i].where};
    return true;
  }
  const tensor *labels = tensor_set_find(g->tensors, "y");
  if (!labels || labels->rank < 1 || tensor_set_find(g->tensors, "ptr")) return false;
  *out = (size_origin){labels->dims[0], "'y'"};
  return true;
}

static status count_nodes(graph *g, size_origin *origin) {
  int32_t least, most;
  find_range(g->src, 2 * g->num_edges, &least, &most);
  int64_t claimed;
  if (tensor_set_find(g->tensors, "num_nodes"))
    return status_error(STATUS_CODE_mismatch,
                        "'num_nodes' is a tensor here, but the number of nodes is read from metadata num_nodes");
  if (tensor_set_get_metadata(g->tensors, "num_nodes")) {
    if (!tensor_set_get_metadata_int(g->tensors, "num_nodes", &claimed) || claimed < 0)
      return status_error(STATUS_CODE_mismatch, "metadata num_nodes is '%s', expected a count",
                          tensor_set_get_metadata(g->tensors, "num_nodes"));
    *origin = (size_origin){claimed, "metadata num_nodes"};
  } else if (!find_node_rows(g, origin)) {
    *origin = (size_origin){(int64_t)most + 1, "the largest index"};
  }
  g->num_nodes = origin->size;
  if (g->num_nodes > INT32_MAX)
    return status_error(STATUS_CODE_unsupported, "has %" PRId64 " nodes, at most %d are supported", g->num_nodes,
                        INT32_MAX);
  if (least >= 0 && most < g->num_nodes) return STATUS_OK;
  for (int64_t e = 0; e < g->num_edges; e++) {
    bool is_good = g->src[e] >= 0 && g->src[e] < g->num_nodes && g->dst[e] >= 0 && g->dst[e] < g->num_nodes;
    if (is_good) continue;
    return status_error(STATUS_CODE_mismatch,
                        "edge %" PRId64 " goes from node %d to node %d, but the graph has %" PRId64 " nodes (%s)", e,
                        g->src[e], g->dst[e], g->num_nodes, origin->where);
  }
  return STATUS_OK;
}

/* Reads a list of types. Their number is the metadata of one of the keys, else the largest type +
 * 1. */
static status read_types(graph *g, const char *field, int64_t length, const char *meaning, const char *const keys[2],
                         const int32_t **out, int64_t *num_types) {
  const tensor *t = tensor_set_find(g->tensors, field);
  if (!t) return STATUS_OK;
  RETURN_IF_ERROR(check_length(g, t, length, meaning));
  RETURN_IF_ERROR(convert_check_is_index(t));
  RETURN_IF_ERROR(convert_to_i32(g->memory, t, out));
  int32_t least, most;
  find_range(*out, length, &least, &most);
  if (least < 0) return status_error(STATUS_CODE_mismatch, "'%s' holds the negative type %d", field, least);
  *num_types = (int64_t)most + 1;
  for (int i = 0; i < 2; i++) {
    int64_t claimed;
    if (!tensor_set_get_metadata_int(g->tensors, keys[i], &claimed)) continue;
    if (most >= claimed)
      return status_error(STATUS_CODE_mismatch, "'%s' holds type %d, but metadata %s is %" PRId64, field, most, keys[i],
                          claimed);
    if (claimed > INT32_MAX)
      return status_error(STATUS_CODE_unsupported, "metadata %s is %" PRId64 ", at most %d are supported", keys[i],
                          claimed, INT32_MAX);
    *num_types = claimed;
    break;
  }
  return STATUS_OK;
}

static status read_edge_weights(graph *g) {
  const tensor *t = tensor_set_find(g->tensors, "edge_weight");
  if (!t) return STATUS_OK;
  RETURN_IF_ERROR(check_length(g, t, g->num_edges, "edge"));
  RETURN_IF_ERROR(convert_to_f32(g->memory, t, &g->edge_weight));
  for (int64_t e = 0; e < g->num_edges; e++)
    if (isnan(g->edge_weight[e])) return status_error(STATUS_CODE_mismatch, "'edge_weight' is nan at edge %" PRId64, e);
  return STATUS_OK;
}

/* Checks 'ptr', the first node of each graph of a batch. Makes the list 'batch' from it, or
 * compares it with the list of the file. */
static status read_graph_ends(graph *g, const tensor *t) {
  const int64_t *ptr;
  if (t->rank != 1 || t->count < 1)
    return status_error(STATUS_CODE_mismatch, "'ptr' has shape %s, expected [graphs + 1]",
                        tensor_shape_text(g->memory, t));
  if (t->count - 1 > INT32_MAX)
    return status_error(STATUS_CODE_unsupported, "'ptr' names %" PRId64 " graphs, at most %d are supported",
                        t->count - 1, INT32_MAX);
  RETURN_IF_ERROR(convert_check_is_index(t));
  RETURN_IF_ERROR(convert_to_i64(g->memory, t, &ptr));
  g->num_graphs = t->count - 1;
  bool is_good = ptr[0] == 0 && ptr[g->num_graphs] == g->num_nodes;
  for (int64_t i = 0; i < g->num_graphs && is_good; i++) is_good = ptr[i] <= ptr[i + 1];
  if (!is_good)
    return status_error(STATUS_CODE_mismatch, "'ptr' does not rise from 0 to the %" PRId64 " nodes", g->num_nodes);
  int32_t *made = g->batch ? NULL : arena_try_alloc_array(g->memory, (size_t)g->num_nodes, sizeof *made);
  if (!g->batch && !made) return status_error(STATUS_CODE_memory, "'batch' does not fit into memory");
  for (int64_t i = 0; i < g->num_graphs; i++)
    for (int64_t n = ptr[i]; n < ptr[i + 1]; n++) {
      if (made)
        made[n] = (int32_t)i;
      else if (g->batch[n] != i)
        return status_error(STATUS_CODE_mismatch, "'batch' puts node %" PRId64 " into graph %d, 'ptr' into %" PRId64, n,
                            g->batch[n], i);
    }
  if (made) g->batch = made;
  return STATUS_OK;
}

static status read_batch(graph *g) {
  static const char *const keys[2] = {"num_graphs", "num_graphs"};
  RETURN_IF_ERROR(read_types(g, "batch", g->num_nodes, "node", keys, &g->batch, &g->num_graphs));
  const tensor *ptr = tensor_set_find(g->tensors, "ptr");
  return ptr ? read_graph_ends(g, ptr) : STATUS_OK;
}

/* Checks that x has one row per node. */
static status check_features(graph *g, const size_origin *origin) {
  const tensor *x = tensor_set_find(g->tensors, "x");
  if (x && (x->rank < 1 || x->dims[0] != g->num_nodes))
    return status_error(STATUS_CODE_mismatch, "'x' has shape %s, but the graph has %" PRId64 " nodes (%s)",
                        tensor_shape_text(g->memory, x), g->num_nodes, origin->where);
  const tensor *indptr = tensor_set_find(g->tensors, "x_indptr");
  if (indptr && (indptr->rank != 1 || indptr->dims[0] != g->num_nodes + 1))
    return status_error(STATUS_CODE_mismatch,
                        "'x_indptr' has shape %s, expected [%" PRId64 "], one more than the nodes (%s)",
                        tensor_shape_text(g->memory, indptr), g->num_nodes + 1, origin->where);
  return STATUS_OK;
}

/* Checks that labels and masks have one entry per node or, in a batch, per graph; masks also per edge, where edges have labels. With a
 * wrong length a program would silently report no accuracy. */
static status check_labels(graph *g) {
  static const char *const fields[] = {"y", "train_mask", "val_mask", "test_mask"};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const tensor *t = tensor_set_find(g->tensors, fields[i]);
    const bool has_edge_rows = i > 0 && tensor_set_find(g->tensors, "edge_label");
    const int64_t rows = t && t->rank >= 1 ? t->dims[0] : -1;
    if (!t || rows == g->num_nodes || (g->batch && rows == g->num_graphs) || (has_edge_rows && rows == g->num_edges))
      continue;
    return status_error(STATUS_CODE_mismatch, "'%s' has shape %s, expected one entry per node, %" PRId64 "%s%s",
                        t->name, tensor_shape_text(g->memory, t), g->num_nodes, g->batch ? ", or per graph" : "",
                        has_edge_rows ? ", or per edge" : "");
  }
  return STATUS_OK;
}

static status check_all(graph *g) {
  static const char *const edge_keys[2] = {"num_relations", "num_edge_types"};
  static const char *const node_keys[2] = {"num_node_types", "num_node_types"};
  size_origin origin = {0};
  RETURN_IF_ERROR(read_edges(g));
  RETURN_IF_ERROR(count_nodes(g, &origin));
  RETURN_IF_ERROR(check_features(g, &origin));
  RETURN_IF_ERROR(read_types(g, "edge_type", g->num_edges, "edge", edge_keys, &g->edge_type, &g->num_edge_types));
  RETURN_IF_ERROR(read_types(g, "node_type", g->num_nodes, "node", node_keys, &g->node_type, &g->num_node_types));
  RETURN_IF_ERROR(read_edge_weights(g));
  RETURN_IF_ERROR(read_batch(g));
  return check_labels(g);
}

status graph_create(tensor_set *tensors, graph **out) {
  arena *memory = arena_create();
  graph *g = arena_alloc(memory, sizeof *g);
  g->memory = memory;
  g->tensors = tensors;
  g->name = tensors->name;
  *out = NULL;
  status s = check_all(g);
  if (!s) {
    *out = g;
    return STATUS_OK;
  }
  s = status_context(s, "%s", g->name);
  arena_destroy(memory);
  return s;
}

status graph_open(const char *path, graph **out) {
  tensor_set *tensors;
  *out = NULL;
  RETURN_IF_ERROR(safetensors_open(path, &tensors));
  status s = graph_create(tensors, out);
  if (s || !*out) {
    tensor_set_destroy(tensors);
    return s;
  }
  (*out)->owns_tensors = true;
  return STATUS_OK;
}

void graph_close(graph *g) {
  if (!g) return;
  if (g->owns_tensors) tensor_set_destroy(g->tensors);
  arena_destroy(g->memory);
}
