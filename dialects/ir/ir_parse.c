/* Parses IR text; it refuses text that would make MLIR's own parser crash or run for very long.
 *
 * MLIR parses nested types, attributes, regions and affine expressions recursively, so a megabyte
 * of brackets or of "d0 + d0 + ..." overflows the stack. Tuples of aliases of tuples print as text
 * of exponential size, and so do aliases of arrays of aliases. Reading a number takes time
 * quadratic in its digits. */
#include "dialects/ir/ir_private.h"

#include "support/map.h"

#include <string.h>

enum { DEEPEST_NESTING = 200, MOST_DIGITS = 100 };
static const size_t LARGEST_TEXT = (size_t)1 << 30;

/* Reports an error at a place in the text. */
static MlirModule refuse(MlirContext context, const char *ir, const char *at, const char *words) {
  unsigned line = 1, column = 1;
  for (const char *c = ir; c < at; c++) {
    column = *c == '\n' ? 1 : column + 1;
    line += *c == '\n';
  }
  mlirEmitError(mlirLocationFileLineColGet(context, ir_ref("-"), line, column), words);
  return (MlirModule){NULL};
}

/* The position after a string's closing quote, or the end of the text. */
static const char *skip_string(const char *at, const char *end) {
  for (at++; at < end && *at != '"' && *at != '\n'; at++)
    if (*at == '\\' && at + 1 < end) at++;
  return at < end ? at + 1 : end;
}

static bool begins_with(const char *at, const char *end, const char *word) {
  size_t size = strlen(word);
  return (size_t)(end - at) >= size && !memcmp(at, word, size);
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '.';
}

/* The position after the digits that begin here. */
static const char *skip_digits(const char *at, const char *end) {
  while (at < end && is_digit(*at)) at++;
  return at;
}

/* The first place that MLIR's parser must not see, and the reason; NULL if there is none. The
 * arrows -> and => are no brackets; unbalanced brackets are left to the parser. */
static const char *find_trap(const char *begin, const char *end, const char **why) {
  int depth = 0;
  for (const char *at = begin; at < end; at++) {
    if (*at == '"') {
      at = skip_string(at, end) - 1;
    } else if (*at == '/' && at + 1 < end && at[1] == '/') {
      while (at + 1 < end && at[1] != '\n') at++;
    } else if (*at == '(' || *at == '[' || *at == '{' || *at == '<') {
      *why = "brackets nest more than 200 deep";
      if (++depth > DEEPEST_NESTING) return at;
    } else if (*at == ')' || *at == ']' || *at == '}' || (*at == '>' && at > begin && at[-1] != '-' && at[-1] != '=')) {
      depth -= depth > 0;
    } else if (begins_with(at, end, "affine_map<") || begins_with(at, end, "affine_set<")) {
      *why = "affine maps and sets belong to none of the levels";
      return at;
    } else if (begins_with(at, end, "tuple<")) {
      *why = "tuples belong to none of the levels";
      return at;
    } else if (is_digit(*at)) {
      const char *behind = skip_digits(at, end);
      *why = "a number of more than 100 digits";
      if (behind - at > MOST_DIGITS) return at;
      at = behind - 1;
    }
  }
  return NULL;
}

/* The number of elements for which aliases stand: 1 for an alias, plus those of the aliases in its
 * definition. */
typedef struct alias_count {
  arena *arena;
  map sizes;           /* by name with its sign: "#a0" */
  const char *defined; /* the alias whose definition is being read; NULL: none */
  int64_t size;        /* its size so far */
  int64_t total;
} alias_count;

static void finish_alias(alias_count *c) {
  if (c->defined) map_set(&c->sizes, c->defined, c->size);
  c->defined = NULL;
}

/* Whether "=" follows, but not "==". */
static bool is_defined_here(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
  return at < end && *at == '=' && !(at + 1 < end && at[1] == '=');
}

/* Counts the alias at `at` as used, or begins its definition; returns the position after its
 * name. */
static const char *count_alias(alias_count *c, const char *at, const char *end, int depth) {
  const char *behind = at + 1;
  while (behind < end && is_name_character(*behind)) behind++;
  const char *name = arena_strndup(c->arena, at, (size_t)(behind - at));
  if (depth == 0 && is_defined_here(behind, end)) {
    finish_alias(c);
    c->defined = name;
    c->size = 1;
  } else {
    int64_t size = map_get(&c->sizes, name, 1);
    c->size += size;
    c->total += size;
  }
  return behind;
}

