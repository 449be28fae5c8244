/* A growing string on the heap, for output that is built piece by piece. */
#ifndef GNNC_SUPPORT_TEXT_H
#define GNNC_SUPPORT_TEXT_H

#include "support/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* `data` is NUL-terminated once anything was appended, else NULL. Start from `text t = {0};`. */
typedef struct text {
  char *data;
  size_t size;
  size_t capacity;
} text;

/* Append; all abort when memory is out. */
void text_append(text *t, const char *s);
void text_append_bytes(text *t, const void *bytes, size_t size);
void text_printf(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(text *t, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Appends a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD, because a reader
 * would refuse the whole file. NULL is written as "". */
void text_append_json(text *t, const char *s);

/* Appends a string for a terminal: control characters and what is no UTF-8 become '?'. */
void text_append_printable(text *t, const char *s);
/* The same of a string that may have several lines. */
void text_append_printable_lines(text *t, const char *s);

/* Returns the string, "" when nothing was appended; owned by the text. */
const char *text_str(const text *t);

/* True where a string ends in `end`. */
bool text_ends_with(const char *s, const char *end);

/* Frees the storage and makes the text empty. */
void text_free(text *t);
/* Frees the text and returns a copy of it that lives in the arena. */
char *text_keep(text *t, arena *a);

#endif
