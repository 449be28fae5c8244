/* The two lines under a message: the source line and the caret. */
#ifndef GNNC_SUPPORT_DIAG_EXCERPT_H
#define GNNC_SUPPORT_DIAG_EXCERPT_H

#include "support/source.h"
#include "support/text.h"

/* Appends the line of `line` (1-based, in bytes from `column`) with `length` bytes underlined;
 * nothing when the source has no such line. */
void diag_append_excerpt(text *t, const source *s, uint32_t line, uint32_t column, uint32_t length);

#endif
