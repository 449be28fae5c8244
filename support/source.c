/* Sources and spans, and the line and column of an offset. A model has a few kilobytes and each
 * message needs one position, so a scan is fast enough and no table of lines is kept. */
#include "support/source.h"

#include <string.h>

source *source_create(arena *a, const char *name, const char *text, size_t size) {
  source *s = arena_alloc(a, sizeof *s);
  *s = (source){.name = name, .text = text, .size = size};
  return s;
}

source_position source_find(const source *s, uint32_t offset) {
  size_t end = offset < s->size ? offset : s->size;
  size_t begin = 0;
  uint32_t line = 1;
  for (const char *newline; end > begin && (newline = memchr(s->text + begin, '\n', end - begin)) != NULL; line++)
    begin = (size_t)(newline - s->text) + 1;
  return (source_position){.line = line, .column = (uint32_t)(end - begin) + 1};
}

span span_join(span a, span b) {
  if (!a.source) return b;
  if (!b.source || a.source != b.source) return a;
  if (b.begin < a.begin) a.begin = b.begin;
  if (b.end > a.end) a.end = b.end;
  return a;
}
