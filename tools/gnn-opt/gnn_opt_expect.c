/* gnn-opt --verify-diagnostics: compares the messages and their places with comments in the input.
 *
 *   // expected-error@+1 {{'x' has 16 columns here, but 'w' takes 32}}
 *
 * The words must occur in the message; the place is a line: @+n, @-n, @below, @above, @unknown, or
 * the comment's own. */
#include "tools/gnn-opt/gnn_opt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct expectation {
  diag_severity severity;
  unsigned line;        /* the comment's */
  unsigned wanted_line; /* 0 = a message without a place */
  const char *words;
  bool is_met;
} expectation;

struct opt_expectations {
  arena *arena;
  const char *file;
  VEC(expectation) list;
  bool has_failed;
};

static const char *const severity_names[] = {[DIAG_SEVERITY_error] = "error",
                                             [DIAG_SEVERITY_warning] = "warning",
                                             [DIAG_SEVERITY_remark] = "remark",
                                             [DIAG_SEVERITY_note] = "note"};
enum { SEVERITIES = sizeof severity_names / sizeof *severity_names };

static bool fail(opt_expectations *e, unsigned line, const char *what, const char *severity, const char *words) {
  fprintf(stderr, "%s:%u: %s %s: %s\n", e->file, line, what, severity, words);
  e->has_failed = true;
  return false;
}

/* Reads "@+1", "@below", ... at `*at`; false when the text is none of them. */
static bool read_place(const char **at, expectation *x) {
  x->wanted_line = x->line;
  if (**at != '@') return true;
  const char *word = ++*at;
  size_t size = strspn(word, "+-0123456789abcdefghijklmnopqrstuvwxyz");
  *at += size;
  if (size == 5 && !strncmp(word, "below", size))
    x->wanted_line = x->line + 1;
  else if (size == 5 && !strncmp(word, "above", size))
    x->wanted_line = x->line - 1;
  else if (size == 7 && !strncmp(word, "unknown", size))
    x->wanted_line = 0;
  else if (*word == '+' || *word == '-')
    x->wanted_line = (unsigned)((long)x->line + strtol(word, NULL, 10));
  else
    return false;
  return true;
}

/* Reads one "expected-..." at `at`; returns the position after it. */
static const char *read_one(opt_expectations *e, const char *at, const char *end, unsigned line) {
  expectation x = {.line = line};
  at += strlen("expected-");
  int severity = 0;
  while (severity < SEVERITIES && strncmp(at, severity_names[severity], strlen(severity_names[severity])) != 0)
    severity++;
  if (severity == SEVERITIES) return at;
  x.severity = (diag_severity)severity;
  at += strlen(severity_names[severity]);
  while (isblank((unsigned char)*at)) at++;
  if (!read_place(&at, &x)) {
    fail(e, line, "cannot read this place of an", "expectation", arena_strndup(e->arena, at, strcspn(at, "\n")));
    return at;
  }
  while (at < end && isblank((unsigned char)*at)) at++;
  const char *close = strstr(at, "}}");
  if (strncmp(at, "{{", 2) != 0 || !close || close > end || memchr(at, '\n', (size_t)(close - at))) {
    fail(e, line, "an expectation needs {{words}} behind", "it", "");
    return at;
  }
  x.words = arena_strndup(e->arena, at + 2, (size_t)(close - at - 2));
  VEC_PUSH(e->arena, &e->list, x);
  return close;
}

static void on_message(void *user, diag_severity severity, diag_id id, const char *file, unsigned line, unsigned column,
                       const char *message) {
  (void)id, (void)column;
  opt_expectations *e = user;
  bool is_here = file && !strcmp(file, e->file);
  for (size_t i = 0; i < e->list.count; i++) {
    expectation *x = &e->list.items[i];
    if (x->is_met || x->severity != severity || x->wanted_line != (is_here ? line : 0)) continue;
    if (!strstr(message, x->words)) continue;
    x->is_met = true;
    return;
  }
  fail(e, line, "unexpected", severity_names[severity], message);
}

opt_expectations *opt_expect_begin(arena *a, diag *d, const source *s, size_t begin, size_t end) {
  opt_expectations *e = arena_alloc(a, sizeof *e);
  e->arena = a;
  e->file = s->name;
  unsigned line = source_find(s, (uint32_t)begin).line;
  for (const char *at = s->text + begin; at < s->text + end; at++) {
    line += *at == '\n';
    if (!strncmp(at, "expected-", strlen("expected-"))) at = read_one(e, at, s->text + end, line) - 1;
  }
  diag_set_sink(d, on_message, e);
  return e;
}

bool opt_expect_end(opt_expectations *e, diag *d) {
  diag_set_sink(d, NULL, NULL);
  for (size_t i = 0; i < e->list.count; i++) {
    const expectation *x = &e->list.items[i];
    if (!x->is_met) fail(e, x->line, "this did not come: expected", severity_names[x->severity], x->words);
  }
  return !e->has_failed;
}
