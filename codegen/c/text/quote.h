/* Strings of the model in C text. No name in a file can change the meaning of the text around
 * it. */
#ifndef GNNC_CODEGEN_C_TEXT_QUOTE_H
#define GNNC_CODEGEN_C_TEXT_QUOTE_H

#include "support/arena.h"

/* Returns a string literal with its quotes that holds exactly these bytes; owned by the arena. */
const char *c_quote_string(arena *a, const char *said);

/* Returns the text for the inside of a comment: whatever would begin or end a comment is broken by
 * a blank, and bytes that are not printable ASCII become dots; in the arena. */
const char *c_quote_comment(arena *a, const char *said);

#endif
