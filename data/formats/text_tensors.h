/* Tensors as text that people read, write and keep under version control; the round trip is exact.
 *
 *   # Zachary's karate club
 *   metadata name karate
 *   tensor edge_index i32 2 3
 *   0 1 2
 *   1 2 0
 *
 * After `tensor NAME TYPE DIM...` come the elements in row-major order, separated by blanks and
 * line ends; `#` begins a comment wherever a word may begin. Floats are written with as many digits
 * as bring the same bits back; nan, inf and -inf are words. In names, keys and metadata values \xHH
 * stands for the byte HH (a blank in a name, a line end in a value), and "" alone is the empty
 * name. */
#ifndef GNNC_DATA_FORMATS_TEXT_TENSORS_H
#define GNNC_DATA_FORMATS_TEXT_TENSORS_H

#include "data/tensor.h"
#include "support/text.h"

/* Reads the text; messages tell the line. The set is owned by the caller. */
status text_tensors_parse(const char *name, const char *input, size_t size, tensor_set **out);

/* Appends the set as text, tensors by name. */
void text_tensors_print(const tensor_set *set, text *out);

/* Appends one element as text_tensors_print writes it. */
void text_tensors_print_element(const tensor *t, int64_t i, text *out);

/* Whether the first line that is no comment begins as such a text does. */
bool text_tensors_is_likely(const char *input, size_t size);

#endif
