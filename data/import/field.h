/* The fields of a line of a table, with or without quotes. */
#ifndef GNNC_DATA_IMPORT_FIELD_H
#define GNNC_DATA_IMPORT_FIELD_H

#include "data/formats/token.h"
#include "support/arena.h"

/* Returns the separator of a table that begins with this line: a tab, else a comma, else a space
 * (for spaces and tabs). */
char field_separator(token line);

/* Removes the next field from the front of the line. Quotes around a field are dropped, and a
 * quoted field may contain separators; a field with doubled quotes is copied to `a`. Returns false
 * at the end of the line, and if quotes are not closed. */
bool field_next(arena *a, char separator, token *line, token *field);

#endif
