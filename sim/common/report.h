/* What a run was, for people and for programs: cycles, utilisation of units and layers, DDR traffic
 * by kind, and where each layer stands under the roofline. */
#ifndef GNNC_SIM_COMMON_REPORT_H
#define GNNC_SIM_COMMON_REPORT_H

#include "sim/sim.h"

#include "support/text.h"

/* One layer under the device's two roofs. FLOPs are two per multiply-add. */
typedef struct report_roof {
  double flops, bytes;    /* done; moved over DDR, both ways */
  double intensity;       /* FLOPs per byte; infinite without traffic, 0 without FLOPs */
  double attained_gflops; /* in the layer's time */
  double bound_gflops;    /* min(peak of the layer's instruction, intensity * bandwidth) */
  double utilisation;     /* of the units' arithmetic: multiply-adds over peak * cycles */
  double bandwidth_share; /* bytes over what DDR could have moved */
  bool is_memory_bound;   /* the slope is the lower roof */
} report_roof;

report_roof report_roofline(const sim_layer *layer, const sim_stats *stats, const device *d);

/* Appends tables for people. Names and lines of layers come from the image's manifest; im may be
 * NULL, host too: then nothing is said of it. */
void report_print(text *t, const sim_stats *stats, const sim_host_stats *host, const image *im, const device *d);

/* The same and all counters as JSON, ended by a newline; to be freed by the caller. Fails when
 * memory is out. */
status report_json(const sim_stats *stats, const sim_host_stats *host, const image *im, const device *d, char **out);

#endif
