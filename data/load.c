/* Loads every format: its name or its content decides which it is. A data set of several files is
 * named by its folder, or by one of its files. */
#include "data/load.h"

#include "data/formats/gunzip.h"
#include "data/formats/safetensors.h"
#include "data/formats/text_tensors.h"
#include "support/file.h"
#include "support/progress.h"
#include "support/text.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const struct {
  const char *name;
  load_format format;
} formats[] = {{"safetensors", LOAD_FORMAT_safetensors},
               {"text", LOAD_FORMAT_text},
               {"snap", LOAD_FORMAT_snap},
               {"mtx", LOAD_FORMAT_mtx},
               {"csv", LOAD_FORMAT_csv},
               {"triples", LOAD_FORMAT_triples},
               {"npz", LOAD_FORMAT_npz},
               {"ogb", LOAD_FORMAT_ogb},
               {"planetoid", LOAD_FORMAT_planetoid}};

static const struct {
  const char *extension;
  load_format format;
} extensions[] = {{".safetensors", LOAD_FORMAT_safetensors},
                  {".txt", LOAD_FORMAT_snap},
                  {".edges", LOAD_FORMAT_snap},
                  {".el", LOAD_FORMAT_snap},
                  {".edgelist", LOAD_FORMAT_snap},
                  {".snap", LOAD_FORMAT_snap},
                  {".mtx", LOAD_FORMAT_mtx},
                  {".csv", LOAD_FORMAT_csv},
                  {".tsv", LOAD_FORMAT_csv},
                  {".nt", LOAD_FORMAT_triples},
                  {".triples", LOAD_FORMAT_triples},
                  {".npz", LOAD_FORMAT_npz},
                  {".pt", LOAD_FORMAT_safetensors}, /* its reader explains what to do with a pickle */
                  {".pth", LOAD_FORMAT_safetensors}};

load_format load_parse_format(const char *name) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcmp(formats[i].name, name) == 0) return formats[i].format;
  return LOAD_FORMAT_unknown;
}

const char *load_format_name(size_t index) {
  return index < sizeof formats / sizeof *formats ? formats[index].name : NULL;
}

bool load_is_own_format(load_format format) {
  return format == LOAD_FORMAT_safetensors || format == LOAD_FORMAT_text;
}

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Returns the last part of a path. */
static const char *find_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Finds the data set in a name of Planetoid, "cora" in "ind.cora.allx"; returns its length, 0 where
 * the name is another one. */
static size_t measure_planetoid_name(const char *base) {
  static const char *const parts[] = {".x", ".tx", ".allx", ".y", ".ty", ".ally", ".graph", ".test.index"};
  size_t length = strlen(base);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    size_t around = strlen("ind.") + strlen(parts[i]);
    if (strncmp(base, "ind.", 4) == 0 && length > around && text_ends_with(base, parts[i])) return length - around;
  }
  return 0;
}

/* Returns the folder of a data set of Planetoid, which PyTorch Geometric calls raw. */
static const char *find_planetoid(arena *a, const char *path) {
  const char *raw = arena_printf(a, "%s/raw", path);
  bool is_inside = !import_planetoid_is_likely(&(data_folder){.path = path}) &&
                   import_planetoid_is_likely(&(data_folder){.path = raw});
  return is_inside ? raw : path;
}

static load_format guess_folder(const char *path) {
  if (import_ogb_is_likely(&(data_folder){.path = path})) return LOAD_FORMAT_ogb;
  arena *a = arena_create();
  bool is_planetoid = import_planetoid_is_likely(&(data_folder){.path = find_planetoid(a, path)});
  arena_destroy(a);
  return is_planetoid ? LOAD_FORMAT_planetoid : LOAD_FORMAT_unknown;
}

load_format load_guess_format(const char *path) {
  if (is_folder(path)) return guess_folder(path);
  if (measure_planetoid_name(find_base(path))) return LOAD_FORMAT_planetoid;
  size_t length = strlen(path);
  if (length > 3 && strcmp(path + length - 3, ".gz") == 0) length -= 3;
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
    size_t size = strlen(extensions[i].extension);
    if (length > size && strncasecmp(path + length - size, extensions[i].extension, size) == 0)
      return extensions[i].format;
  }
  return LOAD_FORMAT_unknown;
}

