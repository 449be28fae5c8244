/* Strings of the model in C text: a name q"n" is written "q\"n\"". See quote.h. */
#include "codegen/c/text/quote.h"

#include <stdbool.h>
#include <string.h>

static bool is_printable(char c) {
  return c >= ' ' && c <= '~';
}

const char *c_quote_string(arena *a, const char *said) {
  char *made = arena_alloc(a, 4 * strlen(said) + 3), *to = made;
  *to++ = '"';
  for (; *said; said++) {
    unsigned char c = (unsigned char)*said;
    if (is_printable(*said)) {
      if (strchr("\"\\?", c)) *to++ = '\\'; /* two question marks could begin a trigraph */
      *to++ = *said;
      continue;
    }
    *to++ = '\\';
    for (int shift = 6; shift >= 0; shift -= 3)
      *to++ = (char)('0' + (c >> shift & 7)); /* always three digits, so that a digit behind them is not read as a
                                               * fourth */
  }
  memcpy(to, "\"", 2);
  return made;
}

const char *c_quote_comment(arena *a, const char *said) {
  char *made = arena_alloc(a, 2 * strlen(said) + 1), *to = made;
  for (; *said; said++) {
    bool is_tail = ((unsigned char)*said & 0xC0) == 0x80; /* a byte within a character of several bytes; the
                                                           * character becomes one dot */
    if (is_tail && to > made && to[-1] == '.') continue;
    char last = to > made ? to[-1] : '\0';
    if ((last == '*' && *said == '/') || (last == '/' && *said == '*')) *to++ = ' ';
    *to++ = (char)(is_printable(*said) ? *said : '.');
  }
  *to = '\0';
  return made;
}
