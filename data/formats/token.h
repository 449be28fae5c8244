/* Lines and words of text files, shared by the readers of text formats. Nothing is copied and
 * nothing needs a terminator. */
#ifndef GNNC_DATA_FORMATS_TOKEN_H
#define GNNC_DATA_FORMATS_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct token {
  const char *begin;
  size_t length;
} token;

/* A text that is read line by line; `line` counts from 1 and is that of the line read last. */
typedef struct token_reader {
  const char *begin, *at, *end;
  int64_t line;
} token_reader;

/* A byte order mark at the beginning is no part of the first line. */
token_reader token_reader_create(const char *text, size_t size);

/* Takes the next line, without its end; false at the end of the text. */
bool token_next_line(token_reader *r, token *line);

/* Takes the next word off the front of a line; words are separated by blanks and tabs. False when
 * there is none. */
bool token_next_word(token *line, token *word);

/* The same where `separator` separates fields, so that fields may be empty or hold blanks; blanks
 * around a field are dropped. False at the end of the line. */
bool token_next_field(token *line, char separator, token *field);

bool token_is(token t, const char *word);

/* Read the whole token as a number; false when it is something else or out of range. */
bool token_parse_i64(token t, int64_t *out);
bool token_parse_u64(token t, uint64_t *out);
bool token_parse_f64(token t, double *out);
bool token_parse_f32(token t, float *out);

/* The token for a message: at most 40 bytes, to be printed with "%.*s". */
int token_shown_length(token t);

#endif
