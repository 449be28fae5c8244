/* Finds the places of inputs and outputs that the host's steps read and make. */
#ifndef GNNC_CODEGEN_DEVICE_STEPS_STEP_PLACE_H
#define GNNC_CODEGEN_DEVICE_STEPS_STEP_PLACE_H

#include "codegen/device/program_manifest.h"
#include "codegen/device/program_rows.h"
#include "codegen/device/steps/step_writer.h"

/* Makes the place of a value in an array of the host, in the order of its set's rows or of its edge
 * list. `set` is the name of the rows in the manifest. */
status step_place_make(step_writer *w, program_rows *rows, MlirValue value, const char *set,
                       program_manifest_place *out);

#endif
