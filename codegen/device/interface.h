/* Describes the inputs and outputs of a program, from its function and the operations device.input
 * and device.output. */
#ifndef GNNC_CODEGEN_DEVICE_INTERFACE_H
#define GNNC_CODEGEN_DEVICE_INTERFACE_H

#include "codegen/device/program_manifest.h"
#include "support/arena.h"

/* Whether a device.input is kept in the weights file. */
bool interface_is_weight(MlirOperation input);

/* Returns an input without its place. Strings are in the arena; an input without a name is "input
 * 3". */
program_manifest_input interface_input(arena *a, MlirOperation input);

/* Return the number of outputs of the function, and the output with number `index` without its
 * place. */
size_t interface_count_outputs(MlirOperation function);
program_manifest_output interface_output(MlirOperation function, size_t index);

/* Returns the value of an output, the operand of its device.output. */
MlirValue interface_output_value(MlirOperation function, size_t index);

#endif
