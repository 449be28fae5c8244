/* Splits lines of tables into fields:
 *
 *   alice,"Bob, the builder","a ""b"" c"    gives   alice | Bob, the builder | a "b" c */
#include "data/import/field.h"

#include <string.h>

char field_separator(token line) {
  return memchr(line.begin, '\t', line.length) ? '\t' : memchr(line.begin, ',', line.length) ? ',' : ' ';
}

static void drop_blanks(token *line) {
  while (line->length && (*line->begin == ' ' || *line->begin == '\t')) {
    line->begin++;
    line->length--;
  }
}

/* Returns a copy of the text between quotes in which each doubled quote is one. */
static token undouble(arena *a, token t) {
  char *copy = arena_alloc(a, t.length);
  size_t length = 0;
  for (size_t i = 0; i < t.length; i++) {
    copy[length++] = t.begin[i];
    if (t.begin[i] == '"') i++;
  }
  return (token){copy, length};
}

/* Reads a quoted field. A doubled quote, or one after a backslash, does not end it. If text follows
 * the quotes ("text"@en), the field is everything including the quotes. Returns false if the quotes
 * are not closed. */
static bool next_quoted(arena *a, char separator, token *line, token *field) {
  bool has_doubled = false;
  size_t close = 1;
  for (; close < line->length; close++) {
    bool is_pair = close + 1 < line->length && line->begin[close] == '"' && line->begin[close + 1] == '"';
    has_doubled = has_doubled || is_pair;
    if (line->begin[close] == '\\' || is_pair)
      close++;
    else if (line->begin[close] == '"')
      break;
  }
  if (close >= line->length) return false;
  size_t end = close + 1;
  while (end < line->length && line->begin[end] != separator) end++;
  token suffix = {line->begin + close + 1, end - close - 1};
  drop_blanks(&suffix);
  token inside = {line->begin + 1, close - 1};
  *field = suffix.length ? (token){line->begin, end} : has_doubled ? undouble(a, inside) : inside;
  bool is_last = end == line->length;
  *line = is_last ? (token){NULL, 0} : (token){line->begin + end + 1, line->length - end - 1};
  return true;
}

bool field_next(arena *a, char separator, token *line, token *field) {
  if (!line->begin) return false;
  if (separator != '\t') drop_blanks(line);
  if (line->length && *line->begin == '"') return next_quoted(a, separator, line, field);
  if (separator == ' ') return token_next_word(line, field);
  return token_next_field(line, separator, field);
}
