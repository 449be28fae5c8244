/* Suggestions ("did you mean"): finds the candidate with the fewest edits. An edit inserts, deletes
 * or replaces a character, or swaps two neighbouring ones. */
#include "support/diag.h"
#include "support/number.h"

#include <string.h>

enum { LONGEST_NAME = 64 };

/* Returns the edit distance of two names of at most LONGEST_NAME bytes. Each edit costs 2; a change
 * between upper and lower case costs 1. */
static int64_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  int64_t rows[3][LONGEST_NAME + 1];
  int64_t *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= b_length; j++) last[j] = 2 * (int64_t)j;
  for (size_t i = 1; i <= a_length; i++) {
    row[0] = 2 * (int64_t)i;
    for (size_t j = 1; j <= b_length; j++) {
      char x = a[i - 1], y = b[j - 1];
      int64_t replace = x == y ? 0 : (x ^ y) == 0x20 ? 1 : 2;
      row[j] = number_min(last[j - 1] + replace, number_min(last[j], row[j - 1]) + 2);
      if (i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y) row[j] = number_min(row[j], before[j - 2] + 2);
    }
    int64_t *free_row = before;
    before = last;
    last = row;
    row = free_row;
  }
  return last[b_length];
}

const char *diag_nearest(const char *name, const char *const *candidates, size_t count) {
  size_t length = strlen(name);
  if (length == 0 || length > LONGEST_NAME) return NULL;
  int64_t limit = length < 3 ? 2 : (int64_t)(length / 3) * 2;
  const char *best = NULL;
  int64_t best_distance = limit + 1;
  for (size_t i = 0; i < count; i++) {
    size_t other = strlen(candidates[i]);
    if (other == 0 || other > LONGEST_NAME || strcmp(name, candidates[i]) == 0) continue;
    int64_t distance = edit_distance(name, length, candidates[i], other);
    if (distance >= best_distance || distance >= 2 * (int64_t)other) continue; /* the names have nothing in common */
    best = candidates[i];
    best_distance = distance;
  }
  return best;
}
