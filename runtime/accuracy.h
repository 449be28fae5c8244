/* Scores per class: which class a row chooses, and how often two tensors or a tensor and labels
 * agree. */
#ifndef GNNC_RUNTIME_ACCURACY_H
#define GNNC_RUNTIME_ACCURACY_H

#include "support/status.h"

#include <stdint.h>

/* The class with the largest score, the first of several. */
static inline int64_t accuracy_find_class(const float *scores, int64_t classes) {
  int64_t best = 0;
  for (int64_t i = 1; i < classes; i++)
    if (scores[i] > scores[best]) best = i;
  return best;
}

/* Rows that count, and those of them whose class is the label. */
typedef struct accuracy_count {
  int64_t counted, right;
} accuracy_count;

/* Counts rows with a label (not below 0) where the mask is set; a NULL mask is set everywhere. */
static inline accuracy_count accuracy_of(const float *scores, int64_t rows, int64_t classes, const int32_t *mask,
                                         const int32_t *labels) {
  accuracy_count found = {0, 0};
  for (int64_t i = 0; i < rows; i++) {
    if ((mask && !mask[i]) || labels[i] < 0) continue;
    found.counted++;
    found.right += accuracy_find_class(scores + i * classes, classes) == labels[i];
  }
  return found;
}

#endif
