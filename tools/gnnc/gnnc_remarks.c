/* Resolves the list of names of -Rpass: passes with or without their level, switches, or all.
 *
 *   -Rpass=compact,hoist    =>    remarks of gnn-compact,gnn-separate-bind */
#include "tools/gnnc/gnnc_remarks.h"

#include "codegen/feature.h"
#include "passes/manager/pass.h"
#include "support/diag.h"
#include "support/text.h"
#include "support/vec.h"

#include <string.h>

/* The placement of operations on device and host, which targets report themselves. */
static const char placement[] = "place";

/* "compact" for "gnn-compact". */
static const char *without_level(const char *pass) {
  const char *dash = strchr(pass, '-');
  return dash ? dash + 1 : pass;
}

static void add(text *list, const char *pass) {
  if (list->size) text_append(list, ",");
  text_append(list, pass);
}

/* Appends the passes that one name means; false if there is none. */
static bool add_passes(text *list, const char *name) {
  size_t count, before = list->size;
  const pass_info *passes = pass_table(&count);
  if (!strcmp(name, placement)) add(list, name);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(name, passes[i].name) || !strcmp(name, without_level(passes[i].name))) add(list, passes[i].name);
  for (size_t i = 0; i < FEATURE_count && list->size == before; i++)
    if (!strcmp(name, feature_get((feature)i)->name) && feature_get((feature)i)->pass)
      add(list, feature_get((feature)i)->pass);
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
  for (size_t i = 0; i < FEATURE_count; i++) VEC_PUSH(a, &names, feature_get((feature)i)->name);
  VEC_PUSH(a, &names, placement);
  VEC_PUSH(a, &names, "all");
  return diag_nearest(name, names.items, names.count);
}

const char *gnnc_remarks_passes(arena *a, const char *text_in, const char **unknown, const char **nearest) {
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
