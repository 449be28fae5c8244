/* Stacks tensors of a file: see tensor_stack.h. */
#include "data/tensor_stack.h"

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
  bool is_same = first->rank == t->rank && first->dtype == t->dtype &&
                 !memcmp(first->dims, t->dims, (size_t)t->rank * sizeof *t->dims);
  if (is_same) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "'%s' is %s %s, but '%s' is %s %s; tensors of one shape can be stacked",
                      first->name, dtype_name(first->dtype), tensor_shape_text(a, first), t->name, dtype_name(t->dtype),
                      tensor_shape_text(a, t));
}

static status stack(const tensor_set *set, const char *const *names, size_t count, arena *memory, arena *scratch,
                    tensor *out) {
  unsigned char *data = NULL;
  for (size_t i = 0; i < count; i++) {
    const tensor *t;
    RETURN_IF_ERROR(find(set, names[i], &t));
    if (!i) *out = *t;
    RETURN_IF_ERROR(check(scratch, out, t));
    if (!i && out->rank == TENSOR_MAX_RANK)
      return status_error(STATUS_CODE_unsupported, "'%s' has %d dimensions, too many to be stacked", t->name, t->rank);
    if (!i && memory) data = arena_alloc_array(memory, count, t->bytes ? t->bytes : 1);
    if (memory && t->bytes) memcpy(data + i * t->bytes, t->data, t->bytes);
  }
  memmove(out->dims + 1, out->dims, (size_t)out->rank * sizeof *out->dims);
  out->dims[0] = (int64_t)count;
  out->rank++;
  out->count *= (int64_t)count;
  out->bytes *= count;
  out->data = data;
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
