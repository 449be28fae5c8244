/* Reads names, numbers, strings and comments from their spelling: `"att\"src"` becomes att"src, 0.2
 * becomes a double. A word that cannot be read is reported and replaced by a substitute value, so
 * that it gives one message. */
#include "frontend/syntax/parse_state.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash_bytes(const char *bytes, size_t size) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < size; i++) h = (h ^ (unsigned char)bytes[i]) * 16777619u;
  return h;
}

static void grow_names(parse_state *s) {
  size_t capacity = s->name_capacity ? 2 * s->name_capacity : 256;
  const char **names = arena_alloc_array(s->arena, capacity, sizeof *names);
  for (size_t i = 0; i < s->name_capacity; i++) {
    if (!s->names[i]) continue;
    size_t slot = hash_bytes(s->names[i], strlen(s->names[i])) & (capacity - 1);
    while (names[slot]) slot = (slot + 1) & (capacity - 1);
    names[slot] = s->names[i];
  }
  s->names = names;
  s->name_capacity = capacity;
}

const char *parse_intern(parse_state *s, const char *bytes, size_t size) {
  if (2 * (s->name_count + 1) > s->name_capacity) grow_names(s);
  size_t slot = hash_bytes(bytes, size) & (s->name_capacity - 1);
  while (s->names[slot]) {
    if (strncmp(s->names[slot], bytes, size) == 0 && s->names[slot][size] == 0) return s->names[slot];
    slot = (slot + 1) & (s->name_capacity - 1);
  }
  s->name_count++;
  return s->names[slot] = arena_strndup(s->arena, bytes, size);
}

/* The length of the UTF-8 sequence at the beginning, 0 when there is none. */
static size_t utf8_length(const unsigned char *t, size_t size) {
  size_t length = t[0] < 0x80 ? 1 : t[0] < 0xC2 ? 0 : t[0] < 0xE0 ? 2 : t[0] < 0xF0 ? 3 : t[0] < 0xF5 ? 4 : 0;
  if (length > size) return 0;
  for (size_t i = 1; i < length; i++)
    if ((t[i] & 0xC0) != 0x80) return 0;
  if ((t[0] == 0xE0 && t[1] < 0xA0) || (t[0] == 0xED && t[1] > 0x9F)) return 0; /* overlong, surrogate */
  if ((t[0] == 0xF0 && t[1] < 0x90) || (t[0] == 0xF4 && t[1] > 0x8F)) return 0; /* overlong, above U+10FFFF */
  return length;
}

int parse_utf8_prefix(const char *bytes, size_t size, size_t limit) {
  size_t end = 0;
  while (end < size) {
    size_t length = utf8_length((const unsigned char *)bytes + end, size - end);
    if (length == 0 || end + length > limit) break;
    end += length;
  }
  return (int)end;
}

/* Reports the first byte that is not allowed in a string or comment. */
static bool check_text(parse_state *s, span where, const char *what) {
  const unsigned char *bytes = (const unsigned char *)s->source->text;
  for (uint32_t i = where.begin; i < where.end;) {
    size_t length = utf8_length(bytes + i, where.end - i);
    span at = {s->source, i, i + 1};
    if (length == 0) {
      parse_error(s, at, DIAG_lexical, "byte 0x%02x in this %s is not UTF-8", bytes[i], what);
      return false;
    }
    if ((bytes[i] < 0x20 && bytes[i] != '\t') || bytes[i] == 0x7F) {
      parse_error(s, at, DIAG_lexical, "control character, byte 0x%02x, in this %s", bytes[i], what);
      return false;
    }
    i += (uint32_t)length;
  }
  return true;
}

const char *parse_unescape(parse_state *s, span where) {
  span inside = {where.source, where.begin + 1, where.end - 1};
  if (!check_text(s, inside, "string")) return "";
  const char *bytes = s->source->text;
  char *result = arena_alloc(s->arena, inside.end - inside.begin + 1);
  size_t size = 0;
  for (uint32_t i = inside.begin; i < inside.end; i++) {
    if (bytes[i] == '\\') {
      i++;
      if (bytes[i] != '"' && bytes[i] != '\\')
        parse_error(s, (span){s->source, i - 1, i + 1}, DIAG_lexical,
                    "a backslash in a string stands before '\"' or another backslash only");
    }
    result[size++] = bytes[i];
  }
  return parse_intern(s, result, size);
}

ast_expr *parse_make_number(parse_state *s, span where) {
  const char *bytes = parse_intern(s, s->source->text + where.begin, where.end - where.begin);
  double value = strtod(bytes, NULL);
  if (value > (double)FLT_MAX) {
    parse_error(s, where, DIAG_lexical, "this number is larger than %.7g, the largest f32", (double)FLT_MAX);
    value = 0;
  }
  ast_expr *e = arena_alloc(s->arena, sizeof *e);
  e->kind = AST_EXPR_number;
  e->height = 1;
  e->span = where;
  e->number.value = value;
  e->number.is_integer = value <= 9007199254740992.0 && bytes[strspn(bytes, "0123456789")] == 0;
  e->number.text = bytes;
  return e;
}

void parse_keep_comment(parse_state *s, span where) {
  const char *bytes = s->source->text;
  while (where.end > where.begin + 1 && strchr(" \t\r", bytes[where.end - 1])) where.end--;
  if (!check_text(s, where, "comment")) return;
  parse_comment c = {0};
  c.comment = (ast_name){arena_strndup(s->arena, bytes + where.begin + 1, where.end - where.begin - 1), where};
  int kind = s->lexed.kind;
  if (kind == ';' || kind == '{' || kind == '}') {
    uint32_t end = s->lexed.span.end;
    if (!memchr(bytes + end, '\n', where.begin - end)) {
      c.follows = (char)kind;
      c.follows_end = end;
    }
  }
  VEC_PUSH(s->arena, &s->comments, c);
}
