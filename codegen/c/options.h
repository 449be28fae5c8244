/* Options of the C back end: the arithmetic, and what M.c includes and quotes. */
#ifndef GNNC_CODEGEN_C_OPTIONS_H
#define GNNC_CODEGEN_C_OPTIONS_H

#include "codegen/model_source.h"
#include "support/source.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct codegen_c_options {
  const char *header_name;      /* the file that M.c includes, "gcn.h"; NULL: "<model>.h" */
  bool is_f64;                  /* arithmetic and storage in double; the ABI stays f32 (the reference of the tests) */
  bool partial_sums;            /* -O2: inner products are summed in sixteen partial sums */
  bool reassociate;             /* -O3: dot products may be summed in another order */
  const source *const *sources; /* quoted in comments where a kernel's location names one of them; may be NULL */
  size_t source_count;
  const model_source *model;      /* for the manifest; may be NULL */
  const char *compiler, *options; /* the program that made the files and its options, "gnnc 0.1.0" and "-O2"; may be
                                   * NULL */
} codegen_c_options;

#endif
