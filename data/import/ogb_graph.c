/* Reads a graph, or a batch of graphs, of the Open Graph Benchmark. The tables of an archive
 * data.npz and those of files have the same meaning:
 *
 *   file                     array             becomes
 *   edge.csv                 edge_index        edge_index, with the numbers of nodes in a batch instead of those in a graph
 *   num-node-list.csv        num_nodes_list    num_nodes, or ptr and batch
 *   num-edge-list.csv        num_edges_list
 *   node-feat.csv            node_feat         x
 *   edge-feat.csv            edge_feat         edge_attr
 *   node-label, graph-label                    y
 *   edge_reltype.csv                           edge_type
 *   node_year.csv ...        node_year         a field of that name
 *
 * Tables of edges follow the order of edge_index, which is sorted; a reverse edge has the values of
 * its edge. */
#include "data/convert.h"
#include "data/import/import.h"
#include "data/import/number_table.h"
#include "data/import/ogb.h"

#include <inttypes.h>
#include <string.h>

/* The tables by the names of arrays. */
typedef struct ogb_graph {
  ogb *o;
  tensor_set *tables;
  const tensor *edges; /* [E, 2], or [2, E] */
  bool is_by_column;
  int64_t num_graphs, num_nodes, num_edges;
  const int64_t *nodes, *edge_counts; /* per graph */
  edge_list list;
} ogb_graph;

/* Returns the name of an array for a file or an array: "num_node_list" for "num-nodes-list.csv". */
static char *normalize(arena *a, const char *name) {
  char *result = arena_strdup(a, name);
  char *dot = strrchr(result, '.');
  if (dot) *dot = '\0';
  for (char *c = result; *c; c++)
    if (*c == '-') *c = '_';
  if (!strcmp(result, "num_nodes_list")) return "num_node_list";
  if (!strcmp(result, "num_edges_list")) return "num_edge_list";
  if (!strcmp(result, "species")) return "node_species"; /* in the first version of ogbn-proteins */
  return result;
}

static bool is_table(const char *name) {
  return !strncmp(name, "num_", 4) || !strncmp(name, "node_", 5) || !strncmp(name, "edge_", 5) ||
         !strcmp(name, "edge") || !strcmp(name, "graph_label");
}

/* Adds a table under its own name for messages; it is found by the name of the array. */
static status add_table(ogb_graph *g, const char *key, tensor t) {
  t.name = key;
  return tensor_set_add_view(g->tables, &t);
}

static status read_file(ogb_graph *g, const char *name) {
  tensor t;
  const char *path = ogb_path(g->o, name);
  status s = number_table_read_file(g->o->set->memory, g->o->folder, path, &t);
  if (status_get_code(s) == STATUS_CODE_unsupported) {
    status_free(s);
    ogb_leave_out(g->o, path, "no numbers");
    return STATUS_OK;
  }
  return s ? s : add_table(g, normalize(g->o->memory, name), t);
}

/* Reads the arrays of an archive. */
static status read_archive(ogb_graph *g, const char *name) {
  folder_text file;
  tensor_set *arrays = NULL;
  RETURN_IF_ERROR(folder_read(g->o->folder, g->o->memory, ogb_path(g->o, name), &file));
  RETURN_IF_ERROR(import_npz(file.shown, file.data, file.size, &(import_options){0}, &arrays));
  status s = STATUS_OK;
  for (size_t i = 0; i < arrays->count && !s; i++) {
    tensor t = arrays->tensors[i];
    const char *key = normalize(g->o->memory, t.name);
    unsigned char *copy = is_table(key) ? arena_try_alloc(g->o->set->memory, t.bytes) : NULL;
    if (!is_table(key)) continue;
    if (!copy) s = status_error(STATUS_CODE_memory, "%s: '%s' does not fit into memory", file.shown, t.name);
    if (copy && t.bytes) memcpy(copy, t.data, t.bytes);
    t.data = copy;
    if (!s) s = add_table(g, key, t);
  }
  tensor_set_destroy(arrays);
  return s;
}

