/* Lines, words and numbers of text files, for the readers of text formats. Tokens point into the
 * text, which needs no terminator. */
#ifndef GNNC_DATA_FORMATS_TOKEN_H
#define GNNC_DATA_FORMATS_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct token {
  const char *begin;
  size_t length;
} token;

/* A text that is read line by line; `line` is the number of the last line, from 1. */
typedef struct token_reader {
  const char *begin, *at, *end;
  int64_t line;
} token_reader;

/* Returns a reader of the text, which must outlive it. Skips a byte order mark at the beginning. */
token_reader token_reader_create(const char *text, size_t size);

/* Reads the next line, without its end; false at the end of the text. */
bool token_next_line(token_reader *r, token *line);

/* Removes the next word from the front of a line. Words are separated by spaces and tabs. Returns
 * false when there is none. */
bool token_next_word(token *line, token *word);

/* The same for fields with a separator, which may be empty or contain spaces; spaces and tabs
 * around a field are dropped. Returns false at the end of the line. */
bool token_next_field(token *line, char separator, token *field);

/* Whether the token equals the word. */
bool token_is(token t, const char *word);

/* Parse the whole token as a number; false when it is not a number or out of range. */
bool token_parse_i64(token t, int64_t *out);
bool token_parse_u64(token t, uint64_t *out);
bool token_parse_f64(token t, double *out);
bool token_parse_f32(token t, float *out);

/* Returns the length of the token in messages, at most 40 bytes, for "%.*s". */
int token_shown_length(token t);

#endif
