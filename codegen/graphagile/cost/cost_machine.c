/* Converts the parameters of a device to cycles and bytes per cycle. */
#include "codegen/graphagile/cost/cost_machine.h"

/* Bytes per cycle of a bandwidth in GB/s. */
static double bytes_per_cycle(const graphagile_device *d, double gb_s) {
  return gb_s * 1000.0 / d->clock_mhz;
}

graphagile_cost_machine graphagile_cost_machine_of(const graphagile_options *options) {
  const graphagile_device *d = &options->device.graphagile;
  graphagile_cost_machine m = {.pes = d->num_pes,
                               .width = d->width,
                               .number = options->half ? 2 : 4,
                               .latency = d->ddr_latency,
                               .fill = d->fill,
                               .dispatch = d->dispatch,
                               .rate = bytes_per_cycle(d, d->ddr_gb_s),
                               .overlaps = options->overlap,
                               .shares = options->broadcast && d->has_broadcast,
                               .keeps_empty = !options->skip_empty,
                               .has_conflicts = d->memory != GRAPHAGILE_MEMORY_paper,
                               .device = d};
  if (d->memory == GRAPHAGILE_MEMORY_paper) { /* all traffic is free except reloads */
    m.rate = 1e12;
    m.latency = 0;
    m.reload = bytes_per_cycle(d, d->reload_gb_s);
    m.reload_free = (double)d->reload_free_bytes;
  }
  return m;
}
