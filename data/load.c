/* Loads every format: its name or its content decides which it is. */
#include "data/load.h"

#include "data/formats/gunzip.h"
#include "data/formats/safetensors.h"
#include "data/formats/text_tensors.h"
#include "support/file.h"
#include "support/progress.h"

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
               {"npz", LOAD_FORMAT_npz}};

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

load_format load_guess_format(const char *path) {
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
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path;
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
  bool is_ours = format == LOAD_FORMAT_safetensors || format == LOAD_FORMAT_text;
  if (!is_ours) put_name(*out, path);
  return STATUS_OK;
}

status load_tensors(arena *a, const char *path, load_format format, const import_options *options, tensor_set **out) {
  bool is_guessed = format == LOAD_FORMAT_unknown;
  bool is_stdin = strcmp(path, "-") == 0;
  size_t length = strlen(path);
  bool is_packed = length > 3 && strcmp(path + length - 3, ".gz") == 0;
  if (is_guessed) format = load_guess_format(path);
  if (format == LOAD_FORMAT_safetensors && !is_stdin && !is_packed) return safetensors_open(path, out);
  char *data;
  size_t size;
  file_mapping mapping;
  RETURN_IF_ERROR(read_bytes(a, path, format == LOAD_FORMAT_safetensors, &mapping, &data, &size));
  status s = load_bytes(a, path, format, is_guessed, data, size, options, out);
  file_unmap(&mapping);
  return s;
}
