/* Source texts and places in them. */
#ifndef GNNC_SUPPORT_SOURCE_H
#define GNNC_SUPPORT_SOURCE_H

#include "support/arena.h"

#include <stddef.h>
#include <stdint.h>

/* A text with the name it is reported under. Text is NUL-terminated behind `size` bytes. */
typedef struct source {
  const char *name;
  const char *text;
  size_t size;
  const char *command; /* how a user sees the text, where `name` is no file: "gnnc --print-library=gcn_conv" */
} source;

/* A half-open byte range of one source; source NULL means "no place" (the command line, say). */
typedef struct span {
  const source *source;
  uint32_t begin;
  uint32_t end;
} span;

/* Makes a source in the arena; name and text are kept by reference. */
source *source_create(arena *a, const char *name, const char *text, size_t size);

/* The 1-based line and column (in bytes) of an offset. */
typedef struct source_position {
  uint32_t line;
  uint32_t column;
} source_position;
source_position source_find(const source *s, uint32_t offset);

/* The smallest span that covers both; either may be without a place. */
span span_join(span a, span b);

#endif
