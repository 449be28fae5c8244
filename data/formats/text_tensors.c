/* Reads tensors from text in one pass over the lines; every error is reported with its line. */
#include "data/formats/text_tensors.h"
#include "data/formats/token.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The tensor whose elements are read at present. */
typedef struct filling {
  tensor shape; /* its name, type and shape; data is not used */
  unsigned char *data;
  int64_t next;
  int64_t line;
} filling;

typedef struct parser {
  tensor_set *set;
  token_reader reader;
  filling current;
} parser;

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* Returns the token with \xHH replaced and "" made empty, in the arena; NULL for a zero byte or any
 * other use of a backslash. */
static char *unescape(arena *a, token t) {
  char *result = arena_alloc(a, t.length + 1);
  size_t length = 0;
  if (token_is(t, "\"\"")) return result;
  for (size_t i = 0; i < t.length; i++) {
    result[length] = t.begin[i];
    if (t.begin[i] == '\0') return NULL;
    if (t.begin[i] == '\\') {
      bool has_digits = i + 3 < t.length && t.begin[i + 1] == 'x';
      int high = has_digits ? hex_digit(t.begin[i + 2]) : -1, low = has_digits ? hex_digit(t.begin[i + 3]) : -1;
      if (high < 0 || low < 0 || (high == 0 && low == 0)) return NULL;
      result[length] = (char)(high << 4 | low);
      i += 3;
    }
    length++;
  }
  return result;
}

/* Returns the bits of the F16 number nearest to a float, ties to even. */
static uint16_t half_from_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return (uint16_t)(sign | 0x7E00);
  if (magnitude >= 0x47800000) return (uint16_t)(sign | 0x7C00);
  if (magnitude < 0x38800000) { /* a subnormal half is a multiple of 2^-24; adding 0.5 rounds to one */
    float rounded = fabsf(value) + 0.5f;
    memcpy(&bits, &rounded, sizeof bits);
    return (uint16_t)(sign | (bits - 0x3F000000));
  }
  uint32_t rounded = magnitude - 0x38000000 + 0x0FFF + (magnitude >> 13 & 1);
  return (uint16_t)(sign | rounded >> 13);
}

static uint16_t bfloat_from_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return (uint16_t)((bits >> 16 & 0x8000) | 0x7FC0);
  return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/* Parses the bits of a float, "0x7fc00001", which are written for a NaN with a payload or sign. */
static bool parse_bits(token word, uint64_t most, uint64_t *out) {
  if (word.length < 3 || word.length > 18 || word.begin[0] != '0' || word.begin[1] != 'x') return false;
  uint64_t bits = 0;
  for (size_t i = 2; i < word.length; i++) {
    int digit = hex_digit(word.begin[i]);
    if (digit < 0) return false;
    bits = bits << 4 | (uint64_t)digit;
  }
  *out = bits;
  return bits <= most;
}

static bool parse_float(token word, dtype d, uint64_t *bits) {
  uint64_t most = d == DTYPE_F64 ? UINT64_MAX : d == DTYPE_F32 ? UINT32_MAX : UINT16_MAX;
  if (parse_bits(word, most, bits)) return true;
  double wide;
  float narrow;
  *bits = 0;
  if (d == DTYPE_F64) {
    if (!token_parse_f64(word, &wide)) return false;
    if (isnan(wide))
      *bits = UINT64_C(0x7FF8000000000000);
    else
      memcpy(bits, &wide, sizeof wide);
    return true;
  }
  if (!token_parse_f32(word, &narrow)) return false;
  if (d == DTYPE_F16)
    *bits = half_from_float(narrow);
  else if (d == DTYPE_BF16)
    *bits = bfloat_from_float(narrow);
  else if (isnan(narrow))
    *bits = 0x7FC00000;
  else
    memcpy(bits, &narrow, sizeof narrow);
  return true;
}

static bool parse_whole(token word, dtype d, uint64_t *bits) {
  size_t width = dtype_bytes(d) * 8;
  if (dtype_get_class(d) != DTYPE_CLASS_signed) {
    uint64_t most = d == DTYPE_BOOL ? 1 : UINT64_MAX >> (64 - width);
    return token_parse_u64(word, bits) && *bits <= most;
  }
  int64_t value;
  if (!token_parse_i64(word, &value)) return false;
  *bits = (uint64_t)value;
  int64_t most = INT64_MAX >> (64 - width);
  return value >= -most - 1 && value <= most;
}

static status read_element(parser *p, token word) {
  filling *f = &p->current;
  if (!f->data)
    return status_error(STATUS_CODE_format, "line %" PRId64 ": '%.*s', expected 'tensor' or 'metadata'", p->reader.line,
                        token_shown_length(word), word.begin);
  if (f->next == f->shape.count)
    return status_error(STATUS_CODE_format, "line %" PRId64 ": tensor '%s' has %" PRId64 " elements, more are given",
                        p->reader.line, f->shape.name, f->shape.count);
  uint64_t bits = 0;
  bool is_float = dtype_get_class(f->shape.dtype) == DTYPE_CLASS_float;
  if (!(is_float ? parse_float : parse_whole)(word, f->shape.dtype, &bits))
    return status_error(STATUS_CODE_format, "line %" PRId64 ": '%.*s' is no %s", p->reader.line,
                        token_shown_length(word), word.begin, dtype_name(f->shape.dtype));
  size_t bytes = dtype_bytes(f->shape.dtype);
  memcpy(f->data + (size_t)f->next++ * bytes, &bits, bytes);
  return STATUS_OK;
}

