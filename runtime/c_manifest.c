/* The manifest that gnnc writes beside C: see c_manifest.h. */
#include "runtime/c_manifest.h"

#include "support/file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *name_manifest(arena *a, const char *path) {
  const size_t length = strlen(path);
  if (length < 3 || strcmp(path + length - 2, ".c") != 0) return NULL;
  return arena_printf(a, "%.*s.json", (int)length - 2, path);
}

static bool has_manifest(arena *a, const char *path) {
  const char *name = name_manifest(a, path);
  return name && !access(name, F_OK);
}

status c_manifest_open(arena *a, const char *path, const char **name, struct json_t **root) {
  size_t size = 0;
  char *data = NULL;
  *name = name_manifest(a, path);
  if (!*name)
    return status_error(STATUS_CODE_unsupported,
                        "%s: a library does not hold its model: name the C that it was made from", path);
  RETURN_IF_ERROR(status_context(file_read(a, *name, &data, &size), "the manifest of '%s'", path));
  json_error_t error = {.position = 0};
  *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
  if (*root) return STATUS_OK;
  return status_error(STATUS_CODE_format, "%s: %s at byte %d", *name, error.text, error.position);
}

static bool is_set(const json_t *from, const char *key) {
  return json_is_true(json_object_get(from, key));
}

status c_manifest_read_reach(const json_t *root, graph_reach *out) {
  const json_t *from = json_object_get(root, "reach");
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

status c_manifest_find_reach(arena *a, const char *path, graph_reach *out) {
  const char *name = NULL;
  json_t *root = NULL;
  RETURN_IF_ERROR(c_manifest_open(a, path, &name, &root));
  status s = c_manifest_read_reach(root, out);
  json_decref(root);
  return status_context(s, "%s", name);
}

status c_manifest_find_fingerprint(arena *a, const char *path, uint64_t *out) {
  const char *name = NULL;
  json_t *root = NULL;
  *out = 0;
  if (!has_manifest(a, path)) return STATUS_OK;
  RETURN_IF_ERROR(c_manifest_open(a, path, &name, &root));
  const char *found = json_string_value(json_object_get(root, "fingerprint"));
  const bool is_good = !found || (strlen(found) == 16 && strspn(found, "0123456789abcdef") == 16);
  if (found && is_good) *out = strtoull(found, NULL, 16);
  json_decref(root);
  return is_good ? STATUS_OK
                 : status_error(STATUS_CODE_format, "%s: 'fingerprint' has not 16 hexadecimal digits", name);
}
