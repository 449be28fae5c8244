/* The layers of an image's manifest by number (see report_names.h). */
#include "sim/common/report_names.h"

#include "sim/sim_class.h"

#include <jansson.h>

#include <stdlib.h>

struct report_names {
  json_t *root;
  json_t *layers; /* array, owned by the manifest */
};

report_names *report_names_open(const image *im) {
  if (!im || !im->sections[IMAGE_PROGRAM].data) return NULL;
  const image_section *section = &im->sections[IMAGE_PROGRAM];
  json_t *root = json_loadb((const char *)section->data, section->size, JSON_REJECT_DUPLICATES, NULL);
  json_t *layers = json_object_get(root, "layers");
  report_names *names = json_is_array(layers) ? malloc(sizeof *names) : NULL;
  if (!names) {
    json_decref(root);
    return NULL;
  }
  *names = (report_names){root, layers};
  return names;
}

void report_names_close(report_names *names) {
  if (!names) return;
  json_decref(names->root);
  free(names);
}

static const char *string_of(const json_t *object, const char *key) {
  const char *s = json_string_value(json_object_get(object, key));
  return s ? s : "";
}

static bool has_id(const json_t *layer, int64_t id) {
  const json_t *number = json_object_get(layer, "id");
  return json_is_integer(number) && json_integer_value(number) == id;
}

report_name report_names_find(const report_names *names, int64_t id) {
  report_name found = {"", "", 0};
  if (!names || id < 0) return found;
  /* layers are usually in order; otherwise they are searched for */
  const json_t *layer = json_array_get(names->layers, (size_t)id);
  for (size_t i = 0; !has_id(layer, id) && i < json_array_size(names->layers); i++)
    layer = json_array_get(names->layers, i);
  if (!has_id(layer, id)) return found;
  found.name = string_of(layer, "name");
  found.file = string_of(layer, "file");
  found.line = json_integer_value(json_object_get(layer, "line"));
  return found;
}

uint64_t report_names_multiply_adds(const report_names *names) {
  uint64_t sum = 0;
  for (size_t i = 0; names && i < json_array_size(names->layers); i++) {
    const json_t *number = json_object_get(json_array_get(names->layers, i), "multiply_adds");
    if (json_is_integer(number) && json_integer_value(number) > 0) sum += (uint64_t)json_integer_value(number);
  }
  return sum;
}

const char *report_kind_name(const device *d, int kind) {
  const char *name = sim_class_of(d->machine)->kind_names[kind];
  return name ? name : "other";
}
