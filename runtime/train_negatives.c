/* Negative edges for link prediction: see train_negatives.h. */
#include "runtime/train_negatives.h"

#include "data/convert.h"
#include "support/philox.h"

#include <stdlib.h>
#include <string.h>

/* Random words that are drawn for another end have another key (runtime/sample.c). */
static const uint64_t negative_key = 0x6E65676174697665u;

enum { MOST_DRAWS = 16, WORDS = 4 };

/* An edge as the search for it sees it. */
typedef struct edge_key {
  int32_t src, type, dst;
} edge_key;

struct train_negatives_memory {
  tensor_set *tensors; /* of the graph */
  uint64_t seed;
  int32_t *targets;   /* of the graph, [num_edges] */
  int32_t *positives; /* [num_positives] edges of training */
  edge_key *edges;    /* of the file, sorted */
  int32_t *nodes;     /* by type; NULL: there are no types */
  int64_t *first;     /* [num_node_types + 1] of each type */
};

static status no_memory(void) {
  return status_error(STATUS_CODE_memory, "no memory for negative edges");
}

/* ---- edges of training ---- */

/* The field if it has a number per edge; NULL: there is none. */
static const tensor *find_edge_field(const graph *g, const char *name) {
  const tensor *t = tensor_set_find(g->tensors, name);
  const bool is_number = t && dtype_get_class(t->dtype) != DTYPE_CLASS_opaque;
  return is_number && t->rank >= 1 && t->dims[0] == g->num_edges && t->count == g->num_edges ? t : NULL;
}

static bool reads_per_edge(const gnnc_train_info *program, const char *name) {
  for (int32_t i = 0; i < program->num_inputs; i++)
    if (!strcmp(program->inputs[i].from, name)) return program->inputs[i].rows == GNNC_ROWS_EDGE;
  return false;
}

/* Whether edges of each type are predicted, so that negatives of all types would carry messages, too. */
static status check_types(const train_negatives *n) {
  const graph *g = n->from;
  bool *is_predicted = calloc((size_t)g->num_edge_types + 1, sizeof *is_predicted), has_others = false;
  if (!is_predicted) return no_memory();
  for (int64_t i = 0; i < n->num_positives; i++) is_predicted[g->edge_type[n->memory->positives[i]]] = true;
  for (int64_t e = 0; e < g->num_edges; e++) has_others |= !is_predicted[g->edge_type[e]];
  free(is_predicted);
  if (has_others) return STATUS_OK;
  return status_error(
      STATUS_CODE_mismatch,
      "%s: edges of all types have 'edge_label' 1, so that negative edges would carry messages as they do: give the "
      "edges that are predicted a type of their own",
      g->name);
}

static status find_positives(train_negatives *n, const gnnc_train_info *program) {
  const graph *g = n->from;
  const tensor *labels = find_edge_field(g, "edge_label");
  const tensor *mask = reads_per_edge(program, "train_mask") ? find_edge_field(g, "train_mask") : NULL;
  if (!labels || !reads_per_edge(program, "edge_label"))
    return status_error(STATUS_CODE_mismatch, "%s: edges of training are those whose field 'edge_label' is 1, and %s",
                        g->name, labels ? "the loss does not read it" : "there is no such number for each edge");
  if (!g->edge_type || g->num_edge_types < 2)
    return status_error(
        STATUS_CODE_mismatch,
        "%s has edges of one type, so that negative edges would carry messages as all others do: give the "
        "edges that are predicted a type of their own",
        g->name);
  n->memory->positives = malloc(((size_t)g->num_edges + 1) * sizeof *n->memory->positives);
  if (!n->memory->positives) return no_memory();
  for (int64_t e = 0; e < g->num_edges; e++)
    if (convert_element_f64(labels, e) > 0.5 && (!mask || convert_element_f64(mask, e) != 0))
      n->memory->positives[n->num_positives++] = (int32_t)e;
  if (n->num_positives) return check_types(n);
  return status_error(STATUS_CODE_mismatch, "%s: no edge has 'edge_label' 1%s", g->name,
                      mask ? " and is in 'train_mask'" : "");
}

/* ---- the graph ---- */

