/* A pass: one function over the module, and one row of passes.def. */
#ifndef GNNC_PASSES_MANAGER_PASS_H
#define GNNC_PASSES_MANAGER_PASS_H

#include "dialects/ir.h"
#include "support/arena.h"
#include "support/diag.h"

#include <stdbool.h>
#include <stdint.h>

/* What is known about the graph and the inputs when the model is compiled; -1: unknown. Statistics
 * influence choices, never results. */
typedef struct pass_statistics {
  int64_t num_nodes;
  int64_t num_edges;
  int64_t num_edge_types, num_node_types; /* 1 + the largest type that occurs */
  int64_t unique_src, unique_dst;         /* pairs of edge type and source, or destination, that occur */
  int64_t pairs_src, pairs_dst;           /* pairs of edge type and node type of that end that occur */
  double feature_density;                 /* stored entries divided by all entries of x, 0..1 */
} pass_statistics;

/* The arguments of one run of a pass. */
typedef struct pass_context {
  MlirContext context;
  diag *diag;          /* for errors of the user with a place in the model */
  arena *arena;        /* it is freed after this run of the pass */
  const char *options; /* "k=v k2=v2" as in {...} of the pipeline; "" if none */
  pass_statistics statistics;
  int opt_level;    /* 0..3 */
  const char *name; /* name of the pass that runs: "gnn-compact" */
  bool remarks;     /* -Rpass asks for remarks of this pass */
  uint64_t changed; /* number of rewrites, which the pass counts; 0: the module is unchanged */
} pass_context;

/* Options by name; the fallback when absent. A value that does not parse was reported when the
 * pipeline was built. */
int64_t pass_option_integer(const pass_context *p, const char *name, int64_t fallback);
bool pass_option_bool(const pass_context *p, const char *name, bool fallback);
const char *pass_option_string(const pass_context *p, const char *name, const char *fallback);

/* Writes a remark at a place of the model: what this pass did there, what it would have gained, or
 * why it did nothing. Printed where -Rpass names the pass. */
void pass_remark(pass_context *p, MlirOperation where, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Runs a pass on `root`, the builtin.module. Returns false after reporting an error at a location
 * (mlirEmitError or p->diag). */
typedef bool (*pass_function)(MlirOperation root, pass_context *p);

/* An option of a pass, from the OPTION rows of passes.def. Other options are refused, with the
 * nearest name. */
typedef struct pass_option_info {
  const char *name;
  const char *type; /* integer, bool, string, or the choices: "auto|dense|sparse" */
  const char *fallback;
  const char *doc;
} pass_option_info;

/* A row of passes.def. */
typedef struct pass_info {
  const char *name; /* "gnn-order" */
  pass_function run;
  const char *summary;
  const char *doc; /* conditions, and the section or equation of a paper */
  const pass_option_info *options;
  unsigned option_count;
} pass_info;

/* All passes in the order of the table; a pass by name (NULL if none). */
const pass_info *pass_table(size_t *count);
const pass_info *pass_find(const char *name);

/* The functions of the rows: pass_run_order, ... */
#define PASS(suffix, name, summary, doc) bool pass_run_##suffix(MlirOperation root, pass_context *p);
#include "passes/passes.def"

#endif
