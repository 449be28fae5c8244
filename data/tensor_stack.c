/* Stacks tensors of a file: see tensor_stack.h. */
#include "data/tensor_stack.h"

#include "data/convert.h"
#include "support/vec.h"

#include <string.h>

size_t tensor_stack_names(arena *a, const char *name, const char *const **names) {
  VEC(const char *) list = {0};
  size_t length = strlen(name);
  if (length < 2 || name[0] != '{' || name[length - 1] != '}') return 0;
  for (const char *at = name + 1;; at += strcspn(at, "|}") + 1) {
    VEC_PUSH(a, &list, arena_strndup(a, at, strcspn(at, "|}")));
    if (at[strcspn(at, "|}")] == '}') break;
  }
  *names = list.items;
  return list.count;
}

static status find(const tensor_set *set, const char *name, const tensor **out) {
  *out = tensor_set_find(set, name);
  return *out ? STATUS_OK : status_error(STATUS_CODE_mismatch, "no tensor '%s'", name);
}

/* Checks that a tensor stacks onto the first one. */
static status check(arena *a, const tensor *first, const tensor *t) {
  if (first->rank == TENSOR_MAX_RANK)
    return status_error(STATUS_CODE_unsupported, "'%s' has %d dimensions, too many to be stacked", first->name,
                        first->rank);
  if (first->rank == t->rank && !memcmp(first->dims, t->dims, (size_t)t->rank * sizeof *t->dims)) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "'%s' is %s %s, but '%s' is %s %s; tensors of one shape can be stacked",
                      first->name, dtype_name(first->dtype), tensor_shape_text(a, first), t->name, dtype_name(t->dtype),
                      tensor_shape_text(a, t));
}

/* Copies the tensors one behind the other, as numbers of out->dtype: their own, or f32. */
static status copy(const tensor *const *parts, size_t count, arena *memory, arena *scratch, tensor *out) {
  unsigned char *data = arena_alloc_array(memory, count, out->bytes ? out->bytes : 1), *at = data;
  for (size_t i = 0; i < count; i++, at += out->bytes) {
    const void *from = parts[i]->data;
    const float *converted;
    if (parts[i]->dtype != out->dtype) {
      RETURN_IF_ERROR(convert_to_f32(scratch, parts[i], &converted));
      from = converted;
    }
    if (out->bytes) memcpy(at, from, out->bytes);
  }
  out->data = data;
  return STATUS_OK;
}

static status stack(const tensor_set *set, const char *const *names, size_t count, arena *memory, arena *scratch,
                    tensor *out) {
  const tensor **parts = arena_alloc_array(scratch, count, sizeof(const tensor *));
  bool is_mixed = false;
  for (size_t i = 0; i < count; i++) {
    RETURN_IF_ERROR(find(set, names[i], &parts[i]));
    RETURN_IF_ERROR(check(scratch, parts[0], parts[i]));
    is_mixed |= parts[i]->dtype != parts[0]->dtype;
  }
  *out = *parts[0];
  out->data = NULL;
  if (is_mixed) out->dtype = DTYPE_F32;
  out->bytes = (size_t)out->count * dtype_bytes(out->dtype);
  if (memory) RETURN_IF_ERROR(copy(parts, count, memory, scratch, out));
  memmove(out->dims + 1, out->dims, (size_t)out->rank * sizeof *out->dims);
  out->dims[0] = (int64_t)count;
  out->rank++;
  out->count *= (int64_t)count;
  out->bytes *= count;
  return STATUS_OK;
}

status tensor_stack_find(const tensor_set *set, const char *name, arena *memory, tensor *out) {
  const tensor *plain = tensor_set_find(set, name);
  if (plain) {
    *out = *plain;
    return STATUS_OK;
  }
  arena *scratch = arena_create();
  const char *const *names;
  size_t count = tensor_stack_names(scratch, name, &names);
  status s = count ? stack(set, names, count, memory, scratch, out)
                   : status_error(STATUS_CODE_mismatch, "no tensor '%s'", name);
  if (!s) out->name = name;
  arena_destroy(scratch);
  return s;
}
