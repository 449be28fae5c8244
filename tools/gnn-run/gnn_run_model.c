/* Reads how the model of a program can be compiled again: from an image, or from the manifest that
 * gnnc writes beside C.
 *
 *   gcn.c -> gcn.json: {"model": "gcn", "sources": ["model gcn {..."], "dims": {"H": 16}, "reach": {...}, ...} */
#include "tools/gnn-run/gnn_run.h"

#include "support/file.h"

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

static bool is_set(const json_t *from, const char *key) {
  return json_is_true(json_object_get(from, key));
}

static status read_reach(const json_t *from, graph_reach *out) {
  static const char *const extents[] = {[REACH_hops] = "hops", [REACH_graphs] = "graphs", [REACH_all] = "all"};
  const char *extent = json_string_value(json_object_get(from, "extent"));
  const json_t *hops = json_object_get(from, "hops");
  bool is_known = false;
  for (int i = 0; i <= REACH_all && extent; i++) {
    if (strcmp(extent, extents[i]) != 0) continue;
    out->extent = (reach_extent)i;
    is_known = true;
  }
  if (!is_known || !json_is_integer(hops) || json_integer_value(hops) < 0)
    return status_error(STATUS_CODE_format, "'reach' does not say how far the outputs reach");
  out->hops = json_integer_value(hops);
  out->follows_in = is_set(from, "follows_in");
  out->follows_out = is_set(from, "follows_out");
  out->has_edge_rows = is_set(from, "has_edge_rows");
  return STATUS_OK;
}

static status read_manifest(arena *a, json_t *root, run_model *out) {
  const char *name = json_string_value(json_object_get(root, "model"));
  if (!name) return status_error(STATUS_CODE_format, "it names no model");
  out->name = arena_strdup(a, name);
  RETURN_IF_ERROR(read_texts(a, json_object_get(root, "sources"), &out->source));
  RETURN_IF_ERROR(read_dims(a, json_object_get(root, "dims"), &out->source));
  return read_reach(json_object_get(root, "reach"), &out->source.reach);
}

status run_manifest_open(arena *a, const char *path, const char **name, struct json_t **root) {
  size_t length = strlen(path), size = 0;
  char *data = NULL;
  if (length < 3 || strcmp(path + length - 2, ".c") != 0)
    return status_error(STATUS_CODE_unsupported,
                        "%s: a library does not hold its model: name the C that it was made from", path);
  *name = arena_printf(a, "%.*s.json", (int)length - 2, path);
  RETURN_IF_ERROR(status_context(file_read(a, *name, &data, &size), "the manifest of '%s'", path));
  json_error_t error = {.position = 0};
  *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
  if (*root) return STATUS_OK;
  return status_error(STATUS_CODE_format, "%s: %s at byte %d", *name, error.text, error.position);
}

status run_model_of_c(arena *a, const char *path, run_model *out) {
  const char *name = NULL;
  json_t *root = NULL;
  *out = (run_model){.name = NULL};
  RETURN_IF_ERROR(run_manifest_open(a, path, &name, &root));
  status s = read_manifest(a, root, out);
  json_decref(root);
  return status_context(s, "%s", name);
}
