/* Places of values: scalars, local arrays, or the rows they are stored to. */
#ifndef GNNC_CODEGEN_C_BODY_PLACE_H
#define GNNC_CODEGEN_C_BODY_PLACE_H

#include "codegen/c/body/target.h"

/* Elements that a local array has on the stack: 64 KiB of float, so that a thread's stack holds a
 * dozen. Longer ones are the thread's. */
enum { C_STACK_ELEMENTS = 16384 };

/* How a value comes about: each element written once, or summed (starts at 0) or reduced (the
 * caller gives the start) over a loop; small sums and reductions stay in local arrays. */
typedef enum c_use { C_USE_written, C_USE_summed, C_USE_reduced } c_use;

/* Declares where a value is computed: a scalar variable, a local array, or the row it is stored to
 * where that is safe. */
c_target c_place_declare(c_body *b, MlirValue value, const char *fallback, c_use use);
/* Declares a local array of `real`, on the stack or, where it is too long for that, one per
 * thread. */
void c_place_declare_array(c_body *b, const char *name, int64_t elements, bool is_zeroed);
/* Makes sure that a tensor lies in memory (computes what is pending); returns the pointer's
 * text. */
const char *c_place_in_memory(c_body *b, MlirValue value);

#endif
