/* A device as the estimates see it, in cycles and bytes. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_COST_COST_MACHINE_H
#define GNNC_CODEGEN_GRAPHAGILE_COST_COST_MACHINE_H

#include "codegen/graphagile/plan/plan_options.h"

typedef struct graphagile_cost_machine {
  double pes, width, latency, fill, dispatch;
  double rate;   /* bytes per cycle of all PEs together; infinite in the paper's accounting */
  double reload; /* bytes per cycle of one PE for large hidden tensors in that accounting, else 0 */
  double reload_free;
  bool overlaps, shares;
  bool keeps_empty;   /* subshards without edges cost a piece */
  bool has_conflicts; /* edges meet in banks and pipelines (level L1) */
  const graphagile_device *device;
} graphagile_cost_machine;

graphagile_cost_machine graphagile_cost_machine_of(const graphagile_options *options);

#endif
