/* Interprets the objects of pickles that numpy and scipy write:
 *
 *   _reconstruct(ndarray, (0,), b'b')  with the state (1, shape, dtype, is_fortran, bytes)
 *   dtype('f4', False, True)           with the state (3, '<', ...)
 *   csr_matrix()                       with the state {'_shape': ..., 'indptr': ..., 'indices': ..., 'data': ...} */
#include "data/formats/pickle_numpy.h"

#include "data/convert.h"
#include "data/formats/npy.h"

#include <inttypes.h>

static bool is_object(const pickle_value *v, pickle_global global) {
  return v && v->kind == PICKLE_KIND_object && v->global == global;
}

static bool is_tuple(const pickle_value *v, size_t least) {
  return v && v->kind == PICKLE_KIND_tuple && v->count >= least;
}

/* Reads the name of a type, "f4", and its byte order. */
static bool read_dtype(const pickle_value *v, npy_form *form) {
  if (!is_object(v, PICKLE_dtype) || !is_tuple(v->arguments, 1)) return false;
  const pickle_value *name = v->arguments->items[0];
  if (name->kind != PICKLE_KIND_string || name->size != 2) return false;
  form->kind = name->bytes[0];
  form->element_bytes = (size_t)((unsigned char)name->bytes[1] - '0');
  form->order = '|';
  if (!v->state) return true;
  const pickle_value *order = is_tuple(v->state, 2) ? v->state->items[1] : NULL;
  if (!order || order->kind != PICKLE_KIND_string || order->size != 1) return false;
  form->order = order->bytes[0];
  return true;
}

static bool read_shape(const pickle_value *v, tensor *out) {
  if (!is_tuple(v, 0) || v->count > TENSOR_MAX_RANK) return false;
  out->rank = (int32_t)v->count;
  for (size_t i = 0; i < v->count; i++)
    if (!pickle_read_number(v->items[i], &out->dims[i])) return false;
  return true;
}

status pickle_read_array(arena *a, const pickle_value *v, tensor *out) {
  *out = (tensor){.name = ""};
  npy_form form = {0};
  int64_t is_fortran;
  if (!is_object(v, PICKLE_reconstruct) || !is_tuple(v->state, 5))
    return status_error(STATUS_CODE_mismatch, "expected an array of numpy");
  const pickle_value *const *state = v->state->items;
  if (!read_shape(state[1], out) || !read_dtype(state[2], &form) || !pickle_read_number(state[3], &is_fortran) ||
      state[4]->kind != PICKLE_KIND_string)
    return status_error(STATUS_CODE_unsupported, "an array of numpy holds something else than numbers");
  form.is_fortran = is_fortran != 0;
  return npy_take(a, &form, (const unsigned char *)state[4]->bytes, state[4]->size, out);
}

bool pickle_read_number(const pickle_value *v, int64_t *out) {
  if (v->kind == PICKLE_KIND_number) return *out = v->number, true;
  npy_form form;
  if (!is_object(v, PICKLE_scalar) || !is_tuple(v->arguments, 2)) return false;
  const pickle_value *bytes = v->arguments->items[1];
  if (!read_dtype(v->arguments->items[0], &form) || bytes->kind != PICKLE_KIND_string) return false;
  if ((form.kind != 'i' && form.kind != 'u') || form.order == '>' || bytes->size != form.element_bytes ||
      bytes->size < 1 || bytes->size > 8)
    return false;
  uint64_t bits = form.kind == 'i' && (unsigned char)bytes->bytes[bytes->size - 1] & 0x80 ? UINT64_MAX : 0;
  for (size_t i = bytes->size; i-- > 0;) bits = bits << 8 | (unsigned char)bytes->bytes[i];
  *out = (int64_t)bits;
  return true;
}

static status check_csr(const pickle_csr *m) {
  bool is_good = m->indptr[0] == 0 && m->indptr[m->rows] == m->entries;
  for (int64_t r = 0; r < m->rows && is_good; r++) is_good = m->indptr[r] <= m->indptr[r + 1];
  if (!is_good)
    return status_error(STATUS_CODE_mismatch, "'indptr' does not rise from 0 to the %" PRId64 " entries", m->entries);
  for (int64_t i = 0; i < m->entries; i++)
    if (m->indices[i] < 0 || m->indices[i] >= m->columns)
      return status_error(STATUS_CODE_mismatch, "'indices' holds %d, the matrix has %" PRId64 " columns", m->indices[i],
                          m->columns);
  return STATUS_OK;
}

status pickle_read_csr(arena *a, const pickle_value *v, pickle_csr *out) {
  static const char *const names[3] = {"indptr", "indices", "data"};
  tensor parts[3], shape;
  if (!is_object(v, PICKLE_csr_matrix) || !v->state || v->state->kind != PICKLE_KIND_dict)
    return status_error(STATUS_CODE_mismatch, "expected a sparse matrix in CSR form");
  for (int i = 0; i < 3; i++) {
    const pickle_value *part = pickle_find(v->state, names[i]);
    if (!part) return status_error(STATUS_CODE_mismatch, "the sparse matrix has no '%s'", names[i]);
    status s = pickle_read_array(a, part, &parts[i]);
    if (s) return status_context(s, "'%s'", names[i]);
    parts[i].name = names[i];
    if (i < 2) RETURN_IF_ERROR(convert_check_is_index(&parts[i]));
  }
  const pickle_value *sizes = pickle_find(v->state, "_shape");
  if (!sizes || !read_shape(sizes, &shape) || shape.rank != 2 || shape.dims[0] < 0 || shape.dims[0] > INT32_MAX ||
      shape.dims[1] < 0 || shape.dims[1] > INT32_MAX || parts[0].count != shape.dims[0] + 1 ||
      parts[1].count != parts[2].count)
    return status_error(STATUS_CODE_mismatch, "the shapes of the sparse matrix do not fit together");
  *out = (pickle_csr){.rows = shape.dims[0], .columns = shape.dims[1], .entries = parts[2].count};
  RETURN_IF_ERROR(convert_to_i64(a, &parts[0], &out->indptr));
  RETURN_IF_ERROR(convert_to_i32(a, &parts[1], &out->indices));
  RETURN_IF_ERROR(convert_to_f32(a, &parts[2], &out->data));
  return check_csr(out);
}
