/* Values of edges that the host computes, in the form in which machines take them. */
#ifndef GNNC_CODEGEN_DEVICE_STEPS_STEP_VALUES_H
#define GNNC_CODEGEN_DEVICE_STEPS_STEP_VALUES_H

#include "codegen/device/steps/step_writer.h"

/* The array with the values of a device.spdmm, [edges, heads], times the weights of its list where it
 * has weights. */
status step_values_of(step_writer *w, MlirOperation spdmm, const program_edge_list *l, int64_t heads, int32_t *out);

#endif
