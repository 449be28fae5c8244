/* The reader of section .gnnc.program of an image. */
#ifndef GNNC_RUNTIME_PROGRAM_MANIFEST_H
#define GNNC_RUNTIME_PROGRAM_MANIFEST_H

#include "runtime/program.h"

/* Reads the manifest of p->image into the arena of the program. Afterwards all places in memory are
 * within loaded sections, and orders of rows have valid indices. Fails for a manifest that is broken
 * or does not fit its image. */
status program_manifest_read(program_binary *p);

#endif
