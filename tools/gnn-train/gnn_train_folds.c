/* gnn-train --folds: cuts the graphs of a batch into folds of equal size, each with the same share of
 * every class, as the protocol of GIN does (Xu et al., ICLR 2019, section 7: validation accuracies of
 * 10-fold cross-validation). Fold N is val_mask, the others are train_mask.
 *
 * The graphs of a class are shuffled by the seed and dealt to the folds in turn; the next class goes on
 * where the last one ended. */
#include "data/convert.h"
#include "tools/gnn-train/gnn_train.h"

#include <stdlib.h>

/* SplitMix64. */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

typedef struct labelled {
  double label;
  uint64_t random; /* the order within a class */
  int64_t graph;
} labelled;

static int compare(const void *left, const void *right) {
  const labelled *a = left, *b = right;
  if (a->label != b->label) return a->label < b->label ? -1 : 1;
  if (a->random != b->random) return a->random < b->random ? -1 : 1;
  return (a->graph > b->graph) - (a->graph < b->graph);
}

static status add_masks(const fit_options *o, graph *g, const labelled *items) {
  unsigned char *train = NULL, *val = NULL;
  void *data = NULL;
  RETURN_IF_ERROR(tensor_set_add(g->tensors, "train_mask", DTYPE_U8, 1, &g->num_graphs, &data));
  train = data;
  RETURN_IF_ERROR(tensor_set_add(g->tensors, "val_mask", DTYPE_U8, 1, &g->num_graphs, &data));
  val = data;
  for (int64_t i = 0; i < g->num_graphs; i++) {
    bool is_val = i % o->folds == o->fold - 1;
    train[items[i].graph] = !is_val;
    val[items[i].graph] = is_val;
  }
  return STATUS_OK;
}

status fit_make_folds(const fit_options *options, graph *g) {
  const tensor *y = tensor_set_find(g->tensors, "y");
  if (!g->num_graphs || !y || y->count != g->num_graphs)
    return status_error(STATUS_CODE_mismatch, "--folds: %s has no batch of graphs with a label 'y' each", g->name);
  if (tensor_set_find(g->tensors, "train_mask") || tensor_set_find(g->tensors, "val_mask"))
    return status_error(STATUS_CODE_mismatch, "--folds: %s has masks of its own", g->name);
  if (options->folds > g->num_graphs)
    return status_error(STATUS_CODE_mismatch, "--folds is %ld, %s has %lld graphs", options->folds, g->name,
                        (long long)g->num_graphs);
  uint64_t state = options->seed;
  labelled *items = calloc((size_t)g->num_graphs, sizeof *items);
  if (!items) return status_error(STATUS_CODE_memory, "out of memory");
  for (int64_t i = 0; i < g->num_graphs; i++) items[i] = (labelled){convert_element_f64(y, i), next_random(&state), i};
  qsort(items, (size_t)g->num_graphs, sizeof *items, compare);
  status s = add_masks(options, g, items);
  free(items);
  return s;
}
