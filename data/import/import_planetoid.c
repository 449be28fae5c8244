/* Reads the data sets of Planetoid (Cora, Citeseer, Pubmed, NELL), whose files are pickles of
 * Python:
 *
 *   ind.NAME.x  .y        features (CSR) and labels (one column per class) of the nodes for training
 *   ind.NAME.allx .ally   of all nodes but those for testing; the first are those of x
 *   ind.NAME.tx .ty       of the nodes for testing, in the order of ind.NAME.test.index, a text
 *   ind.NAME.graph        a dictionary from a node to the list of its neighbours
 *
 * Some nodes between those for testing have no features and no label (isolated nodes of Citeseer):
 * they get an empty row and class 0, as in PyTorch Geometric, which also drops self loops and
 * duplicate edges and takes the 500 nodes behind those for training for validation. */
#include "data/convert.h"
#include "data/edge_list.h"
#include "data/feature_rows.h"
#include "data/formats/pickle_numpy.h"
#include "data/import/import.h"
#include "data/import/number_table.h"
#include "support/text.h"

#include <inttypes.h>
#include <string.h>

enum { NUM_VALIDATION = 500 };

typedef struct planetoid {
  const data_folder *folder;
  const char *name;
  arena *memory;
  tensor_set *set;
  pickle_csr allx, tx;
  tensor ally, ty, test; /* labels [nodes, classes], numbers of nodes */
  int64_t num_nodes, num_training;
  const pickle_value *graph;
  size_t graph_bytes;
  const char *graph_path;
} planetoid;

/* Returns the name of the first data set in "ind.NAME.graph"; NULL when there is none. Fails where
 * the folder has several. */
static status find_name(const data_folder *f, arena *a, const char **name) {
  folder_names names = folder_list(f, a, "");
  *name = NULL;
  for (size_t i = 0; i < names.count; i++) {
    const char *file = names.items[i];
    if (strncmp(file, "ind.", 4) != 0 || !text_ends_with(file, ".graph")) continue;
    if (strlen(file) <= strlen("ind..graph")) continue;
    const char *found = arena_strndup(a, file + 4, strlen(file) - strlen("ind..graph"));
    if (*name)
      return status_error(STATUS_CODE_mismatch, "%s: has the data sets '%s' and '%s', ind.%s.graph names one of them",
                          f->path, *name, found, *name);
    *name = found;
  }
  return STATUS_OK;
}

bool import_planetoid_is_likely(const data_folder *f) {
  arena *a = arena_create();
  const char *name;
  status s = find_name(f, a, &name);
  bool is_likely = s || name;
  status_free(s);
  arena_destroy(a);
  return is_likely;
}

/* Reads a file as a pickle. */
static status read_pickle(const planetoid *p, const char *part, folder_text *file, const pickle_value **out) {
  RETURN_IF_ERROR(folder_read(p->folder, p->memory, arena_printf(p->memory, "ind.%s.%s", p->name, part), file));
  return status_context(pickle_parse(p->memory, file->data, file->size, out), "%s", file->shown);
}

static status read_features(const planetoid *p, const char *part, pickle_csr *out) {
  folder_text file;
  const pickle_value *v;
  RETURN_IF_ERROR(read_pickle(p, part, &file, &v));
  return status_context(pickle_read_csr(p->memory, v, out), "%s", file.shown);
}

/* Reads labels: a row per node, with a 1 in the column of its class. */
static status read_labels(const planetoid *p, const char *part, tensor *out) {
  folder_text file;
  const pickle_value *v;
  RETURN_IF_ERROR(read_pickle(p, part, &file, &v));
  status s = pickle_read_array(p->memory, v, out);
  if (!s && (out->rank != 2 || out->dims[1] < 1))
    s = status_error(STATUS_CODE_mismatch, "has shape %s, expected [nodes, classes]",
                     tensor_shape_text(p->memory, out));
  return status_context(s, "%s", file.shown);
}

static status check_sizes(const planetoid *p) {
  if (p->allx.rows != p->ally.dims[0] || p->tx.rows != p->ty.dims[0] || p->tx.rows != p->test.count)
    return status_error(STATUS_CODE_mismatch,
                        "%s: ind.%s: allx has %" PRId64 " rows and ally %" PRId64 ", tx %" PRId64 ", ty %" PRId64
                        " and test.index %" PRId64 ", expected two and three equal numbers",
                        p->folder->path, p->name, p->allx.rows, p->ally.dims[0], p->tx.rows, p->ty.dims[0],
                        p->test.count);
  if (p->allx.columns != p->tx.columns || p->ally.dims[1] != p->ty.dims[1])
    return status_error(STATUS_CODE_mismatch, "%s: ind.%s: the columns of allx and tx, or of ally and ty, differ",
                        p->folder->path, p->name);
  if (p->num_training > p->allx.rows)
    return status_error(STATUS_CODE_mismatch, "%s: ind.%s: y has %" PRId64 " rows, more than ally, which has %" PRId64,
                        p->folder->path, p->name, p->num_training, p->allx.rows);
  return STATUS_OK;
}

