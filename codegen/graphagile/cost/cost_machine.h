/* The parameters of a device that estimates need, in cycles and bytes. Members are double
 * because all formulas are. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_MACHINE_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_MACHINE_H

#include "codegen/graphagile/plan/plan_options.h"

typedef struct graphagile_cost_machine {
  /* num_pes; columns of a fiber; cycles of DDR latency, of the ACK's pipeline, of the Scheduler
   * per block */
  double pes, width, latency, fill, dispatch;
  double number; /* bytes of a number of a row in DDR */
  double rate;   /* bytes per cycle of all PEs together; practically infinite in the paper's accounting */
  double reload; /* bytes per cycle at which one PE reloads large hidden tensors in the paper's accounting, else 0 */
  double reload_free;    /* bytes of hidden tensors that need no reload in that accounting */
  bool overlaps, shares; /* double buffering is on; broadcast is on */
  bool keeps_empty;      /* subshards without edges are pieces, too */
  bool has_conflicts;    /* conflicts on banks and pipelines take time (docs/devices/graphagile.md, L1) */
  const graphagile_device *device;
} graphagile_cost_machine;

/* The larger and the smaller of two numbers, without a call: estimates ask for them a hundred thousand
 * times. Where b is no number, the result is a. */
static inline double graphagile_cost_max(double a, double b) {
  return b > a ? b : a;
}

static inline double graphagile_cost_min(double a, double b) {
  return b < a ? b : a;
}

/* The parameters of options->device; no errors. */
graphagile_cost_machine graphagile_cost_machine_of(const graphagile_options *options);

#endif
