/* The table of builtin functions is well formed, finds functions by name, and the language page
 * describes all of it. */
#include "frontend/sema/sema_functions.h"
#include "support/file.h"
#include "support/status.h"
#include "unit.h"

TEST(every_function_is_found_by_its_name) {
  size_t count = 0;
  const sema_function *table = sema_function_table(&count);
  CHECK(count > 30);
  for (size_t i = 0; i < count; i++) CHECK(sema_function_find(table[i].name) == &table[i]);
  CHECK(!sema_function_find("gcn_conv"));
  CHECK(!sema_function_find(""));
}

TEST(required_parameters_come_first_and_have_names_of_their_own) {
  size_t count = 0;
  const sema_function *table = sema_function_table(&count);
  for (size_t i = 0; i < count; i++) {
    size_t arity = sema_function_arity(&table[i]);
    CHECK(arity >= 1 && arity <= SEMA_MAX_PARAMETERS);
    for (size_t j = 1; j < arity; j++) {
      CHECK(table[i].parameters[j - 1].is_required || !table[i].parameters[j].is_required);
      CHECK(strcmp(table[i].parameters[j - 1].name, table[i].parameters[j].name) != 0);
    }
  }
}

TEST(reductions_are_functions_too) {
  static const char *const names[] = {"sum", "mean", "max", "min"};
  for (size_t i = 0; i < 4; i++) CHECK(sema_is_reduction(names[i]) && sema_function_find(names[i]));
  CHECK(!sema_is_reduction("relu"));
}

TEST(the_language_page_describes_every_function) {
  arena *a = arena_create();
  char *page = NULL;
  size_t size = 0;
  size_t count = 0;
  const sema_function *table = sema_function_table(&count);
  CHECK_OK(file_read(a, GNNC_SOURCE_DIR "/docs/language.md", &page, &size));
  for (size_t i = 0; i < count && page; i++) CHECK_HAS(page, table[i].name);
  arena_destroy(a);
}
