/* Writes lines of C with indentation; all parts of the back end write through it. */
#ifndef GNNC_CODEGEN_C_TEXT_WRITER_H
#define GNNC_CODEGEN_C_TEXT_WRITER_H

#include "support/text.h"

#include <stdint.h>

enum { C_WRITER_DEPTH = 32 };

typedef struct c_writer {
  text *out;
  unsigned depth;                /* of blocks, two blanks each */
  size_t opened[C_WRITER_DEPTH]; /* for each open loop, where its text begins; 0 for other blocks */
} c_writer;

/* One line at the current depth. */
void c_writer_line(c_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line that opens a block: the formatted text and " {". */
void c_writer_open(c_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Opens a loop: variable = begin; variable < end. */
void c_writer_open_loop(c_writer *w, const char *variable, const char *begin, const char *end);
/* Opens a loop over 0 .. count - 1. */
void c_writer_open_count(c_writer *w, const char *variable, int64_t count);
/* Closes the block. A loop over one statement gets no braces. */
void c_writer_close(c_writer *w);
/* A line without indentation (preprocessor, empty). */
void c_writer_raw(c_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
