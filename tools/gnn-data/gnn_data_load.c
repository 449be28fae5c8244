/* Loads every format of gnn-data. --from, the file's name or its content decides about the format. */
#include "data/formats/gunzip.h"
#include "data/formats/safetensors.h"
#include "data/formats/text_tensors.h"
#include "data/graph.h"
#include "support/file.h"
#include "support/progress.h"
#include "tools/gnn-data/gnn_data.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const struct {
  const char *name;
  gnn_data_format format;
} formats[] = {{"safetensors", GNN_DATA_FORMAT_safetensors},
               {"text", GNN_DATA_FORMAT_text},
               {"snap", GNN_DATA_FORMAT_snap},
               {"mtx", GNN_DATA_FORMAT_mtx},
               {"csv", GNN_DATA_FORMAT_csv},
               {"triples", GNN_DATA_FORMAT_triples},
               {"npz", GNN_DATA_FORMAT_npz}};

static const struct {
  const char *extension;
  gnn_data_format format;
} extensions[] = {{".safetensors", GNN_DATA_FORMAT_safetensors},
                  {".txt", GNN_DATA_FORMAT_snap},
                  {".edges", GNN_DATA_FORMAT_snap},
                  {".el", GNN_DATA_FORMAT_snap},
                  {".edgelist", GNN_DATA_FORMAT_snap},
                  {".snap", GNN_DATA_FORMAT_snap},
                  {".mtx", GNN_DATA_FORMAT_mtx},
                  {".csv", GNN_DATA_FORMAT_csv},
                  {".tsv", GNN_DATA_FORMAT_csv},
                  {".nt", GNN_DATA_FORMAT_triples},
                  {".triples", GNN_DATA_FORMAT_triples},
                  {".npz", GNN_DATA_FORMAT_npz},
                  {".pt", GNN_DATA_FORMAT_safetensors}, /* its reader explains what to do with a pickle */
                  {".pth", GNN_DATA_FORMAT_safetensors}};

gnn_data_format gnn_data_parse_format(const char *name) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcmp(formats[i].name, name) == 0) return formats[i].format;
  return GNN_DATA_FORMAT_unknown;
}

gnn_data_format gnn_data_guess_format(const char *path) {
  size_t length = strlen(path);
  if (length > 3 && strcmp(path + length - 3, ".gz") == 0) length -= 3;
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
    size_t size = strlen(extensions[i].extension);
    if (length > size && strncasecmp(path + length - size, extensions[i].extension, size) == 0)
      return extensions[i].format;
  }
  return GNN_DATA_FORMAT_unknown;
}

/* Sets the metadata "name" to the file's name without folders and extensions. */
static void put_name(tensor_set *set, const char *path) {
  if (tensor_set_get_metadata(set, "name") || strcmp(path, "-") == 0) return;
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path;
  size_t length = strcspn(base + 1, ".") + 1;
  tensor_set_put_metadata(set, "name", arena_strndup(set->memory, base, length));
}

static status parse(const char *name, const char *data, size_t size, gnn_data_format format, const import_options *o,
                    tensor_set **out) {
  switch (format) {
  case GNN_DATA_FORMAT_safetensors: return safetensors_parse(name, data, size, out);
  case GNN_DATA_FORMAT_text: return text_tensors_parse(name, data, size, out);
  case GNN_DATA_FORMAT_mtx: return import_mtx(name, data, size, o, out);
  case GNN_DATA_FORMAT_csv: return import_csv(name, data, size, o, out);
  case GNN_DATA_FORMAT_triples: return import_triples(name, data, size, o, out);
  case GNN_DATA_FORMAT_npz: return import_npz(name, data, size, o, out);
  default: return import_snap(name, data, size, o, out);
  }
}

/* Reads the bytes of a file: maps them where the set does not point to them, else copies them to
 * the arena. */
static status read_bytes(arena *a, const char *path, bool is_kept, file_mapping *mapping, char **data, size_t *size) {
  struct stat info;
  *mapping = (file_mapping){0};
  if (is_kept || strcmp(path, "-") == 0 || stat(path, &info) || !S_ISREG(info.st_mode))
    return file_read(a, path, data, size);
  RETURN_IF_ERROR(file_map(path, mapping));
  *data = mapping->data ? (char *)(uintptr_t)mapping->data : "";
  *size = mapping->size;
  return STATUS_OK;
}

/* Decompresses the bytes where they are compressed, and parses them. */
static status load_bytes(arena *a, const char *path, gnn_data_format format, bool is_guessed, char *data, size_t size,
                         const import_options *options, tensor_set **out) {
  const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
  if (gunzip_is_packed(data, size)) {
    progress_step(arena_printf(a, "unpack %s", name), NULL, 0);
    status s = gunzip_unpack(a, data, size, &data, &size);
    if (s) return status_context(s, "%s", name);
  }
  progress_step(arena_printf(a, "read %s", name), "bytes", (int64_t)size);
  if (is_guessed && format == GNN_DATA_FORMAT_snap && text_tensors_is_likely(data, size)) format = GNN_DATA_FORMAT_text;
  RETURN_IF_ERROR(parse(name, data, size, format, options, out));
  bool is_ours = format == GNN_DATA_FORMAT_safetensors || format == GNN_DATA_FORMAT_text;
  if (!is_ours) put_name(*out, path);
  return STATUS_OK;
}

status gnn_data_load(arena *a, const char *path, gnn_data_format format, const import_options *options,
                     tensor_set **out) {
  bool is_guessed = format == GNN_DATA_FORMAT_unknown;
  bool is_stdin = strcmp(path, "-") == 0;
  size_t length = strlen(path);
  bool is_packed = length > 3 && strcmp(path + length - 3, ".gz") == 0;
  if (is_guessed) format = gnn_data_guess_format(path);
  if (format == GNN_DATA_FORMAT_safetensors && !is_stdin && !is_packed) return safetensors_open(path, out);
  char *data;
  size_t size;
  file_mapping mapping;
  RETURN_IF_ERROR(read_bytes(a, path, format == GNN_DATA_FORMAT_safetensors, &mapping, &data, &size));
  status s = load_bytes(a, path, format, is_guessed, data, size, options, out);
  file_unmap(&mapping);
  return s;
}

status gnn_data_check(tensor_set *set) {
  if (!tensor_set_find(set, "edge_index")) return STATUS_OK;
  graph *g;
  RETURN_IF_ERROR(graph_create(set, &g));
  status s = graph_check_forms(g, "x");
  graph_csr features;
  if (!s && tensor_set_find(set, "x_indptr")) s = graph_read_csr(g, g->memory, "x", &features);
  graph_close(g);
  return s;
}
