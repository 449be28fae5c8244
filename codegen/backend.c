/* Lookups in the table of targets, and lists of their names for messages. */
#include "codegen/backend.h"

#include <string.h>

const backend *backend_default(void) {
  return backend_table[0];
}

const backend *backend_find(const char *name) {
  for (const backend *const *b = backend_table; *b; b++)
    if (!strcmp((*b)->name, name)) return *b;
  return NULL;
}

const backend_preset *backend_find_preset(const backend *b, const char *name) {
  for (size_t i = 0; i < b->num_presets; i++)
    if (!strcmp(b->presets[i].name, name)) return &b->presets[i];
  return NULL;
}

void backend_source_free(backend_source *s) {
  text_free(&s->source);
  text_free(&s->header);
  text_free(&s->manifest);
}

typedef bool chooser(const backend *b, const void *data);

static const char *join(arena *a, chooser *takes, const void *data) {
  int count = 0, at = 0;
  text list = {0};
  for (const backend *const *b = backend_table; *b; b++) count += takes(*b, data);
  for (const backend *const *b = backend_table; *b; b++)
    if (takes(*b, data)) {
      const char *before = !at ? "" : at + 1 == count ? " or " : ", ";
      text_printf(&list, "%s%s", before, (*b)->name);
      at++;
    }
  return text_keep(&list, a);
}

static bool takes_any(const backend *b, const void *data) {
  (void)b;
  (void)data;
  return true;
}

static bool takes_machine(const backend *b, const void *data) {
  (void)data;
  return b->machine;
}

static bool takes_feature(const backend *b, const void *data) {
  return feature_has_target(*(const feature *)data, b->name);
}

static bool takes_precision(const backend *b, const void *data) {
  (void)data;
  return b->precisions;
}

const char *backend_names_with_precisions(arena *a) {
  return join(a, takes_precision, NULL);
}

const char *backend_names(arena *a) {
  return join(a, takes_any, NULL);
}

const char *backend_machine_names(arena *a) {
  return join(a, takes_machine, NULL);
}

const char *backend_names_of_feature(arena *a, feature f) {
  return join(a, takes_feature, &f);
}