/* The place where aliases begin to stand for more than can be printed; NULL if none. An operation
 * at the beginning of a line ends a definition. */
static const char *find_growth(arena *a, const char *begin, const char *end) {
  static const int64_t limit = (int64_t)1 << 24;
  alias_count c = {.arena = a, .sizes = {.arena = a, .of_strings = true}};
  int depth = 0;
  for (const char *at = begin; at < end && c.total <= limit; at++) {
    bool is_line = depth == 0 && (at == begin || at[-1] == '\n');
    if (is_line && (begins_with(at, end, "module") || begins_with(at, end, "func") || *at == '"' || *at == '%'))
      finish_alias(&c);
    if (*at == '"') {
      at = skip_string(at, end) - 1;
    } else if (*at == '/' && at + 1 < end && at[1] == '/') {
      while (at + 1 < end && at[1] != '\n') at++;
    } else if (*at == '(' || *at == '[' || *at == '{' || *at == '<') {
      depth++;
    } else if (*at == ')' || *at == ']' || *at == '}' || (*at == '>' && at > begin && at[-1] != '-' && at[-1] != '=')) {
      depth -= depth > 0;
    } else if (*at == '#' || *at == '!') {
      const char *place = at;
      at = count_alias(&c, at, end, depth) - 1;
      if (c.total > limit) return place;
    }
  }
  return NULL;
}

/* Notes that there was a message, and leaves it to the other handlers. */
static MlirLogicalResult see_message(MlirDiagnostic message, void *seen) {
  (void)message;
  *(bool *)seen = true;
  return mlirLogicalResultFailure();
}

/* Finds the name of an operation of ours without quotes. MLIR gives no message about it, because
 * operations defined by IRDL have no custom syntax. */
static const char *find_bare_operation(const char *begin, const char *end) {
  static const char *const dialects[] = {"gnn.", "inter.", "intra.", "device."};
  for (const char *at = begin; at < end; at++) {
    if (*at == '"')
      at = skip_string(at, end) - 1;
    else if (*at == '/' && at + 1 < end && at[1] == '/')
      while (at + 1 < end && at[1] != '\n') at++;
    else if (at == begin || !(is_name_character(at[-1]) || at[-1] == '!' || at[-1] == '#' || at[-1] == '@'))
      for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        const char *behind = at;
        if (!begins_with(at, end, dialects[i])) continue;
        while (behind < end && is_name_character(*behind)) behind++;
        if (!is_defined_here(behind, end)) return at; /* an attribute of that name would be followed by "=" */
      }
  }
  return NULL;
}

/* MLIR's parser, with a message for every failure. */
static MlirModule parse_text(MlirContext context, const char *ir, size_t size) {
  bool is_explained = false;
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(context, see_message, &is_explained, NULL);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreate(ir, size));
  mlirContextDetachDiagnosticHandler(context, handler);
  if (!mlirModuleIsNull(module) || is_explained) return module;
  const char *bare = find_bare_operation(ir, ir + size);
  return bare ? refuse(context, ir, bare, "expected an operation in its generic form, its name in quotes")
              : refuse(context, ir, ir, "this is no text of IR");
}

MlirModule ir_parse(MlirContext context, const char *ir, size_t size) {
  if (size > LARGEST_TEXT) return refuse(context, ir, ir, "more than a gigabyte of text");
  const char *nul = memchr(ir, 0, size), *why;
  if (nul) return refuse(context, ir, nul, "a zero byte in the text");
  const char *trap = find_trap(ir, ir + size, &why);
  if (trap) return refuse(context, ir, trap, why);
  arena *a = arena_create();
  const char *growth = find_growth(a, ir, ir + size);
  arena_destroy(a);
  if (growth) return refuse(context, ir, growth, "aliases stand for more than 16777216 others");
  MlirModule module = parse_text(context, ir, size);
  if (!mlirModuleIsNull(module) && !ir_verify(mlirModuleGetOperation(module))) {
    mlirModuleDestroy(module);
    module.ptr = NULL;
  }
  return module;
}
