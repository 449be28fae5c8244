/* The switches of optimisations: -fNAME, -fno-NAME, and what they are when neither is given. */
#ifndef GNNC_TOOLS_GNNC_FEATURES_H
#define GNNC_TOOLS_GNNC_FEATURES_H

#include "support/arena.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum gnnc_feature { // NOLINT(cert-int09-c): the rows are numbered in their order
#define FEATURE(id, name, level, pass, help) GNNC_FEATURE_##id,
#include "tools/gnnc/gnnc_features.def"
#undef FEATURE
  GNNC_FEATURE_count
} gnnc_feature;

typedef enum gnnc_when {
  GNNC_WHEN_default, /* not given: automatic from the level of its row on, else off */
  GNNC_WHEN_never,
  GNNC_WHEN_automatic,
  GNNC_WHEN_always,
} gnnc_when;

/* What the command line gave; {0} = nothing. */
typedef struct gnnc_features {
  gnnc_when given[GNNC_FEATURE_count];
} gnnc_features;

typedef struct gnnc_feature_info {
  const char *name; /* "fuse-linear" */
  int level;
  const char *pass; /* "gnn-fuse-linear"; NULL: the overlay's code generation */
  const char *help;
} gnnc_feature_info;

const gnnc_feature_info *gnnc_feature_get(gnnc_feature f);

/* Takes the text behind -f: "compact" or "no-compact". False for an unknown name; `*nearest` is then one like it, or NULL. */
bool gnnc_features_take(gnnc_features *features, const char *word, const char **nearest);
/* What holds at an -O level: never, automatic or always. */
gnnc_when gnnc_features_when(const gnnc_features *features, gnnc_feature f, int opt_level);

/* The passes that a list behind -Rpass= names: names of passes with or without their level ("gnn-compact", "compact"), of switches, or
 * "all". The list that pass_run takes, in the arena; NULL for an unknown name, `*unknown` and `*nearest` then say which. */
const char *gnnc_features_passes(arena *a, const char *word, const char **unknown, const char **nearest);

/* Whether a switch means something to both targets, or to one alone: those of loops to C, those without a pass to the overlay. */
bool gnnc_feature_is_of_c(gnnc_feature f);
bool gnnc_feature_is_of_image(gnnc_feature f);

/* One entry per switch for --help: "-f[no-]compact" and what it does. */
const char *gnnc_features_help(arena *a, gnnc_feature f);

#endif
