/* The settings of a run: what is reported, dumped and verified between passes. */
#ifndef GNNC_PASSES_MANAGER_PASS_RUN_H
#define GNNC_PASSES_MANAGER_PASS_RUN_H

#include "passes/manager/pass_pipeline.h"

#include <stdio.h>

/* Comma-separated names of passes; "*": all; NULL: none. */
typedef const char *pass_names;

/* Whether the list contains the pass. */
bool pass_names_have(pass_names names, const char *pass);
/* Whether every name of the list is one of our passes, "*", or in the pipeline; otherwise reports
 * the unknown name. */
bool pass_names_check(pass_names names, const char *option, const pass_pipeline *pipeline, diag *d);

/* How a pipeline runs; {0} with diag set runs it without output. */
typedef struct pass_run {
  diag *diag;
  pass_statistics statistics; /* -1: unknown; zero means zero */
  int opt_level;
  bool verify_each;        /* verify after each pass that changed something, and not only at the end of the pipeline */
  bool is_unverified;      /* do not verify at the end either, to time what was verified before */
  pass_names print_before; /* "gnn-cse,gnn-order" or "*": dump to `dumps` before these passes */
  pass_names print_after;
  pass_names remarks;      /* passes whose remarks are reported */
  bool print_after_change; /* dump after each pass that changed something */
  bool print_locations;    /* dumps contain loc(...) */
  FILE *dumps;             /* NULL: stderr */
  const char *tree;        /* a folder for one numbered file per pass that changed something; NULL: none */
  bool timing;             /* print a table of times to `dumps` at the end */
  const char *made_by;     /* the first line of written files, "gnnc 0.1.0 with -O2"; NULL: none */
  const char
      *reproducer; /* written when a pass fails or crashes: input of that pass, rest of the pipeline; NULL = none */
} pass_run;

#endif