/* Adds a field with a row for each negative: that of its edge, or zeros. */
static status add_rows(train_negatives *n, const tensor *t, bool has_zeros) {
  const int64_t edges = n->from->num_edges;
  const size_t row = t->bytes / (size_t)edges;
  int64_t dims[TENSOR_MAX_RANK];
  void *data = NULL;
  memcpy(dims, t->dims, sizeof dims);
  dims[0] += n->num_positives * n->per_edge;
  RETURN_IF_ERROR(tensor_set_add(n->memory->tensors, t->name, t->dtype, t->rank, dims, &data));
  unsigned char *to = data;
  memcpy(to, t->data, t->bytes);
  to += t->bytes;
  for (int64_t i = 0; i < n->num_positives && !has_zeros; i++)
    for (int64_t k = 0; k < n->per_edge; k++, to += row)
      memcpy(to, t->data + (size_t)n->memory->positives[i] * row, row);
  return STATUS_OK;
}

static status add_ends(train_negatives *n) {
  const graph *g = n->from;
  const int64_t all = g->num_edges + n->num_positives * n->per_edge;
  void *data = NULL;
  RETURN_IF_ERROR(tensor_set_add(n->memory->tensors, "edge_index", DTYPE_I32, 2, (int64_t[]){2, all}, &data));
  int32_t *src = data, *dst = src + all;
  n->memory->targets = dst;
  memcpy(src, g->src, (size_t)g->num_edges * sizeof *src);
  memcpy(dst, g->dst, (size_t)g->num_edges * sizeof *dst);
  int64_t at = g->num_edges;
  for (int64_t i = 0; i < n->num_positives; i++)
    for (int64_t k = 0; k < n->per_edge; k++, at++) {
      src[at] = g->src[n->memory->positives[i]];
      dst[at] = g->dst[n->memory->positives[i]];
    }
  return STATUS_OK;
}

/* Whether a field has a row per edge: where the program reads it so; where no program does, as the name says. */
static bool is_per_edge(const graph *g, const gnnc_train_info *program, const tensor *t) {
  static const char *const masks[] = {"train_mask", "val_mask", "test_mask"};
  const bool has_rows = t->rank >= 1 && t->dims[0] == g->num_edges;
  if (!strcmp(t->name, "edge_type") || !strcmp(t->name, "edge_weight")) return true;
  for (size_t i = 0; i < sizeof masks / sizeof *masks; i++)
    if (!strcmp(t->name, masks[i]))
      return has_rows && (g->num_nodes != g->num_edges || reads_per_edge(program, "train_mask"));
  return has_rows && reads_per_edge(program, t->name);
}

static bool is_zero_at_negatives(const char *name) {
  return !strcmp(name, "edge_label") || !strcmp(name, "val_mask") || !strcmp(name, "test_mask");
}

static status make_graph(train_negatives *n, const gnnc_train_info *program) {
  const graph *g = n->from;
  if (n->num_positives > (INT32_MAX - g->num_edges) / n->per_edge)
    return status_error(STATUS_CODE_unsupported,
                        "%s: %lld negative edges for each of %lld, graphs have at most 2^31 - 1 edges", g->name,
                        (long long)n->per_edge, (long long)n->num_positives);
  tensor_set *made = n->memory->tensors = tensor_set_create(g->name);
  for (size_t i = 0; i < g->tensors->metadata_count; i++)
    tensor_set_put_metadata(made, g->tensors->metadata[i].key, g->tensors->metadata[i].value);
  tensor_set_put_metadata_int(made, "num_nodes", g->num_nodes);
  RETURN_IF_ERROR(add_ends(n));
  for (size_t i = 0; i < g->tensors->count; i++) {
    const tensor *t = &g->tensors->tensors[i];
    if (!strcmp(t->name, "edge_index")) continue;
    RETURN_IF_ERROR(is_per_edge(g, program, t) ? add_rows(n, t, is_zero_at_negatives(t->name))
                                               : tensor_set_add_view(made, t));
  }
  RETURN_IF_ERROR(graph_create(made, &n->graph));
  if (n->graph->dst == n->memory->targets) return STATUS_OK;
  return status_error(STATUS_CODE_unsupported, "%s: its edges were copied", g->name);
}

/* ---- what negatives are drawn from ---- */

static int compare_edges(const void *left, const void *right) {
  const edge_key *a = left, *b = right;
  if (a->src != b->src) return a->src < b->src ? -1 : 1;
  if (a->type != b->type) return a->type < b->type ? -1 : 1;
  return (a->dst > b->dst) - (a->dst < b->dst);
}

