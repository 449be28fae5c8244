/* A growing string on the heap, for output that is built in pieces. */
#ifndef GNNC_SUPPORT_TEXT_H
#define GNNC_SUPPORT_TEXT_H

#include "support/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* `data` is NULL until something is appended, and NUL-terminated from then on. Start with `text t =
 * {0};`. */
typedef struct text {
  char *data;
  size_t size;
  size_t capacity;
} text;

/* Append to the text; all functions end the program with a message when memory is out. */
void text_append(text *t, const char *s);
void text_append_bytes(text *t, const void *bytes, size_t size);
void text_printf(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(text *t, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Appends a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, because JSON
 * readers would refuse the whole file. NULL is written as "". */
void text_append_json(text *t, const char *s);

/* Appends a string for a terminal: control characters and invalid UTF-8 become '?'. */
void text_append_printable(text *t, const char *s);
/* The same for a string of several lines: newlines stay. */
void text_append_printable_lines(text *t, const char *s);

/* Returns the string, owned by the text; "" when nothing was appended. */
const char *text_str(const text *t);

/* Whether the string `s` ends with `end`. */
bool text_ends_with(const char *s, const char *end);

/* Frees the memory and makes the text empty. */
void text_free(text *t);
/* Copies the string into the arena, frees the text and returns the copy. */
char *text_keep(text *t, arena *a);

#endif
