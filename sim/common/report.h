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
  bool is_under_slope;    /* the slope is the lower roof */
  bool is_memory_bound;   /* DDR was busy moving bytes: REPORT_DDR_BOUND of what it could, or more */
} report_roof;

/* A layer is bound by DDR where that share of the bandwidth was used. Intensity alone does not say
 * so: conflicts and hub rows may leave the bandwidth unused. */
#define REPORT_DDR_BOUND 0.8

/* What a layer's time went into: "memory" where it is bound by DDR, else the state in which units
 * were longest, "idle" included. */
const char *report_limit(const sim_layer *layer, const sim_stats *stats, const device *d);

/* Work of the unit that worked longest over the mean of all; 0 where none worked. */
double report_imbalance(const sim_layer *layer, const sim_stats *stats, const device *d);

/* Cycles of all units in which they had nothing to do in the layer. */
uint64_t report_idle(const sim_layer *layer, const sim_stats *stats, const device *d);

report_roof report_roofline(const sim_layer *layer, const sim_stats *stats, const device *d);

/* Appends tables for people. Names and lines of layers come from the image's manifest; im may be
 * NULL, host too: then nothing is said of it. */
void report_print(text *t, const sim_stats *stats, const sim_host_stats *host, const image *im, const device *d);

/* The same and all counters as JSON, ended by a newline; to be freed by the caller. Fails when
 * memory is out. origin may be NULL. */
status report_json(const sim_stats *stats, const sim_host_stats *host, const image *im, const device *d,
                   const sim_origin *origin, char **out);

#endif