static status finish_tensor(const parser *p) {
  const filling *f = &p->current;
  if (!f->data || f->next == f->shape.count) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "line %" PRId64 ": tensor '%s' has %" PRId64 " elements, %" PRId64 " are given", f->line,
                      f->shape.name, f->shape.count, f->next);
}

/* Reads the words after "tensor": name, type, sizes. */
static status begin_tensor(parser *p, token line) {
  RETURN_IF_ERROR(finish_tensor(p));
  token name, type, size;
  tensor t = {0};
  if (!token_next_word(&line, &name) || !token_next_word(&line, &type))
    return status_error(STATUS_CODE_format, "line %" PRId64 ": expected tensor NAME TYPE DIM...", p->reader.line);
  char spelling[16] = {0};
  memcpy(spelling, type.begin, type.length < 15 ? type.length : 15);
  if (!dtype_parse(spelling, &t.dtype))
    return status_error(STATUS_CODE_format, "line %" PRId64 ": unknown type '%.*s'", p->reader.line,
                        token_shown_length(type), type.begin);
  for (; token_next_word(&line, &size) && *size.begin != '#'; t.rank++)
    if (t.rank == TENSOR_MAX_RANK || !token_parse_i64(size, &t.dims[t.rank]))
      return status_error(STATUS_CODE_format, "line %" PRId64 ": '%.*s' is no further size", p->reader.line,
                          token_shown_length(size), size.begin);
  t.name = unescape(p->set->memory, name);
  if (!t.name)
    return status_error(STATUS_CODE_format, "line %" PRId64 ": a backslash without xHH, or a zero byte",
                        p->reader.line);
  status s = tensor_measure(t.dtype, t.rank, t.dims, &t.count, &t.bytes);
  int64_t left = p->reader.end - p->reader.at;
  if (!s && t.count > left / 2 + 1) /* an element takes a digit and a blank; checked before memory is allocated */
    s = status_error(STATUS_CODE_format, "%" PRId64 " elements do not fit into the rest of the text", t.count);
  if (s) return status_context(s, "line %" PRId64 ": tensor '%s'", p->reader.line, t.name);
  void *data;
  s = tensor_set_add(p->set, t.name, t.dtype, t.rank, t.dims, &data);
  if (s) return status_context(s, "line %" PRId64, p->reader.line);
  p->current = (filling){.shape = t, .data = data, .line = p->reader.line};
  return STATUS_OK;
}

/* Reads the key and the value after "metadata". */
static status read_metadata(parser *p, token line) {
  token key;
  if (!token_next_word(&line, &key))
    return status_error(STATUS_CODE_format, "line %" PRId64 ": expected metadata KEY VALUE", p->reader.line);
  while (line.length && (*line.begin == ' ' || *line.begin == '\t')) line = (token){line.begin + 1, line.length - 1};
  while (line.length && line.begin[line.length - 1] == ' ') line.length--;
  char *key_text = unescape(p->set->memory, key);
  char *value = unescape(p->set->memory, line);
  if (!key_text || !value)
    return status_error(STATUS_CODE_format, "line %" PRId64 ": a backslash without xHH, or a zero byte",
                        p->reader.line);
  if (tensor_set_get_metadata(p->set, key_text))
    return status_error(STATUS_CODE_format, "line %" PRId64 ": metadata '%s' appears twice", p->reader.line, key_text);
  tensor_set_put_metadata(p->set, key_text, value);
  return STATUS_OK;
}

static status read_line(parser *p, token line) {
  token word, rest = line;
  if (!token_next_word(&rest, &word)) return STATUS_OK;
  if (token_is(word, "tensor")) return begin_tensor(p, rest);
  if (token_is(word, "metadata")) return read_metadata(p, rest);
  while (token_next_word(&line, &word) && *word.begin != '#') RETURN_IF_ERROR(read_element(p, word));
  return STATUS_OK;
}

static status parse(parser *p) {
  for (token line; token_next_line(&p->reader, &line);) RETURN_IF_ERROR(read_line(p, line));
  return finish_tensor(p);
}

status text_tensors_parse(const char *name, const char *input, size_t size, tensor_set **out) {
  parser p = {.set = tensor_set_create(name), .reader = token_reader_create(input, size)};
  status s = parse(&p);
  *out = s ? NULL : p.set;
  if (s) tensor_set_destroy(p.set);
  return status_context(s, "%s", name);
}

bool text_tensors_is_likely(const char *input, size_t size) {
  token_reader r = token_reader_create(input, size);
  for (token line, word; token_next_line(&r, &line);)
    if (token_next_word(&line, &word) && *word.begin != '#')
      return token_is(word, "tensor") || token_is(word, "metadata");
  return false;
}
