/* Reads how the model of a program can be compiled again: from an image, or from the manifest that
 * gnnc writes beside C.
 *
 *   gcn.c -> gcn.json: {"model": "gcn", "sources": ["model gcn {..."], "dims": {"H": 16}, "reach": {...}, ...} */
#include "tools/gnn-run/gnn_run.h"

#include "runtime/c_manifest.h"

#include <jansson.h>
#include <string.h>

status run_model_of_image(arena *a, const program_binary *p, run_model *out) {
  const image_section *main = &p->image.sections[IMAGE_SOURCE];
  if (!main->size) return status_error(STATUS_CODE_mismatch, "the program does not hold its source");
  const char **texts = arena_alloc_array(a, (size_t)p->num_sources + 1, sizeof *texts);
  model_dim *dims = arena_alloc_array(a, (size_t)p->num_dims + 1, sizeof *dims);
  texts[0] = arena_strndup(a, (const char *)main->data, main->size);
  for (int32_t i = 0; i < p->num_sources; i++) texts[i] = p->sources[i];
  for (int32_t i = 0; i < p->num_dims; i++) dims[i] = (model_dim){p->dims[i].name, p->dims[i].value};
  *out = (run_model){.name = p->model,
                     .source = {.texts = texts,
                                .num_texts = p->num_sources ? (size_t)p->num_sources : 1,
                                .dims = dims,
                                .num_dims = (size_t)p->num_dims}};
  return STATUS_OK;
}

/* ---- the manifest of C ---- */

static status read_texts(arena *a, const json_t *list, model_source *out) {
  const char **texts = arena_alloc_array(a, json_array_size(list) + 1, sizeof *texts);
  const json_t *item;
  size_t i;
  json_array_foreach(list, i, item) {
    if (!json_is_string(item)) return status_error(STATUS_CODE_format, "'sources': source %zu is no text", i);
    texts[i] = arena_strndup(a, json_string_value(item), json_string_length(item));
  }
  if (!i) return status_error(STATUS_CODE_mismatch, "it does not hold the model's source: compile the model anew");
  out->texts = texts;
  out->num_texts = i;
  return STATUS_OK;
}

static status read_dims(arena *a, json_t *from, model_source *out) {
  model_dim *dims = arena_alloc_array(a, json_object_size(from) + 1, sizeof *dims);
  const char *name;
  json_t *value;
  json_object_foreach(from, name, value) {
    if (!json_is_integer(value)) return status_error(STATUS_CODE_format, "'dims': '%s' is no whole number", name);
    dims[out->num_dims++] = (model_dim){arena_strdup(a, name), json_integer_value(value)};
  }
  out->dims = dims;
  return STATUS_OK;
}

static status read_manifest(arena *a, json_t *root, run_model *out) {
  const char *name = json_string_value(json_object_get(root, "model"));
  if (!name) return status_error(STATUS_CODE_format, "it names no model");
  out->name = arena_strdup(a, name);
  RETURN_IF_ERROR(read_texts(a, json_object_get(root, "sources"), &out->source));
  RETURN_IF_ERROR(read_dims(a, json_object_get(root, "dims"), &out->source));
  return c_manifest_read_reach(root, &out->source.reach);
}

status run_model_of_c(arena *a, const char *path, run_model *out) {
  const char *name = NULL;
  json_t *root = NULL;
  *out = (run_model){.name = NULL};
  RETURN_IF_ERROR(c_manifest_open(a, path, &name, &root));
  status s = read_manifest(a, root, out);
  json_decref(root);
  return status_context(s, "%s", name);
}

double run_tolerance_of_c(const char *path) {
  arena *a = arena_create();
  const char *name = NULL;
  json_t *root = NULL;
  status s = c_manifest_open(a, path, &name, &root);
  double stated = s ? 0 : json_number_value(json_object_get(root, "tolerance"));
  status_free(s);
  json_decref(root);
  arena_destroy(a);
  return stated > 0 ? stated : MACHINE_TOLERANCE_F32;
}
