/* Strings of the model in C text: whatever a file calls its tensors, the text around them stays
 * what it is. */
#ifndef GNNC_CODEGEN_C_TEXT_QUOTE_H
#define GNNC_CODEGEN_C_TEXT_QUOTE_H

#include "support/arena.h"

/* Returns a string literal with its quotes that holds exactly these bytes; owned by the arena. */
const char *c_quote_string(arena *a, const char *said);

/* Returns the text as the inside of a comment: what would begin or end one is broken by a blank,
 * and what is not printable ASCII becomes a dot; owned by the arena. */
const char *c_quote_comment(arena *a, const char *said);

#endif
