/* Measures of how well scores agree with labels, as gnn-run --metric prints them. Rows with a label
 * count; they are all rows that a caller gives. A measure that is not defined for them is NaN. */
#ifndef GNNC_RUNTIME_METRIC_H
#define GNNC_RUNTIME_METRIC_H

#include "support/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* With has_class there is a class number per row: scores of one column say class 1 above 0 and class 0
 * otherwise, those of several columns the class with the largest score. Without it labels have the
 * shape of the scores; a label above 0.5 and a score above 0 say yes. A NaN says no. */
typedef struct metric_rows {
  const float *scores;  /* [rows, columns] */
  const double *labels; /* [rows], or [rows, columns] */
  int64_t rows, columns;
  bool has_class;
} metric_rows;

/* The share of rows whose class is right; without classes of numbers that are. */
double metric_accuracy(const metric_rows *m);

/* F1 = 2 TP / (2 TP + FP + FN). micro: over the sums of all classes; macro: the mean over classes that a
 * label or a prediction has. One class per row makes micro the accuracy. Classes are 0 .. columns - 1, or
 * 0 and 1. */
void metric_f1(arena *a, const metric_rows *m, double *micro, double *macro);

/* The area under the ROC curve: the share of pairs of a yes and a no in which the yes has the larger
 * score; equal scores count half. Of several classes or columns the mean over those that have both. The
 * score of a class among several is its softmax. */
double metric_auc(arena *a, const metric_rows *m);

/* The mean of 1 / rank of the class's score among the scores of its row; of equal scores half come
 * before it. */
double metric_mrr(const metric_rows *m);

/* The same for one score per row and labels yes and no: the rank of each yes among the nos of its
 * group. */
double metric_mrr_of_groups(arena *a, const metric_rows *m, const int64_t *groups);

/* The mean of |score - label|. */
double metric_mae(const metric_rows *m);

#endif
