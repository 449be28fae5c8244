/* Reads the .npy format. Its header is a Python dictionary with always the same three entries:
 *
 *   {'descr': '<f4', 'fortran_order': False, 'shape': (2708, 1433), } */
#include "data/formats/npy.h"
#include "data/formats/token.h"

#include <assert.h>
#include <string.h>

/* A scanner of such a dictionary; `at` is the next character. */
typedef struct scanner {
  const char *at, *end;
} scanner;

static void skip_blanks(scanner *s) {
  while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t')) s->at++;
}

static bool take(scanner *s, char c) {
  skip_blanks(s);
  if (s->at == s->end || *s->at != c) return false;
  s->at++;
  return true;
}

static bool take_string(scanner *s, token *out) {
  skip_blanks(s);
  if (s->at == s->end || (*s->at != '\'' && *s->at != '"')) return false;
  const char quote = *s->at++;
  const char *stop = memchr(s->at, quote, (size_t)(s->end - s->at));
  if (!stop) return false;
  *out = (token){s->at, (size_t)(stop - s->at)};
  s->at = stop + 1;
  return true;
}

/* Reads a sequence of letters and digits. */
static token take_word(scanner *s) {
  skip_blanks(s);
  const char *begin = s->at;
  while (s->at < s->end &&
         ((*s->at >= '0' && *s->at <= '9') || (*s->at >= 'A' && *s->at <= 'Z') || (*s->at >= 'a' && *s->at <= 'z')))
    s->at++;
  return (token){begin, (size_t)(s->at - begin)};
}

static bool take_shape(scanner *s, tensor *out) {
  if (!take(s, '(')) return false;
  while (!take(s, ')')) {
    token size = take_word(s);
    if (size.length && size.begin[size.length - 1] == 'L') size.length--; /* Python 2 wrote 10L */
    if (out->rank == TENSOR_MAX_RANK || !token_parse_i64(size, &out->dims[out->rank])) return false;
    out->rank++;
    if (take(s, ')')) return true;
    if (!take(s, ',')) return false;
  }
  return true;
}

static bool take_descr(scanner *s, npy_form *header) {
  token descr;
  uint64_t bytes = 0;
  if (!take_string(s, &descr)) { /* a list describes an array of records */
    header->kind = 'V';
    s->at = s->end;
    return true;
  }
  if (descr.length < 2) return false;
  header->order = descr.begin[0];
  header->kind = descr.begin[1];
  bool is_number = strchr("fiub", header->kind) != NULL && header->kind;
  if (is_number && !token_parse_u64((token){descr.begin + 2, descr.length - 2}, &bytes)) return false;
  header->element_bytes = bytes > 8 ? 0 : (size_t)bytes;
  return true;
}

static bool parse_header(scanner s, npy_form *header, tensor *out) {
  unsigned seen = 0;
  if (!take(&s, '{')) return false;
  while (!take(&s, '}')) {
    token key;
    if (!take_string(&s, &key) || !take(&s, ':')) return false;
    if (token_is(key, "descr")) {
      if (!take_descr(&s, header)) return false;
      if (header->kind == 'V') return true;
      seen |= 1;
    } else if (token_is(key, "fortran_order")) {
      token word = take_word(&s);
      header->is_fortran = token_is(word, "True");
      if (!header->is_fortran && !token_is(word, "False")) return false;
      seen |= 2;
    } else if (token_is(key, "shape")) {
      if (out->rank || !take_shape(&s, out)) return false;
      seen |= 4;
    } else {
      return false;
    }
    if (!take(&s, ',')) {
      if (!take(&s, '}')) return false;
      break;
    }
  }
  return seen == 7;
}

