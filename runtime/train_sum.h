/* The sum of equally long lists of numbers, one from each batch of a step, with the same bits in whatever order the batches are
 * done: the lists are leaves of a binary tree by their numbers, and two neighbours are added once both are there.
 *
 *   train_sum_begin(sum, 3);
 *   list = train_sum_take(sum);  ... fill it ...  train_sum_put(sum, 2, 0.25f, list);     and so for 0 and 1
 *   train_sum_result(sum);                                                                (list 0 + list 1) + list 2 */
#ifndef GNNC_RUNTIME_TRAIN_SUM_H
#define GNNC_RUNTIME_TRAIN_SUM_H

#include "support/status.h"

#include <stdint.h>

typedef struct train_sum train_sum;

/* Makes sums of lists of `length` numbers. NULL when memory is out. */
train_sum *train_sum_create(int64_t length);
/* NULL is allowed. */
void train_sum_destroy(train_sum *s);

/* Begins a sum of `count` lists, 1 or more. */
status train_sum_begin(train_sum *s, int64_t count);

/* Returns memory for a list, which train_sum_put takes back; NULL when memory is out. Threads may call both at once. */
float *train_sum_take(train_sum *s);
/* Adds `factor` times the list with this number, from 0; each number comes once. */
void train_sum_put(train_sum *s, int64_t number, float factor, float *list);

/* Returns the sum once all lists are there, until the next begin. */
float *train_sum_result(train_sum *s);
/* Gives back all lists that are there, as after an error. */
void train_sum_clear(train_sum *s);

#endif
