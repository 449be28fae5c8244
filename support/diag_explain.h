/* Explanations of messages, for --explain and the page of all messages. */
#ifndef GNNC_SUPPORT_DIAG_EXPLAIN_H
#define GNNC_SUPPORT_DIAG_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

/* Prints the section of one message; false after a message where none has the id. */
bool diag_explain(const char *id, FILE *out);

/* Prints the sections of all messages, with a title: build/docs/errors.md. */
void diag_explain_all(FILE *out);

/* Returns the ids of all messages with blanks between them; the caller frees the string. */
char *diag_explain_ids(void);

#endif
