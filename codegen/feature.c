/* The switches of optimisations, read from the table feature.def.
 *
 *   -fno-compact    =>    given[FEATURE_compact] = FEATURE_WHEN_never */
#include "codegen/feature.h"

#include "support/diag.h"

#include <string.h>

static const feature_info table[] = {
#define FEATURE(id, name, level, pass, targets, help) {name, level, pass, targets, help},
#include "codegen/feature.def"
#undef FEATURE
};

const feature_info *feature_get(feature f) {
  return &table[f];
}

feature feature_find(const char *name, const char **nearest) {
  const char *names[FEATURE_count];
  for (size_t i = 0; i < FEATURE_count; i++) {
    names[i] = table[i].name;
    if (!strcmp(name, names[i])) return (feature)i;
  }
  if (nearest) *nearest = diag_nearest(name, names, FEATURE_count);
  return FEATURE_count;
}

bool feature_take(feature_set *features, const char *word, const char **nearest) {
  bool is_off = !strncmp(word, "no-", 3);
  feature f = feature_find(is_off ? word + 3 : word, nearest);
  if (f != FEATURE_count) features->given[f] = is_off ? FEATURE_WHEN_never : FEATURE_WHEN_always;
  return f != FEATURE_count;
}

feature_when feature_when_of(const feature_set *features, feature f, int opt_level) {
  if (features->given[f] != FEATURE_WHEN_default) return features->given[f];
  return opt_level >= table[f].level ? FEATURE_WHEN_automatic : FEATURE_WHEN_never;
}

bool feature_has_target(feature f, const char *target) {
  const char *at = table[f].targets;
  if (!at) return true;
  for (size_t length = strlen(target); *at; at += strspn(at, " ")) {
    size_t word = strcspn(at, " ");
    if (word == length && !strncmp(at, target, length)) return true;
    at += word;
  }
  return false;
}

const char *feature_help(arena *a, feature f) {
  const feature_info *row = &table[f];
  const char *help = row->help;
  if (row->level) help = arena_printf(a, "%s (from -O%d on)", help, row->level);
  return row->targets ? arena_printf(a, "%s [%s]", help, row->targets) : help;
}