static status read_tables(ogb_graph *g) {
  folder_names names = folder_list(g->o->folder, g->o->memory, g->o->raw);
  for (size_t i = 0; i < names.count; i++) {
    const char *name = names.items[i];
    bool is_archive = !strcmp(name, "data.npz") || !strcmp(name, "node-label.npz") || !strcmp(name, "graph-label.npz");
    if (is_archive) RETURN_IF_ERROR(read_archive(g, name));
    if (text_ends_with(name, ".csv") && is_table(normalize(g->o->memory, name))) RETURN_IF_ERROR(read_file(g, name));
  }
  return STATUS_OK;
}

/* Reads the sizes of the graphs and adds them up. */
static status read_counts(ogb_graph *g, const char *key, const int64_t **counts, int64_t *graphs, int64_t *sum) {
  const tensor *t = tensor_set_find(g->tables, key);
  if (!t)
    return status_error(STATUS_CODE_mismatch, "has no %s, a list with a row per graph",
                        ogb_path(g->o, !strcmp(key, "num_node_list") ? "num-node-list.csv" : "num-edge-list.csv"));
  RETURN_IF_ERROR(number_table_check_list(t, *graphs, (int64_t)INT32_MAX + 1, "of a graph"));
  RETURN_IF_ERROR(convert_to_i64(g->o->memory, t, counts));
  *graphs = t->count;
  *sum = 0;
  for (int64_t i = 0; i < t->count; i++) *sum += (*counts)[i];
  if (*sum <= INT32_MAX) return STATUS_OK;
  return status_error(STATUS_CODE_unsupported, "%s: adds up to %" PRId64 ", at most %d are supported", key, *sum,
                      INT32_MAX);
}

static status read_edges(ogb_graph *g) {
  g->edges = tensor_set_find(g->tables, "edge");
  if (!g->edges) {
    g->edges = tensor_set_find(g->tables, "edge_index");
    g->is_by_column = true;
  }
  if (!g->edges) return status_error(STATUS_CODE_mismatch, "has no %s", ogb_path(g->o, "edge.csv"));
  RETURN_IF_ERROR(ogb_check_edges(g->o, g->edges, g->is_by_column, g->num_edges));
  const tensor *relation = tensor_set_find(g->tables, "edge_reltype");
  if (relation) {
    RETURN_IF_ERROR(number_table_check_list(relation, g->num_edges, INT32_MAX, "relations"));
    g->list.has_types = true;
  }
  int64_t edge = 0, first_node = 0;
  for (int64_t i = 0; i < g->num_graphs; first_node += g->nodes[i++])
    for (int64_t end = edge + g->edge_counts[i]; edge < end; edge++) {
      edge_record r;
      const ogb_range nodes = {first_node, g->nodes[i]};
      RETURN_IF_ERROR(ogb_read_edge(g->edges, g->is_by_column, edge, (ogb_range[]){nodes, nodes}, &r));
      if (relation) r.type = (int32_t)convert_element_i64(relation, edge);
      if (relation && r.type >= g->list.num_types) g->list.num_types = r.type + 1;
      RETURN_IF_ERROR(edge_list_add(&g->list, r));
    }
  import_options options = *g->o->options;
  options.is_matrix = false;
  return edge_list_finish(&g->list, g->num_nodes, &options, g->o->set);
}

/* Adds a table of edges in the order of the edges. */
static status add_edge_field(const ogb_graph *g, const char *field, const tensor *t, bool keeps_column) {
  int64_t dims[TENSOR_MAX_RANK];
  memcpy(dims, t->dims, sizeof dims);
  dims[0] = g->list.count;
  int32_t rank = t->rank == 2 && t->dims[1] == 1 && !keeps_column ? 1 : t->rank;
  void *data;
  RETURN_IF_ERROR(tensor_set_add(g->o->set, field, t->dtype, rank, dims, &data));
  size_t bytes = t->dims[0] ? t->bytes / (size_t)t->dims[0] : 0;
  for (int64_t e = 0; bytes && e < g->list.count; e++)
    memcpy((unsigned char *)data + (size_t)e * bytes, t->data + (size_t)g->list.edges[e].row * bytes, bytes);
  return STATUS_OK;
}

/* Checks that a table has one row per node, edge or graph; a table without rows has any number of
 * columns. */
