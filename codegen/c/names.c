/* C identifiers from the model's names: see names.h. */
#include "codegen/c/names.h"

#include "support/vec.h"

#include <ctype.h>
#include <string.h>

/* Keywords, and words that generated text uses itself. */
static const char *const reserved[] = {
    "auto",     "break",    "case",     "char",     "const",    "continue",  "default",  "do",      "double",
    "else",     "enum",     "extern",   "float",    "for",      "goto",      "if",       "inline",  "int",
    "long",     "register", "restrict", "return",   "short",    "signed",    "sizeof",   "static",  "struct",
    "switch",   "typedef",  "union",    "unsigned", "void",     "volatile",  "while",    "bool",    "true",
    "false",    "asm",      "typeof",   "real",     "threads",  "main",      "bound",    "layout",  "header",
    "work",     "block",    "inputs",   "outputs",  "weights",  "workspace", "graph",    "index",   "size",
    "exp",      "log",      "sqrt",     "tanh",     "erf",      "fabs",      "edge_set", "NULL",    "INFINITY",
    "NAN",      "EOF",      "linux",    "unix",     "errno",    "and",       "or",       "not",     "xor",
    "class",    "new",      "delete",   "this",     "template", "namespace", "public",   "private", "protected",
    "operator", "friend",   "virtual",  "try",      "catch",    "throw",     "using",    "memcpy",  "memset",
    "gamma",    "signgam",  "j0",       "j1",       "y0",       "y1",        "jn",       "yn",      "nan",
};

const char *c_names_mangle(arena *a, const char *name) {
  size_t length = strlen(name);
  char *made = arena_alloc(a, length + 3);
  size_t at = 0;
  if (!length || isdigit((unsigned char)name[0]) || name[0] == '_') made[at++] = 'v';
  for (size_t i = 0; i < length; i++) {
    char c = isalnum((unsigned char)name[i]) ? name[i] : '_';
    if (c == '_' && at && made[at - 1] == '_') continue;
    made[at++] = c;
  }
  while (at > 1 && made[at - 1] == '_') at--;
  made[at] = '\0';
  for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
    if (!strcmp(made, reserved[i])) made[at] = '_';
  return made;
}

static bool names_has(const c_names *names, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (!strcmp(names->items[i], name)) return true;
  return false;
}

const char *c_names_add(c_names *names, const char *name) {
  const char *base = c_names_mangle(names->arena, name);
  const char *made = base;
  for (unsigned number = 2; names_has(names, made); number++) made = arena_printf(names->arena, "%s_%u", base, number);
  VEC_PUSH(names->arena, names, made);
  return made;
}

void c_names_leave(c_names *names, size_t mark) {
  names->count = mark;
}
