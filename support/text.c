/* The growing string: geometric growth on the heap, always NUL-terminated. */
#include "support/text.h"

#include "support/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `more` bytes and the terminator. */
static void reserve(text *t, size_t more) {
  if (more < t->capacity && t->size < t->capacity - more) return;
  size_t capacity = t->capacity ? t->capacity : 64;
  while (capacity - t->size <= more && capacity <= SIZE_MAX / 2) capacity *= 2;
  char *data = capacity - t->size > more ? realloc(t->data, capacity) : NULL;
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
  size_t room = t->capacity - t->size; /* most texts fit at once */
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

/* Bytes at the start that JSON takes as they are. */
static size_t plain_length(const char *s) {
  size_t length = 0;
  while (s[length] >= ' ' && s[length] <= '~' && s[length] != '"' && s[length] != '\\') length++;
  return length;
}

void text_append_json(text *t, const char *s) {
  text_append(t, "\"");
  for (size_t left = s ? strlen(s) : 0, length; left; s += length, left -= length) {
    length = plain_length(s);
    if (!length) length = utf8_length(s, left);
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      text_printf(t, "\\%c", c);
    else if (c < ' ')
      text_printf(t, "\\u%04x", c);
    else if (length)
      text_append_bytes(t, s, length);
    else
      text_append(t, "\xef\xbf\xbd");
    if (!length) length = 1;
  }
  text_append(t, "\"");
}

const char *text_str(const text *t) {
  return t->data ? t->data : "";
}

void text_free(text *t) {
  free(t->data);
  *t = (text){0};
}
