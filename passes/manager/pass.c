/* The table of passes, and the reading of a pass's options. */
#include "passes/manager/pass.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- options of each pass, ended by a row without a name ---- */
#define PASS(suffix, name, summary, doc) static const pass_option_info options_##suffix[] = {
#define OPTION(suffix, name, type, fallback, doc) {name, type, fallback, doc},
#define END_PASS(suffix)                                                                                               \
  {                                                                                                                    \
    NULL, NULL, NULL, NULL                                                                                             \
  }                                                                                                                    \
  }                                                                                                                    \
  ;
#include "passes/passes.def"

static const pass_info table[] = {
#define PASS(suffix, name, summary, doc)                                                                               \
  {name, pass_run_##suffix, summary, doc, options_##suffix, sizeof options_##suffix / sizeof *options_##suffix - 1},
#include "passes/passes.def"
};

const pass_info *pass_table(size_t *count) {
  *count = sizeof table / sizeof *table;
  return table;
}

const pass_info *pass_find(const char *name) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, name)) return &table[i];
  return NULL;
}

/* The value of "name=value" in "k=v k2=v2" and its size; NULL if the name is missing. */
static const char *find_value(const char *options, const char *name, size_t *size) {
  size_t length = strlen(name);
  for (const char *at = options; *at; at += strcspn(at, " ")) {
    at += strspn(at, " ");
    if (strncmp(at, name, length) != 0 || at[length] != '=') continue;
    *size = strcspn(at + length + 1, " ");
    return at + length + 1;
  }
  return NULL;
}

int64_t pass_option_integer(const pass_context *p, const char *name, int64_t fallback) {
  size_t size;
  const char *value = find_value(p->options, name, &size);
  return value ? strtoll(value, NULL, 10) : fallback;
}

bool pass_option_bool(const pass_context *p, const char *name, bool fallback) {
  size_t size;
  const char *value = find_value(p->options, name, &size);
  return value ? size == 4 && !strncmp(value, "true", 4) : fallback;
}

const char *pass_option_string(const pass_context *p, const char *name, const char *fallback) {
  size_t size;
  const char *value = find_value(p->options, name, &size);
  return value ? arena_strndup(p->arena, value, size) : fallback;
}

void pass_remark(pass_context *p, MlirOperation where, const char *format, ...) {
  if (!p->remarks) return;
  const char *file = NULL;
  unsigned line = 0, column = 0;
  bool is_known = ir_location_position(mlirOperationGetLocation(where), &file, &line, &column);
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(p->arena, format, args);
  va_end(args);
  diag_report_at(p->diag, is_known ? file : NULL, line, column, DIAG_optimization, "%s: %s", p->name, message);
}
