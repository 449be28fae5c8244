/* Chooses the sets of switches that --tune measures. */
#ifndef GNNC_TOOLS_GNNC_GNNC_TUNE_CANDIDATES_H
#define GNNC_TOOLS_GNNC_GNNC_TUNE_CANDIDATES_H

#include "tools/gnnc/gnnc_driver.h"
#include "tools/gnnc/gnnc_tuning.h"

enum { GNNC_TUNE_CANDIDATES = 8 };

/* A program to measure. */
typedef struct gnnc_candidate {
  gnnc_measurement measured; /* its switches, and the FLOPs and bytes of a run */
  double predicted;          /* cost by the cost model, for comparisons alone */
  const char *source, *header;
} gnnc_candidate;

typedef VEC(gnnc_candidate) gnnc_candidates;

/* Collects at most GNNC_TUNE_CANDIDATES programs, in the driver's arena: first the program of the
 * unchanged options, then those with the least predicted cost whose C differs. False after
 * reporting why the first cannot be compiled. */
bool gnnc_tune_collect(gnnc_driver *r, gnnc_candidates *out);

#endif
