/* UTF-8: the length of a character in bytes. */
#ifndef GNNC_SUPPORT_UTF8_H
#define GNNC_SUPPORT_UTF8_H

#include <stddef.h>

/* Returns the number of bytes (1 to 4) of the UTF-8 character at `s`, of which `available` bytes
 * can be read. Returns 0 when there is no valid character: an invalid, incomplete or overlong
 * sequence, a surrogate, or a code point beyond U+10FFFF. */
size_t utf8_length(const char *s, size_t available);

#endif
