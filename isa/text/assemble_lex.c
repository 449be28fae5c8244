/* Splits assembly text into tokens, line by line, and reports errors about them. A comment extends
 * from ; or # to the end of its line. */
#include "isa/text/assemble_parts.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void assemble_error(assembler *as, span where, diag_id id, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text message = {0};
  text_vprintf(&message, format, args);
  va_end(args);
  as->errors++;
  diag_report(as->diag, where, id, "%s", text_str(&message));
  text_free(&message);
}

static char peek(const assembler *as, size_t more) {
  return as->at + more < as->source->size ? as->source->text[as->at + more] : '\0';
}

static bool is_end_of_line(const assembler *as) {
  if (as->at >= as->source->size) return true;
  char c = as->source->text[as->at];
  return c == '\n' || c == ';' || c == '#';
}

/* The length of a number: digits, letters (0x1f, inf, 1e5), dots, and signs after an exponent. */
static size_t number_length(const assembler *as) {
  size_t n = peek(as, 0) == '-' || peek(as, 0) == '+';
  bool is_hexadecimal = peek(as, n) == '0' && (peek(as, n + 1) | 0x20) == 'x';
  while (is_letter(peek(as, n)) || is_digit(peek(as, n)) ||
         (!is_hexadecimal && (peek(as, n) == '-' || peek(as, n) == '+') && n && (peek(as, n - 1) | 0x20) == 'e'))
    n++;
  return n;
}

/* Reads the bytes of a string without its quotes; a string without a closing quote ends with the
 * line. */
static void read_string(assembler *as) {
  size_t begin = ++as->at;
  while (as->at < as->source->size && as->source->text[as->at] != '"' && as->source->text[as->at] != '\n') as->at++;
  as->token.kind = TOKEN_STRING;
  as->token.text = arena_strndup(as->arena, as->source->text + begin, as->at - begin);
  if (peek(as, 0) == '"')
    as->at++;
  else
    assemble_error(as, (span){as->source, (uint32_t)begin - 1, (uint32_t)as->at}, DIAG_assembly_syntax,
                   "a string without its end, expected '\"' on this line");
}

void assemble_next(assembler *as) {
  while (as->at < as->source->size && (peek(as, 0) == ' ' || peek(as, 0) == '\t' || peek(as, 0) == '\r')) as->at++;
  size_t begin = as->at;
  as->token = (assemble_token){TOKEN_END, {as->source, (uint32_t)begin, (uint32_t)begin + 1}, ""};
  if (is_end_of_line(as)) return;
  char c = peek(as, 0);
  bool is_signed = (c == '-' || c == '+') && (is_digit(peek(as, 1)) || peek(as, 1) == '.');
  if (c == '"') {
    read_string(as);
  } else if (is_digit(c) || is_signed) {
    as->token.kind = TOKEN_NUMBER;
    as->at += number_length(as);
  } else if (is_letter(c)) {
    as->token.kind = TOKEN_WORD;
    while (is_letter(peek(as, 0)) || is_digit(peek(as, 0))) as->at++;
  } else {
    as->token.kind = TOKEN_SIGN;
    as->at++;
  }
  as->token.where.end = (uint32_t)as->at;
  if (as->token.kind != TOKEN_STRING)
    as->token.text = arena_strndup(as->arena, as->source->text + begin, as->at - begin);
}

bool assemble_next_line(assembler *as) {
  const char *end =
      as->at < as->source->size ? memchr(as->source->text + as->at, '\n', as->source->size - as->at) : NULL;
  if (!end) return false;
  as->at = (size_t)(end - as->source->text) + 1;
  assemble_next(as);
  return true;
}

bool assemble_is_sign(const assembler *as, char sign) {
  return as->token.kind == TOKEN_SIGN && as->token.text[0] == sign;
}

bool assemble_take_sign(assembler *as, char sign) {
  if (!assemble_is_sign(as, sign)) return false;
  assemble_next(as);
  return true;
}

const char *assemble_found(const assembler *as) {
  if (as->token.kind == TOKEN_END) return "the end of the line";
  unsigned char c = (unsigned char)as->token.text[0];
  if (as->token.kind == TOKEN_SIGN && (c < ' ' || c > '~')) return arena_printf(as->arena, "the byte 0x%02x", c);
  return arena_printf(as->arena, "'%s'", as->token.text);
}

