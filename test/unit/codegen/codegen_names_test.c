/* Names of models become C identifiers that clash with no word of C, C++, the headers or
 * generated text. */
#include "codegen/c/text/names.h"
#include "support/file.h"
#include "support/text.h"
#include "unit.h"

/* Compiles a struct that has a field for the identifier of each word. */
static int compile_fields(const char *words, const char *name, const char *command) {
  arena *a = arena_create();
  text t = {0};
  char line[256], *rest = NULL;
  text_append(&t, "#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\nstruct s {\n");
  for (char *word = strtok_r(arena_strdup(a, words), " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    text_printf(&t, "  const float *%s;\n", c_names_mangle(a, word));
  text_append(&t, "};\n");
  CHECK_OK(file_write(name, text_str(&t), t.size));
  text_free(&t);
  arena_destroy(a);
  snprintf(line, sizeof line, "%s -fsyntax-only %s", command, name);
  int result = system(line);
  CHECK(!remove(name));
  return result;
}

static const char keywords[] =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl "
    "concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default "
    "delete "
    "do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable "
    "namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast "
    "requires restrict return short signed sizeof static static_assert static_cast struct switch template this "
    "thread_local throw true try typedef typeid typename typeof union unsigned using virtual void volatile wchar_t "
    "while "
    "xor xor_eq NULL INFINITY NAN SIZE_MAX INT32_MAX offsetof errno linux unix";

TEST(fields_named_like_keywords_or_macros_compile_in_c_and_cplusplus) {
  CHECK_INT(compile_fields(keywords, "fields.c", "gcc -std=c17 -Wall -Wextra -Werror"), 0);
  CHECK_INT(compile_fields(keywords, "fields.c", "gcc -std=gnu17 -Wall -Wextra -Werror"), 0);
  CHECK_INT(compile_fields(keywords, "fields.cpp", "g++ -std=c++17 -Wall -Wextra -Werror"), 0);
  CHECK_INT(compile_fields(keywords, "fields.cpp", "g++ -std=c++20 -Wall -Wextra -Werror"), 0);
  CHECK_INT(compile_fields(keywords, "fields.cpp", "clang++-22 -std=c++23 -Wall -Wextra -Werror"), 0);
}

TEST(an_ordinary_name_stays_and_others_become_identifiers) {
  arena *a = arena_create();
  CHECK_STR(c_names_mangle(a, "typenames"), "typenames");
  CHECK_STR(c_names_mangle(a, "conv1.lin-weight"), "conv1_lin_weight");
  CHECK_STR(c_names_mangle(a, "typename"), "typename_");
  CHECK_STR(c_names_mangle(a, "expf"), "expf_");
  CHECK_STR(c_names_mangle(a, "f"), "f");
  CHECK_STR(c_names_mangle(a, "_2"), "v_2");
  CHECK_STR(c_names_mangle(a, ""), "v");
  CHECK_STR(c_names_mangle(a, "nextafterf"), "nextafterf_");
  CHECK_STR(c_names_mangle(a, "significandlyl"), "significandlyl");
  arena_destroy(a);
}

/* Checks that each name after `mark` at the start of a line is reserved; returns the number of
 * names. */
static int check_reserved(arena *a, const char *code, const char *mark) {
  int count = 0;
  for (const char *at = strstr(code, mark); at; at = strstr(at, mark)) {
    at += strlen(mark);
    const char *name = arena_strndup(a, at, strcspn(at, " (\n"));
    if (!strcmp(c_names_mangle(a, name), name)) unit_fail(__FILE__, __LINE__, "'%s' is not reserved", name);
    count++;
  }
  return count;
}

TEST(every_part_and_macro_of_the_prelude_is_reserved) {
  static const char *const files[] = {"real",  "block",   "bf16", "sort",     "graph",
                                      "typed", "softmax", "gemm", "contract", "sum_by"};
  arena *a = arena_create();
  int parts = 0, macros = 0;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char *code = NULL;
    size_t size = 0;
    CHECK_OK(file_read(a, arena_printf(a, GNNC_SOURCE_DIR "/codegen/c/prelude/%s.h", files[i]), &code, &size));
    if (!code) continue;
    parts += check_reserved(a, code, "\n//@ ");
    macros += check_reserved(a, code, "\n#define ");
  }
  CHECK(parts > 30);
  CHECK(macros > 10);
  arena_destroy(a);
}

TEST(functions_of_the_table_are_reserved) {
  arena *a = arena_create();
  CHECK_STR(c_names_mangle(a, "real_softplus"), "real_softplus_");
  CHECK_STR(c_names_mangle(a, "real_pow"), "real_pow_");
  CHECK_STR(c_names_mangle(a, "real_part"), "real_part");
  arena_destroy(a);
}
