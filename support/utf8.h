/* Characters of several bytes. */
#ifndef GNNC_SUPPORT_UTF8_H
#define GNNC_SUPPORT_UTF8_H

#include <stddef.h>

/* Returns the bytes (1 to 4) of the UTF-8 character at `s`, of which `available` can be read; 0
 * when there is none: broken, overlong, a surrogate, or beyond U+10FFFF. */
size_t utf8_length(const char *s, size_t available);

#endif
