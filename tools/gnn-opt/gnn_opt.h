/* Shared by the files of gnn-opt: options, documents, expected messages. */
#ifndef GNNC_TOOLS_GNN_OPT_GNN_OPT_H
#define GNNC_TOOLS_GNN_OPT_GNN_OPT_H

#include "passes/manager/pass_manager.h"
#include "support/source.h"

#include <stdio.h>

/* ---- options (gnn_opt_options.c) ---- */

typedef struct opt_options {
  arena *arena;
  const char *input;  /* "-" = standard input */
  const char *output; /* "-" = standard output */
  text pipeline;      /* from all --pass-pipeline and pass flags, in order */
  bool split, verify_diagnostics, verify_roundtrip, run_reproducer;
  pass_run run;
  enum {
    SHOW_nothing,
    SHOW_help,
    SHOW_version,
    SHOW_dialects,
    SHOW_ops_md,
    SHOW_passes_md,
    SHOW_irdl,
    SHOW_explanation,
    SHOW_completion
  } show;
  const char *shown; /* the message to explain, or the shell */
} opt_options;

/* Adds a command line to the options; false after explaining the error on stderr. */
bool opt_options_parse(opt_options *o, int argc, char **argv);
/* The same for the words of one line of a reproducer, with '...' and "..." as in a shell. */
bool opt_options_parse_line(opt_options *o, const char *line);
void opt_options_print_help(FILE *out);
/* Prints the script of --completion; false after a message. */
bool opt_options_print_completion(const opt_options *o);

/* ---- tables as documents (gnn_opt_docs.c) ---- */

void opt_print_dialects(text *out);
void opt_print_ops_markdown(text *out);
void opt_print_passes_markdown(text *out);

/* ---- --verify-diagnostics (gnn_opt_expect.c) ---- */

typedef struct opt_expectations opt_expectations;

/* Reads the expected-error@+1 {{words}} comments of a range of the source, and takes the messages
 * of `d` from now on. */
opt_expectations *opt_expect_begin(arena *a, diag *d, const source *s, size_t begin, size_t end);
/* False after naming, on stderr, messages that were not expected and expectations that were not
 * met. */
bool opt_expect_end(opt_expectations *e, diag *d);

#endif