void assemble_expected(assembler *as, const char *expected) {
  assemble_error(as, as->token.where, DIAG_assembly_syntax, "found %s, expected %s", assemble_found(as), expected);
}

const char *assemble_nearest(assembler *as, const char *name, const char *const *names, size_t count) {
  const char *nearest = diag_nearest(name, names, count);
  return nearest ? arena_printf(as->arena, "; did you mean '%s'?", nearest) : "";
}

/* Reads a token that must be a number from end to end: decimal (also with leading zeros) or 0x. */
static bool parse_whole(const char *words, uint64_t *out) {
  bool is_hexadecimal = words[0] == '0' && (words[1] | 0x20) == 'x';
  char *end;
  if (words[0] == '-' || words[0] == '+' || (is_hexadecimal && !words[2])) return false;
  errno = 0;
  *out = strtoull(words, &end, is_hexadecimal ? 16 : 10);
  return !*end && !errno;
}

bool assemble_read_number(assembler *as, const char *what, uint64_t least, uint64_t largest, uint64_t *out) {
  if (as->token.kind != TOKEN_NUMBER) {
    assemble_expected(as, what);
    return false;
  }
  bool good = parse_whole(as->token.text, out) && *out >= least && *out <= largest;
  if (!good)
    assemble_error(as, as->token.where, DIAG_assembly_value, "%s is '%s', expected a whole number from %llu to %llu",
                   what, as->token.text, (unsigned long long)least, (unsigned long long)largest);
  assemble_next(as);
  return good;
}

/* Reads NUMBER behind "bits:". */
static bool read_bits(assembler *as, float *out) {
  uint64_t bits = 0;
  bool good = assemble_read_number(as, "the bits of a number", 0, UINT32_MAX, &bits);
  uint32_t word = (uint32_t)bits;
  memcpy(out, &word, sizeof word);
  return good;
}

bool assemble_read_float(assembler *as, float *out) {
  if (as->token.kind == TOKEN_WORD && strcmp(as->token.text, "bits") == 0) {
    assemble_next(as);
    if (assemble_take_sign(as, ':')) return read_bits(as, out);
    assemble_expected(as, "':' and the bits of a number");
    return false;
  }
  bool is_negative = assemble_take_sign(as, '-');
  char *end;
  if (as->token.kind != TOKEN_NUMBER && as->token.kind != TOKEN_WORD) {
    assemble_expected(as, "a number");
    return false;
  }
  errno = 0;
  *out = strtof(as->token.text, &end);
  bool is_number = end != as->token.text && !*end, is_large = errno == ERANGE && isinf(*out);
  if (!is_number) assemble_error(as, as->token.where, DIAG_assembly_value, "'%s' is not a number", as->token.text);
  if (is_large)
    assemble_error(as, as->token.where, DIAG_assembly_value, "'%s' is beyond the numbers of 32 bits, the largest is %g",
                   as->token.text, (double)FLT_MAX);
  if (is_negative) *out = -*out;
  assemble_next(as);
  return is_number && !is_large;
}

bool assemble_read_value(assembler *as, const char *what, assemble_value *out) {
  uint64_t number = 0;
  *out = (assemble_value){.where = as->token.where};
  if (as->token.kind == TOKEN_NUMBER) {
    bool good = assemble_read_number(as, what, 0, INT64_MAX, &number);
    out->number = (int64_t)number;
    return good;
  }
  if (as->token.kind != TOKEN_WORD && as->token.kind != TOKEN_STRING) {
    assemble_expected(as, arena_printf(as->arena, "%s: a number or a symbol", what));
    return false;
  }
  out->symbol = as->token.text;
  assemble_next(as);
  bool is_minus = assemble_is_sign(as, '-');
  if (is_minus || assemble_is_sign(as, '+')) {
    assemble_next(as);
  } else if (as->token.kind == TOKEN_NUMBER && (as->token.text[0] == '-' || as->token.text[0] == '+')) {
    is_minus = as->token.text[0] == '-';
    as->token.text++;
  } else {
    return true;
  }
  bool good = assemble_read_number(as, "the number behind a symbol", 0, INT32_MAX, &number);
  out->number = is_minus ? -(int64_t)number : (int64_t)number;
  return good;
}
