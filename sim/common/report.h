/* The statistics of a run, as tables and as JSON: cycles, utilisation of units and layers, DDR
 * traffic by kind, and the position of each layer in the roofline model. */
#ifndef GNNC_SIM_COMMON_REPORT_H
#define GNNC_SIM_COMMON_REPORT_H

#include "sim/sim.h"

#include "support/text.h"

/* One layer in the roofline model of the device. A multiply-add is two FLOPs. */
typedef struct report_roof {
  double flops, bytes;    /* FLOPs executed; bytes moved over DDR in both directions */
  double intensity;       /* FLOPs per byte; infinite without traffic, 0 without FLOPs */
  double attained_gflops; /* FLOPs per nanosecond of the layer's time */
  double bound_gflops;    /* min(peak of the layer's instruction, intensity * bandwidth) */
  double utilisation;     /* multiply-adds divided by the peak of all units over the layer's cycles */
  double bandwidth_share; /* bytes divided by those that DDR could have moved */
  bool is_under_slope;    /* intensity * bandwidth is the lower of the two bounds */
  bool is_memory_bound;   /* DDR was busy for at least the share REPORT_DDR_BOUND of the time */
} report_roof;

/* A layer is bound by DDR if it uses this share of the bandwidth. Intensity alone does not say so:
 * conflicts and destination rows with many edges may leave bandwidth unused. */
#define REPORT_DDR_BOUND 0.8

/* What limits a layer: "memory" where it is bound by DDR, otherwise the state in which units spent
 * most cycles, which may be "idle". */
const char *report_limit(const sim_layer *layer, const sim_stats *stats, const device *d);

/* Work of the unit that worked longest divided by the mean of all units; 0 where none worked. */
double report_imbalance(const sim_layer *layer, const sim_stats *stats, const device *d);

/* Cycles of all units in the layer in which they had nothing to do. */
uint64_t report_idle(const sim_layer *layer, const sim_stats *stats, const device *d);

/* The roofline of a layer; no errors. */
report_roof report_roofline(const sim_layer *layer, const sim_stats *stats, const device *d);

/* The share of the device in the multiply-adds of a program, in percent: those of the layers of the
 * manifest, and those that steps of the host count. *all becomes their sum. NaN where there are
 * none. */
double report_device_share(const sim_host_stats *host, const image *im, double *all);

/* Appends a line with the share; nothing where there are no multiply-adds. */
void report_print_share(text *t, const sim_host_stats *host, const image *im);

/* Appends tables. Names and lines of layers are taken from the image's manifest. im may be NULL,
 * then layers have no names; host may be NULL, then nothing is said of it. */
void report_print(text *t, const sim_stats *stats, const sim_host_stats *host, const image *im, const device *d);

/* The same and all counters as JSON, ended by a newline; the caller frees it. Fails when memory is
 * out. origin may be NULL. */
status report_json(const sim_stats *stats, const sim_host_stats *host, const image *im, const device *d,
                   const sim_origin *origin, char **out);

#endif
