/* The simulator of the machine fusedgcn: it runs no instructions yet, so a program that has any is
 * refused. */
#include "sim/sim_class.h"

#include <inttypes.h>

static status create(sim_host *host, void **state) {
  (void)host;
  *state = NULL;
  return STATUS_OK;
}

static void destroy(void *state) {
  (void)state;
}

static status run(void *state, uint64_t first, uint64_t end) {
  (void)state;
  if (first == end) return STATUS_OK;
  return status_error(STATUS_CODE_format, ".text: records %" PRIu64 " to %" PRIu64 ", expected none", first, end);
}

static const char *const none[] = {NULL};
static const char *const kinds[SIM_KINDS] = {NULL};

const sim_class fusedgcn_sim = {.machine = &fusedgcn_machine,
                                .unit = "unit",
                                .state_names = none,
                                .kind_names = kinds,
                                .unit_tracks = none,
                                .device_tracks = none,
                                .create = create,
                                .destroy = destroy,
                                .run = run};
