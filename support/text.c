/* The growing string: its capacity doubles, and it always ends with a NUL. */
#include "support/text.h"
#include "support/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `more` bytes and the NUL. */
static void reserve(text *t, size_t more) {
  size_t wanted = more < SIZE_MAX / 2 - t->size ? t->size + more + 1 : SIZE_MAX / 2;
  if (wanted <= t->capacity) return;
  size_t capacity = t->capacity ? t->capacity : 64;
  while (capacity < wanted) capacity *= 2;
  char *data = wanted < SIZE_MAX / 2 ? realloc(t->data, capacity) : NULL;
  if (!data) {
    fprintf(stderr, "fatal: out of memory (%zu bytes of text wanted)\n", more);
    exit(1);
  }
  t->data = data;
  t->capacity = capacity;
}

void text_append_bytes(text *t, const void *bytes, size_t size) {
  reserve(t, size);
  if (size) memcpy(t->data + t->size, bytes, size);
  t->size += size;
  t->data[t->size] = '\0';
}

void text_append(text *t, const char *s) {
  text_append_bytes(t, s, strlen(s));
}

void text_vprintf(text *t, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  reserve(t, 1);
  size_t room = t->capacity - t->size; /* most texts fit without a second pass */
  int length = vsnprintf(t->data + t->size, room, format, again);
  va_end(again);
  if (length >= 0 && (size_t)length >= room) {
    reserve(t, (size_t)length);
    vsnprintf(t->data + t->size, (size_t)length + 1, format, args);
  }
  if (length > 0) t->size += (size_t)length;
  t->data[t->size] = '\0';
}

void text_printf(text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_vprintf(t, format, args);
  va_end(args);
}

const char *text_str(const text *t) {
  return t->data ? t->data : "";
}

void text_free(text *t) {
  free(t->data);
  *t = (text){0};
}

char *text_keep(text *t, arena *a) {
  char *kept = arena_strdup(a, text_str(t));
  text_free(t);
  return kept;
}

bool text_ends_with(const char *s, const char *end) {
  size_t size = strlen(s), tail = strlen(end);
  return size >= tail && !strcmp(s + size - tail, end);
}

/* Appends printable text. C1 are the control characters U+0080 to U+009F, two bytes of UTF-8
 * each. */
static void append_printable(text *t, const char *s, bool has_lines) {
  for (size_t left = strlen(s), size; left; s += size, left -= size) {
    size = utf8_length(s, left);
    unsigned char first = (unsigned char)s[0];
    bool is_c1 = size == 2 && first == 0xC2 && (unsigned char)s[1] < 0xA0;
    if (has_lines && first == '\n')
      text_append(t, "\n");
    else if (!size || first < 0x20 || first == 0x7F || is_c1)
      text_append(t, "?");
    else
      text_append_bytes(t, s, size);
    if (!size) size = 1;
  }
}

void text_append_printable(text *t, const char *s) {
  append_printable(t, s, false);
}

void text_append_printable_lines(text *t, const char *s) {
  append_printable(t, s, true);
}
