/* The effect of a start of nodeslots: results of its nodes. */
#ifndef GNNC_SIM_AGILE_EXECUTE_H
#define GNNC_SIM_AGILE_EXECUTE_H

#include "isa/agile/program.h"
#include "sim/common/memory.h"

/* The weights in the device, and the largest magnitudes of numbers that were read. */
typedef struct agile_weights agile_weights;

/* Reads the weights of a layer from memory, in all of its precisions. The caller frees the
 * result. */
status agile_weights_fetch(const memory *m, const agile_state *s, agile_weights **out);
void agile_weights_free(agile_weights *w); /* NULL is allowed */

typedef struct agile_largest {
  double message, weight, scale; /* magnitudes; NaN is left out */
} agile_largest;

/* Executes the nodes of a checked program one after the other; no node reads what another writes.
 * Adjacency lists that are not in the file are checked. *largest grows. */
status agile_execute(memory *m, const image *im, const agile_state *s, const unsigned char *descs,
                     const agile_weights *w, agile_largest *largest);

#endif
