/* Source texts, and places in them. */
#ifndef GNNC_SUPPORT_SOURCE_H
#define GNNC_SUPPORT_SOURCE_H

#include "support/arena.h"

#include <stddef.h>
#include <stdint.h>

/* A text and its name in messages. The text has a NUL behind its `size` bytes. */
typedef struct source {
  const char *name;
  const char *text;
  size_t size;
  const char *command; /* the command that prints the text if `name` is no file: "gnnc --print-library=gcn_conv" */
} source;

/* A half-open range of bytes in a source. If source is NULL there is no place (for an error in the
 * command line, say). */
typedef struct span {
  const source *source;
  uint32_t begin;
  uint32_t end;
} span;

/* Returns a source in the arena; name and text are kept by reference. */
source *source_create(arena *a, const char *name, const char *text, size_t size);

/* The line and the column (in bytes) of an offset; both count from 1. */
typedef struct source_position {
  uint32_t line;
  uint32_t column;
} source_position;
source_position source_find(const source *s, uint32_t offset);

/* Returns the smallest span that covers both. If only one has a source it returns that one; if the
 * sources differ it returns a. */
span span_join(span a, span b);

#endif
