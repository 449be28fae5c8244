/* Tensors read as the types that we compute with. F16, BF16, F64 and whole numbers become f32,
 * whole numbers int32 or int64 with their range checked. */
#ifndef GNNC_DATA_CONVERT_H
#define GNNC_DATA_CONVERT_H

#include "data/tensor.h"

/* Give `t->count` elements: the tensor's own storage where type and alignment allow it, else a copy
 * in the arena. Fail (mismatch) for a type that has no such reading or a value out of range, naming
 * the tensor and the element. */
status convert_to_f32(arena *a, const tensor *t, const float **out);
status convert_to_i32(arena *a, const tensor *t, const int32_t **out);
status convert_to_i64(arena *a, const tensor *t, const int64_t **out);

/* Fails (mismatch) for truth values, which are no indices, types or lengths. */
status convert_check_is_index(const tensor *t);

/* One element as a number, whatever its type; an opaque one is 0. `i` is below t->count. */
double convert_element_f64(const tensor *t, int64_t i);
/* One element of a whole-number type; U64 beyond int64 saturates. Floats are 0. */
int64_t convert_element_i64(const tensor *t, int64_t i);

/* The f32 value of a half or bfloat16, exactly. */
float convert_f16(uint16_t bits);
float convert_bf16(uint16_t bits);

#endif
