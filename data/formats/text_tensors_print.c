/* Prints tensors as text, with the fewest digits (at least six) that read back as the same bits. */
#include "data/convert.h"
#include "data/formats/text_tensors.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the bits of an element. */
static uint64_t read_bits(const tensor *t, int64_t i) {
  uint64_t bits = 0;
  size_t bytes = dtype_bytes(t->dtype);
  memcpy(&bits, t->data + (size_t)i * bytes, bytes);
  return bits;
}

/* Returns the bits of the NaN that the word "nan" stands for. */
static uint64_t plain_nan(dtype d) {
  switch (d) {
  case DTYPE_F64: return UINT64_C(0x7FF8000000000000);
  case DTYPE_F32: return 0x7FC00000;
  case DTYPE_F16: return 0x7E00;
  default: return 0x7FC0;
  }
}

static void print_float(const tensor *t, int64_t i, text *out) {
  double value = convert_element_f64(t, i);
  if (isnan(value)) {
    uint64_t bits = read_bits(t, i);
    if (bits == plain_nan(t->dtype))
      text_append(out, "nan");
    else
      text_printf(out, "0x%" PRIx64, bits);
    return;
  }
  bool is_double = t->dtype == DTYPE_F64;
  char buffer[40];
  for (int digits = is_double ? 15 : 6;; digits++) {
    snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    bool is_exact = is_double ? strtod(buffer, NULL) == value : strtof(buffer, NULL) == (float)value;
    if (is_exact || digits == 17) break;
  }
  text_append(out, buffer);
}

void text_tensors_print_element(const tensor *t, int64_t i, text *out) {
  if (dtype_get_class(t->dtype) == DTYPE_CLASS_float)
    print_float(t, i, out);
  else if (t->dtype == DTYPE_U64 || dtype_get_class(t->dtype) == DTYPE_CLASS_opaque)
    text_printf(out, "%" PRIu64, read_bits(t, i));
  else
    text_printf(out, "%" PRId64, convert_element_i64(t, i));
}

/* Prints a name or value with escapes, so that no part of it reads as syntax. A name may not
 * contain spaces; a value may contain them, but not at its ends. */
static void print_escaped(const char *s, bool is_name, text *out) {
  size_t length = strlen(s);
  if (length == 0 && is_name) text_append(out, "\"\"");
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)s[i];
    bool is_edge = i == 0 || i + 1 == length;
    bool is_empty_word = i == 0 && strcmp(s, "\"\"") == 0;
    if (c < 0x20 || c == 0x7F || c == '\\' || is_empty_word || (c == ' ' && (is_name || is_edge)) ||
        (is_name && c == '#' && i == 0))
      text_printf(out, "\\x%02x", c);
    else
      text_append_bytes(out, s + i, 1);
  }
}

static int compare_tensors(const void *a, const void *b) {
  return strcmp((*(const tensor *const *)a)->name, (*(const tensor *const *)b)->name);
}

static int compare_metadata(const void *a, const void *b) {
  return strcmp((*(const tensor_metadata *const *)a)->key, (*(const tensor_metadata *const *)b)->key);
}

static void print_tensor(const tensor *t, text *out) {
  assert(t->rank >= 0 && t->rank <= TENSOR_MAX_RANK);
  text_append(out, "tensor ");
  print_escaped(t->name, true, out);
  text_append(out, " ");
  for (const char *c = dtype_name(t->dtype); *c; c++)
    text_printf(out, "%c", *c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
  for (int32_t i = 0; i < t->rank; i++) text_printf(out, " %" PRId64, t->dims[i]);
  text_append(out, "\n");
  int64_t row = t->rank && t->dims[t->rank - 1] ? t->dims[t->rank - 1] : 1;
  if (t->rank == 1) row = 20;
  for (int64_t i = 0; i < t->count; i++) {
    text_tensors_print_element(t, i, out);
    text_append(out, (i + 1) % row == 0 || i + 1 == t->count ? "\n" : " ");
  }
}

void text_tensors_print(const tensor_set *set, text *out) {
  arena *a = arena_create();
  const tensor_metadata **entries = arena_alloc_array(a, set->metadata_count, sizeof *entries);
  for (size_t i = 0; i < set->metadata_count; i++) entries[i] = &set->metadata[i];
  qsort(entries, set->metadata_count, sizeof *entries, compare_metadata);
  for (size_t i = 0; i < set->metadata_count; i++) {
    text_append(out, "metadata ");
    print_escaped(entries[i]->key, true, out);
    text_append(out, *entries[i]->value ? " " : "");
    print_escaped(entries[i]->value, false, out);
    text_append(out, "\n");
  }
  const tensor **tensors = arena_alloc_array(a, set->count, sizeof *tensors);
  for (size_t i = 0; i < set->count; i++) tensors[i] = &set->tensors[i];
  qsort(tensors, set->count, sizeof *tensors, compare_tensors);
  for (size_t i = 0; i < set->count; i++) print_tensor(tensors[i], out);
  arena_destroy(a);
}