/* Sets the metadata "name" to the file's name without folders and extensions. */
static void put_name(tensor_set *set, const char *path) {
  if (tensor_set_get_metadata(set, "name") || strcmp(path, "-") == 0) return;
  const char *base = find_base(path);
  if (!*base) return;
  size_t length = strcspn(base + 1, ".") + 1;
  tensor_set_put_metadata(set, "name", arena_strndup(set->memory, base, length));
}

static status parse(const char *name, const char *data, size_t size, load_format format, const import_options *o,
                    tensor_set **out) {
  switch (format) {
  case LOAD_FORMAT_safetensors: return safetensors_parse(name, data, size, out);
  case LOAD_FORMAT_text: return text_tensors_parse(name, data, size, out);
  case LOAD_FORMAT_mtx: return import_mtx(name, data, size, o, out);
  case LOAD_FORMAT_csv: return import_csv(name, data, size, o, out);
  case LOAD_FORMAT_triples: return import_triples(name, data, size, o, out);
  case LOAD_FORMAT_npz: return import_npz(name, data, size, o, out);
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
static status load_bytes(arena *a, const char *path, load_format format, bool is_guessed, char *data, size_t size,
                         const import_options *options, tensor_set **out) {
  const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
  if (gunzip_is_packed(data, size)) {
    progress_step(arena_printf(a, "unpack %s", name), NULL, 0);
    status s = gunzip_unpack(a, data, size, &data, &size);
    if (s) return status_context(s, "%s", name);
  }
  progress_step(arena_printf(a, "read %s", name), "bytes", (int64_t)size);
  if (is_guessed && format == LOAD_FORMAT_snap && text_tensors_is_likely(data, size)) format = LOAD_FORMAT_text;
  RETURN_IF_ERROR(parse(name, data, size, format, options, out));
  if (!load_is_own_format(format)) put_name(*out, path);
  return STATUS_OK;
}

/* Loads a data set of several files. */
static status load_folder(arena *a, const char *path, load_format format, const import_options *options,
                          tensor_set **out) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  const char *trimmed = arena_strndup(a, path, length), *base = find_base(trimmed), *name = NULL;
  data_folder f = {.path = trimmed};
  if (!is_folder(trimmed)) { /* a file of the data set */
    f.path = base == trimmed ? "." : arena_strndup(a, trimmed, (size_t)(base - trimmed) - (base - trimmed > 1));
    size_t size = measure_planetoid_name(base);
    name = size ? arena_strndup(a, base + strlen("ind."), size) : NULL;
  }
  if (format == LOAD_FORMAT_planetoid && !name) f.path = find_planetoid(a, f.path);
  RETURN_IF_ERROR(format == LOAD_FORMAT_ogb ? import_ogb(&f, options, out) : import_planetoid(&f, name, options, out));
  put_name(*out, trimmed);
  return STATUS_OK;
}

status load_tensors(arena *a, const char *path, load_format format, const import_options *options, tensor_set **out) {
  bool is_guessed = format == LOAD_FORMAT_unknown;
  bool is_stdin = strcmp(path, "-") == 0;
  size_t length = strlen(path);
  bool is_packed = length > 3 && strcmp(path + length - 3, ".gz") == 0;
  if (is_guessed) format = load_guess_format(path);
  if (format == LOAD_FORMAT_ogb || format == LOAD_FORMAT_planetoid) return load_folder(a, path, format, options, out);
  if (format == LOAD_FORMAT_safetensors && !is_stdin && !is_packed) return safetensors_open(path, out);
  char *data;
  size_t size;
  file_mapping mapping;
  RETURN_IF_ERROR(read_bytes(a, path, format == LOAD_FORMAT_safetensors, &mapping, &data, &size));
  status s = load_bytes(a, path, format, is_guessed, data, size, options, out);
  file_unmap(&mapping);
  return s;
}
