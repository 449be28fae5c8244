/* Chooses the parts of the prelude that a generated file needs: see prelude.h. A part is the text
 * after a line "//@ name" or "//@ name f32". The line "//@ real_functions" stands for a part for
 * each function of support/elementwise.def and each derivative. */
#include "codegen/c/text/prelude.h"

#include "codegen/c/text/embedded.h"
#include "codegen/c/text/formula.h"
#include "support/map.h"
#include "support/vec.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 63 };

typedef struct prelude_part {
  const char *name;
  const char *code;
  bool ends_file;
  bool is_used;
} prelude_part;

typedef VEC(prelude_part) prelude_parts;

/* Splits a file into parts, without those for the other arithmetic. */
static void read_parts(arena *a, const unsigned char *bytes, const char *arithmetic, prelude_parts *parts) {
  const char *at = strstr((const char *)bytes, "//@ ");
  while (at) {
    const char *name = at + 4, *line_end = strchr(at, '\n'), *next = strstr(name, "//@ ");
    const char *end = next ? next : name + strlen(name);
    size_t length = strcspn(name, " \n");
    bool is_ours = name[length] == '\n' || !strncmp(name + length + 1, arithmetic, 3);
    prelude_part part = {arena_strndup(a, name, length), arena_strndup(a, line_end + 1, (size_t)(end - line_end - 1)),
                         !next, false};
    if (is_ours) VEC_PUSH(a, parts, part);
    at = next;
  }
}

static const prelude_part *find_part(const prelude_parts *parts, const char *name) {
  for (size_t i = 0; i < parts->count; i++)
    if (!strcmp(parts->items[i].name, name)) return &parts->items[i];
  return NULL;
}

static void add_function(arena *a, const prelude_parts *real, const char *function, const char *definition,
                         prelude_parts *functions) {
  const char *name = arena_printf(a, "real_%s", function);
  const prelude_part *written = find_part(real, name);
  if (definition) VEC_PUSH(a, functions, written ? *written : ((prelude_part){name, definition, false, false}));
}

/* Makes the parts of functions whose table row is a formula. A part of real.h with the same name
 * replaces the formula. */
static prelude_parts make_functions(arena *a, const prelude_parts *real) {
  prelude_parts functions = {0};
  for (int i = 0; i < BINARY_COUNT; i++)
    add_function(a, real, elementwise_binaries[i].name, c_formula_define_binary(a, (elementwise_binary)i), &functions);
  for (int i = 0; i < UNARY_COUNT; i++)
    add_function(a, real, elementwise_unaries[i].name, c_formula_define_unary(a, (elementwise_unary)i), &functions);
  for (int i = 0; i < UNARY_COUNT; i++)
    add_function(a, real, arena_printf(a, "derivative_%s", elementwise_unaries[i].name),
                 c_formula_define_derivative(a, (elementwise_unary)i), &functions);
  return functions;
}

/* Reads the parts of real.h, with the functions in their place. */
static void read_real(arena *a, const char *arithmetic, prelude_parts *parts) {
  prelude_parts real = {0};
  read_parts(a, c_embedded_real, arithmetic, &real);
  prelude_parts functions = make_functions(a, &real);
  for (size_t i = 0; i < real.count; i++) {
    bool is_place = !strcmp(real.items[i].name, "real_functions");
    if (!is_place && !find_part(&functions, real.items[i].name)) VEC_PUSH(a, parts, real.items[i]);
    for (size_t k = 0; is_place && k < functions.count; k++) VEC_PUSH(a, parts, functions.items[k]);
  }
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* Skips a comment, a string or one other character: names of the model may occur in comments and
 * strings. */
static const char *skip_other(const char *at) {
  if (*at == '"') {
    for (at++; *at && *at != '"'; at++)
      if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
  }
  if (at[0] != '/' || at[1] != '*') return at + 1;
  const char *end = strstr(at, "*/");
  return end ? end + 2 : at + strlen(at);
}

/* Marks the parts whose names occur in the code as identifiers, outside comments and strings, and
 * then the parts that these use. */
static void mark_used(prelude_parts *parts, const map *by_name, const char *code) {
  for (const char *at = code; *at;) {
    char word[LONGEST_NAME + 1];
    size_t length = 0;
    for (; is_word(at[length]); length++)
      if (length < LONGEST_NAME) word[length] = at[length];
    at = length ? at + length : skip_other(at);
    if (!length || length > LONGEST_NAME) continue;
    word[length] = '\0';
    int64_t place = map_get(by_name, word, -1);
    if (place < 0 || parts->items[place].is_used) continue;
    parts->items[place].is_used = true;
    mark_used(parts, by_name, parts->items[place].code);
  }
}

void c_prelude_select(arena *a, const char *code, bool is_f64, text *out) {
  prelude_parts parts = {0};
  const unsigned char *const files[] = {
      c_embedded_block,    c_embedded_bf16,    c_embedded_sort, c_embedded_graph,     c_embedded_typed,
      c_embedded_random,   c_embedded_softmax, c_embedded_gemm, c_embedded_contract,  c_embedded_sum_by,
      c_embedded_restrict, c_embedded_group,   c_embedded_near, c_embedded_optimizer, c_embedded_ranks};
  const char *arithmetic = is_f64 ? "f64" : "f32";
  read_real(a, arithmetic, &parts);
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) read_parts(a, files[i], arithmetic, &parts);
  map by_name = {.arena = a, .of_strings = true};
  for (size_t i = 0; i < parts.count; i++) map_set(&by_name, parts.items[i].name, (int64_t)i);
  mark_used(&parts, &by_name, code);
  mark_used(&parts, &by_name, "real");
  for (size_t i = 0; i < parts.count; i++)
    if (parts.items[i].is_used) text_printf(out, "%s%s", parts.items[i].code, parts.items[i].ends_file ? "\n" : "");
}
