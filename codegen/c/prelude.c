/* Picks the parts of the prelude that a generated file needs: see prelude.h. A part is what follows a line "//@ name" or "//@ name f32". */
#include "codegen/c/prelude.h"

#include "codegen/c/embedded.h"
#include "support/vec.h"

#include <ctype.h>
#include <string.h>

typedef struct prelude_part {
  const char *name;
  const char *code;
  bool ends_file;
  bool is_used;
} prelude_part;

typedef VEC(prelude_part) prelude_parts;

/* Parts for the other arithmetic are left out. */
static void read_parts(arena *a, const unsigned char *bytes, const char *arithmetic, prelude_parts *parts) {
  const char *at = strstr((const char *)bytes, "//@ ");
  while (at) {
    const char *name = at + 4, *line_end = strchr(at, '\n'), *next = strstr(name, "//@ ");
    const char *end = next ? next : name + strlen(name);
    size_t length = strcspn(name, " \n");
    bool is_ours = name[length] == '\n' || !strncmp(name + length + 1, arithmetic, 3);
    prelude_part part = {arena_strndup(a, name, length), arena_strndup(a, line_end + 1, (size_t)(end - line_end - 1)),
                         !next, false};
    if (is_ours) VEC_PUSH(a, parts, part);
    at = next;
  }
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* True where `word` stands in the code as an identifier of its own, outside comments. */
static bool names_word(const char *code, const char *word) {
  size_t length = strlen(word);
  for (const char *at = code; *at; at++) {
    if (at[0] == '/' && at[1] == '*') {
      at = strstr(at, "*/");
      if (!at) return false;
      at++;
      continue;
    }
    if (*at != *word || strncmp(at, word, length) || is_word(at[length])) continue;
    if (at == code || !is_word(at[-1])) return true;
  }
  return false;
}

/* Marks what the code names, then what that names. */
static void mark_used(prelude_parts *parts, const char *code) {
  for (size_t i = 0; i < parts->count; i++) {
    prelude_part *part = &parts->items[i];
    if (part->is_used || !names_word(code, part->name)) continue;
    part->is_used = true;
    mark_used(parts, part->code);
  }
}

void c_prelude_select(arena *a, const char *code, bool is_f64, text *out) {
  prelude_parts parts = {0};
  const unsigned char *const files[] = {c_embedded_real, c_embedded_block, c_embedded_graph, c_embedded_gemm};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) read_parts(a, files[i], is_f64 ? "f64" : "f32", &parts);
  mark_used(&parts, code);
  mark_used(&parts, "real");
  for (size_t i = 0; i < parts.count; i++)
    if (parts.items[i].is_used) text_printf(out, "%s%s", parts.items[i].code, parts.items[i].ends_file ? "\n" : "");
}
