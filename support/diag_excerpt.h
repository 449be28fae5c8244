/* The two lines below a message: the source line, and the caret under the place. */
#ifndef GNNC_SUPPORT_DIAG_EXCERPT_H
#define GNNC_SUPPORT_DIAG_EXCERPT_H

#include "support/source.h"
#include "support/text.h"

/* Appends source line `line`, and a second line that underlines `length` bytes from byte `column`;
 * both count from 1. Appends nothing when the source has no such line. */
void diag_append_excerpt(text *t, const source *s, uint32_t line, uint32_t column, uint32_t length);

#endif