static bool find_dtype(const npy_form *h, dtype *out) {
  static const struct {
    size_t bytes;
    dtype dtype;
    char kind;
  } types[] = {{1, DTYPE_BOOL, 'b'}, {1, DTYPE_U8, 'u'},  {2, DTYPE_U16, 'u'}, {4, DTYPE_U32, 'u'},
               {8, DTYPE_U64, 'u'},  {1, DTYPE_I8, 'i'},  {2, DTYPE_I16, 'i'}, {4, DTYPE_I32, 'i'},
               {8, DTYPE_I64, 'i'},  {2, DTYPE_F16, 'f'}, {4, DTYPE_F32, 'f'}, {8, DTYPE_F64, 'f'}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].kind == h->kind && types[i].bytes == h->element_bytes) return *out = types[i].dtype, true;
  return false;
}

/* Copies an element, with its bytes reversed if is_swapped. */
static void copy_element(unsigned char *to, const unsigned char *from, size_t bytes, bool is_swapped) {
  for (size_t i = 0; i < bytes; i++) to[i] = from[is_swapped ? bytes - 1 - i : i];
}

/* Makes row-major elements in native byte order from column-major or byte-swapped ones. */
static status reorder(arena *a, const npy_form *h, tensor *t, const unsigned char *from) {
  unsigned char *to = arena_try_alloc(a, t->bytes);
  if (!to) return status_error(STATUS_CODE_memory, "%zu bytes do not fit into memory", t->bytes);
  int64_t strides[TENSOR_MAX_RANK] = {0}, index[TENSOR_MAX_RANK] = {0};
  int64_t stride = 1;
  assert(t->rank >= 0 && t->rank <= TENSOR_MAX_RANK);
  for (int32_t i = 0; i < t->rank; i++) {
    int32_t d = h->is_fortran ? i : t->rank - 1 - i;
    strides[d] = stride;
    stride *= t->dims[d];
  }
  size_t bytes = dtype_bytes(t->dtype);
  for (int64_t i = 0, offset = 0; i < t->count; i++) {
    copy_element(to + (size_t)i * bytes, from + (size_t)offset * bytes, bytes, h->order == '>');
    for (int32_t d = t->rank - 1; d >= 0; d--) {
      offset += strides[d];
      if (++index[d] < t->dims[d]) break;
      offset -= strides[d] * t->dims[d];
      index[d] = 0;
    }
  }
  t->data = to;
  return STATUS_OK;
}

status npy_take(arena *a, const npy_form *form, const unsigned char *bytes, size_t size, tensor *out) {
  if (!find_dtype(form, &out->dtype))
    return status_error(STATUS_CODE_unsupported, "holds something else than numbers of at most 8 bytes");
  RETURN_IF_ERROR(tensor_measure(out->dtype, out->rank, out->dims, &out->count, &out->bytes));
  if (out->bytes != size)
    return status_error(STATUS_CODE_format, "its shape takes %zu bytes, %zu are there", out->bytes, size);
  if (form->order == '>' || (form->is_fortran && out->rank > 1)) return reorder(a, form, out, bytes);
  out->data = bytes;
  return STATUS_OK;
}

status npy_parse(arena *a, const unsigned char *bytes, size_t size, tensor *out) {
  static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  *out = (tensor){0};
  if (size < 10 || memcmp(bytes, magic, sizeof magic) != 0)
    return status_error(STATUS_CODE_format, "is no numpy array");
  if (bytes[6] < 1 || bytes[6] > 3)
    return status_error(STATUS_CODE_version, "is of the numpy format version %d, versions 1 to 3 can be read",
                        bytes[6]);
  size_t begin = bytes[6] == 1 ? 10 : 12;
  if (size < begin) return status_error(STATUS_CODE_format, "ends in its header");
  size_t length = (size_t)bytes[8] | (size_t)bytes[9] << 8;
  if (bytes[6] > 1) length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  if (length > size - begin) return status_error(STATUS_CODE_format, "ends in its header");
  const char *text = (const char *)bytes + begin;
  npy_form header = {0};
  if (!parse_header((scanner){text, text + length}, &header, out))
    return status_error(STATUS_CODE_format, "has a header that is not one of a numpy array");
  return npy_take(a, &header, bytes + begin + length, size - begin - length, out);
}
