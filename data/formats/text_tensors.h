/* Tensors as text, which people read, write and keep under version control. A round trip is exact.
 *
 *   # Zachary's karate club
 *   metadata name karate
 *   tensor edge_index i32 2 3
 *   0 1 2
 *   1 2 0
 *
 * The line `tensor NAME TYPE DIM...` is followed by the elements in row-major order, separated by
 * spaces, tabs and line ends; `#` begins a comment wherever a word may begin. Floats have as many
 * digits as are necessary to read the same bits back; nan, inf and -inf are allowed. In names, keys
 * and metadata values \xHH stands for the byte HH (a space in a name, a line end in a value); the
 * word "" is the empty name. */
#ifndef GNNC_DATA_FORMATS_TEXT_TENSORS_H
#define GNNC_DATA_FORMATS_TEXT_TENSORS_H

#include "data/tensor.h"
#include "support/text.h"

/* Reads the text; messages give the line. The caller owns the set. */
status text_tensors_parse(const char *name, const char *input, size_t size, tensor_set **out);

/* Appends the set as text, sorted by name. */
void text_tensors_print(const tensor_set *set, text *out);

/* Appends one element as text_tensors_print writes it. */
void text_tensors_print_element(const tensor *t, int64_t i, text *out);

/* Whether the first line that is not a comment begins with `tensor` or `metadata`. */
bool text_tensors_is_likely(const char *input, size_t size);

#endif
