/* Accuracy, F1, AUC, MRR and MAE: see metric.h. */
#include "runtime/metric.h"

#include "runtime/accuracy.h"

#include <math.h>
#include <stdlib.h>

/* ---- predictions ---- */

static int64_t class_of(const metric_rows *m, int64_t row) {
  const float *scores = m->scores + row * m->columns;
  return m->columns == 1 ? scores[0] > 0 : accuracy_find_class(scores, m->columns);
}

static int64_t classes_of(const metric_rows *m) {
  return m->has_class && m->columns == 1 ? 2 : m->columns;
}

static bool is_yes(const metric_rows *m, int64_t row, int64_t column) {
  return m->has_class ? m->labels[row] == (double)column : m->labels[row * m->columns + column] > 0.5;
}

static bool says_yes(const metric_rows *m, int64_t row, int64_t column) {
  return m->has_class ? class_of(m, row) == column : m->scores[row * m->columns + column] > 0;
}

double metric_accuracy(const metric_rows *m) {
  int64_t right = 0, columns = m->has_class ? 1 : m->columns;
  for (int64_t r = 0; r < m->rows; r++)
    for (int64_t c = 0; c < columns; c++)
      right += m->has_class ? m->labels[r] == (double)class_of(m, r) : is_yes(m, r, c) == says_yes(m, r, c);
  return (double)right / (double)(m->rows * columns);
}

/* ---- F1 ---- */

typedef struct tally {
  int64_t hits, alarms, misses; /* true positives, false positives, false negatives */
} tally;

static double f1_of(tally t) {
  return 2.0 * (double)t.hits / (double)(2 * t.hits + t.alarms + t.misses);
}

static void count_row(const metric_rows *m, int64_t row, tally *of_class) {
  if (m->has_class) {
    int64_t said = class_of(m, row), is = (int64_t)m->labels[row];
    of_class[said].hits += said == is;
    of_class[said].alarms += said != is;
    of_class[is].misses += said != is;
    return;
  }
  for (int64_t c = 0; c < m->columns; c++) {
    bool is = is_yes(m, row, c), said = says_yes(m, row, c);
    of_class[c].hits += is && said;
    of_class[c].alarms += !is && said;
    of_class[c].misses += is && !said;
  }
}

void metric_f1(arena *a, const metric_rows *m, double *micro, double *macro) {
  int64_t classes = classes_of(m), present = 0;
  tally *of_class = arena_alloc_array(a, (size_t)classes + 1, sizeof *of_class), all = {0, 0, 0};
  double sum = 0;
  for (int64_t r = 0; r < m->rows; r++) count_row(m, r, of_class);
  for (int64_t c = 0; c < classes; c++) {
    tally t = of_class[c];
    all = (tally){all.hits + t.hits, all.alarms + t.alarms, all.misses + t.misses};
    if (!(t.hits + t.alarms + t.misses)) continue;
    present++;
    sum += f1_of(t);
  }
  *micro = f1_of(all);
  *macro = sum / (double)present;
}

/* ---- rows in the order of their scores ---- */

typedef struct ranked {
  double score;
  int64_t group;
  bool is_yes;
} ranked;

/* By group, and within it from the largest score to the smallest. */
static int compare_ranked(const void *left, const void *right) {
  const ranked *a = left, *b = right;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  return (a->score < b->score) - (a->score > b->score);
}

static double number_or_least(double score) {
  return isnan(score) ? -INFINITY : score;
}

/* Returns the end of the rows that have the group and the score of row `begin`, and counts the nos
 * among them. */
static int64_t find_ties(const ranked *items, int64_t begin, int64_t count, int64_t *nos) {
  int64_t end = begin;
  for (*nos = 0; end < count && !compare_ranked(&items[begin], &items[end]); end++) *nos += !items[end].is_yes;
  return end;
}

/* ---- AUC ---- */

/* Returns the area for sorted rows of one group; NaN where they are all yes or all no. */
static double area_of(const ranked *items, int64_t count) {
  int64_t nos = 0, ties = 0;
  double beaten = 0; /* pairs in which the no has the larger score */
  for (int64_t begin = 0, end; begin < count; begin = end) {
    end = find_ties(items, begin, count, &ties);
    beaten += (double)(end - begin - ties) * ((double)nos + 0.5 * (double)ties);
    nos += ties;
  }
  return 1 - beaten / ((double)nos * (double)(count - nos));
}

/* Returns the score that says how much a row belongs to a class. */
static double score_of(const metric_rows *m, int64_t row, int64_t column) {
  const float *scores = m->scores + row * m->columns;
  if (!m->has_class || m->columns == 1) return scores[column % m->columns];
  double sum = 0;
  for (int64_t c = 0; c < m->columns; c++) sum += exp((double)scores[c] - (double)scores[column]);
  return 1 / sum;
}

double metric_auc(arena *a, const metric_rows *m) {
  ranked *items = arena_alloc_array(a, (size_t)m->rows + 1, sizeof *items);
  int64_t classes = classes_of(m), counted = 0;
  double sum = 0;
  for (int64_t c = classes == 2 && m->has_class ? 1 : 0; c < classes; c++) {
    for (int64_t r = 0; r < m->rows; r++) items[r] = (ranked){number_or_least(score_of(m, r, c)), 0, is_yes(m, r, c)};
    qsort(items, (size_t)m->rows, sizeof *items, compare_ranked);
    double area = area_of(items, m->rows);
    if (isnan(area)) continue;
    sum += area;
    counted++;
  }
  return sum / (double)counted;
}

/* ---- MRR ---- */

double metric_mrr(const metric_rows *m) {
  double sum = 0;
  for (int64_t r = 0; r < m->rows; r++) {
    const float *scores = m->scores + r * m->columns;
    int64_t label = (int64_t)m->labels[r], above = 0, ties = 0;
    double own = number_or_least(scores[label]);
    for (int64_t c = 0; c < m->columns; c++) {
      above += number_or_least(scores[c]) > own;
      ties += c != label && number_or_least(scores[c]) == own;
    }
    sum += 1 / (1 + (double)above + 0.5 * (double)ties);
  }
  return sum / (double)m->rows;
}

double metric_mrr_of_groups(arena *a, const metric_rows *m, const int64_t *groups) {
  ranked *items = arena_alloc_array(a, (size_t)m->rows + 1, sizeof *items);
  for (int64_t r = 0; r < m->rows; r++)
    items[r] = (ranked){number_or_least(m->scores[r]), groups[r], m->labels[r] > 0.5};
  qsort(items, (size_t)m->rows, sizeof *items, compare_ranked);
  int64_t above = 0, ties = 0, yes = 0;
  double sum = 0;
  for (int64_t begin = 0, end; begin < m->rows; begin = end) {
    if (begin && items[begin].group != items[begin - 1].group) above = 0;
    end = find_ties(items, begin, m->rows, &ties);
    sum += (double)(end - begin - ties) / (1 + (double)above + 0.5 * (double)ties);
    yes += end - begin - ties;
    above += ties;
  }
  return sum / (double)yes;
}

/* ---- MAE ---- */

double metric_mae(const metric_rows *m) {
  double sum = 0;
  for (int64_t i = 0; i < m->rows * m->columns; i++) sum += fabs((double)m->scores[i] - m->labels[i]);
  return sum / (double)(m->rows * m->columns);
}
