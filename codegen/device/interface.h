/* Inputs and outputs of a program, as its function and the operations device.input and
 * device.output say them. */
#ifndef GNNC_CODEGEN_DEVICE_INTERFACE_H
#define GNNC_CODEGEN_DEVICE_INTERFACE_H

#include "codegen/device/program_manifest.h"
#include "support/arena.h"

/* Whether a device.input is kept in the weights file. */
bool interface_is_weight(MlirOperation input);

/* An input without its place. Strings are in the arena; an input without a name is "input 3". */
program_manifest_input interface_input(arena *a, MlirOperation input);

/* How many outputs the function has, and the one of a number without its place. */
size_t interface_count_outputs(MlirOperation function);
program_manifest_output interface_output(MlirOperation function, size_t index);

/* The value that an output is made from, by its device.output. */
MlirValue interface_output_value(MlirOperation function, size_t index);

#endif
