/* The front door for IR text: what would bring MLIR's own parser down is turned away here.
 *
 * MLIR parses nested types, attributes, regions and affine expressions by recursion, so that a
 * megabyte of brackets or of "d0 + d0 + ..." ends the process; and tuples of aliases of tuples
 * print as text of exponential size. */
#include "dialects/ir/ir_private.h"

#include <string.h>

enum { DEEPEST_NESTING = 200 };
static const size_t LARGEST_TEXT = (size_t)1 << 30;

/* Reports at a place in the text. */
static MlirModule refuse(MlirContext context, const char *ir, const char *at, const char *words) {
  unsigned line = 1, column = 1;
  for (const char *c = ir; c < at; c++) {
    column = *c == '\n' ? 1 : column + 1;
    line += *c == '\n';
  }
  mlirEmitError(mlirLocationFileLineColGet(context, ir_ref("-"), line, column), words);
  return (MlirModule){NULL};
}

/* Behind a string's closing quote, or the end of the text. */
static const char *skip_string(const char *at, const char *end) {
  for (at++; at < end && *at != '"' && *at != '\n'; at++)
    if (*at == '\\' && at + 1 < end) at++;
  return at < end ? at + 1 : end;
}

static bool begins_with(const char *at, const char *end, const char *word) {
  size_t size = strlen(word);
  return (size_t)(end - at) >= size && !memcmp(at, word, size);
}

/* The first place that MLIR's parser should not see, and why; NULL if there is none. Arrows, -> and
 * =>, are no brackets; unbalanced ones are left to the parser. */
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
    }
  }
  return NULL;
}

MlirModule ir_parse(MlirContext context, const char *ir, size_t size) {
  if (size > LARGEST_TEXT) return refuse(context, ir, ir, "more than a gigabyte of text");
  const char *nul = memchr(ir, 0, size), *why;
  if (nul) return refuse(context, ir, nul, "a zero byte in the text");
  const char *trap = find_trap(ir, ir + size, &why);
  if (trap) return refuse(context, ir, trap, why);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreate(ir, size));
  if (!mlirModuleIsNull(module) && !ir_verify(mlirModuleGetOperation(module))) {
    mlirModuleDestroy(module);
    module.ptr = NULL;
  }
  return module;
}
