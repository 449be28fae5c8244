/* Lists of pass names: "gnn-cse,gnn-order", or "*" for all. */
#include "passes/manager/pass_run.h"

#include <string.h>

bool pass_names_have(pass_names names, const char *pass) {
  if (!names || !strcmp(names, "*")) return names != NULL;
  size_t size = strlen(pass);
  for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strcspn(at, ",") == size && !strncmp(at, pass, size)) return true;
  return false;
}

bool pass_names_check(pass_names names, const char *option, const pass_pipeline *pipeline, diag *d) {
  bool ok = true;
  arena *a = arena_create();
  for (const char *at = names; at && *at && strcmp(names, "*") != 0;) {
    size_t size = strcspn(at, ",");
    const char *name = arena_strndup(a, at, size);
    bool is_known = pass_find(name) != NULL;
    for (size_t i = 0; i < pipeline->count; i++) is_known = is_known || !strcmp(pipeline->items[i].name, name);
    if (!is_known) {
      size_t count;
      const pass_info *table = pass_table(&count);
      const char **known = arena_alloc_array(a, count, sizeof *known);
      for (size_t i = 0; i < count; i++) known[i] = table[i].name;
      const char *nearest = diag_nearest(name, known, count);
      diag_report(d, (span){NULL, 0, 0}, DIAG_unknown_option, "%s: there is no pass '%s'%s%s%s", option, name,
                  nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
      ok = false;
    }
    at += size + (at[size] == ',');
  }
  arena_destroy(a);
  return ok;
}
