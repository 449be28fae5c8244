/* Parses a string in a test; keeps the tree, and all messages as "line:column: severity:
 * text\n". */
#ifndef GNNC_TEST_UNIT_FRONTEND_FRONTEND_PARSE_FIXTURE_H
#define GNNC_TEST_UNIT_FRONTEND_FRONTEND_PARSE_FIXTURE_H

#include "frontend/syntax/parse.h"
#include "support/file.h"
#include "unit.h"

typedef struct parsed {
  arena *memory;
  diag *diag;
  source *source;
  ast_file *file;
  text messages;
  text printed;
} parsed;

static void keep_message(void *user, diag_severity severity, diag_id id, const char *file, unsigned line,
                         unsigned column, const char *message) {
  static const char *const names[] = {"error", "warning", "remark", "note"};
  (void)id, (void)file;
  text_printf(user, "%u:%u: %s: %s\n", line, column, names[severity], message);
}

__attribute__((unused)) static parsed *parse_bytes(const char *bytes, size_t size) {
  arena *memory = arena_create();
  parsed *p = arena_alloc(memory, sizeof *p);
  p->memory = memory;
  p->diag = diag_create(stderr);
  diag_set_sink(p->diag, keep_message, &p->messages);
  p->source = source_create(memory, "test.gnn", arena_strndup(memory, bytes, size), size);
  p->file = parse_source(memory, p->source, p->diag);
  if (p->file) ast_print(p->file, &p->printed);
  return p;
}

__attribute__((unused)) static parsed *parse_string(const char *s) {
  return parse_bytes(s, strlen(s));
}

__attribute__((unused)) static void close_parsed(parsed *p) {
  text_free(&p->messages);
  text_free(&p->printed);
  diag_destroy(p->diag);
  arena_destroy(p->memory);
}

/* The messages of a text are exactly these; none when the second is "". */
#define CHECK_MESSAGES(source_text, expected)                                                                          \
  do {                                                                                                                 \
    parsed *parsed_ = parse_string(source_text);                                                                       \
    CHECK_STR(text_str(&parsed_->messages), expected);                                                                 \
    close_parsed(parsed_);                                                                                             \
  } while (0)

/* A statement within a model prints like this (without the lines of the model and the
 * indentation). */
#define CHECK_STATEMENT(statement, expected)                                                                           \
  do {                                                                                                                 \
    parsed *parsed_ = parse_string("model m {\n" statement "\n}\n");                                                   \
    CHECK_STR(text_str(&parsed_->messages), "");                                                                       \
    CHECK_STR(text_str(&parsed_->printed), "model m {\n  " expected "\n}\n");                                          \
    close_parsed(parsed_);                                                                                             \
  } while (0)

#endif
