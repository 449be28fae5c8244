/* Switches of optimisations from the table gnnc_features.def, and the names that -Rpass takes.
 *
 *   -fno-compact -Rpass=compact,hoist    =>    compact never; remarks of gnn-compact,gnn-separate-bind */
#include "tools/gnnc/gnnc_features.h"

#include "passes/manager/pass.h"
#include "support/text.h"
#include "support/vec.h"

#include <string.h>

static const gnnc_feature_info table[] = {
#define FEATURE(id, name, level, pass, help) {name, level, pass, help},
#include "tools/gnnc/gnnc_features.def"
#undef FEATURE
};

const gnnc_feature_info *gnnc_feature_get(gnnc_feature f) {
  return &table[f];
}

bool gnnc_features_take(gnnc_features *features, const char *word, const char **nearest) {
  bool is_off = !strncmp(word, "no-", 3);
  const char *name = is_off ? word + 3 : word, *names[GNNC_FEATURE_count];
  for (size_t i = 0; i < GNNC_FEATURE_count; i++) {
    names[i] = table[i].name;
    if (strcmp(name, names[i]) != 0) continue;
    features->given[i] = is_off ? GNNC_WHEN_never : GNNC_WHEN_always;
    return true;
  }
  *nearest = diag_nearest(name, names, GNNC_FEATURE_count);
  return false;
}

gnnc_when gnnc_features_when(const gnnc_features *features, gnnc_feature f, int opt_level) {
  if (features->given[f] != GNNC_WHEN_default) return features->given[f];
  return opt_level >= table[f].level ? GNNC_WHEN_automatic : GNNC_WHEN_never;
}

/* "compact" for "gnn-compact". */
static const char *without_level(const char *pass) {
  const char *dash = strchr(pass, '-');
  return dash ? dash + 1 : pass;
}

static void add(text *list, const char *pass) {
  if (list->size) text_append(list, ",");
  text_append(list, pass);
}

/* Appends the passes of one name; false if it has none. */
static bool add_passes(text *list, const char *name) {
  size_t count, before = list->size;
  const pass_info *passes = pass_table(&count);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(name, passes[i].name) || !strcmp(name, without_level(passes[i].name))) add(list, passes[i].name);
  for (size_t i = 0; i < GNNC_FEATURE_count && list->size == before; i++)
    if (!strcmp(name, table[i].name) && table[i].pass) add(list, table[i].pass);
  return list->size > before;
}

static const char *find_nearest(arena *a, const char *name) {
  size_t count;
  const pass_info *passes = pass_table(&count);
  VEC(const char *) names = {0};
  for (size_t i = 0; i < count; i++) {
    VEC_PUSH(a, &names, without_level(passes[i].name));
    VEC_PUSH(a, &names, passes[i].name);
  }
  for (size_t i = 0; i < GNNC_FEATURE_count; i++) VEC_PUSH(a, &names, table[i].name);
  VEC_PUSH(a, &names, "all");
  return diag_nearest(name, names.items, names.count);
}

const char *gnnc_features_passes(arena *a, const char *text_in, const char **unknown, const char **nearest) {
  text list = {0};
  const char *passes = NULL;
  bool is_all = false, is_known = true;
  for (const char *at = text_in; is_known;) {
    size_t size = strcspn(at, ",");
    const char *name = arena_strndup(a, at, size);
    if (!strcmp(name, "all"))
      is_all = true;
    else if (!add_passes(&list, name)) {
      is_known = false;
      *unknown = name;
      *nearest = find_nearest(a, name);
    }
    if (!at[size]) break;
    at += size + 1;
  }
  if (is_known) passes = is_all ? "*" : arena_strdup(a, text_str(&list));
  text_free(&list);
  return passes;
}

bool gnnc_feature_is_of_image(gnnc_feature f) {
  return !table[f].pass;
}

bool gnnc_feature_is_of_c(gnnc_feature f) {
  return table[f].pass && (!strncmp(table[f].pass, "inter-", strlen("inter-")) || f == GNNC_FEATURE_hoist);
}

const char *gnnc_features_help(arena *a, gnnc_feature f) {
  const gnnc_feature_info *row = &table[f];
  return row->level ? arena_printf(a, "%s (from -O%d on)", row->help, row->level) : row->help;
}
