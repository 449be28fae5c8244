/* Which choices of switches are worth measuring. */
#ifndef GNNC_TOOLS_GNNC_GNNC_TUNE_CANDIDATES_H
#define GNNC_TOOLS_GNNC_GNNC_TUNE_CANDIDATES_H

#include "tools/gnnc/gnnc_driver.h"
#include "tools/gnnc/gnnc_tuning.h"

enum { GNNC_TUNE_CANDIDATES = 8 };

/* A program to measure. */
typedef struct gnnc_candidate {
  gnnc_measurement measured; /* its choices and what a run of it counts */
  double predicted;          /* by the cost model; only compared */
  const char *source, *header;
} gnnc_candidate;

typedef VEC(gnnc_candidate) gnnc_candidates;

/* The program of the options as they are, first, and the best others by the cost model whose C
 * differs: at most GNNC_TUNE_CANDIDATES in all, in the driver's arena. False after reporting why
 * the first cannot be compiled. */
bool gnnc_tune_collect(gnnc_driver *r, gnnc_candidates *out);

#endif
