/* The target of a command line: the kind of output and its device. */
#ifndef GNNC_TOOLS_GNNC_GNNC_OPTIONS_TARGET_H
#define GNNC_TOOLS_GNNC_GNNC_OPTIONS_TARGET_H

#include "tools/gnnc/gnnc_options.h"

/* Sets the target, the default of --emit for it, its preset and the number of threads. Returns an
 * error text, in the arena, or NULL. */
const char *gnnc_options_choose_target(gnnc_options *o, arena *a);

/* Whether a program of a machine is made: its image, its listing or its device level. */
bool gnnc_options_make_program(const gnnc_options *o);

/* --target=all: a program of each machine. */
bool gnnc_options_is_for_all(const gnnc_options *o);

/* Checks the command line as a whole. Returns an error text, in the arena, or NULL. */
const char *gnnc_options_check_target(const gnnc_options *o, arena *a);

/* The same for --print-pipeline, which needs no files. */
const char *gnnc_options_check_pipeline(const gnnc_options *o, arena *a);

/* Sets the switches of --preset and makes the device of a machine: the default or --device, then
 * --preset, then --device-set and --memory in their order. Fails with the name of the key or the
 * file, or of a switch that the device does not support. */
status gnnc_options_make_device(gnnc_options *o);

#endif