/* Reads all files but the graph, and counts the nodes. */
static status read_nodes(planetoid *p) {
  tensor y;
  RETURN_IF_ERROR(read_features(p, "allx", &p->allx));
  RETURN_IF_ERROR(read_features(p, "tx", &p->tx));
  RETURN_IF_ERROR(read_labels(p, "ally", &p->ally));
  RETURN_IF_ERROR(read_labels(p, "ty", &p->ty));
  RETURN_IF_ERROR(read_labels(p, "y", &y));
  RETURN_IF_ERROR(
      number_table_read_file(p->memory, p->folder, arena_printf(p->memory, "ind.%s.test.index", p->name), &p->test));
  RETURN_IF_ERROR(number_table_check_list(&p->test, -1, INT32_MAX, "nodes"));
  p->num_training = y.dims[0];
  p->num_nodes = p->allx.rows;
  for (int64_t i = 0; i < p->test.count; i++) {
    int64_t node = convert_element_i64(&p->test, i);
    if (node < p->allx.rows)
      return status_error(STATUS_CODE_mismatch, "%s: row %" PRId64 " is node %" PRId64 ", which allx has already",
                          p->test.name, i + 1, node);
    if (node >= p->num_nodes) p->num_nodes = node + 1;
  }
  return check_sizes(p);
}

/* ---- the graph ---- */

static status refuse_graph(const planetoid *p, const char *what) {
  return status_error(STATUS_CODE_mismatch, "%s: %s", p->graph_path, what);
}

static bool is_node(const pickle_value *v, int64_t *node) {
  return pickle_read_number(v, node) && *node >= 0 && *node < INT32_MAX;
}

static status add_neighbours(const planetoid *p, int64_t node, const pickle_value *neighbours, edge_list *list) {
  for (size_t i = 0; i < neighbours->count; i++) {
    int64_t other;
    if (!is_node(neighbours->items[i], &other)) return refuse_graph(p, "a neighbour is no number of a node");
    if ((size_t)list->count > p->graph_bytes) return refuse_graph(p, "has more edges than bytes");
    RETURN_IF_ERROR(edge_list_add(list, (edge_record){.src = node, .dst = other}));
  }
  return STATUS_OK;
}

/* Adds the edges from a node to its neighbours; a node behind the last one that has features is a
 * node without them. */
static status add_edges(planetoid *p, edge_list *list) {
  bool is_dict = p->graph->kind == PICKLE_KIND_dict ||
                 (p->graph->kind == PICKLE_KIND_object && p->graph->global == PICKLE_defaultdict);
  if (!is_dict) return refuse_graph(p, "expected a dictionary from nodes to lists of nodes");
  for (size_t i = 0; i + 1 < p->graph->count; i += 2) {
    const pickle_value *neighbours = p->graph->items[i + 1];
    int64_t node;
    if (!is_node(p->graph->items[i], &node)) return refuse_graph(p, "a key is no number of a node");
    if (neighbours->kind != PICKLE_KIND_list) return refuse_graph(p, "the neighbours of a node are no list");
    p->num_nodes = node >= p->num_nodes ? node + 1 : p->num_nodes;
    RETURN_IF_ERROR(add_neighbours(p, node, neighbours, list));
  }
  for (int64_t e = 0; e < list->count; e++)
    if (list->edges[e].dst >= p->num_nodes) p->num_nodes = list->edges[e].dst + 1;
  int64_t most = p->allx.rows + p->test.count + (int64_t)p->graph_bytes;
  return p->num_nodes <= most ? STATUS_OK : refuse_graph(p, "the number of a node is larger than the file");
}

static status read_graph(planetoid *p, const import_options *options) {
  folder_text file;
  RETURN_IF_ERROR(read_pickle(p, "graph", &file, &p->graph));
  p->graph_bytes = file.size;
  p->graph_path = file.shown;
  import_options o = *options;
  o.is_matrix = false;
  o.drops_loops = o.drops_duplicates = true;
  edge_list list = {0};
  status s = add_edges(p, &list);
  if (!s) s = edge_list_finish(&list, p->num_nodes, &o, p->set);
  edge_list_free(&list);
  return s;
}

