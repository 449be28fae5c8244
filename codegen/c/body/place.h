/* Where values are computed: in scalars, in local arrays, or in the rows to which they are
 * stored. */
#ifndef GNNC_CODEGEN_C_BODY_PLACE_H
#define GNNC_CODEGEN_C_BODY_PLACE_H

#include "codegen/c/body/target.h"

/* The most elements of a local array on the stack: 64 KiB of float, so a thread's stack holds a
 * dozen of them. Longer arrays are static and one per thread. */
enum { C_STACK_ELEMENTS = 16384 };

/* How a value is computed: each element is written once; or it is a sum over a loop, which starts
 * at 0; or another reduction, for which the caller sets the start. Small sums and reductions stay
 * in local arrays. */
typedef enum c_use { C_USE_written, C_USE_summed, C_USE_reduced } c_use;

/* Declares where a value is computed: a scalar variable, a local array, or, where that is safe, the
 * row to which it is stored. */
c_target c_place_declare(c_body *b, MlirValue value, const char *fallback, c_use use);
/* Declares a local array of `real`: on the stack, or static and one per thread if it is too long
 * for that. */
void c_place_declare_array(c_body *b, const char *name, int64_t elements, bool is_zeroed);
/* Declares such an array for the copy of a row. It asks for more alignment than a stack has by itself: gcc 12 moves
 * copies by 16 bytes at once, and without the request forgets in functions that call nothing to align the stack. */
void c_place_declare_copy(c_body *b, const char *name, int64_t elements);
/* Makes sure that a tensor is in memory as `real` or float, by computing it if it is pending and by widening it if it
 * is bf16; returns the text of its pointer. */
const char *c_place_in_memory(c_body *b, MlirValue value);

#endif
