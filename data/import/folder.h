/* The files of a data set that consists of a folder. A file may be packed with gzip: "raw/edge.csv"
 * is then "raw/edge.csv.gz" on the disk. */
#ifndef GNNC_DATA_IMPORT_FOLDER_H
#define GNNC_DATA_IMPORT_FOLDER_H

#include "support/arena.h"
#include "support/status.h"

#include <stdbool.h>
#include <stddef.h>

/* A file in memory, with its name inside of the folder. */
typedef struct folder_file {
  const char *name;
  const void *data;
  size_t size;
} folder_file;

/* A folder on the disk, or files in memory where `files` is not NULL. */
typedef struct data_folder {
  const char *path;
  const folder_file *files;
  size_t count;
} data_folder;

/* The content of a file. `shown` is its path for messages. */
typedef struct folder_text {
  const char *shown;
  const char *data;
  size_t size;
} folder_text;

/* Whether the folder has this file, or it with ".gz" behind its name. */
bool folder_has(const data_folder *f, const char *name);

/* Reads a file into the arena and unpacks it. Fails when there is none, or it cannot be read. */
status folder_read(const data_folder *f, arena *a, const char *name, folder_text *out);

/* Names of files and folders inside of a folder ("" is the folder itself), sorted and without
 * ".gz"; hidden ones are left out. There are none where the folder does not exist. */
typedef struct folder_names {
  char **items;
  size_t count, capacity;
} folder_names;
folder_names folder_list(const data_folder *f, arena *a, const char *inside);

#endif
