/* A simulated AGILE. */
#include "isa/agile/agile.h"
#include "sim/sim_class.h"

static status create(sim_host *host, void **state) {
  host->stats->bandwidth_gb_s = host->device->common.ddr_gb_s;
  *state = host;
  return STATUS_OK;
}

static void destroy(void *state) {
  (void)state; /* it is the caller's */
}

static status run(void *state, uint64_t first, uint64_t end) {
  (void)state;
  if (first == end) return STATUS_OK;
  return status_error(STATUS_CODE_unsupported, "records of machine 'agile'");
}

static const char *const no_names[] = {NULL};
static const char *const kind_names[SIM_KINDS] = {NULL};

const sim_class agile_sim = {.machine = &agile_machine,
                             .unit = "nodeslot",
                             .state_names = no_names,
                             .kind_names = kind_names,
                             .unit_tracks = no_names,
                             .device_tracks = no_names,
                             .create = create,
                             .destroy = destroy,
                             .run = run};
