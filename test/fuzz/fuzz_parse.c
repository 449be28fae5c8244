/* room: frontend. The parser reads any bytes: it reports an error or succeeds. A tree that it
 * accepts prints to text that parses to the same tree and prints the same. */
#include "frontend/syntax/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void ignore(void *user, diag_severity severity, diag_id id, const char *file, unsigned line, unsigned column,
                   const char *message) {
  (void)user, (void)severity, (void)id, (void)file, (void)line, (void)column;
  if (!message[0]) abort();
}

static ast_file *parse_bytes(arena *a, const char *bytes, size_t size, bool *is_good) {
  diag *d = diag_create(stderr);
  diag_set_sink(d, ignore, NULL);
  source *s = source_create(a, "fuzz.gnn", arena_strndup(a, bytes, size), size);
  ast_file *f = parse_source(a, s, d);
  *is_good = f && !diag_has_errors(d);
  diag_destroy(d);
  return f;
}

static void fail(const char *what, const text *first, const text *second) {
  fprintf(stderr, "%s\n--- first\n%s\n--- second\n%s\n", what, text_str(first), second ? text_str(second) : "");
  abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  arena *a = arena_create();
  bool is_good;
  char *bytes = arena_alloc(a, size + 1);
  if (size) memcpy(bytes, data, size);
  ast_file *f = parse_bytes(a, bytes, size, &is_good);
  text first = {0}, second = {0};
  if (f) ast_print(f, &first); /* the printer must also handle the partial tree of a text with errors */
  if (is_good) {
    ast_file *again = parse_bytes(a, text_str(&first), first.size, &is_good);
    if (!is_good) fail("what was printed does not parse", &first, NULL);
    ast_print(again, &second);
    if (!ast_equal(f, again)) fail("the tree changed", &first, &second);
    if (strcmp(text_str(&first), text_str(&second)) != 0) fail("the text changed", &first, &second);
    ast_program program = {.main = f};
    VEC_PUSH(a, &program.files, f);
    if (!ast_json(a, &program)[0]) abort();
  }
  text_free(&first);
  text_free(&second);
  arena_destroy(a);
  return 0;
}
