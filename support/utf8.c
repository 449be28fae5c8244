/* UTF-8 as RFC 3629 defines it: the first byte gives the length, and four first bytes restrict the
 * range of the second byte. */
#include "support/utf8.h"

size_t utf8_length(const char *s, size_t available) {
  if (!available) return 0;
  const unsigned char *c = (const unsigned char *)s;
  size_t length = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;
  if (length > available) return 0;
  for (size_t i = 1; i < length; i++)
    if ((c[i] & 0xC0) != 0x80) return 0;
  if (c[0] == 0xE0 && c[1] < 0xA0) return 0; /* overlong */
  if (c[0] == 0xED && c[1] > 0x9F) return 0; /* surrogate */
  if (c[0] == 0xF0 && c[1] < 0x90) return 0; /* overlong */
  if (c[0] == 0xF4 && c[1] > 0x8F) return 0; /* beyond U+10FFFF */
  return length;
}
