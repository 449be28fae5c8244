/* Determines the kind of a program file. */
#ifndef GNNC_RUNTIME_KIND_H
#define GNNC_RUNTIME_KIND_H

#include "support/status.h"

typedef enum program_kind {
  PROGRAM_KIND_other,
  PROGRAM_KIND_source,  /* generated C, recognised by the name: .c */
  PROGRAM_KIND_library, /* a shared library: ELF with a machine */
  PROGRAM_KIND_image,   /* a program for a simulated machine: ELF without a machine */
} program_kind;

/* Sets *out from the name and the first bytes of the file. Fails if the file cannot be read. */
status program_kind_of(const char *path, program_kind *out);

#endif
