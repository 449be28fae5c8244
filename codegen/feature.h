/* The switches of optimisations: -fNAME, -fno-NAME, and what they are when neither is given. */
#ifndef GNNC_CODEGEN_FEATURE_H
#define GNNC_CODEGEN_FEATURE_H

#include "support/arena.h"

#include <stdbool.h>

typedef enum feature { // NOLINT(cert-int09-c): the rows are numbered in their order
#define FEATURE(id, name, level, pass, targets, help) FEATURE_##id,
#include "codegen/feature.def"
#undef FEATURE
  FEATURE_count
} feature;

typedef enum feature_when {
  FEATURE_WHEN_default, /* not given: automatic from the level of its row on, else off */
  FEATURE_WHEN_never,
  FEATURE_WHEN_automatic,
  FEATURE_WHEN_always,
} feature_when;

/* What the command line gave; {0} = nothing. */
typedef struct feature_set {
  feature_when given[FEATURE_count];
} feature_set;

typedef struct feature_info {
  const char *name; /* "fuse-linear" */
  int level;
  const char *pass;    /* "gnn-fuse-linear"; NULL: code generation */
  const char *targets; /* "toy host": those that know it; NULL: all */
  const char *help;
} feature_info;

const feature_info *feature_get(feature f);

/* The switch of a name; FEATURE_count for none, `*nearest` (may be NULL) is then one like it, or
 * NULL. */
feature feature_find(const char *name, const char **nearest);

/* Takes the text behind -f: "compact" or "no-compact". False for an unknown name; `*nearest` is
 * then one like it, or NULL. */
bool feature_take(feature_set *features, const char *word, const char **nearest);

/* What holds at an -O level: never, automatic or always. */
feature_when feature_when_of(const feature_set *features, feature f, int opt_level);

/* Whether it was not switched off by hand, whatever the level. */
static inline bool feature_is_allowed(const feature_set *features, feature f) {
  return features->given[f] != FEATURE_WHEN_never;
}

/* Whether a switch means something to a target. */
bool feature_has_target(feature f, const char *target);

/* For --help: what it does, from which level on, for which targets. */
const char *feature_help(arena *a, feature f);

#endif
