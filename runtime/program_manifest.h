/* Section .gnnc.program of an image. */
#ifndef GNNC_RUNTIME_PROGRAM_MANIFEST_H
#define GNNC_RUNTIME_PROGRAM_MANIFEST_H

#include "runtime/program.h"

/* Reads the manifest of p->image into the program's arena. Everything it says of memory lies within
 * loaded sections afterwards, and orders of rows are permutations. */
status program_manifest_read(program_binary *p);

#endif
