/* Appends JSON strings; see text.h. */
#include "support/text.h"
#include "support/utf8.h"

#include <string.h>

/* Returns the number of bytes at the start that need no escape in JSON. */
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
