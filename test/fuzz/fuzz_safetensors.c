/* room: data. The reader opens any bytes as a safetensors file: it refuses them with a message,
 * or every element of every tensor can be read. */
#include "data/convert.h"
#include "data/formats/safetensors.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_file(const void *data, size_t size) {
  tensor_set *set = NULL;
  status s = safetensors_parse("input", data, size, &set);
  if (s && (set || !*status_message(s))) abort();
  arena *a = arena_create();
  for (size_t i = 0; !s && i < set->count; i++) {
    const tensor *t = &set->tensors[i];
    const float *f;
    const int32_t *n;
    if (tensor_set_find(set, t->name) != t) abort();
    status_free(convert_to_f32(a, t, &f));
    status_free(convert_to_i32(a, t, &n));
    tensor_shape_text(a, t);
  }
  arena_destroy(a);
  tensor_set_destroy(set);
  status_free(s);
}

/* Makes a file whose header length is right: the header is the input up to the first zero byte,
 * the data is the rest. */
static void read_with_length(const uint8_t *data, size_t size) {
  arena *a = arena_create();
  const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
  uint64_t length = zero ? (size_t)(zero - data) : size;
  size_t rest = zero ? size - length - 1 : 0;
  unsigned char *file = arena_alloc(a, 8 + size);
  memcpy(file, &length, 8);
  memcpy(file + 8, data, length);
  if (rest) memcpy(file + 8 + length, zero + 1, rest);
  read_file(file, 8 + length + rest);
  arena_destroy(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  read_file(data, size);
  if (size) read_with_length(data, size);
  return 0;
}
