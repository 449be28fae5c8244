/* Finds, reads and lists the files of a data set. */
#include "data/import/folder.h"

#include "data/formats/gunzip.h"
#include "support/file.h"
#include "support/progress.h"
#include "support/text.h"
#include "support/vec.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const folder_file *find_in_memory(const data_folder *f, const char *name) {
  for (size_t i = 0; i < f->count; i++)
    if (strcmp(f->files[i].name, name) == 0) return &f->files[i];
  return NULL;
}

static bool is_file(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

/* Returns the path of a file on the disk, with ".gz" where only the packed file exists. */
static char *find_path(const data_folder *f, arena *a, const char *name) {
  char *plain = arena_printf(a, "%s/%s", f->path, name);
  char *packed = arena_printf(a, "%s.gz", plain);
  return !is_file(plain) && is_file(packed) ? packed : plain;
}

bool folder_has(const data_folder *f, const char *name) {
  if (f->files) return find_in_memory(f, name) != NULL;
  arena *a = arena_create();
  bool has = is_file(find_path(f, a, name));
  arena_destroy(a);
  return has;
}

status folder_read(const data_folder *f, arena *a, const char *name, folder_text *out) {
  *out = (folder_text){.shown = arena_printf(a, "%s/%s", f->path, name)};
  if (f->files) {
    const folder_file *file = find_in_memory(f, name);
    if (!file) return status_error(STATUS_CODE_io, "cannot open '%s'", out->shown);
    out->data = file->data;
    out->size = file->size;
    return STATUS_OK;
  }
  char *path = find_path(f, a, name), *data;
  out->shown = path;
  progress_step(arena_printf(a, "read %s", path), NULL, 0);
  RETURN_IF_ERROR(file_read(a, path, &data, &out->size));
  if (gunzip_is_packed(data, out->size)) {
    status s = gunzip_unpack(a, data, out->size, &data, &out->size);
    if (s) return status_context(s, "%s", path);
  }
  out->data = data;
  return STATUS_OK;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_name(arena *a, folder_names *names, const char *name, size_t length) {
  if (!length || *name == '.') return;
  char *copy = arena_strndup(a, name, length);
  if (text_ends_with(copy, ".gz")) copy[length - 3] = '\0';
  VEC_PUSH(a, names, copy);
}

/* Sorts the names and drops repeated ones: a file in memory gives the name of its folder, too. */
static void sort_names(folder_names *names) {
  if (names->count) qsort(names->items, names->count, sizeof *names->items, compare_names);
  size_t kept = 0;
  for (size_t i = 0; i < names->count; i++)
    if (!kept || strcmp(names->items[kept - 1], names->items[i]) != 0) names->items[kept++] = names->items[i];
  names->count = kept;
}

folder_names folder_list(const data_folder *f, arena *a, const char *inside) {
  folder_names names = {0};
  size_t length = strlen(inside);
  for (size_t i = 0; f->files && i < f->count; i++) {
    const char *rest = f->files[i].name;
    if (length && (strncmp(rest, inside, length) != 0 || rest[length] != '/')) continue;
    rest += length ? length + 1 : 0;
    add_name(a, &names, rest, strcspn(rest, "/"));
  }
  DIR *directory = f->files ? NULL : opendir(arena_printf(a, "%s/%s", f->path, inside));
  for (const struct dirent *entry; directory && (entry = readdir(directory));)
    add_name(a, &names, entry->d_name, strlen(entry->d_name));
  if (directory) closedir(directory);
  sort_names(&names);
  return names;
}
