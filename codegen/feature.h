/* The switches of optimisations: -fNAME, -fno-NAME, and their state when neither is given. */
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
  FEATURE_WHEN_default, /* not given: automatic from the level of the row on, else off */
  FEATURE_WHEN_never,
  FEATURE_WHEN_automatic,
  FEATURE_WHEN_always,
} feature_when;

/* The switches of a command line; {0}: none was given. */
typedef struct feature_set {
  feature_when given[FEATURE_count];
} feature_set;

/* A row of feature.def. */
typedef struct feature_info {
  const char *name; /* "fuse-linear" */
  /* the -O level from which on it is automatic */
  int level;
  const char *pass;    /* the pass "gnn-fuse-linear" that it controls; NULL: it controls code generation */
  const char *targets; /* the targets "toy host" that know it; NULL: all */
  const char *help;
} feature_info;

/* The row of a switch. */
const feature_info *feature_get(feature f);

/* The switch of a name; FEATURE_count for an unknown one. `*nearest` (may be NULL) is then the name
 * most like it, or NULL. */
feature feature_find(const char *name, const char **nearest);

/* Reads the text behind -f, "compact" or "no-compact". Returns false for an unknown name;
 * `*nearest` is then the name most like it, or NULL. */
bool feature_take(feature_set *features, const char *word, const char **nearest);

/* The state of a switch at an -O level: never, automatic or always. */
feature_when feature_when_of(const feature_set *features, feature f, int opt_level);

/* Whether a switch was not switched off by hand; the -O level does not matter. */
static inline bool feature_is_allowed(const feature_set *features, feature f) {
  return features->given[f] != FEATURE_WHEN_never;
}

/* Whether a target knows a switch. */
bool feature_has_target(feature f, const char *target);

/* The text for --help: what the switch does, from which level on, for which targets. In the
 * arena. */
const char *feature_help(arena *a, feature f);

#endif