static status check_rows(const ogb_graph *g, const tensor *t, int64_t rows, const char *what) {
  if (t->rank >= 1 && t->dims[0] == rows) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "%s: has shape %s, expected one row per %s, %" PRId64, t->name,
                      tensor_shape_text(g->o->memory, t), what, rows);
}

static status add_fields(ogb_graph *g) {
  for (size_t i = 0; i < g->tables->count; i++) {
    const tensor *t = &g->tables->tensors[i];
    bool is_features = !strcmp(t->name, "node_feat") || !strcmp(t->name, "edge_feat");
    bool is_label = !strcmp(t->name, "node_label") || !strcmp(t->name, "graph_label");
    if (!strncmp(t->name, "num_", 4) || t == g->edges || !strcmp(t->name, "edge_reltype")) continue;
    if (!strcmp(t->name, "graph_label")) {
      RETURN_IF_ERROR(check_rows(g, t, g->num_graphs, "graph"));
      RETURN_IF_ERROR(ogb_add_field(g->o, "y", t, false));
    } else if (!strncmp(t->name, "node_", 5)) {
      RETURN_IF_ERROR(check_rows(g, t, g->num_nodes, "node"));
      RETURN_IF_ERROR(ogb_add_field(g->o, is_features ? "x" : is_label ? "y" : t->name, t, is_features));
    } else {
      RETURN_IF_ERROR(check_rows(g, t, g->num_edges, "edge"));
      RETURN_IF_ERROR(add_edge_field(g, is_features ? "edge_attr" : t->name, t, is_features));
    }
  }
  return STATUS_OK;
}

/* Adds ptr and batch of more than one graph, or of graphs with labels. */
static status add_batch(const ogb_graph *g) {
  if (g->num_graphs == 1 && !tensor_set_find(g->tables, "graph_label")) return STATUS_OK;
  void *ptr, *batch;
  RETURN_IF_ERROR(tensor_set_add(g->o->set, "ptr", DTYPE_I64, 1, (int64_t[]){g->num_graphs + 1}, &ptr));
  RETURN_IF_ERROR(tensor_set_add(g->o->set, "batch", DTYPE_I32, 1, &g->num_nodes, &batch));
  int64_t *first = ptr;
  for (int64_t i = 0; i < g->num_graphs; i++) {
    first[i + 1] = first[i] + g->nodes[i];
    for (int64_t n = first[i]; n < first[i + 1]; n++) ((int32_t *)batch)[n] = (int32_t)i;
  }
  tensor_set_put_metadata_int(g->o->set, "num_graphs", g->num_graphs);
  return STATUS_OK;
}

/* Makes the graph of the tables. Messages have the names of arrays. */
static status build(ogb_graph *g) {
  g->num_graphs = -1;
  RETURN_IF_ERROR(read_counts(g, "num_node_list", &g->nodes, &g->num_graphs, &g->num_nodes));
  RETURN_IF_ERROR(read_counts(g, "num_edge_list", &g->edge_counts, &g->num_graphs, &g->num_edges));
  RETURN_IF_ERROR(read_edges(g));
  return add_fields(g);
}

static status read_all(ogb_graph *g) {
  RETURN_IF_ERROR(read_tables(g));
  int64_t numbers = 0;
  for (size_t i = 0; i < g->tables->count; i++) numbers += g->tables->tensors[i].count;
  status s = build(g);
  if (s) return status_context(s, "%s", g->o->folder->path);
  RETURN_IF_ERROR(ogb_check_nodes(g->o, g->num_nodes, numbers));
  RETURN_IF_ERROR(add_batch(g));
  bool is_batch = tensor_set_find(g->o->set, "batch") != NULL;
  int64_t entries = is_batch ? g->num_graphs : g->num_nodes;
  return ogb_read_split(g->o, "", entries, (ogb_range){0, entries}, is_batch ? "graphs" : "nodes");
}

status ogb_read_graph(ogb *o) {
  ogb_graph g = {.o = o, .tables = tensor_set_create(o->folder->path)};
  status s = read_all(&g);
  edge_list_free(&g.list);
  tensor_set_destroy(g.tables);
  return s;
}