static status index_edges(train_negatives *n) {
  const graph *g = n->from;
  edge_key *edges = n->memory->edges = malloc(((size_t)g->num_edges + 1) * sizeof *edges);
  if (!edges) return no_memory();
  for (int64_t e = 0; e < g->num_edges; e++) edges[e] = (edge_key){g->src[e], g->edge_type[e], g->dst[e]};
  qsort(edges, (size_t)g->num_edges, sizeof *edges, compare_edges);
  return STATUS_OK;
}

static status index_nodes(train_negatives *n) {
  const graph *g = n->from;
  struct train_negatives_memory *m = n->memory;
  if (!g->node_type) return STATUS_OK;
  m->nodes = malloc(((size_t)g->num_nodes + 1) * sizeof *m->nodes);
  m->first = calloc((size_t)g->num_node_types + 2, sizeof *m->first);
  if (!m->nodes || !m->first) return no_memory();
  for (int64_t i = 0; i < g->num_nodes; i++) m->first[g->node_type[i] + 2]++;
  for (int64_t t = 0; t < g->num_node_types; t++) m->first[t + 2] += m->first[t + 1];
  for (int64_t i = 0; i < g->num_nodes; i++) m->nodes[m->first[g->node_type[i] + 1]++] = (int32_t)i;
  return STATUS_OK;
}

/* ---- creation ---- */

static status open_negatives(train_negatives *n, const gnnc_train_info *program) {
  RETURN_IF_ERROR(find_positives(n, program));
  RETURN_IF_ERROR(make_graph(n, program));
  RETURN_IF_ERROR(index_edges(n));
  return index_nodes(n);
}

status train_negatives_create(const graph *from, const gnnc_train_info *program, int64_t per_edge, uint64_t seed,
                              train_negatives **out) {
  *out = NULL;
  train_negatives *n = calloc(1, sizeof *n);
  struct train_negatives_memory *m = calloc(1, sizeof *m);
  if (!n || !m) {
    free(n);
    free(m);
    return no_memory();
  }
  *n = (train_negatives){.from = from, .per_edge = per_edge, .memory = m};
  m->seed = seed;
  status failed = open_negatives(n, program);
  if (failed)
    train_negatives_destroy(n);
  else
    *out = n;
  return failed;
}

void train_negatives_destroy(train_negatives *n) {
  if (!n) return;
  struct train_negatives_memory *m = n->memory;
  graph_close(n->graph);
  tensor_set_destroy(m->tensors);
  free(m->positives);
  free(m->edges);
  free(m->nodes);
  free(m->first);
  free(m);
  free(n);
}

/* ---- an epoch ---- */

static bool has_edge(const train_negatives *n, edge_key key) {
  return bsearch(&key, n->memory->edges, (size_t)n->from->num_edges, sizeof key, compare_edges) != NULL;
}

static int32_t draw_target(const train_negatives *n, int64_t epoch, int32_t edge, int64_t number) {
  const graph *g = n->from;
  const struct train_negatives_memory *m = n->memory;
  const int64_t type = g->node_type ? g->node_type[g->dst[edge]] : 0;
  const int64_t first = m->nodes ? m->first[type] : 0;
  const int64_t count = m->nodes ? m->first[type + 1] - first : g->num_nodes;
  edge_key key = {g->src[edge], g->edge_type[edge], 0};
  philox_words drawn = {{0}};
  for (uint32_t i = 0; i < MOST_DRAWS; i++) {
    if (i % WORDS == 0)
      drawn = philox_draw(m->seed ^ negative_key,
                          (philox_words){{(uint32_t)edge, (uint32_t)epoch, (uint32_t)number, i / WORDS}});
    const int64_t at = first + philox_below(drawn.word[i % WORDS], count);
    key.dst = m->nodes ? m->nodes[at] : (int32_t)at;
    if (!has_edge(n, key)) break;
  }
  return key.dst;
}

void train_negatives_draw(train_negatives *n, int64_t epoch) {
  int32_t *to = n->memory->targets + n->from->num_edges;
  for (int64_t i = 0; i < n->num_positives; i++)
    for (int64_t k = 0; k < n->per_edge; k++) *to++ = draw_target(n, epoch, n->memory->positives[i], k);
}
