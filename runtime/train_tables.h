/* Weights with a row for each node, of which a rank has the rows of its part alone: own nodes, then ghosts.
 *
 *   train_table_take(s, i, read_from_file, s->weights[i]);            own rows and those of ghosts
 *   train_table_gather(s, i, s->weights[i], memory, &whole);          rank 0: all rows, to write them
 *
 * Steps change rows of ghosts, too, and nobody reads them: the program exchanges them before. Of other weights, and without ranks, the
 * whole is what the session has. */
#ifndef GNNC_RUNTIME_TRAIN_TABLES_H
#define GNNC_RUNTIME_TRAIN_TABLES_H

#include "runtime/train.h"

/* Whether the session has the rows of its part alone of a weight. */
bool train_table_is_cut(const train_session *s, int32_t weight);
/* The name in the file of the first trained weight of which this is so; NULL: there is none. */
const char *train_table_find_cut(const train_session *s);

/* How many of the session's numbers of a weight no other rank owns; they are the first ones. Weights that are not cut are of all. */
int64_t train_table_count_own(const train_session *s, int32_t weight);
/* The numbers of the whole weight. */
int64_t train_table_count_whole(const train_session *s, int32_t weight);

/* Fills all weights as their init says. Rows are those of the whole table, whoever has them; it is there meanwhile. */
status train_table_initialize(train_session *s, uint64_t seed);

/* Copies from a whole weight what the session has of it. */
void train_table_take(const train_session *s, int32_t weight, const float *whole, float *to);

/* Puts numbers of a weight, of all ranks, together: *whole is `own` where it is not cut, else in the arena at rank 0, and NULL at others.
 * Called on all ranks. */
status train_table_gather(const train_session *s, int32_t weight, const float *own, arena *a, const float **whole);

/* What all ranks find together: false where one of them says so. Without ranks it is `mine`. */
bool train_table_agree(const train_session *s, bool mine);

#endif