/* ---- features, labels and masks ---- */

/* Returns for each node the row of tx that it has, or -1; *order is in the arena. */
static status order_test(const planetoid *p, int64_t **order) {
  int64_t behind = p->num_nodes - p->allx.rows;
  *order = arena_try_alloc_array(p->memory, (size_t)behind + 1, sizeof **order);
  if (!*order) return status_error(STATUS_CODE_memory, "the nodes do not fit into memory");
  for (int64_t i = 0; i < behind; i++) (*order)[i] = -1;
  for (int64_t i = 0; i < p->test.count; i++) {
    int64_t *row = &(*order)[convert_element_i64(&p->test, i) - p->allx.rows];
    if (*row >= 0)
      return status_error(STATUS_CODE_mismatch,
                          "%s: row %" PRId64 " is node %" PRId64 ", which row %" PRId64 " has already", p->test.name,
                          i + 1, convert_element_i64(&p->test, i), *row + 1);
    *row = i;
  }
  return STATUS_OK;
}

static status add_features(const planetoid *p, const int64_t *order) {
  feature_rows f;
  RETURN_IF_ERROR(feature_rows_begin(p->memory, p->set, p->num_nodes, p->allx.entries + p->tx.entries, &f));
  for (int64_t n = 0; n < p->num_nodes; n++) {
    bool is_test = n >= p->allx.rows;
    const pickle_csr *m = is_test ? &p->tx : &p->allx;
    int64_t row = is_test ? order[n - p->allx.rows] : n, begin = row < 0 ? 0 : m->indptr[row];
    feature_rows_add(&f, m->indices + begin, m->data + begin, row < 0 ? 0 : m->indptr[row + 1] - begin);
  }
  return feature_rows_finish(&f, p->allx.columns);
}

/* Returns the first column with the largest number. */
static int64_t find_class(const tensor *labels, int64_t row) {
  int64_t classes = labels->dims[1], best = 0;
  for (int64_t c = 1; c < classes; c++)
    if (convert_element_f64(labels, row * classes + c) > convert_element_f64(labels, row * classes + best)) best = c;
  return best;
}

static status add_labels(const planetoid *p, const int64_t *order) {
  static const char *const names[3] = {"train_mask", "val_mask", "test_mask"};
  void *y, *masks[3];
  RETURN_IF_ERROR(tensor_set_add(p->set, "y", DTYPE_I64, 1, &p->num_nodes, &y));
  for (int i = 0; i < 3; i++)
    RETURN_IF_ERROR(tensor_set_add(p->set, names[i], DTYPE_BOOL, 1, &p->num_nodes, &masks[i]));
  for (int64_t n = 0; n < p->num_nodes; n++) {
    bool is_test = n >= p->allx.rows;
    int64_t row = is_test ? order[n - p->allx.rows] : n;
    if (row >= 0) ((int64_t *)y)[n] = find_class(is_test ? &p->ty : &p->ally, row);
    bool is_validation = n >= p->num_training && n < p->num_training + NUM_VALIDATION;
    if (n < p->num_training || is_validation) ((unsigned char *)masks[is_validation])[n] = 1;
    if (is_test && row >= 0) ((unsigned char *)masks[2])[n] = 1;
  }
  tensor_set_put_metadata_int(p->set, "num_classes", p->ally.dims[1]);
  return STATUS_OK;
}

static status build(planetoid *p, const import_options *options) {
  int64_t *order;
  if (!p->name) RETURN_IF_ERROR(find_name(p->folder, p->memory, &p->name));
  if (!p->name)
    return status_error(STATUS_CODE_format, "%s: is no folder of Planetoid: it has no ind.NAME.graph", p->folder->path);
  RETURN_IF_ERROR(read_nodes(p));
  RETURN_IF_ERROR(read_graph(p, options));
  RETURN_IF_ERROR(order_test(p, &order));
  RETURN_IF_ERROR(add_features(p, order));
  tensor_set_put_metadata(p->set, "name", p->name);
  return add_labels(p, order);
}

status import_planetoid(const data_folder *f, const char *name, const import_options *options, tensor_set **out) {
  planetoid p = {.folder = f, .name = name, .memory = arena_create(), .set = tensor_set_create(f->path)};
  status s = build(&p, options);
  arena_destroy(p.memory);
  *out = s ? NULL : p.set;
  if (s) tensor_set_destroy(p.set);
  return s;
}
