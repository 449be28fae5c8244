/* Prints the script that completes the options of gnnc: options and values from their tables. */
#include "codegen/backend.h"
#include "codegen/feature.h"
#include "frontend/library.h"
#include "passes/manager/pass.h"
#include "support/completion.h"
#include "support/diag_explain.h"
#include "tools/gnnc/gnnc_choices.h"

#include <stdlib.h>
#include <string.h>

static const completion_row rows[] = {
#define GROUP(title)
#define OPTION(id, name, letter, argument, help)                                                                       \
  {NULL, name, (argument) != NULL ? required_argument : no_argument, argument},
#include "tools/gnnc/gnnc_options.def"
#undef GROUP
#undef OPTION
};
enum { ROWS = sizeof rows / sizeof *rows };

static void add_word(text *t, const char *word) {
  text_printf(t, "%s%s", t->size ? " " : "", word);
}

static void add_targets(text *t) {
  for (const backend *const *b = backend_table; *b; b++) add_word(t, (*b)->name);
  add_word(t, "all");
}

static void add_presets(text *t) {
  for (const backend *const *b = backend_table; *b; b++)
    for (size_t i = 0; i < (*b)->num_presets; i++) add_word(t, (*b)->presets[i].name);
}

static void add_passes(text *t) {
  size_t count;
  const pass_info *table = pass_table(&count);
  for (size_t i = 0; i < count; i++) add_word(t, table[i].name);
}

static void add_layers(text *t) {
  for (size_t i = 0; i < library_layer_count; i++) add_word(t, library_layers[i].name);
}

static void add_ids(text *t) {
  char *ids = diag_explain_ids();
  add_word(t, ids);
  free(ids);
}

/* Returns the values of an option, in the arena; NULL: files or anything. */
static const char *find_values(arena *a, const char *name) {
  static const struct {
    const char *option;
    void (*add)(text *t);
  } lists[] = {{"target", add_targets},
               {"preset", add_presets},
               {"print-ir-after", add_passes},
               {"print-library", add_layers},
               {"explain", add_ids}};
  text t = {0};
  const char *const *choices = gnnc_choices_find(name);
  for (; choices && *choices; choices++) add_word(&t, *choices);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (!strcmp(lists[i].option, name)) lists[i].add(&t);
  return t.size ? text_keep(&t, a) : NULL;
}

bool gnnc_print_completion(arena *a, const char *shell) {
  completion_rows all = {0};
  text words = {0};
  for (int i = 0; i < ROWS; i++) {
    completion_row row = rows[i];
    if (strlen(row.name) == 2) continue; /* -MD, which is added below */
    const bool may_be_left_out = row.values && !strncmp(row.values, "[=", 2);
    if (may_be_left_out) row.has_arg = optional_argument;
    row.values = find_values(a, row.name);
    VEC_PUSH(a, &all, row);
  }
  text_append(&words, "-MD -O0 -O1 -O2 -O3 -Rpass=all -Werror");
  for (int i = 0; i < FEATURE_count; i++)
    text_printf(&words, " -f%s -fno-%s", feature_get((feature)i)->name, feature_get((feature)i)->name);
  return completion_print("gnnc", shell, &all, text_keep(&words, a));
}
