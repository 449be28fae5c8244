/* The settings of a run: what is reported, dumped and verified between passes. */
#ifndef GNNC_PASSES_MANAGER_PASS_RUN_H
#define GNNC_PASSES_MANAGER_PASS_RUN_H

#include "passes/manager/pass_pipeline.h"

#include <stdio.h>

/* Comma-separated pass names, "*" for all, or NULL for none. */
typedef const char *pass_names;

/* True where the list has the pass. */
bool pass_names_have(pass_names names, const char *pass);
/* True when every name of the list is a pass of ours, "*" or of the pipeline; otherwise reports the
 * unknown one. */
bool pass_names_check(pass_names names, const char *option, const pass_pipeline *pipeline, diag *d);

/* How a pipeline runs; {0} with diag set is the quiet default. */
typedef struct pass_run {
  diag *diag;
  pass_statistics statistics; /* -1 = unknown; zero means zero */
  int opt_level;
  bool verify_each;        /* verify after each pass that changed something, not only at the end of the pipeline */
  bool is_unverified;      /* not at the end either: for timing what was verified before */
  pass_names print_before; /* "gnn-cse,gnn-order" or "*": dumps to `dumps` */
  pass_names print_after;
  pass_names remarks;      /* passes whose remarks are reported */
  bool print_after_change; /* dumps after each pass that changed something */
  bool print_locations;    /* with loc(...) */
  FILE *dumps;             /* NULL = stderr */
  const char *tree;        /* a folder: one numbered file per pass that changed something; NULL = none */
  bool timing;             /* a table of times to `dumps` at the end */
  const char *made_by;     /* one line that begins what is written to files, "gnnc 0.1.0 with -O2"; NULL = none */
  const char
      *reproducer; /* written when a pass fails or crashes: input of that pass, rest of the pipeline; NULL = none */
} pass_run;

#endif
