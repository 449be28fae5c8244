/* Splits text into lines, words and fields, and parses numbers. */
#include "data/formats/token.h"

#include "support/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_NUMBER = 400, LONGEST_SHOWN = 40 };

token_reader token_reader_create(const char *text, size_t size) {
  static const char mark[] = "\xEF\xBB\xBF"; /* the byte order mark of UTF-8, which spreadsheet programs write */
  if (size >= sizeof mark - 1 && !memcmp(text, mark, sizeof mark - 1)) {
    text += sizeof mark - 1;
    size -= sizeof mark - 1;
  }
  return (token_reader){.begin = text, .at = text, .end = text + size, .line = 0};
}

bool token_next_line(token_reader *r, token *line) {
  if (r->at == r->end) return false;
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  const char *stop = newline ? newline : r->end;
  *line = (token){r->at, (size_t)(stop - r->at)};
  if (line->length && line->begin[line->length - 1] == '\r') line->length--;
  r->at = newline ? newline + 1 : r->end;
  if (!(++r->line & 0xFFFF)) progress_set(r->at - r->begin);
  return true;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static void drop_front(token *t, size_t count) {
  t->begin += count;
  t->length -= count;
}

bool token_next_word(token *line, token *word) {
  while (line->length && is_blank(*line->begin)) drop_front(line, 1);
  size_t length = 0;
  while (length < line->length && !is_blank(line->begin[length])) length++;
  *word = (token){line->begin, length};
  drop_front(line, length);
  return length != 0;
}

bool token_next_field(token *line, char separator, token *field) {
  if (!line->begin) return false;
  const char *stop = memchr(line->begin, separator, line->length);
  size_t length = stop ? (size_t)(stop - line->begin) : line->length;
  *field = (token){line->begin, length};
  if (stop)
    drop_front(line, length + 1);
  else
    *line = (token){NULL, 0};
  while (field->length && is_blank(*field->begin)) drop_front(field, 1);
  while (field->length && is_blank(field->begin[field->length - 1])) field->length--;
  return true;
}

bool token_is(token t, const char *word) {
  return strlen(word) == t.length && memcmp(t.begin, word, t.length) == 0;
}

bool token_parse_u64(token t, uint64_t *out) {
  uint64_t value = 0;
  if (t.length == 0) return false;
  for (size_t i = 0; i < t.length; i++) {
    unsigned digit = (unsigned)((unsigned char)t.begin[i]) - '0';
    if (digit > 9 || value > (UINT64_MAX - digit) / 10) return false;
    value = value * 10 + digit;
  }
  *out = value;
  return true;
}

bool token_parse_i64(token t, int64_t *out) {
  bool is_negative = t.length && *t.begin == '-';
  if (is_negative || (t.length && *t.begin == '+')) drop_front(&t, 1);
  uint64_t value;
  if (!token_parse_u64(t, &value) || value > (uint64_t)INT64_MAX + is_negative) return false;
  *out = is_negative ? (int64_t)(0 - value) : (int64_t)value;
  return true;
}

/* Copies the token with a NUL behind it; false when it is too long for a number or begins with a
 * blank. */
static bool copy_number(token t, char buffer[LONGEST_NUMBER + 1]) {
  if (t.length == 0 || t.length > LONGEST_NUMBER || (unsigned char)*t.begin <= ' ') return false;
  memcpy(buffer, t.begin, t.length);
  buffer[t.length] = '\0';
  return true;
}

/* Whether a value is finite, or the text says that it is infinite. */
static bool is_finite_or_word(double value, const char *text) {
  if (!isinf(value)) return true;
  if (*text == '-' || *text == '+') text++;
  return strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0;
}

/* Parses a number of at most 15 digits with a small power of ten. Digits and power are exact as
 * doubles, so one multiplication or division gives the correctly rounded number (Clinger 1990).
 * Returns false for all other numbers. */
static bool parse_short(token t, double *out) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  enum { MOST_DIGITS = 15, MOST_POWER = 22, MOST_LENGTH = 24 };
  if (t.length == 0 || t.length > MOST_LENGTH) return false;
  const char *at = t.begin, *end = t.begin + t.length;
  const bool is_negative = *at == '-';
  if (is_negative || *at == '+') at++;
  uint64_t digits = 0;
  int count = 0, power = 0;
  bool has_point = false, has_digits = false;
  for (; at < end; at++) {
    const unsigned digit = (unsigned)(unsigned char)*at - '0';
    if (digit > 9 && (*at != '.' || has_point)) break;
    if (digit > 9) {
      has_point = true;
      continue;
    }
    digits = digits * 10 + digit;
    count += digits != 0;
    power -= has_point;
    has_digits = true;
  }
  if (!has_digits || count > MOST_DIGITS) return false;
  if (at < end) {
    int64_t exponent;
    if (*at != 'e' && *at != 'E') return false;
    if (!token_parse_i64((token){at + 1, (size_t)(end - at - 1)}, &exponent) || exponent < -100 || exponent > 100)
      return false;
    power += (int)exponent;
  }
  if (power < -MOST_POWER || power > MOST_POWER) return false;
  const double whole = (double)digits, value = power < 0 ? whole / powers[-power] : whole * powers[power];
  *out = is_negative ? -value : value;
  return true;
}

bool token_parse_f64(token t, double *out) {
  if (parse_short(t, out)) return true;
  char buffer[LONGEST_NUMBER + 1], *end;
  if (!copy_number(t, buffer)) return false;
  *out = strtod(buffer, &end);
  return end == buffer + t.length && is_finite_or_word(*out, buffer);
}

bool token_parse_f32(token t, float *out) {
  char buffer[LONGEST_NUMBER + 1], *end;
  if (!copy_number(t, buffer)) return false;
  *out = strtof(buffer, &end);
  return end == buffer + t.length && is_finite_or_word((double)*out, buffer);
}

int token_shown_length(token t) {
  return t.length > LONGEST_SHOWN ? LONGEST_SHOWN : (int)t.length;
}
