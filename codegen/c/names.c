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

static map empty(const c_names *names) {
  return (map){.arena = names->arena, .of_strings = true};
}

const char *c_names_add(c_names *names, const char *name) {
  if (!names->in_force.arena) names->in_force = names->next = empty(names);
  const char *base = c_names_mangle(names->arena, name);
  const char *made = base;
  if (map_get(&names->in_force, base, 0)) {
    int64_t number = map_get(&names->next, base, 2);
    do made = arena_printf(names->arena, "%s_%lld", base, (long long)number++);
    while (map_get(&names->in_force, made, 0));
    map_set(&names->next, base, number);
  }
  map_set(&names->in_force, made, 1);
  VEC_PUSH(names->arena, names, made);
  return made;
}

void c_names_leave(c_names *names, size_t mark) {
  if (names->count == mark) return;
  while (names->count > mark) map_set(&names->in_force, names->items[--names->count], 0);
  names->next = empty(names);
}
