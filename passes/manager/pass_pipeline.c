/* Parses pipelines from text and prints them: a small recursive parser that reports each error at
 * its place in the text. */
#include "passes/manager/pass_pipeline.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST_NESTING = 16 };

typedef struct parser {
  arena *arena;
  MlirContext context;
  diag *diag;
  const source *source;
  const char *at;
  pass_pipeline *pipeline;
  const char *anchors[DEEPEST_NESTING]; /* func.func(...) around the current element, without builtin.module */
  size_t depth;
  int nesting; /* with builtin.module */
} parser;

static span span_of(const parser *p, const char *begin, const char *end) {
  return (span){p->source, (uint32_t)(begin - p->source->text), (uint32_t)(end - p->source->text)};
}

static void skip_space(parser *p) {
  while (isspace((unsigned char)*p->at)) p->at++;
}

static bool is_name_character(char c) {
  return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

/* ---- names of MLIR's passes ---- */

static const char *const upstream_names[] = {
    "canonicalize",    "cse",      "symbol-dce",         "inline",          "sccp", "symbol-privatize",
    "strip-debuginfo", "print-ir", "remove-dead-values", "topological-sort"};

static const char *nearest_pass(const char *name) {
  enum { MAX = 128 };
  const char *names[MAX];
  size_t ours, count = 0;
  const pass_info *table = pass_table(&ours);
  for (size_t i = 0; i < ours && count < MAX; i++) names[count++] = table[i].name;
  for (size_t i = 0; i < sizeof upstream_names / sizeof *upstream_names && count < MAX; i++)
    names[count++] = upstream_names[i];
  return diag_nearest(name, names, count);
}

static void append_callback(MlirStringRef piece, void *words) {
  text_append_bytes(words, piece.data, piece.length);
}

/* Whether MLIR accepts a text as a pipeline. If not, its error message, without "...: error: ", is
 * appended to `words`. */
static bool upstream_takes(MlirContext context, const char *pipeline, text *words) {
  static bool is_registered;
  if (!is_registered) mlirRegisterTransformsPasses();
  is_registered = true;
  MlirPassManager manager = mlirPassManagerCreateOnOperation(context, mlirStringRefCreateFromCString("builtin.module"));
  MlirLogicalResult taken = mlirOpPassManagerAddPipeline(
      mlirPassManagerGetAsOpPassManager(manager), mlirStringRefCreateFromCString(pipeline), append_callback, words);
  mlirPassManagerDestroy(manager);
  return mlirLogicalResultIsSuccess(taken);
}

/* The message in "... error: 'x' does not refer to ...\n<text>\n ^". */
static const char *bare_complaint(arena *a, const char *words) {
  const char *error = strstr(words, "error: ");
  error = error ? error + strlen("error: ") : words;
  return arena_strndup(a, error, strcspn(error, "\n"));
}

/* ---- options ---- */

/* Whether `value` is one of "a|b|c". */
static bool is_choice_of(const char *value, const char *choices) {
  size_t size = strlen(value);
  for (const char *at = choices; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
    if (size && !strncmp(at, value, size) && (at[size] == '|' || !at[size])) return true;
  return false;
}

static bool is_value_of(const char *value, const char *type) {
  if (!strcmp(type, "string")) return true;
  if (strchr(type, '|')) return is_choice_of(value, type);
  if (!strcmp(type, "bool")) return !strcmp(value, "true") || !strcmp(value, "false");
  char *end;
  errno = 0;
  strtoll(value, &end, 10);
  return *value && !*end && !errno;
}

static const pass_option_info *find_option(const pass_info *info, const char *name) {
  for (unsigned i = 0; i < info->option_count; i++)
    if (!strcmp(info->options[i].name, name)) return &info->options[i];
  return NULL;
}

static bool unknown_option(const parser *p, span where, const pass_info *info, const char *name) {
  enum { MAX = 16 };
  const char *names[MAX];
  for (unsigned i = 0; i < info->option_count && i < MAX; i++) names[i] = info->options[i].name;
  const char *nearest = diag_nearest(name, names, info->option_count < MAX ? info->option_count : MAX);
  if (nearest)
    diag_report(p->diag, where, DIAG_unknown_option, "pass '%s' has no option '%s'; did you mean '%s'?", info->name,
                name, nearest);
  else
    diag_report(p->diag, where, DIAG_unknown_option, "pass '%s' has no option '%s'%s", info->name, name,
                info->option_count ? "" : ": it takes none");
  return false;
}

/* Checks one "k=v" between spaces. */
static bool check_option(const parser *p, const pass_info *info, const char *begin, const char *end) {
  const char *equals = memchr(begin, '=', (size_t)(end - begin));
  const char *name = arena_strndup(p->arena, begin, (size_t)((equals ? equals : end) - begin));
  span where = span_of(p, begin, end);
  const pass_option_info *option = find_option(info, name);
  if (!option) return unknown_option(p, where, info, name);
  const char *value = equals ? arena_strndup(p->arena, equals + 1, (size_t)(end - equals - 1)) : "";
  if (equals && is_value_of(value, option->type)) return true;
  diag_report(p->diag, where, DIAG_unknown_option, "option '%s' of pass '%s' takes %s, not '%s'", name, info->name,
              !strcmp(option->type, "integer") ? "an integer"
              : !strcmp(option->type, "bool")  ? "true or false"
              : strchr(option->type, '|')      ? option->type
                                               : "a value",
              value);
  return false;
}

static bool check_options(const parser *p, const pass_info *info, const char *begin, const char *end) {
  bool ok = true;
  for (const char *at = begin; at < end;) {
    while (at < end && *at == ' ') at++;
    const char *stop = at;
    while (stop < end && *stop != ' ') stop++;
    if (stop > at && !check_option(p, info, at, stop)) ok = false;
    at = stop;
  }
  return ok;
}

/* ---- the grammar ---- */

/* Parses "{...}" after a name; brackets may nest. `*begin` and `*end` delimit the text inside. */
static bool parse_braces(parser *p, const char **begin, const char **end) {
  *begin = *end = p->at;
  if (*p->at != '{') return true;
  const char *open = p->at;
  int depth = 0;
  do {
    depth += (*p->at == '{') - (*p->at == '}');
    if (!*p->at++) {
      diag_report(p->diag, span_of(p, open, open + 1), DIAG_syntax, "this '{' is not closed");
      return false;
    }
  } while (depth);
  *begin = open + 1;
  *end = p->at - 1;
  return true;
}

static bool add_upstream(parser *p, const char *name, const char *begin, const char *end, span where) {
  text whole = {0};
  for (size_t i = 0; i < p->depth; i++) text_printf(&whole, "%s(", p->anchors[i]);
  text_append(&whole, name);
  if (end > begin) text_printf(&whole, "{%.*s}", (int)(end - begin), begin);
  for (size_t i = 0; i < p->depth; i++) text_append(&whole, ")");
  pass_step step = {.name = name,
                    .options = arena_strndup(p->arena, begin, (size_t)(end - begin)),
                    .upstream = text_keep(&whole, p->arena)};
  text words = {0};
  bool taken = upstream_takes(p->context, step.upstream, &words);
  const char *complaint = bare_complaint(p->arena, text_str(&words));
  text_free(&words);
  if (taken) {
    VEC_PUSH(p->arena, p->pipeline, step);
    return true;
  }
  const char *nearest = nearest_pass(name);
  if (!strstr(complaint, "does not refer to"))
    diag_report(p->diag, where, DIAG_unknown_option, "%s", complaint);
  else if (nearest)
    diag_report(p->diag, where, DIAG_unknown_option, "there is no pass '%s'; did you mean '%s'?", name, nearest);
  else
    diag_report(p->diag, where, DIAG_unknown_option, "there is no pass '%s'", name);
  return false;
}

static bool parse_list(parser *p);

static bool parse_nested(parser *p, const char *name, span where) {
  bool is_module = !strcmp(name, "builtin.module");
  if (p->nesting == DEEPEST_NESTING) {
    diag_report(p->diag, where, DIAG_syntax, "a pipeline nests at most %d deep", DEEPEST_NESTING);
    return false;
  }
  const char *open = p->at++;
  if (!is_module) p->anchors[p->depth++] = name;
  p->nesting++;
  bool ok = parse_list(p);
  p->nesting--;
  if (!is_module) p->depth--;
  if (*p->at == ')') {
    p->at++;
    return ok;
  }
  if (ok) diag_report(p->diag, span_of(p, open, open + 1), DIAG_syntax, "this '(' is not closed");
  return false;
}

static bool parse_element(parser *p) {
  skip_space(p);
  const char *begin = p->at;
  while (is_name_character(*p->at)) p->at++;
  if (p->at == begin) {
    diag_report(p->diag, span_of(p, begin, begin + 1), DIAG_syntax, "expected the name of a pass");
    return false;
  }
  const char *name = arena_strndup(p->arena, begin, (size_t)(p->at - begin)), *options, *end;
  span where = span_of(p, begin, p->at);
  skip_space(p);
  if (*p->at == '(') return parse_nested(p, name, where);
  if (!parse_braces(p, &options, &end)) return false;
  skip_space(p);
  const pass_info *info = pass_find(name);
  if (!info) return add_upstream(p, name, options, end, where);
  if (!check_options(p, info, options, end)) return false;
  pass_pipeline_add(p->arena, p->pipeline, info, arena_strndup(p->arena, options, (size_t)(end - options)));
  return true;
}

static bool parse_list(parser *p) {
  skip_space(p);
  if (!*p->at || *p->at == ')') return true; /* an empty pipeline does nothing */
  bool ok = parse_element(p);
  for (skip_space(p); *p->at == ','; skip_space(p)) {
    p->at++;
    ok = parse_element(p) && ok;
  }
  skip_space(p);
  return ok;
}

bool pass_pipeline_parse(arena *a, MlirContext context, const char *pipeline_text, diag *d, pass_pipeline *pipeline) {
  char *copy = arena_strdup(a, pipeline_text);
  parser p = {.arena = a, .context = context, .diag = d, .pipeline = pipeline, .at = copy};
  p.source = source_create(a, "pipeline", copy, strlen(copy));
  if (!parse_list(&p)) return false;
  if (!*p.at) return true;
  diag_report(d, span_of(&p, p.at, p.at + 1), DIAG_syntax, "expected ',' between passes, but found '%c'", *p.at);
  return false;
}

void pass_pipeline_add(arena *a, pass_pipeline *pipeline, const pass_info *info, const char *options) {
  pass_step step = {.info = info, .name = info->name, .options = options};
  VEC_PUSH(a, pipeline, step);
}

void pass_pipeline_print(text *out, const pass_pipeline *pipeline, size_t first) {
  for (size_t i = first; i < pipeline->count; i++) {
    const pass_step *step = &pipeline->items[i];
    text_printf(out, "%s%s", i > first ? "," : "", step->upstream ? step->upstream : step->name);
    if (!step->upstream && *step->options) text_printf(out, "{%s}", step->options);
  }
}
