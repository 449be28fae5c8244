/* Tensors of any number type as arrays of f32, int32 or int64. F16, BF16, F64 and whole numbers
 * convert to f32, whole numbers to int32 with a range check or to int64. */
#ifndef GNNC_DATA_CONVERT_H
#define GNNC_DATA_CONVERT_H

#include "data/tensor.h"

/* Return `t->count` elements in *out: the memory of the tensor itself when type and alignment allow
 * it, else a copy in the arena. Fail with STATUS_CODE_unsupported (to_f32) or STATUS_CODE_mismatch
 * for a type that cannot be converted, with a mismatch that names tensor and element for a value
 * beyond int32, and when memory is out. convert_to_i64 turns values of U64 beyond int64 into
 * INT64_MAX. */
status convert_to_f32(arena *a, const tensor *t, const float **out);
status convert_to_i32(arena *a, const tensor *t, const int32_t **out);
status convert_to_i64(arena *a, const tensor *t, const int64_t **out);

/* Integers as f32, in the arena: fails with a mismatch for a type that is not whole numbers, and for
 * a value beyond 16,777,216 (2^24), up to which f32 holds all integers. */
status convert_integers_to_f32(arena *a, const tensor *t, const float **out);

/* Fails (mismatch) for a BOOL tensor: truth values are not indices, types or lengths. */
status convert_check_is_index(const tensor *t);

/* Returns an element as a double, whatever the type of the tensor; 0 for an opaque type. `i` is
 * less than t->count. */
double convert_element_f64(const tensor *t, int64_t i);
/* Returns an element of a whole-number type; U64 beyond int64 becomes INT64_MAX. Returns 0 for
 * other types. */
int64_t convert_element_i64(const tensor *t, int64_t i);

/* Return the f32 value of an F16 or BF16 number, which is exact. */
float convert_f16(uint16_t bits);
float convert_bf16(uint16_t bits);

#endif
