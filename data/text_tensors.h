/* Tensors as text that people read, write and keep under version control; the round trip is exact.
 *
 *   # Zachary's karate club
 *   metadata name karate
 *   tensor edge_index I32 2 3
 *   0 1 2
 *   1 2 0
 *
 * After `tensor NAME DTYPE DIM...` come the elements in row-major order, separated by blanks and line ends. Floats are
 * written with as many digits as bring the same bits back; nan, inf and -inf are words. */
#ifndef GNNC_DATA_TEXT_TENSORS_H
#define GNNC_DATA_TEXT_TENSORS_H

#include "data/tensor.h"
#include "support/text.h"

/* Reads the text; messages tell the line. The set is owned by the caller. */
status text_tensors_parse(const char *name, const char *text, size_t size, tensor_set **out);

/* Appends the set as text; fails for opaque types and names with blanks. */
status text_tensors_print(const tensor_set *set, text *out);

#endif
