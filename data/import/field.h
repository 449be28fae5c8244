/* Fields of a line of a table, with or without quotes. */
#ifndef GNNC_DATA_IMPORT_FIELD_H
#define GNNC_DATA_IMPORT_FIELD_H

#include "data/formats/token.h"
#include "support/arena.h"

/* What separates the fields of a table that begins with this line: a tab, else a comma, else blanks (' '). */
char field_separator(token line);

/* Takes the next field off the line. Quotes around a field are dropped, and a separator may stand between them; `a` keeps
 * the text of a field with doubled quotes. False at the end of the line and where quotes are not closed. */
bool field_next(arena *a, char separator, token *line, token *field);

#endif
