/* Elements of any number type as f32, int32 or int64.
 *
 * A tensor that has the type and the alignment is used in place, in the mapped file; any other is
 * converted into the arena, each element once. */
#include "data/convert.h"

#include <inttypes.h>
#include <string.h>

static float float_from_bits(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

float convert_f16(uint16_t bits) {
  uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
  uint32_t exponent = (bits >> 10) & 0x1F;
  uint32_t mantissa = bits & 0x3FF;
  if (exponent == 0x1F) return float_from_bits(sign | 0x7F800000 | mantissa << 13);
  if (exponent) return float_from_bits(sign | (exponent + 112) << 23 | mantissa << 13);
  float tiny = (float)mantissa * 0x1p-24F; /* zero and subnormals, exact in f32 */
  return sign ? -tiny : tiny;
}

float convert_bf16(uint16_t bits) {
  return float_from_bits((uint32_t)bits << 16);
}

/* Reads the element as a C type without need of alignment. */
#define READ(type, variable)                                                                                           \
  type variable;                                                                                                       \
  memcpy(&variable, t->data + (size_t)i * sizeof(type), sizeof(type))

double convert_element_f64(const tensor *t, int64_t i) {
  switch (t->dtype) {
  case DTYPE_F64: {
    READ(double, v);
    return v;
  }
  case DTYPE_F32: {
    READ(float, v);
    return (double)v;
  }
  case DTYPE_F16: {
    READ(uint16_t, v);
    return (double)convert_f16(v);
  }
  case DTYPE_BF16: {
    READ(uint16_t, v);
    return (double)convert_bf16(v);
  }
  case DTYPE_U64: {
    READ(uint64_t, v);
    return (double)v;
  }
  default: return (double)convert_element_i64(t, i);
  }
}

int64_t convert_element_i64(const tensor *t, int64_t i) {
  switch (t->dtype) {
  case DTYPE_BOOL: return t->data[i] != 0;
  case DTYPE_U8: return t->data[i];
  case DTYPE_I8: return (int8_t)t->data[i];
  case DTYPE_I16: {
    READ(int16_t, v);
    return v;
  }
  case DTYPE_U16: {
    READ(uint16_t, v);
    return v;
  }
  case DTYPE_I32: {
    READ(int32_t, v);
    return v;
  }
  case DTYPE_U32: {
    READ(uint32_t, v);
    return v;
  }
  case DTYPE_I64: {
    READ(int64_t, v);
    return v;
  }
  case DTYPE_U64: {
    READ(uint64_t, v);
    return v > INT64_MAX ? INT64_MAX : (int64_t)v;
  }
  default: return 0;
  }
}

/* Whether the memory of the tensor can be used in place: it has the wanted type and is aligned to
 * its element size. */
static bool is_usable(const tensor *t, dtype wanted) {
  return t->dtype == wanted && (uintptr_t)t->data % dtype_bytes(wanted) == 0;
}

/* Allocates memory for the converted elements. */
static status make_copy(arena *a, const tensor *t, size_t element_bytes, void **copy) {
  *copy = arena_try_alloc_array(a, (size_t)t->count, element_bytes);
  if (*copy) return STATUS_OK;
  return status_error(STATUS_CODE_memory, "'%s' does not fit into memory", t->name);
}

status convert_to_f32(arena *a, const tensor *t, const float **out) {
  if (dtype_get_class(t->dtype) == DTYPE_CLASS_opaque)
    return status_error(STATUS_CODE_unsupported, "'%s' is %s, which cannot be read as F32", t->name,
                        dtype_name(t->dtype));
  if (is_usable(t, DTYPE_F32)) {
    *out = (const void *)t->data;
    return STATUS_OK;
  }
  void *storage;
  RETURN_IF_ERROR(make_copy(a, t, sizeof(float), &storage));
  float *copy = storage;
  if (t->dtype == DTYPE_F32 && t->bytes)
    memcpy(copy, t->data, t->bytes);
  else
    for (int64_t i = 0; i < t->count; i++) copy[i] = (float)convert_element_f64(t, i);
  *out = copy;
  return STATUS_OK;
}

static status check_is_whole(const tensor *t) {
  dtype_class class = dtype_get_class(t->dtype);
  if (class == DTYPE_CLASS_signed || class == DTYPE_CLASS_unsigned) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "'%s' is %s, expected whole numbers", t->name, dtype_name(t->dtype));
}

status convert_check_is_index(const tensor *t) {
  if (t->dtype != DTYPE_BOOL) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "'%s' is BOOL, expected whole numbers", t->name);
}

status convert_to_i32(arena *a, const tensor *t, const int32_t **out) {
  RETURN_IF_ERROR(check_is_whole(t));
  if (is_usable(t, DTYPE_I32)) {
    *out = (const void *)t->data;
    return STATUS_OK;
  }
  void *storage;
  RETURN_IF_ERROR(make_copy(a, t, sizeof(int32_t), &storage));
  int32_t *copy = storage;
  for (int64_t i = 0; i < t->count; i++) {
    int64_t v = convert_element_i64(t, i);
    if (v < INT32_MIN || v > INT32_MAX)
      return status_error(STATUS_CODE_mismatch,
                          "'%s' holds %" PRId64 " at %" PRId64 ", which does not fit into 32 bits", t->name, v, i);
    copy[i] = (int32_t)v;
  }
  *out = copy;
  return STATUS_OK;
}

status convert_integers_to_f32(arena *a, const tensor *t, const float **out) {
  enum { LARGEST = 1 << 24 };
  void *storage;
  RETURN_IF_ERROR(check_is_whole(t));
  RETURN_IF_ERROR(make_copy(a, t, sizeof(float), &storage));
  float *copy = storage;
  for (int64_t i = 0; i < t->count; i++) {
    int64_t v = convert_element_i64(t, i);
    if (v < -LARGEST || v > LARGEST)
      return status_error(STATUS_CODE_mismatch,
                          "'%s' holds %" PRId64 " at %" PRId64 "; machines have fp32, which holds integers up to %d",
                          t->name, v, i, LARGEST);
    copy[i] = (float)v;
  }
  *out = copy;
  return STATUS_OK;
}

status convert_to_i64(arena *a, const tensor *t, const int64_t **out) {
  RETURN_IF_ERROR(check_is_whole(t));
  if (is_usable(t, DTYPE_I64)) {
    *out = (const void *)t->data;
    return STATUS_OK;
  }
  void *storage;
  RETURN_IF_ERROR(make_copy(a, t, sizeof(int64_t), &storage));
  int64_t *copy = storage;
  for (int64_t i = 0; i < t->count; i++) copy[i] = convert_element_i64(t, i);
  *out = copy;
  return STATUS_OK;
}
