/* The words that options of gnnc take. */
#include "tools/gnnc/gnnc_choices.h"

#include <stddef.h>
#include <string.h>

static const char *const emits[] = {
#define EMIT(id, name, other) name,
#include "tools/gnnc/gnnc_emits.def"
    "dot", "dot=inter", "dot=device", NULL};
static const char *const levels[] = {"0", "1", "2", "3", NULL};
static const char *const floats[] = {"f32", "f64", NULL};
static const char *const forms[] = {"auto", "dense", "sparse", NULL};
static const char *const switches[] = {"off", "on", NULL};

static const struct {
  const char *option;
  const char *const *words;
} choices[] = {
    {"emit", emits}, {"optimize", levels}, {"float", floats}, {"features", forms}, {"verify-each", switches}};

const char *const *gnnc_choices_find(const char *option) {
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    if (!strcmp(choices[i].option, option)) return choices[i].words;
  return NULL;
}
