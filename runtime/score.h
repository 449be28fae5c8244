/* How well an output of a model agrees with the labels of its graph file: which output and which
 * labels a metric is about, the rows that count, and the value. Labels are the field y, with a row
 * per node or per graph of a batch, or edge_label, with a number per edge. */
#ifndef GNNC_RUNTIME_SCORE_H
#define GNNC_RUNTIME_SCORE_H

#include "data/graph.h"
#include "runtime/metric.h"

typedef enum score_metric {
#define METRIC(name, first, second) SCORE_METRIC_##name,
#include "runtime/score_metrics.def"
#undef METRIC
} score_metric;
enum {
  SCORE_METRIC_count = 0
#define METRIC(name, first, second) +1
#include "runtime/score_metrics.def"
#undef METRIC
};
enum { SCORE_MOST_VALUES = 2, SCORE_MASKS = 3 };

typedef struct score_metric_row {
  const char *name;
  const char *values[SCORE_MOST_VALUES]; /* their names, where there are several */
} score_metric_row;
extern const score_metric_row score_metrics[SCORE_METRIC_count];
/* The names alone, SCORE_METRIC_count of them. */
const char *const *score_metric_names(void);

/* "train", "val", "test": NAME_mask is a field of the graph file. */
extern const char *const score_mask_names[SCORE_MASKS];

/* An output as a metric sees it. */
typedef struct score_output {
  const char *name;
  bool is_per_node, is_per_edge, is_per_graph;
  int64_t rows, elements; /* elements of a row */
} score_output;

/* An output and the labels of its rows. */
typedef struct score_subject {
  score_output output;
  int32_t index; /* of the output */
  const tensor *labels;
  bool has_class;      /* a label is the number of a class */
  bool skips_negative; /* a label below 0 is none */
  int64_t all;         /* rows of the output on the whole graph, and of its masks */
} score_subject;

/* Rows that have a label and count. */
typedef struct score_rows {
  int64_t count;
  int64_t *rows;     /* of the output */
  int64_t *in_graph; /* the same rows in the graph file */
  double *labels;    /* [count], or [count, elements] */
  float *scores;     /* room for [count, elements] */
} score_rows;

/* Finds the output that a metric is about: the one with the name "logits", else the last that has
 * suitable labels; false where there is none. */
bool score_find_subject(const graph *g, score_metric metric, const score_output *outputs, int32_t count,
                        score_subject *out);

/* Finds a mask of the subject's rows by its name, "train"; NULL where the graph file has none. */
const tensor *score_find_mask(const graph *g, const score_subject *s, const char *name);

/* Collects in the arena the rows that have a label and are in the mask (NULL: all). Row i of an
 * output per node is node nodes[i] (NULL: node i). Fails for a label that has no score. */
status score_choose_rows(arena *a, const score_subject *s, const int64_t *nodes, const tensor *mask, score_rows *out);

/* Computes a metric of the output's numbers on these rows. */
void score_measure(const graph *g, const score_subject *s, const score_rows *rows, const float *data,
                   score_metric metric, double values[SCORE_MOST_VALUES]);

#endif
