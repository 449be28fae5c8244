/* What kind of program a file is. */
#ifndef GNNC_RUNTIME_KIND_H
#define GNNC_RUNTIME_KIND_H

#include "support/status.h"

typedef enum program_kind {
  PROGRAM_KIND_other,
  PROGRAM_KIND_source,  /* C, by its name: .c */
  PROGRAM_KIND_library, /* a shared library for this machine: ELF */
  PROGRAM_KIND_image,   /* a program for a simulated machine: ELF for no machine */
} program_kind;

/* Looks at the name and the first bytes. Fails where the file cannot be read. */
status program_kind_of(const char *path, program_kind *out);

#endif
