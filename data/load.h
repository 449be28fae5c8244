/* Files of every format as sets of tensors. */
#ifndef GNNC_DATA_LOAD_H
#define GNNC_DATA_LOAD_H

#include "data/import/import.h"

typedef enum load_format {
  LOAD_FORMAT_unknown,
  LOAD_FORMAT_safetensors,
  LOAD_FORMAT_text,
  LOAD_FORMAT_snap,
  LOAD_FORMAT_mtx,
  LOAD_FORMAT_csv,
  LOAD_FORMAT_triples,
  LOAD_FORMAT_npz,
  LOAD_FORMAT_ogb,
  LOAD_FORMAT_planetoid,
} load_format;

/* The names of all formats, for messages. */
#define LOAD_FORMAT_NAMES "safetensors, text, snap, mtx, csv, triples, npz, ogb or planetoid"

/* Return the format of that name ("mtx"), or the one that a file's name or a folder's files suggest;
 * unknown when there is none. A file in .txt is text or snap, which only its content decides; the
 * result is snap. */
load_format load_parse_format(const char *name);
load_format load_guess_format(const char *path);

/* The name of a format, from 0 on; NULL behind the last one. */
const char *load_format_name(size_t index);

/* Whether a format is ours (safetensors, text), so that edges of a file stay as they are. */
bool load_is_own_format(load_format format);

/* Loads a file or folder ("-" = standard input) and decompresses it if it is compressed with gzip; with
 * `format` unknown its name decides. The set may point into the arena. */
status load_tensors(arena *a, const char *path, load_format format, const import_options *options, tensor_set **out);

#endif
